import { useState } from 'react'
import { channelLabels, type PayChannel } from '#contract/pay/channel.ts'
import { reconciliation } from '#contract/pay/reconciliation.resource.ts'
import { api } from '#web/kernel/api.ts'
import { fieldTexts } from '#web/kernel/api-error.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { yuanOf } from '#web/kernel/format.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCall } from '#web/kernel/query.ts'
import { DayInput } from '#web/resource/day-input.tsx'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Labelled, LabelledSelect } from '#web/ui/labelled.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { booksTexts } from './books-texts.ts'
import { monthsUntil } from './months.ts'
import './books.css'

const channels = Object.keys(channelLabels) as readonly PayChannel[]

/** What the days of a month come to. */
export const MonthDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const t = useT(booksTexts)
  const label = useLabel()
  const [months] = useState(() => monthsUntil(serverNow()))
  const [month, setMonth] = useState(months[0] ?? '')
  const query = useCall('GET /blade-reconciliation/reconciliation/month', { month })
  return (
    <ActionDialog title={t('month.title')} onClose={onClose}>
      <p>{t('month.lead')}</p>
      <LabelledSelect label={t('month.month')} value={month} options={months.map(value => ({ value, label: value }))} onChange={setMonth} />
      <Loaded query={query} skeletonRows={3}>
        {({ channels, missing }) => (
          <>
            {missing.length === 0 ? null : <p className="books-missing">{t('month.missing', { days: missing.join('、') })}</p>}
            {channels.length === 0 ? <p>{t('month.none')}</p> : null}
            {channels.map(of => (
              <section key={`${of.channel} ${of.mchid}`} className="books-month">
                <h3>{`${label(channelLabels[of.channel])} ${of.mchid}`}</h3>
                <Facts
                  boxed
                  items={[
                    { key: 'days', label: t('month.days'), value: `${of.days} (${of.openDays})` },
                    { key: 'trade', label: t('day.trade'), value: `${yuanOf(of.ourAmount)} / ${yuanOf(of.billAmount)}` },
                    { key: 'back', label: t('day.back'), value: `${yuanOf(of.ourRefund)} / ${yuanOf(of.billRefund)}` },
                    { key: 'net', label: t('month.net'), value: yuanOf(of.billAmount - of.billRefund) },
                  ]}
                />
              </section>
            ))}
          </>
        )}
      </Loaded>
    </ActionDialog>
  )
}

/** Compares a day that the job has not read: one that was missed, or whose bill was wrong. */
export const PickDay = ({ onClose, onDone }: { readonly onClose: () => void; readonly onDone: () => void }) => {
  const t = useT(booksTexts)
  const label = useLabel()
  const [day, setDay] = useState('')
  const [channel, setChannel] = useState<PayChannel>('wechat')
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const send = async (): Promise<boolean> => {
    if (day === '') {
      setWrong({ billDate: t('day.date.bad') })
      return false
    }
    try {
      const done = await api.request<{ readonly diffCount: number; readonly openCount: number }>({
        method: 'POST',
        path: '/blade-reconciliation/reconciliation/submit',
        body: { billDate: day, channel },
        quiet: 'fields',
      })
      notify('success', t('day.done', { diff: String(done.diffCount), open: String(done.openCount) }))
      onDone()
      return true
    } catch (error) {
      setWrong(fieldTexts(error))
      return false
    }
  }
  return (
    <ActionDialog title={t('day.pick')} onClose={onClose} actions={[{ label: t('day.pick.run'), run: send }]}>
      <p>{t('day.pick.lead')}</p>
      <Labelled label={t('day.date')} error={wrong.billDate}>
        {id => <DayInput id={id} label={t('day.date')} value={day} onChange={setDay} />}
      </Labelled>
      <LabelledSelect
        label={label(reconciliation.fields.channel.label)}
        value={channel}
        options={channels.map(value => ({ value, label: label(channelLabels[value]) }))}
        onChange={setChannel}
      />
    </ActionDialog>
  )
}
