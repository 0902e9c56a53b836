import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { isEmptyValue } from '#contract/signup/content.ts'
import { regionKey } from '#contract/signup/region.ts'
import { newKey } from '#web/kernel/api.ts'
import { type ApiError, isApiError } from '#web/kernel/api-error.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useLang, useT } from '#web/kernel/i18n/index.ts'
import { refresh } from '../data/answers.ts'
import { useSearchParams } from '../kit/address.ts'
import { Callout, PageTitle } from '../kit/page-ui.tsx'
import { Countdown } from '../kit/time.tsx'
import { Button } from '../kit/ui.tsx'
import type { Advisement, AutoCheck, SignupForm, SubmitAnswer, UploadedFile } from '../wire.ts'
import { writes } from '../writes.ts'
import { AdviceList } from './advice-list.tsx'
import { useAutosave } from './autosave.ts'
import { FileBox } from './files-step.tsx'
import { InfoStep } from './info-step.tsx'
import { dropLocal, restoredValues } from './local-copy.ts'
import {
  allProblems,
  askedFiles,
  deadlineOf,
  type FormValues,
  isFileOpen,
  isItemOpen,
  isReadOnly,
  openPartsOf,
  type Problem,
  type StepNo,
  serverProblem,
  startValues,
  todayOf,
  toInput,
} from './model.ts'
import { Closed, clock, SaveState, Steps, Submitted, stepKeys } from './parts.tsx'
import { PostStep } from './post-step.tsx'
import { ReviewStep } from './review-step.tsx'
import { change, type FormStore, newFormStore, problemOf, setProblems } from './store.ts'
import { formTexts } from './texts.ts'
import { newUploadQueue } from './uploads.ts'

/** Conditions of the post that the answers do not meet (2105, `data.items`). */
const conditionsOf = (error: ApiError): readonly AutoCheck[] => {
  const items = typeof error.data === 'object' && error.data !== null ? (error.data as { items?: unknown }).items : undefined
  return Array.isArray(items) ? (items as readonly AutoCheck[]).filter(item => item.result === 'no') : []
}

const placeOf = (key: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-field="${CSS.escape(key)}"]`) ??
  document.querySelector<HTMLElement>(`[name="${CSS.escape(key)}"]`)

const focusField = (key: string): void => {
  requestAnimationFrame(() => {
    // A cell of a table (`resume.0.start`) has its field in a sheet that is shut; the row's button stands for it.
    const place = placeOf(key) ?? placeOf(key.split('.')[0] ?? key)
    const target = place?.querySelector<HTMLElement>('input:not([type="hidden"]), select, textarea, button') ?? place
    target?.focus({ preventScroll: true })
    place?.scrollIntoView({ block: 'center' })
  })
}

/** What appears is brought into sight: the button that called for it stands at the far end of the page. */
const Seen = ({ children }: { readonly children: ReactNode }) => {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.scrollIntoView({ block: 'center' }), [])
  return <div ref={place}>{children}</div>
}

/** More names than these fill the screen of a phone before the form begins. */
const problemsNamed = 8

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

/** The four steps of a sign-up: what was typed is saved as one goes, and sent at the end. */
export const Wizard = ({ form, userId, onReload, isCopy, carried, onStore }: WizardProps) => {
  const t = useT(formTexts)
  const lang = useLang()
  const examId = form.exam.id
  const [params, setParams] = useSearchParams()
  const wanted = Number(params.get('step') ?? 1)
  const step: StepNo = wanted === 2 || wanted === 3 || wanted === 4 ? wanted : 1
  const fixing = form.signup?.examine === 3
  const refused = form.signup?.examine === 4
  const parts = useMemo(() => openPartsOf(form), [form])

  const [{ store, local }] = useState(() => {
    const today = todayOf(serverNow())
    const start = startValues(form, today)
    const newer = carried === undefined ? restoredValues(form, userId, today) : { values: carry(start, carried), atMs: serverNow() }
    const made = newFormStore(newer?.values ?? start)
    if (newer !== null) made.setState({ revision: 1, save: { kind: isCopy ? 'local' : 'dirty' } })
    return { store: made, local: newer === null || carried !== undefined ? null : { atMs: newer.atMs, start } }
  })
  useEffect(() => onStore(store), [onStore, store])
  const [restored, setRestored] = useState(local !== null)
  const { values, problems } = store()
  /** The same post once more is an appeal; another post is a new choice. */
  const appealing = refused && form.canAppeal && values.post?.code === form.signup?.code
  const autosave = useAutosave(store, form, userId, form.canSubmit, isCopy)
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

  const [sending, setSending] = useState(false)
  const [refusal, setRefusal] = useState<{ message: string; conditions: readonly AutoCheck[] } | null>(null)
  const [answer, setAnswer] = useState<SubmitAnswer | null>(null)
  const submitKey = useRef<{ revision: number; key: string } | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)

  const go = useCallback(
    (to: StepNo, key?: string) => {
      setParams(
        before => {
          before.set('step', String(to))
          return before
        },
        { replace: false },
      )
      if (key === undefined) {
        scrollTo(0, 0)
        requestAnimationFrame(() => heading.current?.focus({ preventScroll: true }))
      } else setTimeout(() => focusField(key), 60)
    },
    [setParams],
  )

  const checkAll = (): readonly Problem[] => {
    const state = store.getState()
    const found = [...allProblems(form, state.values, t('form.post.need'), todayOf(serverNow()), lang)]
    if (!state.promise) found.push({ key: 'promise', step: 4, message: t('form.promise.need') })
    setProblems(store, found)
    return found
  }
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
  const submit = async () => {
    setRefusal(null)
    const [first] = checkAll()
    if (first !== undefined) {
      go(first.step, first.key)
      return
    }
    if (queue.useUploads.getState().uploads.some(one => one.phase !== 'failed')) {
      setRefusal({ message: t('form.files.busy'), conditions: [] })
      return
    }
    if (isCopy) {
      setRefusal({ message: t('form.notSent'), conditions: [] })
      return
    }
    setSending(true)
    await autosave.flush()
    const { revision, values: now } = store.getState()
    // The same input keeps its key, so that pressing again after a lost answer makes no second sign-up.
    if (submitKey.current?.revision !== revision) submitKey.current = { revision, key: newKey() }
    try {
      const done = await writes.submit(
        {
          ...toInput(form, now, todayOf(serverNow())),
          ...(form.signup ? { signVersion: form.signup.signVersion } : {}),
          submitType: 1,
          promise: 1,
          ...(appealing ? { appeal: 1 as const } : {}),
        },
        submitKey.current.key,
      )
      autosave.stop()
      dropLocal(examId, userId)
      setAnswer(done)
      scrollTo(0, 0)
      setTimeout(() => document.querySelector<HTMLElement>('main h1')?.focus(), 60)
      void refresh()
    } catch (error) {
      if (!isApiError(error)) throw error
      if (!error.isOffline) submitKey.current = null
      const found = error.fields.map(field => serverProblem(form, field.field, field.msg))
      if (found.length > 0) {
        setProblems(store, found)
        const [wrong] = found
        if (wrong !== undefined) go(wrong.step, wrong.key)
      }
      setRefusal({ message: error.isOffline ? t('form.notSent') : error.message, conditions: conditionsOf(error) })
    } finally {
      setSending(false)
    }
  }

  // Whoever was asked for changes has until their own end.
  const closes = (fixing ? deadlineOf(form) : null) ?? form.exam.signEnd
  if (answer !== null) return <Submitted answer={answer} again={fixing} />
  const adviceOn = (wanted: (advice: Advisement) => boolean) => (fixing ? form.signup?.advisementList?.find(wanted)?.advice : undefined)
  return (
    <>
      <PageTitle back={`/signup/exam/${examId}`} title={form.exam.examName} />
      <div className="p-save" role="status">
        {!isReadOnly(form) && <SaveState store={store} />}
        <span>
          {t('form.closes', { time: minuteOf(closes) })} · <Countdown until={closes} onEnd={onReload} />
        </span>
      </div>
      <div className="p-stack p-gap-l">
        {!form.canSubmit && <Closed form={form} />}
        {form.canSubmit && form.signup?.examine === 1 && <Callout tone="active">{t('form.already')}</Callout>}
        {form.canSubmit && refused && (
          <Callout tone="warning">
            <strong>{t('form.refused')}</strong>
            {form.signup?.examineRemark && <p>{t('form.refusedWhy', { reason: form.signup.examineRemark })}</p>}
            <p>{t(appealing ? 'form.appealHint' : form.canAppeal ? 'form.appealOther' : 'form.refusedHint')}</p>
          </Callout>
        )}
        {restored && local !== null && (
          <Callout tone="active" live>
            {t('form.restored', { time: clock(local.atMs) })}{' '}
            <Button
              look="text"
              onClick={() => {
                change(store, local.start)
                setRestored(false)
              }}
            >
              {t('form.restoredDrop')}
            </Button>
          </Callout>
        )}
        {fixing && <AdviceList form={form} values={values} onGo={go} />}
        <Steps step={step} problems={problems} onGo={go} />
        <h2 tabIndex={-1} ref={heading} className="p-hidden">
          {t('form.stepOf', { step, name: t(stepKeys[step]) })}
        </h2>
        {refusal !== null && (
          <Seen>
            <Callout tone="danger" live>
              <strong>{refusal.conditions.length > 0 ? t('form.conditions') : refusal.message}</strong>
              {refusal.conditions.length > 0 && (
                <ul className="p-plain">
                  {refusal.conditions.map(item => (
                    <li key={item.rule}>{t('form.condition', { label: item.ruleLabel, need: item.need, got: item.got })}</li>
                  ))}
                </ul>
              )}
            </Callout>
          </Seen>
        )}
        {problems.length > 1 && (
          <Callout tone="danger">
            <strong>{t('form.problems', { count: problems.length })}</strong>
            <ul className="p-plain">
              {problems.slice(0, problemsNamed).map(problem => (
                <li key={problem.key}>
                  <Button look="text" onClick={() => go(problem.step, problem.key)}>
                    {problem.message}
                  </Button>
                </li>
              ))}
            </ul>
            {problems.length > problemsNamed && <p>{t('form.problems.more', { count: problems.length - problemsNamed })}</p>}
          </Callout>
        )}
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
        {step === 2 && <InfoStep form={form} store={store} parts={parts} onLeave={() => void autosave.flush()} />}
        {step === 3 &&
          (form.files.length === 0 ? (
            <Callout>{t('form.files.none')}</Callout>
          ) : (
            <div className="p-stack p-grid-2">
              {askedFiles(form, values.content).map(rule => (
                <FileBox
                  key={rule.fileKey}
                  rule={rule}
                  queue={queue}
                  files={values.files.filter(file => file.fileKey === rule.fileKey)}
                  problem={problemOf(problems, `file:${rule.fileKey}`)}
                  advice={
                    fixing ? form.signup?.advisementList?.find(one => one.kind === 'file' && one.key === rule.fileKey)?.advice : undefined
                  }
                  locked={!isFileOpen(parts, rule.fileKey)}
                  onRemove={fileId => change(store, { files: store.getState().values.files.filter(file => file.fileId !== fileId) })}
                />
              ))}
            </div>
          ))}
        {step === 4 && <ReviewStep form={form} store={store} onEdit={go} />}
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
