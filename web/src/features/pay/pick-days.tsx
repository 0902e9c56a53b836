import { useState } from 'react'
import { channelLabels, type PayChannel, payChannels } from '#contract/pay/channel.ts'
import { reconciliation } from '#contract/pay/reconciliation.resource.ts'
import { api } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useSaid } from '#web/kernel/said.ts'
import { DayInput } from '#web/resource/day-input.tsx'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Labelled, LabelledSelect } from '#web/ui/labelled.tsx'
import { booksTexts } from './books-texts.ts'
import { daysBetween } from './months.ts'

const mostDays = 31

/** Compares days that the job has not read, one after the other: those that were missed, or whose bill was wrong. */
export const PickDays = ({ onClose, onDone }: { readonly onClose: () => void; readonly onDone: () => void }) => {
  const t = useT(booksTexts)
  const label = useLabel()
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [channel, setChannel] = useState<PayChannel>('wechat')
  const [wrong, setWrong] = useSaid<Readonly<Record<string, string>>>({})
  const [now, setNow] = useState('')
  const [failed, setFailed] = useState<readonly string[]>([])
  const send = async (): Promise<boolean> => {
    const days = daysBetween(from, to || from, mostDays)
    setWrong(from === '' ? { from: t('day.date.bad') } : days === undefined ? { to: t('day.to.bad', { most: String(mostDays) }) } : {})
    if (from === '' || days === undefined) return false
    let [diff, open] = [0, 0]
    const problems: string[] = []
    for (const [index, billDate] of days.entries()) {
      setNow(t('day.pick.now', { date: billDate, done: String(index + 1), all: String(days.length) }))
      try {
        const done = await api.request<{ readonly diffCount: number; readonly openCount: number }>({
          method: 'POST',
          path: '/blade-reconciliation/reconciliation/submit',
          body: { billDate, channel },
          quiet: true,
        })
        diff += done.diffCount
        open += done.openCount
      } catch (error) {
        problems.push(`${billDate} ${isApiError(error) ? error.message : String(error)}`)
      }
    }
    setNow('')
    setFailed(problems)
    onDone()
    if (problems.length < days.length) notify('success', t('day.done', { diff: String(diff), open: String(open) }))
    return problems.length === 0
  }
  return (
    <ActionDialog title={t('day.pick')} onClose={onClose} actions={[{ label: t('day.pick.run'), run: send }]}>
      <p>{t('day.pick.lead')}</p>
      <Labelled label={t('day.from')} error={wrong.from}>
        {id => <DayInput id={id} label={t('day.from')} value={from} onChange={setFrom} />}
      </Labelled>
      <Labelled label={t('day.to')} error={wrong.to}>
        {id => <DayInput id={id} label={t('day.to')} value={to} onChange={setTo} />}
      </Labelled>
      <LabelledSelect
        label={label(reconciliation.fields.channel.label)}
        value={channel}
        options={payChannels.map(value => ({ value, label: label(channelLabels[value]) }))}
        onChange={setChannel}
      />
      <div role="status">{now === '' ? null : <p>{now}</p>}</div>
      {failed.length === 0 ? null : (
        <ul className="books-missing" role="alert">
          {failed.map(problem => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
    </ActionDialog>
  )
}
