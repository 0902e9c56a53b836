import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useState } from 'react'
import { reconciliation } from '#contract/pay/reconciliation.resource.ts'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import type { Row } from '#web/resource/fields.ts'
import { ResourcePage } from '#web/resource/resource-page.tsx'
import { confirm } from '#web/ui/dialog.tsx'
import { booksTexts } from './books-texts.ts'
import { moneyCell } from './cells.tsx'

const DayDialog = lazy(async () => ({ default: (await import('./day-dialog.tsx')).DayDialog }))
const MonthDialog = lazy(async () => ({ default: (await import('./month-dialog.tsx')).MonthDialog }))
const UnreadDays = lazy(async () => ({ default: (await import('./unread-days.tsx')).UnreadDays }))
const PickDay = lazy(async () => ({ default: (await import('./month-dialog.tsx')).PickDay }))

const hidden = ['runTime']
const cells = Object.fromEntries(['ourAmount', 'billAmount', 'ourRefund', 'billRefund'].map(name => [name, moneyCell(name)]))

/** Each day's bill against our books; what no rule could mend is settled here, and only then the day closes (domain 8.6). */
export const Page = () => {
  const t = useT(booksTexts)
  const may = useCan()('reconciliation_handle')
  const client = useQueryClient()
  const [day, setDay] = useState<Row | null>(null)
  const [asks, setAsks] = useState<'month' | 'day' | null>(null)
  const refresh = useCallback(() => void client.invalidateQueries({ queryKey: listKey(reconciliation.name) }), [client])
  const again = useCallback(
    async (row: Row) => {
      const date = String(row.billDate)
      if (!(await confirm({ title: t('day.again'), text: t('day.again.ask', { date }), ok: t('day.again') }))) return
      const body = { billDate: date, channel: row.channel }
      const done = await api
        .request<{ readonly diffCount: number; readonly openCount: number }>({
          method: 'POST',
          path: '/blade-reconciliation/reconciliation/submit',
          body,
        })
        .catch(() => null)
      if (done !== null) notify('success', t('day.done', { diff: String(done.diffCount), open: String(done.openCount) }))
      refresh()
    },
    [refresh, t],
  )
  const actions = useCallback(
    (row: Row) => [
      { key: 'open', label: t(Number(row.diffCount) > 0 ? 'day.open' : 'day.open.flat'), onRun: () => setDay(row) },
      ...(may ? [{ key: 'again', label: t('day.again'), onRun: () => void again(row) }] : []),
    ],
    [again, may, t],
  )
  return (
    <>
      <Suspense>
        <UnreadDays may={may} onDone={refresh} />
      </Suspense>
      <ResourcePage
        resource={reconciliation}
        hidden={hidden}
        cells={cells}
        rowActions={actions}
        without={['add', 'edit', 'delete', 'view']}
        toolbar={() => (
          <>
            {may ? (
              <button type="button" className="button" onClick={() => setAsks('day')}>
                {t('day.pick')}
              </button>
            ) : null}
            <button type="button" className="button" onClick={() => setAsks('month')}>
              {t('month.open')}
            </button>
          </>
        )}
      />
      <Suspense>
        {day === null ? null : <DayDialog id={day.id} date={String(day.billDate)} onClose={() => setDay(null)} onDone={refresh} />}
        {asks === 'month' ? <MonthDialog onClose={() => setAsks(null)} /> : null}
        {asks === 'day' ? <PickDay onClose={() => setAsks(null)} onDone={refresh} /> : null}
      </Suspense>
    </>
  )
}
