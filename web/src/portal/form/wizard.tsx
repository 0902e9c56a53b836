import { useEffect, useMemo, useState } from 'react'
import { isEmptyValue } from '#contract/signup/empty-value.ts'
import { regionKey } from '#contract/signup/region.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useLang, useT } from '#web/kernel/i18n/index.ts'
import { PageTitle } from '../kit/page-ui.tsx'
import { Countdown } from '../kit/time.tsx'
import { Button } from '../kit/ui.tsx'
import type { Advisement, SignupForm, UploadedFile } from '../wire.ts'
import { AdviceList } from './advice-list.tsx'
import { useAutosave } from './autosave.ts'
import { useLaterSteps } from './later-steps.tsx'
import { restoredValues } from './local-copy.ts'
import {
  allProblems,
  deadlineOf,
  type FormValues,
  isItemOpen,
  isReadOnly,
  openPartsOf,
  type StepNo,
  startValues,
  todayOf,
} from './model.ts'
import { ProblemsNotice, RefusalNotice, RestoredNotice, StateNotices } from './notices.tsx'
import { SaveState, Steps, Submitted, stepKeys } from './parts.tsx'
import { PostStep } from './post-step.tsx'
import { change, type FormStore, newFormStore, setProblems } from './store.ts'
import { formTexts } from './texts.ts'
import { newUploadQueue, type UploadQueue } from './uploads.ts'
import { focusField, useSteps } from './use-steps.ts'
import { useSubmit } from './use-submit.ts'

interface WizardProps {
  readonly form: SignupForm
  readonly userId: string
  readonly onReload: () => void
  /** The form is what this device has kept: nothing is sent until the real one is there. */
  readonly isCopy: boolean
  /** What was typed into the copy before the real form came. */
  readonly carried: FormValues | undefined
  readonly onStore: (store: FormStore) => void
}

/** What was typed without a network, over the form that came with it: a copy holds no sensitive answers, so empty ones do not count. */
const carry = (start: FormValues, typed: FormValues): FormValues => ({
  ...typed,
  content: { ...start.content, ...Object.fromEntries(Object.entries(typed.content).filter(([, value]) => !isEmptyValue(value))) },
  files: start.files,
})

/** Begins with what the server has, what this device has kept since, or what was typed into the copy. */
const useFormStore = ({ form, userId, isCopy, carried, onStore }: Omit<WizardProps, 'onReload'>) => {
  const [made] = useState(() => {
    const today = todayOf(serverNow())
    const start = startValues(form, today)
    const newer = carried === undefined ? restoredValues(form, userId, today) : { values: carry(start, carried), atMs: serverNow() }
    const store = newFormStore(newer?.values ?? start)
    if (newer !== null) store.setState({ revision: 1, save: { kind: isCopy ? 'local' : 'dirty' } })
    return { store, local: newer === null || carried !== undefined ? null : { atMs: newer.atMs, start } }
  })
  useEffect(() => void onStore(made.store), [onStore, made])
  return made
}

/** Uploads of this form; a file that has arrived joins the answers. */
const useUploadQueue = (form: SignupForm, store: FormStore): UploadQueue => {
  const [queue] = useState(() =>
    newUploadQueue((file: UploadedFile) => {
      const { files } = store.getState().values
      const rule = form.files.find(one => one.fileKey === file.fileKey)
      const kept = (rule?.maxCount ?? 1) === 1 ? files.filter(one => one.fileKey !== file.fileKey) : files
      change(store, { files: [...kept, file] })
      setProblems(store, [], key => key === `file:${file.fileKey}`)
    }),
  )
  useEffect(() => () => queue.dispose(), [queue])
  return queue
}

/** The four steps of a sign-up: what was typed is saved as one goes, and sent at the end. */
export const Wizard = (props: WizardProps) => {
  const { form, userId, onReload, isCopy } = props
  const t = useT(formTexts)
  const lang = useLang()
  const { step, go, heading } = useSteps()
  const { later, waiting } = useLaterSteps(step > 1)
  const parts = useMemo(() => openPartsOf(form), [form])
  const { store, local } = useFormStore(props)
  const { values, problems, signature } = store()
  const fixing = form.signup?.examine === 3
  /** The same post once more is an appeal; another post is a new choice. */
  const appealing = form.signup?.examine === 4 && form.canAppeal && values.post?.code === form.signup.code
  const autosave = useAutosave(store, form, userId, form.canSubmit, isCopy)
  const queue = useUploadQueue(form, store)
  const { submit, sending, refusal, answer } = useSubmit({ form, userId, store, queue, autosave, isCopy, appealing, go })
  const next = () => {
    // Somebody who only reads is not held up by what could be better.
    const found = isReadOnly(form)
      ? []
      : allProblems(form, store.getState().values, t('form.post.need'), todayOf(serverNow()), lang).filter(problem => problem.step === step)
    setProblems(store, found, key => problems.some(problem => problem.key === key && problem.step === step))
    void autosave.flush()
    const [first] = found
    if (first !== undefined) focusField(first.key)
    else if (step < 4) go((step + 1) as StepNo)
  }
  if (answer !== null) return <Submitted answer={answer} again={fixing} />
  // Whoever was asked for changes has until their own end.
  const closes = (fixing ? deadlineOf(form) : null) ?? form.exam.signEnd
  const adviceOn = (wanted: (advice: Advisement) => boolean) => (fixing ? form.signup?.advisementList?.find(wanted)?.advice : undefined)
  return (
    <>
      <PageTitle back={`/signup/exam/${form.exam.id}`} title={form.exam.examName} />
      <div className="p-save" role="status">
        {!isReadOnly(form) && <SaveState store={store} />}
        <span>
          {t('form.closes', { time: minuteOf(closes) })} · <Countdown until={closes} onEnd={onReload} />
        </span>
      </div>
      <div className="p-stack p-gap-l">
        <StateNotices form={form} appealing={appealing} />
        {local !== null && <RestoredNotice atMs={local.atMs} onDrop={() => change(store, local.start)} />}
        {fixing && <AdviceList form={form} values={values} signature={signature} onGo={go} />}
        <Steps step={step} problems={problems} onGo={go} />
        <h2 tabIndex={-1} ref={heading} className="p-hidden">
          {t('form.stepOf', { step, name: t(stepKeys[step]) })}
        </h2>
        {refusal !== null && <RefusalNotice refusal={refusal} />}
        <ProblemsNotice problems={problems} onGo={go} />
        {step === 1 && (
          <PostStep
            form={form}
            store={store}
            locked={parts !== null && !parts.post}
            advice={adviceOn(advice => advice.kind === 'post')}
            regionLocked={!isItemOpen(parts, regionKey)}
            regionAdvice={adviceOn(advice => advice.key === regionKey)}
          />
        )}
        {step > 1 && later === null && waiting}
        {step === 2 && later !== null && <later.InfoStep form={form} store={store} parts={parts} onLeave={() => void autosave.flush()} />}
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
        {step > 1 && <Button onClick={() => go((step - 1) as StepNo)}>{t('action.previous')}</Button>}
        {step < 4 ? (
          <Button look="primary" onClick={next}>
            {t('action.next')}
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
