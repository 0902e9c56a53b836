import { useId, useState } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCall } from '#web/kernel/query.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Check, LabelledInput, LabelledSelect } from '#web/ui/labelled.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { reportTexts } from '../texts.ts'
import '../report.css'

const rhythms = ['off', 'day', 'weekday', 'week', 'month', 'own'] as const
type Rhythm = (typeof rhythms)[number]
const ends: Readonly<Record<string, Rhythm>> = { '* * ?': 'day', '? * 2-6': 'weekday', '? * 2': 'week', '1 * ?': 'month' }

/** How often a cron expression is, where it is one of those that are offered. */
const rhythmOf = (cron: string): { readonly rhythm: Rhythm; readonly time: string } => {
  const [, minute = '', hour = '', end = ''] = /^0 (\d{1,2}) (\d{1,2}) (.+)$/.exec(cron) ?? []
  const rhythm = Object.hasOwn(ends, end) ? ends[end] : undefined
  if (rhythm === undefined) return { rhythm: cron === '' ? 'off' : 'own', time: '20:00' }
  return { rhythm, time: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}` }
}
const cronOf = (rhythm: Rhythm, time: string, own: string): string => {
  if (rhythm === 'off') return ''
  if (rhythm === 'own') return own
  const [hour = '20', minute = '00'] = time.split(':')
  const end = Object.entries(ends).find(([, name]) => name === rhythm)?.[0] ?? '* * ?'
  return `0 ${Number(minute)} ${Number(hour)} ${end}`
}

interface Props {
  readonly id: string
  readonly name: string
  readonly onClose: () => void
}
type Detail = ApiOutput<'GET /blade-report/report/detail'>

const Form = ({ report, onClose }: { readonly report: Detail; readonly onClose: () => void }) => {
  const t = useT(reportTexts)
  const choices = useCall('GET /blade-report/report/choices', { dataSet: report.dataSet })
  const peopleError = useId()
  const before = rhythmOf(report.cron)
  const [rhythm, setRhythm] = useState<Rhythm>(before.rhythm)
  const [time, setTime] = useState(before.time)
  const [own, setOwn] = useState(report.cron)
  const [people, setPeople] = useState<ReadonlySet<string>>(new Set(report.people))
  const [days, setDays] = useState(report.linkDays)
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const toggle = (id: string, isOn: boolean) => setPeople(new Set(isOn ? [...people, id] : [...people].filter(other => other !== id)))
  const save = async () => {
    try {
      const { nextTime } = await api.call(
        'POST /blade-report/report/schedule',
        { id: report.id, cron: cronOf(rhythm, time, own), people: [...people], linkDays: days },
        { quiet: true },
      )
      notify('success', nextTime === null ? t('send.off') : t('send.saved', { time: minuteOf(nextTime) }))
      return true
    } catch (error) {
      if (!isApiError(error)) throw error
      const at = fieldTexts(error)
      setProblems(Object.keys(at).length > 0 ? at : { every: error.message })
      return false
    }
  }
  return (
    <ActionDialog title={t('send.title', { name: report.reportName })} actions={[{ label: t('send.save'), run: save }]} onClose={onClose}>
      <p className="report-hint">{t('send.lead')}</p>
      <LabelledSelect
        label={t('send.every')}
        error={problems['every'] ?? (rhythm === 'own' ? undefined : problems['cron'])}
        value={rhythm}
        options={rhythms.map(value => ({ value, label: t(`send.every.${value}`) }))}
        onChange={setRhythm}
      />
      {rhythm === 'own' ? (
        <>
          <LabelledInput label={t('send.cron')} error={problems['cron']} value={own} maxLength={200} onChange={setOwn} />
          <p className="report-hint">{t('send.cron.hint')}</p>
        </>
      ) : null}
      {rhythm === 'off' || rhythm === 'own' ? null : <LabelledInput label={t('send.time')} type="time" value={time} onChange={setTime} />}
      <fieldset className="report-part" aria-describedby={problems['people'] === undefined ? undefined : peopleError}>
        <legend>{t('send.people')}</legend>
        <p className="report-hint">{t('send.people.hint')}</p>
        <div className="report-values">
          {choices.data?.people.map(person => (
            <Check key={person.id} label={person.realName} on={people.has(person.id)} onChange={isOn => toggle(person.id, isOn)} />
          ))}
          {choices.data?.people.length === 0 ? <p className="report-hint">{t('send.people.none')}</p> : null}
        </div>
        {problems['people'] === undefined ? null : (
          <span id={peopleError} className="field-error" role="alert">
            {problems['people']}
          </span>
        )}
      </fieldset>
      <LabelledSelect
        label={t('send.days')}
        value={days}
        options={[1, 3, 7, 14, 30].concat([1, 3, 7, 14, 30].includes(days) ? [] : [days]).map(value => ({ value, label: String(value) }))}
        onChange={setDays}
      />
    </ActionDialog>
  )
}

/** When a report is sent, and to whom. */
export const SendDialog = ({ id, name, onClose }: Props) => {
  const t = useT(reportTexts)
  const query = useCall('GET /blade-report/report/detail', { id }, { staleTimeMs: 0 })
  if (query.data !== undefined) return <Form report={query.data} onClose={onClose} />
  return (
    <ActionDialog title={t('send.title', { name })} onClose={onClose}>
      <Loaded query={query} skeletonRows={4}>
        {() => null}
      </Loaded>
    </ActionDialog>
  )
}
