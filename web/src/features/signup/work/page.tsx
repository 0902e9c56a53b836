import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { isApiError } from '#web/kernel/api-error.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { goTo } from '#web/shell/go.ts'
import { moveOn } from '#web/shell/move-on.ts'
import { usePage, useTabTitle } from '#web/shell/page-context.tsx'
import { FailedState, PageSkeleton } from '#web/ui/states.tsx'
import { useUnsaved } from '#web/ui/unsaved.ts'
import { keepOpened, listOf, useQueue } from '../queue.ts'
import type { ExamineInfo } from '../show.ts'
import { reviewTexts } from '../texts.ts'
import { type Advising, editorAt, type Pane } from './advice-spot.tsx'
import { AnswersPane } from './answers-pane.tsx'
import { Banner } from './banner.tsx'
import { ConditionsPane } from './conditions-pane.tsx'
import { DecisionBar } from './decision-bar.tsx'
import { FilesPane } from './files-pane.tsx'
import type { ImageHandle } from './image-view.tsx'
import { useLastDecided, useUndo } from './undo.tsx'
import { useDecision } from './use-decision.ts'
import { useKeys } from './use-keys.ts'
import { type Review, useReview } from './use-review.ts'
import { useSlots } from './use-slots.ts'
import { WorkHead } from './work-head.tsx'
import './work.css'

const RecuseDialog = lazy(async () => ({ default: (await import('./recuse-dialog.tsx')).RecuseDialog }))
const KeysDialog = lazy(async () => ({ default: (await import('./keys-dialog.tsx')).KeysDialog }))

const workPath = (id: string) => `/examine/work/${id}`
const panes: readonly Pane[] = ['conditions', 'files', 'answers']

/** Between the sign-ups of the list. What has been written stays in its tab; a sign-up that was only looked at makes room. */
const useWays = (info: ExamineInfo, hasChanges: boolean) => {
  const t = useT(reviewTexts)
  const { path } = usePage()
  const { signup } = info
  const decided = useLastDecided()
  useUnsaved(path, () => hasChanges)
  useEffect(() => {
    keepOpened(signup.examId, signup.id)
  }, [signup.examId, signup.id])
  const back = () => (hasChanges ? goTo(listOf(signup.examId)) : moveOn(path, listOf(signup.examId)))
  const open = (id: string | null) => {
    if (id === null) return notify('info', t('work.noMore'))
    if (hasChanges) goTo(workPath(id))
    else moveOn(path, workPath(id))
  }
  return { last: decided.id === null || decided.id === signup.id ? null : { id: decided.id, name: decided.name }, open, back }
}

const Workbench = ({ review, info }: { readonly review: Review; readonly info: ExamineInfo }) => {
  const t = useT(reviewTexts)
  const { path } = usePage()
  const { signup } = info
  const remarkRef = useRef<HTMLTextAreaElement>(null)
  const searchRef = useRef<HTMLInputElement>(null)
  const image = useRef<ImageHandle>(null)
  const place = useQueue(signup.examId, signup.id, signup.examine)
  const goOn = (named: string | null) => {
    const nextId = place.following(named)
    if (nextId === null) notify('info', t(named === null ? 'work.allDone' : 'work.listDone'))
    moveOn(path, nextId === null ? listOf(signup.examId) : workPath(nextId))
  }
  const decision = useDecision({
    review,
    remarkRef,
    onDone: nextId => {
      useLastDecided.setState({ id: signup.id, name: signup.name ?? signup.signNo ?? '' })
      goOn(nextId)
    },
  })
  const undo = useUndo(review, info)
  const { last, open, back } = useWays(info, decision.hasChanges)
  const files = useSlots(info)
  const [pane, setPane] = useState<Pane>('files')
  const [editing, setEditing] = useState<string | null>(null)
  const [comparing, setComparing] = useState(true)
  const [showsKeys, setShowsKeys] = useState(false)
  const [recusing, setRecusing] = useState(false)
  useTabTitle(useMemo(() => ({ zh: `审核 ${signup.name ?? ''}`.trim(), en: `Review ${signup.name ?? ''}`.trim() }), [signup.name]))

  const stepFile = (by: 1 | -1) => {
    setPane('files')
    files.step(by)
  }
  const focusSearch = () => {
    setPane('answers')
    // The pane of a narrow screen has to be drawn before it can hold the focus.
    requestAnimationFrame(() => searchRef.current?.focus())
  }
  const adviseFile = () => {
    if (files.chosen === null || !decision.enabled) return
    setPane('files')
    setEditing(editorAt('files', 'file', files.chosen.fileKey))
  }
  useKeys(
    {
      '1': () => void decision.decide(1),
      '2': () => decision.arm(2),
      '3': () => decision.arm(3),
      j: () => open(place.nextId),
      k: () => open(place.previousId),
      '[': () => stepFile(-1),
      ']': () => stepFile(1),
      '+': () => image.current?.zoom(1.25),
      '=': () => image.current?.zoom(1.25),
      '-': () => image.current?.zoom(1 / 1.25),
      '0': () => image.current?.fit(),
      r: () => image.current?.turn(1),
      c: () => setComparing(!comparing),
      m: adviseFile,
      u: () => (undo.may ? undo.start() : last === null ? undefined : open(last.id)),
      '/': focusSearch,
      '?': () => setShowsKeys(true),
      Escape: () => decision.arm(null),
      'Ctrl+Enter': () => decision.armed !== null && void decision.decide(decision.armed),
    },
    showsKeys || recusing,
  )
  const advising: Advising = {
    advices: decision.advices,
    onAdvices: decision.advise,
    editing,
    onEdit: setEditing,
    enabled: decision.enabled,
  }
  return (
    <div className="work">
      <WorkHead
        info={info}
        place={place}
        last={last}
        onOpen={open}
        onBack={back}
        onKeys={() => setShowsKeys(true)}
        onRecuse={info.mayDecide ? () => setRecusing(true) : null}
      />
      <Banner review={review} info={info} undo={undo} />
      <fieldset className="segmented work-tabs" aria-label={t('pane.label')}>
        {panes.map(each => (
          <button key={each} type="button" aria-pressed={pane === each} onClick={() => setPane(each)}>
            {t(`pane.${each}`)}
          </button>
        ))}
      </fieldset>
      <div className="work-panes" data-pane={pane}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
        <section className="card pane pane-conditions" aria-label={t('pane.conditions')} tabIndex={0}>
          <ConditionsPane info={info} advising={advising} />
        </section>
        <section className="card pane pane-files" aria-label={t('pane.files')}>
          <FilesPane
            slots={files.slots}
            chosen={files.chosen}
            onChoose={files.choose}
            linkOf={review.linkOf}
            changed={info.changedFiles}
            previous={info.previousFiles}
            comparing={comparing}
            onCompare={setComparing}
            handle={image}
            advising={advising}
            photo={{ state: decision.photoState, onState: decision.judgePhoto, enabled: decision.enabled }}
          />
        </section>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: as above */}
        <section className="card pane pane-answers" aria-label={t('pane.answers')} tabIndex={0}>
          <AnswersPane key={signup.signVersion} info={info} advising={advising} search={searchRef} />
        </section>
      </div>
      {/* Who could decide at first keeps what was typed, also when the right to decide has gone meanwhile. */}
      {info.mayDecide || review.mayDecide || decision.hasChanges ? (
        <DecisionBar level={info.level} decision={decision} remarkRef={remarkRef} />
      ) : null}
      {undo.dialog}
      {recusing ? (
        <Suspense>
          <RecuseDialog
            signUpId={signup.id}
            name={signup.name ?? signup.signNo ?? ''}
            onClose={() => setRecusing(false)}
            onDone={nextId => {
              review.finished()
              goOn(nextId)
            }}
          />
        </Suspense>
      ) : null}
      {showsKeys ? (
        <Suspense>
          <KeysDialog onClose={() => setShowsKeys(false)} />
        </Suspense>
      ) : null}
    </div>
  )
}

/** The review workbench (domain 6.1): one sign-up, conditions, files and answers side by side. */
export const Page = () => {
  const t = useT(reviewTexts)
  const { params } = usePage()
  const review = useReview(params.signupId ?? '')
  if (review.shown !== null) return <Workbench review={review} info={review.shown} />
  if (review.error === null) return <PageSkeleton />
  const isGone = isApiError(review.error) && review.error.status === 404
  return <FailedState text={isGone ? t('work.gone') : review.error.message} onRetry={() => void review.reload()} />
}
