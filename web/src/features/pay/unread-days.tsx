import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { channelLabels } from '#contract/pay/channel.ts'
import { api } from '#web/kernel/api.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCall } from '#web/kernel/query.ts'
import { booksTexts } from './books-texts.ts'
import { monthsUntil } from './months.ts'
import './books.css'

const read = 'GET /blade-reconciliation/reconciliation/month'

/** Days of this month and the last on which money came in and whose bill nobody has read: said where one looks for them, with the button that reads it. */
export const UnreadDays = ({ may, onDone }: { readonly may: boolean; readonly onDone: () => void }) => {
  const t = useT(booksTexts)
  const label = useLabel()
  const client = useQueryClient()
  const [[month = '', before = '']] = useState(() => monthsUntil(serverNow()))
  const [busy, setBusy] = useState(false)
  const days = [useCall(read, { month: before }), useCall(read, { month })].flatMap(query => query.data?.unread ?? [])
  if (days.length === 0) return null
  const compare = async (body: { readonly billDate: string; readonly channel: string }) => {
    setBusy(true)
    const done = await api
      .request<{ readonly diffCount: number; readonly openCount: number }>({
        method: 'POST',
        path: '/blade-reconciliation/reconciliation/submit',
        body,
      })
      .catch(() => null)
    if (done !== null) notify('success', t('day.done', { diff: String(done.diffCount), open: String(done.openCount) }))
    await client.invalidateQueries({ queryKey: [read] })
    onDone()
    setBusy(false)
  }
  return (
    <section className="card books-unread">
      <p className="books-missing">{t('missing.lead')}</p>
      <ul>
        {days.map(({ billDate, channel }) => (
          <li key={`${billDate} ${channel}`}>
            {`${billDate} ${label(channelLabels[channel])}`}
            {may ? (
              <button
                type="button"
                className="link-button"
                aria-label={`${t('missing.run')} ${billDate} ${label(channelLabels[channel])}`}
                disabled={busy}
                onClick={() => void compare({ billDate, channel })}
              >
                {t('missing.run')}
              </button>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  )
}
