import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { isEmptyValue } from '#contract/signup/content.ts'
import { newKey } from '#web/kernel/api.ts'
import { type ApiError, isApiError } from '#web/kernel/api-error.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useLang, useT } from '#web/kernel/i18n/index.ts'
import { useSession } from '#web/kernel/session.ts'
import { useRead } from '../calls.ts'
import { refresh } from '../data/answers.ts'
import { Load } from '../kit/load.tsx'
import { CheckIcon } from '../kit/page-icons.tsx'
import { Callout, PageTitle } from '../kit/page-ui.tsx'
import { Link, useSearchParams } from '../kit/router.tsx'
import { Countdown } from '../kit/time.tsx'
import { Button, ButtonLink, Skeleton } from '../kit/ui.tsx'
import type { AutoCheck, SignupForm, SubmitAnswer, UploadedFile } from '../wire.ts'
import { writes } from '../writes.ts'
import { AdviceList } from './advice-list.tsx'
import { useAutosave } from './autosave.ts'
import { FileBox } from './files-step.tsx'
import { InfoStep } from './info-step.tsx'
import { dropLocal, restoredValues } from './local-copy.ts'
import {
  allProblems,
  askedFiles,
  type FormValues,
  isFileOpen,
  isReadOnly,
  openPartsOf,
  type Problem,
  type StepNo,
  serverProblem,
  startValues,
  todayOf,
  toInput,
} from './model.ts'
import { PostStep } from './post-step.tsx'
import { ReviewStep } from './review-step.tsx'
import { change, type FormStore, newFormStore, problemOf, setProblems } from './store.ts'
import { formTexts } from './texts.ts'
import { newUploadQueue } from './uploads.ts'

const stepNos = [1, 2, 3, 4] as const
const stepKeys = { 1: 'form.step.1', 2: 'form.step.2', 3: 'form.step.3', 4: 'form.step.4' } as const

const Steps = ({
  step,
  problems,
  onGo,
}: {
  readonly step: StepNo
  readonly problems: readonly Problem[]
  readonly onGo: (step: StepNo) => void
}) => {
  const t = useT(formTexts)
  return (
    <nav aria-label={t('form.steps')}>
      <ol className="p-plain p-steps">
        {stepNos.map(no => {
          const wrong = problems.some(problem => problem.step === no)
          return (
            <li key={no}>
              <button
                type="button"
                className={no === step ? 'is-now' : wrong ? 'is-wrong' : no < step ? 'is-done' : undefined}
                aria-current={no === step ? 'step' : undefined}
                onClick={() => onGo(no)}
              >
                {no}. {t(stepKeys[no])}
                {wrong && no !== step && ' !'}
              </button>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

const clock = (ms: number): string => new Date(ms + 8 * 3_600_000).toISOString().slice(11, 19)

const SaveState = ({ store }: { readonly store: FormStore }) => {
  const t = useT(formTexts)
  const save = store(state => state.save)
  const text = {
    idle: () => t('form.save.idle'),
    dirty: () => t('form.save.dirty'),
    saving: () => t('form.save.saving'),
    saved: () => t('form.save.saved', { time: save.kind === 'saved' ? clock(save.atMs) : '' }),
    local: () => t('form.save.local'),
    refused: () => t('form.save.refused', { reason: save.kind === 'refused' ? save.reason : '' }),
  }[save.kind]()
  return <span className={save.kind === 'local' ? 'is-warning' : save.kind === 'refused' ? 'is-danger' : undefined}>{text}</span>
}

const Submitted = ({ answer, again }: { readonly answer: SubmitAnswer; readonly again: boolean }) => {
  const t = useT(formTexts)
  return (
    <div className="p-card p-done">
      <span className="p-done-mark">
        <CheckIcon size={40} />
      </span>
      <h1 tabIndex={-1}>{t(again ? 'form.done.again' : 'form.done.title')}</h1>
      {answer.signNo && (
        <p>
          <span className="p-dim">{t('form.done.no')}</span>
          <br />
          <span className="p-big p-num">{answer.signNo}</span>
        </p>
      )}
      <p className="p-soft">{t('form.done.hint')}</p>
      <ButtonLink to="/signup/myExam" look="primary" block>
        {t('form.done.mine')}
      </ButtonLink>
      <ButtonLink to="/" block>
        {t('form.done.home')}
      </ButtonLink>
    </div>
  )
}

/** Conditions of the post that the answers do not meet (2105, `data.items`). */
const conditionsOf = (error: ApiError): readonly AutoCheck[] => {
  const items = typeof error.data === 'object' && error.data !== null ? (error.data as { items?: unknown }).items : undefined
  return Array.isArray(items) ? (items as readonly AutoCheck[]).filter(item => item.result === 'no') : []
}

const focusField = (key: string): void => {
  requestAnimationFrame(() => {
    const escaped = CSS.escape(key)
    const place =
      document.querySelector<HTMLElement>(`[data-field="${escaped}"]`) ?? document.querySelector<HTMLElement>(`[name="${escaped}"]`)
    const target = place?.querySelector<HTMLElement>('input:not([type="hidden"]), select, textarea, button') ?? place
    target?.focus({ preventScroll: true })
    place?.scrollIntoView({ block: 'center' })
  })
}

/** Why the form can be read but not sent: the state of the sign-up says it better than a closed window. */
const Closed = ({ form }: { readonly form: SignupForm }) => {
  const t = useT(formTexts)
  const state = form.signup?.examine
  if (state === 5)
    return (
      <Callout tone="success">
        <strong>{t('form.passed')}</strong>
        <p>{t('form.passedHint')}</p>
        <Link href="/signup/myExam">{t('form.done.mine')}</Link>
      </Callout>
    )
  if (state === 1 || state === 2) return <Callout tone="active">{t('form.inReview')}</Callout>
  return (
    <Callout tone="danger">
      <strong>{t('form.cannot')}</strong>
      <p>{form.reason}</p>
    </Callout>
  )
}

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

const Wizard = ({ form, userId, onReload, isCopy, carried, onStore }: WizardProps) => {
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

  if (answer !== null) return <Submitted answer={answer} again={fixing} />
  const postAdvice = fixing ? form.signup?.advisementList?.find(advice => advice.kind === 'post') : undefined
  return (
    <>
      <PageTitle back={`/signup/exam/${examId}`} title={form.exam.examName} />
      <div className="p-save" role="status">
        {!isReadOnly(form) && <SaveState store={store} />}
        <span>
          {t('form.closes', { time: minuteOf(form.exam.signEnd) })} · <Countdown until={form.exam.signEnd} onEnd={onReload} />
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
        )}
        {problems.length > 1 && (
          <Callout tone="danger">
            <strong>{t('form.problems', { count: problems.length })}</strong>
            <ul className="p-plain">
              {problems.slice(0, 8).map(problem => (
                <li key={problem.key}>
                  <Button look="text" onClick={() => go(problem.step, problem.key)}>
                    {problem.message}
                  </Button>
                </li>
              ))}
            </ul>
          </Callout>
        )}
        {step === 1 && <PostStep form={form} store={store} locked={parts !== null && !parts.post} advice={postAdvice?.advice} />}
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

/** The form keeps the answer it began with: a later refresh must not overwrite what the candidate types. */
const Pinned = ({ form, isCopy, onReload }: { readonly form: SignupForm; readonly isCopy: boolean; readonly onReload: () => void }) => {
  const userId = useSession(session => session.user?.userId ?? '')
  const [pinned, setPinned] = useState({ form, isCopy, carried: undefined as FormValues | undefined })
  const store = useRef<FormStore>(null)
  const keepStore = useCallback((made: FormStore) => {
    store.current = made
  }, [])
  useEffect(() => {
    if (pinned.isCopy && !isCopy) {
      const state = store.current?.getState()
      setPinned({ form, isCopy, carried: state && state.revision > 0 ? state.values : undefined })
    } else if (form.canSubmit !== pinned.form.canSubmit)
      setPinned(before => ({ ...before, form: { ...before.form, canSubmit: form.canSubmit, reason: form.reason } }))
  }, [form, isCopy, pinned])
  return (
    <Wizard
      key={pinned.isCopy ? 'copy' : 'real'}
      form={pinned.form}
      userId={userId}
      isCopy={pinned.isCopy}
      carried={pinned.carried}
      onStore={keepStore}
      onReload={onReload}
    />
  )
}

export const FormPage = ({ examId }: { readonly examId: string }) => {
  const form = useRead('form', { examId }, { staleMs: 0 })
  // What an earlier visit left in the cache may be older than its own draft.
  if (!form.isFresh && !form.isCopy && !form.isError) return <Skeleton rows={[28, 56, 220, 220]} />
  return (
    <Load query={form} skeleton={[28, 56, 220, 220]}>
      {data => <Pinned form={data} isCopy={form.isCopy} onReload={() => void form.refetch()} />}
    </Load>
  )
}
