import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import { isPartOpen } from '#contract/signup/draft-merge.ts'
import { isEmptyValue } from '#contract/signup/empty-value.ts'
import { photoFault } from '#contract/signup/photo.ts'
import { regionKey } from '#contract/signup/region.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { endMinuteOf } from '#web/kernel/format.ts'
import { currentLang, type Lang, useLang, useT } from '#web/kernel/i18n/index.ts'
import { upload } from '#web/kernel/upload.ts'
import { PageTitle } from '../kit/page-ui.tsx'
import { Countdown } from '../kit/time.tsx'
import { Button } from '../kit/ui.tsx'
import type { Advisement, SignupForm, UploadedFile } from '../wire.ts'
import { useAutosave } from './autosave.ts'
import { firstEdits, type Sync, takeFields } from './draft.ts'
import { JudgedPanel } from './judged.tsx'
import { type Place, readPlace } from './kept.ts'
import { useLaterSteps } from './later-steps.tsx'
import { dropLocal, lostFields, type Restored, restoredValues } from './local-copy.ts'
import {
  deadlineOf,
  type FormValues,
  isItemOpen,
  isReadOnly,
  openPartsOf,
  problemsNow,
  type StepNo,
  startValues,
  subjectOf,
  subjectsOf,
  todayOf,
} from './model.ts'
import { LostNotice, ProblemsNotice, RefusalNotice, RestoredNotice, StateNotices } from './notices.tsx'
import { SaveState, Steps, stepKeys } from './parts.tsx'
import { PostStep } from './post-step.tsx'
import { change, type FormStore, newFormStore, setProblems } from './store.ts'
import { formTexts } from './texts.ts'
import { newUploadQueue, type UploadQueue } from './uploads.ts'
import { focusField, useSteps } from './use-steps.ts'
import { failedUploads, useSubmit } from './use-submit.ts'

/** Of a form that was returned; the others do without it. */
const AdviceList = lazy(() => import('./advice-list.tsx').then(module => ({ default: module.AdviceList })))
const Conflicts = lazy(() => import('./conflict-sheet.tsx').then(module => ({ default: module.Conflicts })))

interface WizardProps {
  readonly form: SignupForm
  readonly userId: string
  readonly onReload: () => void
  /** The form is what this device has kept: nothing is sent until the real one is there. */
  readonly isCopy: boolean
  /** What was typed into the copy before the real form came. */
  readonly carried: Typed | undefined
  readonly onStore: (store: FormStore) => void
  /** The sign-up is in another state than the form began with. */
  readonly onMoved: () => void
  readonly onSubmitted: () => void
}

/** What was typed into a form before another one took its place. */
export type Typed = Pick<Restored, 'values' | 'edits'> & Pick<Sync, 'conflicts'>

/** What was typed before, over the form that came since: a copy holds no sensitive answers, so empty ones do not count. */
const carry = (form: SignupForm, start: FormValues, { values, edits, conflicts }: Typed): Restored & Typed => {
  const open = openPartsOf(form)
  const fields = Object.keys(edits).filter(key => isPartOpen(open, key) && !(key in values.content && isEmptyValue(values.content[key])))
  return {
    values: takeFields(start, values, new Set(fields)),
    edits: Object.fromEntries(Object.entries(edits).filter(([key]) => fields.includes(key))),
    // What was asked before is asked still, against what is kept now.
    conflicts: conflicts.filter(({ key }) => fields.includes(key)).map(one => ({ ...one, theirs: start })),
    atMs: serverNow(),
  }
}

/** Begins with what the server has, what this device has kept since, or what was typed into the copy. */
const useFormStore = ({ form, userId, isCopy, carried, onStore }: Omit<WizardProps, 'onReload' | 'onMoved' | 'onSubmitted'>) => {
  const [made] = useState(() => {
    const today = todayOf(serverNow())
    const start = startValues(form, today)
    const taken = carried && carry(form, start, carried)
    const newer = taken ?? restoredValues(form, userId, today)
    const edits = { ...firstEdits(form, start), ...newer?.edits }
    const store = newFormStore(newer?.values ?? start, form.judged, {
      version: form.draftVersion,
      edits,
      conflicts: taken?.conflicts ?? [],
    })
    // A post that was chosen before the form was opened is saved at once: the save says what it asks for.
    const isPostNew = newer === null && form.signup === null && start.post !== null && form.canSubmit && !isCopy
    if (isPostNew) store.setState({ revision: 1, save: { kind: 'dirty' } })
    if (newer !== null) store.setState({ revision: 1, save: { kind: isCopy ? 'local' : 'dirty' } })
    // What was typed into the copy is here still.
    const lost = taken ? [] : lostFields(form, userId)
    return {
      store,
      isPostNew,
      lost,
      typed: store.getState().values.content,
      local: newer === null || taken ? null : { atMs: newer.atMs, start },
    }
  })
  useEffect(() => void onStore(made.store), [onStore, made])
  return made
}

/** Uploads of this form; a file that has arrived joins the answers. */
const useUploadQueue = (form: SignupForm, store: FormStore): UploadQueue => {
  const [queue] = useState(() => {
    const ruleOf = (fileKey: string) => form.files.find(one => one.fileKey === fileKey)
    const arrived = (file: UploadedFile) => {
      const { files } = store.getState().values
      const kept = (ruleOf(file.fileKey)?.maxCount ?? 1) === 1 ? files.filter(one => one.fileKey !== file.fileKey) : files
      change(store, { files: [...kept, file] })
      setProblems(store, [], key => key === `file:${file.fileKey}`)
    }
    // What a machine is certain about refuses the photo at once, as it would the submit.
    const faultOf = ({ fileKey, checks }: UploadedFile): string | undefined => {
      const rule = ruleOf(fileKey)
      return rule?.kind === 1 && checks ? photoFault(rule.pixel, checks)?.[currentLang()] : undefined
    }
    return newUploadQueue(arrived, upload, faultOf)
  })
  useEffect(() => () => queue.dispose(), [queue])
  return queue
}

/**
 * Where a form that was begun goes on: where its candidate was on this device, else at the first page that lacks something. Another post that is
 * wanted begins with the post, and what a return asks for stands at the top of the first page.
 */
const placeToGoOn = (
  form: SignupForm,
  userId: string,
  store: FormStore,
  partOf: (key: string) => number,
  needPost: string,
  lang: Lang,
): Place | null => {
  const isBegun = form.signup?.examine === 0 && form.canSubmit
  if (!isBegun || (form.wanted && form.wanted.code !== form.signup?.code)) return null
  const kept = readPlace(form.exam.id, userId)
  if (kept !== null) return kept
  const [first] = problemsNow(form, store.getState(), [], needPost, lang)
  return first === undefined ? { step: 4, part: 1 } : { step: first.step, part: first.step === 2 ? partOf(first.key) : 1 }
}

/** The four steps of a sign-up: what was typed is saved as one goes, and sent at the end. */
export const Wizard = (props: WizardProps) => {
  const { form, userId, onReload, isCopy, onMoved, onSubmitted } = props
  const t = useT(formTexts)
  const lang = useLang()
  const { store, local, lost, typed, isPostNew } = useFormStore(props)
  const { values, problems, signature, conflicts, refusal } = store()
  const partOf = useCallback((key: string) => subjectOf(form, store.getState().values.content, key), [form, store])
  const comeBack = () => placeToGoOn(form, userId, store, partOf, t('form.post.need'), lang)
  const { step, part, go, heading } = useSteps({ examId: form.exam.id, userId, comeBack, partOf })
  const { later, waiting } = useLaterSteps(step > 1)
  const parts = useMemo(() => openPartsOf(form), [form])
  const subjects = subjectsOf(form, values.content)
  const subject = Math.min(Math.max(1, part), subjects.length)
  const fixing = form.signup?.examine === 3
  /** The same post once more is an appeal; another post is a new choice. */
  const appealing = form.signup?.examine === 4 && form.canAppeal && values.post?.code === form.signup.code
  const autosave = useAutosave(store, form, userId, form.canSubmit, isCopy, onMoved)
  useEffect(() => {
    if (isPostNew) void autosave.flush()
  }, [isPostNew, autosave.flush])
  const queue = useUploadQueue(form, store)
  const { submit, sending, answer, isChoiceOpen } = useSubmit({ form, userId, store, queue, autosave, isCopy, appealing, go, onSubmitted })
  /** One subject at a time: what another page lacks is said there. */
  const isHere = (key: string): boolean => step !== 2 || partOf(key) === subject
  const next = () => {
    if (isChoiceOpen()) return
    // Somebody who only reads is not held up by what could be better.
    const found = isReadOnly(form)
      ? []
      : problemsNow(form, store.getState(), failedUploads(form, store, queue, t), t('form.post.need'), lang).filter(
          problem => problem.step === step && isHere(problem.key),
        )
    setProblems(store, found, key => problems.some(problem => problem.key === key && problem.step === step && isHere(key)))
    void autosave.flush()
    const [first] = found
    if (first !== undefined) focusField(first.key)
    else if (step === 2 && subject < subjects.length) go(2, undefined, subject + 1)
    else if (step < 4) go((step + 1) as StepNo)
  }
  const previous = () => {
    if (step === 2 && subject > 1) go(2, undefined, subject - 1)
    else if (step === 3) go(2, undefined, subjects.length)
    else go((step - 1) as StepNo)
  }
  // It is handed in from a later step, so these are here.
  if (answer !== null && later !== null)
    return <later.Submitted answer={answer} exam={form.exam} post={store.getState().values.post} again={fixing} />
  // Whoever was asked for changes has until their own end.
  const closes = (fixing ? deadlineOf(form) : null) ?? form.exam.signEnd
  const adviceOn = (wanted: (advice: Advisement) => boolean) => (fixing ? form.signup?.advisementList?.find(wanted)?.advice : undefined)
  return (
    <>
      <PageTitle back={`/signup/exam/${form.exam.id}`} title={form.exam.examName} />
      <div className="p-save" role="status">
        {!isReadOnly(form) && <SaveState store={store} />}
        <span>
          {t('form.closes', { time: endMinuteOf(closes) })} · <Countdown until={closes} onEnd={onReload} />
        </span>
      </div>
      <div className="p-stack p-gap-l">
        <StateNotices
          form={form}
          appealing={appealing}
          values={values}
          conflicts={conflicts}
          step={step}
          onSend={() => go(4)}
          onReload={onReload}
        />
        {local !== null && (
          <RestoredNotice
            atMs={local.atMs}
            onDrop={() => {
              dropLocal(form.exam.id, userId)
              store.setState({ values: local.start, edits: firstEdits(form, local.start), conflicts: [], save: { kind: 'idle' } })
            }}
          />
        )}
        <LostNotice form={form} userId={userId} keys={lost.filter(key => values.content[key] === typed[key])} />
        {conflicts.length > 0 && (
          <Suspense fallback={null}>
            <Conflicts form={form} store={store} />
          </Suspense>
        )}
        {fixing && (
          <Suspense fallback={null}>
            <AdviceList form={form} values={values} signature={signature} onGo={go} />
          </Suspense>
        )}
        <Steps step={step} problems={problems} onGo={go} />
        {!isReadOnly(form) && <JudgedPanel form={form} store={store} queue={queue} onGo={go} />}
        <h2 tabIndex={-1} ref={heading} className="p-hidden">
          {t('form.stepOf', { step, name: t(stepKeys[step]) })}
          {step === 2 && subjects.length > 1 && ` ${subject}/${subjects.length}`}
        </h2>
        {refusal !== null && <RefusalNotice refusal={refusal} onInsist={() => void submit(true)} />}
        <ProblemsNotice problems={problems} onGo={go} />
        {step === 1 && (
          <PostStep
            form={form}
            store={store}
            onPick={() => void autosave.flush()}
            locked={parts !== null && !parts.post}
            advice={adviceOn(advice => advice.kind === 'post')}
            regionLocked={!isItemOpen(parts, regionKey)}
            regionAdvice={adviceOn(advice => advice.key === regionKey)}
          />
        )}
        {step > 1 && later === null && waiting}
        {step === 2 && later !== null && (
          <later.InfoStep
            key={subject}
            form={form}
            groups={subjects[subject - 1] ?? []}
            subjects={subjects.map(([first]) => first?.name ?? '')}
            subject={subject}
            onSubject={to => go(2, undefined, to)}
            store={store}
            parts={parts}
            onLeave={() => void autosave.flush()}
          />
        )}
        {step === 3 && later !== null && (
          <later.FilesStep
            form={form}
            store={store}
            parts={parts}
            queue={queue}
            adviceOf={fileKey => adviceOn(advice => advice.kind === 'file' && advice.key === fileKey)}
          />
        )}
        {step === 4 && later !== null && <later.ReviewStep form={form} store={store} onEdit={go} />}
      </div>
      <div className="p-actions">
        {step > 1 && <Button onClick={previous}>{t('step.previous')}</Button>}
        {step < 4 ? (
          <Button look="primary" onClick={next}>
            {t('step.next')}
          </Button>
        ) : (
          <Button look="primary" busy={sending} disabled={!form.canSubmit} onClick={() => void submit()}>
            {t(sending ? 'form.submitting' : appealing ? 'form.appeal' : fixing ? 'form.resubmit' : 'form.submit')}
          </Button>
        )}
      </div>
    </>
  )
}
