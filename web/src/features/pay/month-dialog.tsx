import { useState } from 'react'
import { channelLabels } from '#contract/pay/channel.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { yuanOf } from '#web/kernel/format.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { useCall } from '#web/kernel/query.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { LabelledSelect } from '#web/ui/labelled.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { booksTexts } from './books-texts.ts'
import { monthsUntil } from './months.ts'
import './books.css'

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
