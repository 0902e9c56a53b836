import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { messageImports } from '#contract/message/import-kinds.ts'
import { channels } from '#contract/message/send.resources.ts'
import { type Audience, audienceLabels, audiences } from '#contract/message/send.state.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCall } from '#web/kernel/query.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import { useExamOptions } from '#web/resource/exams.ts'
import { moveOn } from '#web/shell/move-on.ts'
import { usePage } from '#web/shell/page-context.tsx'
import { Check, Labelled, LabelledInput, LabelledSelect } from '#web/ui/labelled.tsx'
import { EmptyState, Loaded } from '#web/ui/states.tsx'
import { Stepper } from '#web/ui/stepper.tsx'
import { Previews, SentPreviews } from './previews.tsx'
import { begunText, LeftOutLine, type Task, taskList } from './shared.tsx'
import { sendTexts } from './texts.ts'
import './message.css'
import { useSaid } from '#web/kernel/said.ts'

const ImportRun = lazy(async () => ({ default: (await import('#web/resource/import-run.tsx')).ImportRun }))

type Info = ApiOutput<'GET /blade-send/send/getSendInfo'>
type Template = Info['templates'][number]
type Draft = ApiOutput<'POST /blade-send/send/draft'>

/** All that is chosen, kept over the steps: going back loses nothing. */
interface Chosen {
  readonly examId: string
  readonly audience: Audience | ''
  readonly templateId: string
  readonly channel: number
  readonly title: string
  readonly params: Readonly<Record<string, string>>
  readonly repeat: boolean
}
type Change = (part: Partial<Chosen>) => void

const Bar = ({ children }: { readonly children: ReactNode }) => <div className="send-bar">{children}</div>

const WhoStep = ({
  info,
  of,
  onChange,
  onNext,
}: {
  readonly info: Info
  readonly of: Chosen
  readonly onChange: Change
  readonly onNext: () => void
}) => {
  const t = useT(sendTexts)
  const label = useLabel()
  const exams = useExamOptions() ?? []
  const [wrong, setWrong] = useSaid<string | undefined>(undefined)
  const countOf = (key: Audience): number | undefined => info.audiences.find(one => one.key === key)?.count
  const choose: Change = part => {
    setWrong(undefined)
    onChange(part)
  }
  const next = () => {
    const needsExam = of.audience !== 'workbook' && of.examId === ''
    const isNobody = of.audience !== 'workbook' && of.audience !== '' && countOf(of.audience) === 0
    const why = needsExam ? t('wizard.needExam') : of.audience === '' ? t('wizard.needAudience') : isNobody ? t('wizard.nobody') : undefined
    setWrong(why)
    if (why === undefined) onNext()
  }
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        next()
      }}
      className="send-page"
    >
      <LabelledSelect
        label={t('wizard.exam')}
        value={of.examId}
        options={[{ value: '', label: t('wizard.exam.none') }, ...exams]}
        onChange={examId => choose({ examId })}
      />
      <fieldset className="send-choices">
        <legend>{t('wizard.audience')}</legend>
        {audiences
          .filter(key => of.examId !== '' || key === 'workbook')
          .map(key => {
            const count = countOf(key)
            const words = label(audienceLabels[key])
            return (
              <label key={key}>
                <input type="radio" name="audience" checked={of.audience === key} onChange={() => choose({ audience: key })} />
                <span>{count === undefined ? words : t('wizard.count', { label: words, count })}</span>
              </label>
            )
          })}
      </fieldset>
      {wrong === undefined ? null : (
        <p className="field-error" role="alert">
          {wrong}
        </p>
      )}
      <Bar>
        <button type="submit" className="button button-primary">
          {t('wizard.next')}
        </button>
      </Bar>
    </form>
  )
}

const WhatStep = ({
  info,
  of,
  onChange,
  onBack,
  onNext,
}: {
  readonly info: Info
  readonly of: Chosen
  readonly onChange: Change
  readonly onBack: () => void
  readonly onNext: () => Promise<Readonly<Record<string, string>> | null>
}) => {
  const t = useT(sendTexts)
  const label = useLabel()
  const [wrong, setWrong] = useSaid<Readonly<Record<string, string>>>({})
  const [busy, setBusy] = useState(false)
  const template = info.templates.find(one => one.id === of.templateId)
  if (info.templates.length === 0) return <EmptyState text={t('wizard.template.none')} />
  const maySms = info.hasService && template?.hasSms === true
  const asked = of.audience === 'workbook' ? [] : (template?.ownVars ?? [])
  const choose = (templateId: string) => {
    const chosen = info.templates.find(one => one.id === templateId)
    onChange({ templateId, channel: info.hasService && chosen?.hasSms ? 3 : 2 })
  }
  const next = async () => {
    const missing = asked.filter(name => (of.params[name] ?? '').trim() === '')
    setWrong(Object.fromEntries(missing.map(name => [name, t('wizard.var.missing', { name })])))
    if (missing.length > 0 || template === undefined) return
    setBusy(true)
    const found = await onNext()
    setBusy(false)
    if (found !== null) setWrong(found)
  }
  return (
    <form
      className="send-page"
      onSubmit={event => {
        event.preventDefault()
        void next()
      }}
    >
      <LabelledSelect
        label={t('wizard.template')}
        value={of.templateId}
        options={info.templates.map((one: Template) => ({ value: one.id, label: one.name }))}
        onChange={choose}
      />
      {template === undefined ? null : <p className="card">{template.content}</p>}
      <fieldset className="send-choices">
        <legend>{t('wizard.channel')}</legend>
        {([3, 1, 2] as const).map(value => (
          <label key={value}>
            <input
              type="radio"
              name="channel"
              checked={of.channel === value}
              disabled={value !== 2 && !maySms}
              onChange={() => onChange({ channel: value })}
            />
            <span>{label(channels[value])}</span>
          </label>
        ))}
        {maySms ? null : <small>{t(info.hasService ? 'wizard.channel.noNumber' : 'wizard.channel.noService')}</small>}
      </fieldset>
      {asked.map(name => (
        <LabelledInput
          key={name}
          label={t('wizard.var', { name })}
          maxLength={100}
          error={wrong[name]}
          value={of.params[name] ?? ''}
          onChange={value => onChange({ params: { ...of.params, [name]: value } })}
        />
      ))}
      <LabelledInput label={t('wizard.name')} maxLength={60} value={of.title} onChange={title => onChange({ title })} />
      <Check label={t('wizard.repeat')} on={of.repeat} onChange={repeat => onChange({ repeat })} />
      <Bar>
        <button type="button" className="button" onClick={onBack}>
          {t('wizard.back')}
        </button>
        <button type="submit" className="button button-primary" disabled={busy || template === undefined}>
          {t('wizard.next')}
        </button>
      </Bar>
    </form>
  )
}

const CheckStep = ({
  info,
  draft,
  isWorkbook,
  onBack,
}: {
  readonly info: Info
  readonly draft: Draft
  readonly isWorkbook: boolean
  readonly onBack: () => void
}) => {
  const t = useT(sendTexts)
  const sendId = draft.task.id
  const { path } = usePage()
  const client = useQueryClient()
  const [isLater, setLater] = useState(false)
  const [at, setAt] = useState('')
  const [wrong, setWrong] = useSaid<string | undefined>(undefined)
  const [imports, setImports] = useState(false)
  const [busy, setBusy] = useState(false)
  const now = useCall('GET /blade-send/send/detail', { sendId }, { enabled: isWorkbook })
  const task = now.data ?? draft.task
  const left = draft.balance - draft.frozen
  const isShort = task.parts > left
  const send = async () => {
    setBusy(true)
    let sent: Task
    try {
      sent = await api.call(
        'POST /blade-send/send/sendMessage',
        { sendId, ...(isLater ? { scheduleTime: `${at.replace('T', ' ')}:00` } : {}) },
        { quiet: 'fields' },
      )
    } catch (error) {
      setWrong(Object.values(fieldTexts(error))[0])
      setBusy(false)
      return
    }
    notify('success', begunText(t, sent))
    await client.invalidateQueries({ queryKey: listKey(taskList) })
    // The next task begins in a page of its own: this one is over.
    moveOn(path, '/send/send')
  }
  const template = () =>
    api
      .download(
        {
          method: 'POST',
          path: '/blade-send/send/exportSendTemplate',
          body: { templateId: info.templates.find(one => one.name === task.templateName)?.id },
        },
        `${task.templateName}.xlsx`,
      )
      .catch(() => null)
  return (
    <section className="send-page">
      {isWorkbook ? (
        <div className="card">
          <p>{t('wizard.import.lead')}</p>
          <Bar>
            <button type="button" className="button" onClick={() => void template()}>
              {t('wizard.import.template')}
            </button>
            <button type="button" className="button button-primary" onClick={() => setImports(true)}>
              {t('wizard.import')}
            </button>
            <span role="status">{t('wizard.import.done', { count: task.total })}</span>
          </Bar>
          {task.total === 0 ? null : (
            <>
              <h2>{t('wizard.preview')}</h2>
              <SentPreviews key={task.total} sendId={sendId} channel={task.channel} />
            </>
          )}
        </div>
      ) : (
        <>
          <h2>{t('wizard.preview')}</h2>
          <Previews previews={draft.previews} channel={task.channel} />
        </>
      )}
      <p>{t('wizard.cost', { total: task.total, parts: task.parts, balance: draft.balance, frozen: draft.frozen })}</p>
      <LeftOutLine leftOut={task.leftOut} />
      {isShort ? (
        <p className="field-error" role="alert">
          {t('wizard.cost.short', { count: task.parts - left })}
        </p>
      ) : null}
      {task.needsApproval ? <p>{t('wizard.approval')}</p> : null}
      {task.channel === 2 || info.quiet === '' ? null : <p>{t('wizard.quiet', { quiet: info.quiet })}</p>}
      <fieldset className="send-choices">
        <legend>{t('wizard.when')}</legend>
        <label>
          <input type="radio" name="when" checked={!isLater} onChange={() => setLater(false)} />
          <span>{t('wizard.now')}</span>
        </label>
        <label>
          <input type="radio" name="when" checked={isLater} onChange={() => setLater(true)} />
          <span>{t('wizard.later')}</span>
        </label>
      </fieldset>
      {isLater ? (
        <Labelled label={`${t('wizard.at')} (${t('wizard.at.help')})`} error={wrong}>
          {(id, described) => (
            <input
              id={id}
              {...described}
              className="input"
              type="datetime-local"
              value={at}
              onChange={event => setAt(event.target.value)}
            />
          )}
        </Labelled>
      ) : null}
      <Bar>
        <button type="button" className="button" onClick={onBack}>
          {t('wizard.back')}
        </button>
        <button
          type="button"
          className="button button-primary"
          disabled={busy || task.total === 0 || isShort || (isLater && at === '')}
          onClick={() => void send()}
        >
          {t(task.needsApproval ? 'wizard.submit.approval' : 'wizard.submit')}
        </button>
        <small>{t('wizard.saved')}</small>
      </Bar>
      {imports ? (
        <Suspense fallback={null}>
          <ImportRun
            title={t('wizard.import')}
            of={messageImports.people}
            fields={{ sendId }}
            onClose={() => setImports(false)}
            onDone={() => void now.refetch()}
          />
        </Suspense>
      ) : null}
    </section>
  )
}

const nothing: Chosen = { examId: '', audience: '', templateId: '', channel: 2, title: '', params: {}, repeat: false }

/** From an audience to what is sent, in three steps. Each time the last is reached a draft is made; the one before it goes. */
export const Page = () => {
  const t = useT(sendTexts)
  const [chosen, setChosen] = useState(nothing)
  const [step, setStep] = useState(0)
  const [draft, setDraft] = useState<Draft | null>(null)
  const info = useCall('GET /blade-send/send/getSendInfo', chosen.examId === '' ? {} : { examId: chosen.examId }, { keepPrevious: true })
  const change: Change = part => setChosen(before => ({ ...before, ...part }))
  const forget = async (of: Draft) => {
    setDraft(null)
    await api.call('POST /blade-send/send/deleteAll', { sendId: of.task.id }, { quiet: true }).catch(() => null)
  }
  const toWhat = (of: Info) => {
    const [first] = of.templates
    if (chosen.templateId === '' && first !== undefined) change({ templateId: first.id, channel: of.hasService && first.hasSms ? 3 : 2 })
    setStep(1)
  }
  const make = async (): Promise<Readonly<Record<string, string>> | null> => {
    const { examId, audience, title, ...rest } = chosen
    if (audience === '') return null
    try {
      const made = await api.call(
        'POST /blade-send/send/draft',
        {
          ...(examId === '' ? {} : { examId }),
          audience,
          ...(title.trim() === '' ? {} : { title: title.trim() }),
          ...rest,
          repeat: rest.repeat ? 1 : 0,
        },
        { quiet: 'fields' },
      )
      setDraft(made)
      setStep(2)
      return null
    } catch (error) {
      return Object.fromEntries(Object.entries(fieldTexts(error)).map(([name, text]) => [name.replace(/^params\./, ''), text]))
    }
  }
  return (
    <div className="send-page">
      <div className="page-head">
        <h1>{t('wizard.title')}</h1>
      </div>
      <Stepper steps={[t('wizard.step.who'), t('wizard.step.what'), t('wizard.step.check')]} now={step} />
      <Loaded query={info}>
        {of =>
          step === 0 ? (
            <WhoStep info={of} of={chosen} onChange={change} onNext={() => toWhat(of)} />
          ) : step === 1 || draft === null ? (
            <WhatStep info={of} of={chosen} onChange={change} onBack={() => setStep(0)} onNext={make} />
          ) : (
            <CheckStep
              info={of}
              draft={draft}
              isWorkbook={chosen.audience === 'workbook'}
              onBack={() => {
                setStep(1)
                void forget(draft)
              }}
            />
          )
        }
      </Loaded>
    </div>
  )
}
