import { lazy, Suspense, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { isApiError } from '../../../kernel/api-error.ts'
import { useLabel, useT } from '../../../kernel/i18n/index.ts'
import { notify } from '../../../kernel/notify.ts'
import { goTo, guardTab } from '../../../shell/go.ts'
import { usePage, useTabTitle } from '../../../shell/page-context.tsx'
import { countText } from '../../../ui/pager.tsx'
import { FailedState, PageSkeleton } from '../../../ui/states.tsx'
import { StatusTag } from '../../../ui/status-tag.tsx'
import { useQueue } from '../queue.ts'
import { type ExamineInfo, type ShownFile, stateLabel, stateTone } from '../show.ts'
import { reviewTexts } from '../texts.ts'
import { isTyping } from '../typing.ts'
import type { Advising } from './advice-spot.tsx'
import { adviceId } from './advices.ts'
import { AnswersPane } from './answers-pane.tsx'
import { ConditionsPane } from './conditions-pane.tsx'
import { DecisionBar } from './decision-bar.tsx'
import { FilesPane, slotsOf } from './files-pane.tsx'
import type { ImageHandle } from './image-view.tsx'
import { moveOn } from './move-on.ts'
import { Spent } from './spent.tsx'
import { useLastDecided, useUndo } from './undo.tsx'
import { useDecision } from './use-decision.ts'
import { type Review, useReview } from './use-review.ts'
import './work.css'

const KeysDialog = lazy(async () => ({ default: (await import('./keys-dialog.tsx')).KeysDialog }))

const listPath = '/examine/list'
const workPath = (id: string) => `/examine/work/${id}`
const panes = ['conditions', 'files', 'answers'] as const
type Pane = (typeof panes)[number]

type Undo = ReturnType<typeof useUndo>

const Banner = ({ review, info, undo }: { readonly review: Review; readonly info: ExamineInfo; readonly undo: Undo }) => {
  const t = useT(reviewTexts)
  if (review.isOld)
    return (
      <div className="work-banner" data-tone="waiting" role="alert">
        {review.latest?.signup.signVersion === info.signup.signVersion ? t('work.newerState') : t('work.newer')}
        <button type="button" className="button button-small" onClick={() => void review.reload()}>
          {t('work.reload')}
        </button>
      </div>
    )
  if (review.error !== null)
    return (
      <div className="work-banner" data-tone="refused" role="alert">
        {t('work.offline', { reason: review.error.message })}
        <button type="button" className="button button-small" onClick={() => void review.renew()}>
          {t('action.retry')}
        </button>
      </div>
    )
  if (review.mayDecide && !undo.may) return null
  return (
    <div className="work-banner" data-tone="closed" role="status">
      {review.mayDecide ? undo.decided : t('work.readOnly', { reason: review.latest?.readOnlyReason ?? review.latest?.lockedBy ?? '-' })}
      {undo.may ? (
        <>
          <button type="button" className="button button-small" onClick={undo.start}>
            {t('undo.title')} <kbd>U</kbd>
          </button>
          {undo.until}
        </>
      ) : null}
    </div>
  )
}

const Workbench = ({ review, info }: { readonly review: Review; readonly info: ExamineInfo }) => {
  const t = useT(reviewTexts)
  const label = useLabel()
  const { path } = usePage()
  const { signup } = info
  const place = useQueue(signup.examId, signup.id, signup.examine)
  const remarkRef = useRef<HTMLTextAreaElement>(null)
  const searchRef = useRef<HTMLInputElement>(null)
  const image = useRef<ImageHandle>(null)
  const decision = useDecision({
    review,
    remarkRef,
    onDone: nextId => {
      if (nextId === null) notify('info', t('work.allDone'))
      useLastDecided.setState({ id: signup.id, name: signup.name ?? signup.signNo ?? '' })
      moveOn(path, nextId === null ? listPath : workPath(nextId))
    },
  })
  const undo = useUndo(review, info)
  const decided = useLastDecided()
  const lastId = decided.id === signup.id ? null : decided.id
  const [pane, setPane] = useState<Pane>('files')
  const [chosenId, setChosenId] = useState<string | null>(null)
  const [editing, setEditing] = useState<string | null>(null)
  const [comparing, setComparing] = useState(true)
  const [showsKeys, setShowsKeys] = useState(false)
  const slots = useMemo(() => slotsOf(signup.files, info.fileLabels), [signup.files, info.fileLabels])
  const firstChanged = slots.find(slot => info.changedFiles.includes(slot.fileKey))
  const chosen = slots.find(slot => slot.id === chosenId) ?? firstChanged ?? slots[0] ?? null
  const previous: readonly ShownFile[] = info.previousFiles

  useTabTitle(useMemo(() => ({ zh: `审核 ${signup.name ?? ''}`.trim(), en: `Review ${signup.name ?? ''}`.trim() }), [signup.name]))
  const { hasChanges } = decision
  useEffect(() => guardTab(path, () => hasChanges), [path, hasChanges])

  const advising: Advising = {
    advices: decision.advices,
    onAdvices: decision.setAdvices,
    editing,
    onEdit: setEditing,
    enabled: decision.enabled,
  }
  const open = (id: string | null) => {
    if (id === null) return notify('info', t('work.noMore'))
    // What has been written stays in its tab; a sign-up that was only looked at makes room.
    if (hasChanges) goTo(workPath(id))
    else moveOn(path, workPath(id))
  }
  const stepFile = (by: 1 | -1) => {
    const at = slots.findIndex(slot => slot.id === chosen?.id)
    const next = slots[Math.min(slots.length - 1, Math.max(0, at + by))]
    setPane('files')
    if (next !== undefined) setChosenId(next.id)
  }
  const focusSearch = () => {
    setPane('answers')
    // The pane of a narrow screen has to be drawn before it can hold the focus.
    requestAnimationFrame(() => searchRef.current?.focus())
  }
  const adviseFile = () => {
    if (chosen === null || !decision.enabled) return
    setPane('files')
    setEditing(adviceId('file', chosen.fileKey))
  }
  const keys: Readonly<Record<string, () => void>> = {
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
    u: () => (undo.may ? undo.start() : lastId === null ? undefined : open(lastId)),
    '/': focusSearch,
    '?': () => setShowsKeys(true),
    Escape: () => decision.arm(null),
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (isTyping(event) || event.repeat || showsKeys) return
    const run = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key]
    if (run === undefined) return
    event.preventDefault()
    run()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])

  const name = signup.name ?? signup.signNo ?? ''
  return (
    <div className="work">
      <header className="work-head">
        <div className="work-who">
          <h1>
            <span className="visually-hidden">{t('work.title')} </span>
            {name}
          </h1>
          <StatusTag tone={stateTone(signup.examine)} text={label(stateLabel(signup.examine))} />
          <span className="work-facts">
            {signup.signNo} · {info.level === 2 ? t('level.2') : t('level.1')} · {t('work.version', { n: signup.signVersion })}
          </span>
        </div>
        <div className="work-nav">
          <Spent />
          {lastId === null ? null : (
            <button type="button" className="link-button work-last" onClick={() => open(lastId)}>
              {t('undo.last', { name: decided.name })} <kbd>U</kbd>
            </button>
          )}
          {place.total > 0 && place.at !== null ? (
            <span className="work-place">{t('work.of', { at: place.at, total: countText(place.total, place.isMore) })}</span>
          ) : null}
          <button type="button" className="button button-small" disabled={place.previousId === null} onClick={() => open(place.previousId)}>
            {t('work.previous')} <kbd>K</kbd>
          </button>
          <button type="button" className="button button-small" disabled={place.nextId === null} onClick={() => open(place.nextId)}>
            {t('work.next')} <kbd>J</kbd>
          </button>
          <button
            type="button"
            className="button button-small"
            aria-label={t('work.keys')}
            title={t('work.keys')}
            onClick={() => setShowsKeys(true)}
          >
            <kbd>?</kbd>
          </button>
        </div>
      </header>
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
          <ConditionsPane signup={signup} advising={advising} />
        </section>
        <section className="card pane pane-files" aria-label={t('pane.files')}>
          <FilesPane
            slots={slots}
            chosen={chosen}
            onChoose={setChosenId}
            linkOf={review.linkOf}
            changed={info.changedFiles}
            previous={previous}
            comparing={comparing}
            onCompare={setComparing}
            handle={image}
            advising={advising}
            photo={{ state: decision.photoState, onState: decision.setPhotoState, enabled: decision.enabled }}
          />
        </section>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: as above */}
        <section className="card pane pane-answers" aria-label={t('pane.answers')} tabIndex={0}>
          <AnswersPane key={signup.signVersion} info={info} advising={advising} search={searchRef} />
        </section>
      </div>
      <DecisionBar
        level={info.level}
        enabled={decision.enabled}
        busy={decision.busy}
        remark={decision.remark}
        onRemark={decision.setRemark}
        remarkRef={remarkRef}
        advices={decision.advices}
        onAdvices={decision.setAdvices}
        armed={decision.armed}
        onArm={decision.arm}
        onDecide={result => void decision.decide(result)}
        toFirst={decision.toFirst}
        onToFirst={decision.setToFirst}
        extendHours={decision.extendHours}
        extend={decision.extend}
        onExtend={decision.setExtend}
      />
      {undo.dialog}
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
