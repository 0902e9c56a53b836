import { useQuery } from '@tanstack/react-query'
import { AutoComplete, Form, Input, Select } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import type { InputProps } from '#web/resource/input-props.ts'
import { Labelled } from '#web/ui/labelled.tsx'
import { type Builder, builderOf, cronOf, minuteSteps } from './cron-of.ts'
import { jobTexts } from './texts.ts'
import './job.css'

const DateInput = lazy(async () => ({ default: (await import('#web/resource/date-input.tsx')).DateInput }))

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const cronType = 2
const timed = [2, 3, 4]

/** The next times of what is written, or what is wrong with it, as the server says (S5.11). */
const NextTimes = ({ text }: { readonly text: string }) => {
  const t = useT(jobTexts)
  const type = Number(Form.useWatch('timeExpressionType'))
  const lifecycle = textOf(Form.useWatch('lifecycle'))
  const jobServerId = textOf(Form.useWatch('jobServerId'))
  const isTimed = timed.includes(type)
  const { data } = useQuery({
    queryKey: ['job-next', type, text, lifecycle, jobServerId],
    queryFn: ({ signal }) =>
      api.call(
        'GET /blade-job/job-info/next-times',
        { timeExpressionType: type, timeExpression: text, lifecycle, ...(jobServerId === '' ? {} : { jobServerId }) },
        { signal, quiet: true },
      ),
    enabled: isTimed && text !== '',
  })
  if (!isTimed) return <p className="job-hint">{t('cron.none')}</p>
  if (text === '' || data === undefined) return null
  if (data.problem !== '')
    return (
      <p className="field-error" role="status">
        {data.problem}
      </p>
    )
  return (
    <div className="job-hint" role="status">
      <span>{t('cron.next')}</span>
      <ol>
        {data.times.map(time => (
          <li key={time}>{time}</li>
        ))}
      </ol>
      {data.note === '' ? null : <p className="job-note">{data.note}</p>}
    </div>
  )
}

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => ({ value: from + at, label: String(from + at) }))

const usual: Builder = { every: 'day', minutes: 10, minute: 0, hour: 2, weekday: 2, day: 1 }

/** For people who do not write cron: how often and when. What is chosen counts at once. */
const CronBuilder = ({ text, onUse }: { readonly text: string; readonly onUse: (cron: string) => void }) => {
  const t = useT(jobTexts)
  const of = builderOf(text, usual) ?? usual
  const choice = <K extends keyof Builder>(name: K, label: string, options: readonly { value: Builder[K]; label: string }[]) => (
    <Labelled label={label}>
      {id => <Select id={id} value={of[name]} options={[...options]} onChange={value => onUse(cronOf({ ...of, [name]: value }))} />}
    </Labelled>
  )
  const { every } = of
  return (
    <div className="job-builder">
      {choice('every', t('cron.every'), [
        { value: 'minute', label: t('cron.every.minute') },
        { value: 'hour', label: t('cron.every.hour') },
        { value: 'day', label: t('cron.every.day') },
        { value: 'week', label: t('cron.every.week') },
        { value: 'month', label: t('cron.every.month') },
      ])}
      {every === 'minute'
        ? choice(
            'minutes',
            t('cron.minutes'),
            minuteSteps.map(value => ({ value, label: String(value) })),
          )
        : null}
      {every === 'week'
        ? choice(
            'weekday',
            t('cron.weekday'),
            ([2, 3, 4, 5, 6, 7, 1] as const).map(value => ({ value, label: t(`weekday.${value}`) })),
          )
        : null}
      {every === 'month' ? choice('day', t('cron.day'), [...numbers(1, 31), { value: 0, label: t('cron.day.last') }]) : null}
      {every === 'day' || every === 'week' || every === 'month' ? choice('hour', t('cron.hour'), numbers(0, 23)) : null}
      {every === 'minute' ? null : choice('minute', t('cron.minute'), numbers(0, 59))}
    </div>
  )
}

export const CronInput = ({ value, onChange, ...rest }: InputProps) => {
  const t = useT(jobTexts)
  const type = Number(Form.useWatch('timeExpressionType'))
  const [isOpen, setOpen] = useState(false)
  const text = textOf(value)
  const isSaid = builderOf(text, usual) !== undefined
  const form = Form.useFormInstance()
  /** Somebody has chosen and will not leave the field: what was wrong with it is looked at anew. */
  const use = (cron: string) => {
    onChange?.(cron)
    form.validateFields(['timeExpression']).catch(() => {})
  }
  const open = () => {
    // An empty field says what the builder shows; what somebody wrote stays until something is chosen.
    if (!isOpen && text === '') use(cronOf(usual))
    setOpen(!isOpen)
  }
  return (
    <>
      <div className="job-line">
        <Input {...rest} value={text} onChange={event => onChange?.(event.target.value)} autoComplete="off" />
        {type === cronType ? (
          <button type="button" className="button" aria-expanded={isOpen} onClick={open}>
            {t(isOpen ? 'cron.hide' : 'cron.builder')}
          </button>
        ) : null}
      </div>
      {isOpen && type === cronType ? (
        <>
          <CronBuilder text={text} onUse={use} />
          {text === '' || isSaid ? null : <p className="job-hint">{t('cron.other')}</p>}
        </>
      ) : null}
      <NextTimes text={text} />
    </>
  )
}

/** Two times, kept as `start,end`. */
export const LifeInput = ({ value, onChange, id }: InputProps) => {
  const t = useT(jobTexts)
  const [start = '', end = ''] = textOf(value).split(',')
  const put = (from: string, to: string) => onChange?.(from === '' && to === '' ? '' : `${from},${to}`)
  const one = (at: string, label: string, ownId: string | undefined, change: (next: string) => void) => (
    <Labelled label={label}>
      {given => (
        <Suspense fallback={<span className="input" />}>
          <DateInput id={ownId ?? given} withTime value={at === '' ? null : at} onChange={next => change(textOf(next))} />
        </Suspense>
      )}
    </Labelled>
  )
  return (
    <div className="job-pair">
      {one(start, t('life.start'), undefined, next => put(next, end))}
      {one(end, t('life.end'), id, next => put(start, next))}
    </div>
  )
}

/** What the built-in scheduler can run; at a PowerJob server any class or bean. */
export const ProcessorInput = ({ value, onChange, ...rest }: InputProps) => {
  const t = useT(jobTexts)
  const { data = [] } = useQuery({
    queryKey: ['job-processors'],
    queryFn: ({ signal }) => api.call('GET /blade-job/job-info/processors', {}, { signal, quiet: true }),
  })
  const text = textOf(value)
  const chosen = data.find(({ processor }) => processor === text)
  return (
    <>
      <AutoComplete
        {...rest}
        value={text}
        placeholder={t('processor.choose')}
        options={data.map(({ processor, label }) => ({ value: processor, label: `${label}（${processor}）` }))}
        onChange={next => onChange?.(next ?? '')}
      />
      {chosen === undefined ? null : <p className="job-hint">{chosen.help}</p>}
    </>
  )
}

/** Members of staff, kept as their ids with commas between them. */
export const PeopleInput = ({ value, onChange, ...rest }: InputProps) => {
  const t = useT(jobTexts)
  const { data = [] } = useQuery({
    queryKey: ['job-people'],
    queryFn: ({ signal }) => api.call('GET /blade-job/job-info/people', {}, { signal, quiet: true }),
  })
  return (
    <Select
      {...rest}
      mode="multiple"
      value={textOf(value).split(',').filter(Boolean)}
      placeholder={t('people.choose')}
      optionFilterProp="label"
      options={data.map(({ id, account }) => ({ value: id, label: account }))}
      onChange={(next: string[]) => onChange?.(next.join(','))}
    />
  )
}
