import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { yuanOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import type { Row } from '#web/resource/fields.ts'
import { useReason } from '#web/resource/own-reason.ts'
import type { RowAction } from '#web/ui/data-table.tsx'
import { confirm } from '#web/ui/dialog.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { closingOf } from './closing.ts'
import { fenOfRow, refundableFen } from './due-rules.ts'
import { payTexts } from './texts.ts'

const RefundDialog = lazy(async () => ({ default: (await import('./refund-dialogs.tsx')).RefundDialog }))
const ApproveDialog = lazy(async () => ({ default: (await import('./refund-dialogs.tsx')).ApproveDialog }))

/** Numbers of domain 3.13 `payOrder.state`. */
const order = { created: 0, pending: 1, paid: 2, abnormal: 7 } as const

const tradeStates = ['SUCCESS', 'NOTPAY', 'USERPAYING', 'CLOSED', 'REFUND', 'REVOKED', 'PAYERROR'] as const
/** The provider's word for a state in the reader's language. */
export const useTradeText = () => {
  const t = useT(payTexts)
  return useCallback(
    (state: unknown): string => {
      const known = tradeStates.find(one => one === state)
      return known === undefined ? String(state ?? '-') : t(`order.trade.${known}`)
    },
    [t],
  )
}

/** Why an order was closed: in words where the program did it, else as somebody wrote it. */
export const Closing = ({ reason }: { readonly reason: unknown }) => {
  const t = useT(payTexts)
  const say = useReason()
  const closing = closingOf(reason)
  return <>{closing === null ? say(reason) || '-' : t(`order.closed.${closing}`)}</>
}

/** What is wrong with an order; nothing with most. */
export const ExceptionTag = ({ row }: { readonly row: Row }) => {
  const t = useT(payTexts)
  const type = Number(row.exceptionType ?? 0)
  return type === 1 || type === 2 || type === 3 || type === 4 || type === 5 ? (
    <StatusTag tone="refused" text={t(`order.exception.${type}`)} />
  ) : (
    <>-</>
  )
}

/** What the person may do about an order, and the window of it that is open. Keep `refresh` the same function between renders. */
export const useOrderActions = (
  refresh: () => void,
): { readonly actions: (row: Row) => readonly RowAction[]; readonly dialog: ReactNode } => {
  const t = useT(payTexts)
  const can = useCan()
  const tradeText = useTradeText()
  const [refunded, setRefunded] = useState<Row | null>(null)
  const [decided, setDecided] = useState<Row | null>(null)
  const query = useCallback(
    async (orderNo: string) => {
      const answer = await api
        .request<{ readonly tradeState: string }>({ method: 'POST', path: '/pay/wxpay/queryOrder', body: { orderNo } })
        .catch(() => null)
      if (answer === null) return
      notify('info', t('order.queried', { state: tradeText(answer.tradeState) }))
      refresh()
    },
    [refresh, t, tradeText],
  )
  const close = useCallback(
    async (row: Row) => {
      const orderNo = String(row.orderNo)
      const text = t('order.close.ask', { orderNo, amount: yuanOf(fenOfRow(row, 'amount')) })
      if (!(await confirm({ title: t('order.close'), text, ok: t('order.close'), danger: true }))) return
      const answer = await api
        .request<{ readonly state: number }>({ method: 'POST', path: '/blade-exam/examination/closePayOrder', body: { orderNo } })
        .catch(() => null)
      if (answer !== null) notify('success', t(answer.state === order.paid ? 'order.closedAsPaid' : 'order.closed'))
      refresh()
    },
    [refresh, t],
  )
  const mayClose = can('payorder_close')
  const mayRefund = can('exampay_refund')
  const mayApprove = can('exampay_approve')
  const actions = useCallback(
    (row: Row): readonly RowAction[] => {
      const state = Number(row.state)
      const isOpen = state === order.created || state === order.pending
      return [
        ...(mayApprove && fenOfRow(row, 'askedAmount') > 0
          ? [{ key: 'approve', label: t('due.approve'), onRun: () => setDecided(row) }]
          : []),
        { key: 'query', label: t('order.query'), onRun: () => void query(String(row.orderNo)) },
        ...(mayClose && isOpen ? [{ key: 'close', label: t('order.close'), danger: true, onRun: () => void close(row) }] : []),
        ...(mayRefund && state === order.abnormal && refundableFen(row) > 0
          ? [{ key: 'refund', label: t('order.refund'), onRun: () => setRefunded(row) }]
          : []),
      ]
    },
    [mayClose, mayRefund, mayApprove, query, close, t],
  )
  const dialog = (
    <>
      {decided === null ? null : (
        <Suspense>
          <ApproveDialog
            due={{ ...decided, id: String(decided.payId) }}
            orderNo={String(decided.orderNo)}
            onClose={() => setDecided(null)}
            onDone={refresh}
          />
        </Suspense>
      )}
      {refunded === null ? null : (
        <Suspense>
          <RefundDialog
            due={{ ...refunded, id: String(refunded.payId) }}
            orderNo={String(refunded.orderNo)}
            most={refundableFen(refunded)}
            onClose={() => setRefunded(null)}
            onDone={refresh}
          />
        </Suspense>
      )}
    </>
  )
  return { actions, dialog }
}
