import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react'
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
import './pay.css'

const DayDialog = lazy(async () => ({ default: (await import('./day-dialog.tsx')).DayDialog }))
const MonthDialog = lazy(async () => ({ default: (await import('./month-dialog.tsx')).MonthDialog }))
const PickDays = lazy(async () => ({ default: (await import('./pick-days.tsx')).PickDays }))
const LedgerDialog = lazy(async () => ({ default: (await import('./ledger-dialog.tsx')).LedgerDialog }))

const hidden = ['runTime']
const counts = ['billCount', 'diffCount', 'openCount']
/** Of a day that was not compared nothing of its bill is known. */
const isUnread = (row: Row): boolean => Number(row.state) === 0
const known = (cell: (row: Row) => ReactNode) => (row: Row) => (isUnread(row) ? <span className="pay-right">-</span> : cell(row))
const cells = {
  ...Object.fromEntries(['ourAmount', 'ourRefund'].map(name => [name, moneyCell(name)])),
  ...Object.fromEntries(['billAmount', 'billRefund'].map(name => [name, known(moneyCell(name))])),
  ...Object.fromEntries(counts.map(name => [name, known(row => <span className="pay-right">{String(row[name])}</span>)])),
}

/** Each day's bill against our books; what no rule could mend is settled here, and only then the day closes (domain 8.6). */
export const Page = () => {
  const t = useT(booksTexts)
  const may = useCan()('reconciliation_handle')
  const client = useQueryClient()
  const [day, setDay] = useState<Row | null>(null)
  const [asks, setAsks] = useState<'month' | 'days' | 'ledger' | null>(null)
  const refresh = useCallback(() => void client.invalidateQueries({ queryKey: listKey(reconciliation.name) }), [client])
  const again = useCallback(
    async (row: Row) => {
      const date = String(row.billDate)
      if (!isUnread(row) && !(await confirm({ title: t('day.again'), text: t('day.again.ask', { date }), ok: t('day.again') }))) return
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
      ...(isUnread(row)
        ? []
        : [{ key: 'open', label: t(Number(row.diffCount) > 0 ? 'day.open' : 'day.open.flat'), onRun: () => setDay(row) }]),
      ...(may ? [{ key: 'again', label: t(isUnread(row) ? 'day.pick.run' : 'day.again'), onRun: () => void again(row) }] : []),
    ],
    [again, may, t],
  )
  return (
    <>
      <ResourcePage
        resource={reconciliation}
        hidden={hidden}
        cells={cells}
        figures={counts}
        rowActions={actions}
        without={['add', 'edit', 'delete', 'view']}
        toolbar={() => (
          <>
            {may ? (
              <button type="button" className="button" onClick={() => setAsks('days')}>
                {t('day.pick')}
              </button>
            ) : null}
            <button type="button" className="button" onClick={() => setAsks('month')}>
              {t('month.open')}
            </button>
            {may ? (
              <button type="button" className="button" onClick={() => setAsks('ledger')}>
                {t('ledger.check')}
              </button>
            ) : null}
          </>
        )}
      />
      <Suspense>
        {day === null ? null : <DayDialog id={day.id} date={String(day.billDate)} onClose={() => setDay(null)} onDone={refresh} />}
        {asks === 'month' ? <MonthDialog onClose={() => setAsks(null)} /> : null}
        {asks === 'days' ? <PickDays onClose={() => setAsks(null)} onDone={refresh} /> : null}
        {asks === 'ledger' ? <LedgerDialog onClose={() => setAsks(null)} /> : null}
      </Suspense>
    </>
  )
}
