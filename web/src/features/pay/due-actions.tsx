import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { yuanOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import type { Row } from '#web/resource/fields.ts'
import type { RowAction } from '#web/ui/data-table.tsx'
import { confirm } from '#web/ui/dialog.tsx'
import { type DueWork, fenOfRow, worksOf } from './due-rules.ts'
import { payTexts } from './texts.ts'

const HandUpDialog = lazy(async () => ({ default: (await import('./hand-up-dialog.tsx')).HandUpDialog }))
const RefundDialog = lazy(async () => ({ default: (await import('./refund-dialogs.tsx')).RefundDialog }))
const ApproveDialog = lazy(async () => ({ default: (await import('./refund-dialogs.tsx')).ApproveDialog }))
const SettleDialog = lazy(async () => ({ default: (await import('./refund-dialogs.tsx')).SettleDialog }))
const InvoiceDialog = lazy(async () => ({ default: (await import('./invoice-dialog.tsx')).InvoiceDialog }))
const QrDialog = lazy(async () => ({ default: (await import('./qr-dialog.tsx')).QrDialog }))
const RevealDialog = lazy(async () => ({ default: (await import('#web/resource/reveal-dialog.tsx')).RevealDialog }))

type Kind = 'handUp' | 'refund' | 'approve' | 'settle' | 'invoice' | 'qr' | 'reveal'

/** What the person may do about a due, and the window of it that is open. Keep `refresh` the same function between renders. */
export const useDueActions = (
  refresh: () => void,
): { readonly actions: (row: Row) => readonly RowAction[]; readonly dialog: ReactNode } => {
  const t = useT(payTexts)
  const can = useCan()
  const [opened, setOpened] = useState<{ readonly kind: Kind; readonly row: Row } | null>(null)
  const change = useCallback(
    async (path: string, body: object, done: string) => {
      try {
        await api.request({ method: 'POST', path, body })
      } catch {
        return // The api client has said why.
      }
      notify('success', done)
      refresh()
    },
    [refresh],
  )
  const voidDue = useCallback(
    async (row: Row) => {
      const text = t('due.void.ask', {
        name: String(row.name ?? ''),
        fee: String(row.payName ?? ''),
        amount: yuanOf(fenOfRow(row, 'amount')),
      })
      if (await confirm({ title: t('due.void'), text, ok: t('due.void'), danger: true }))
        await change('/blade-exam/examination/delExamPay', { ids: row.id }, t('due.void.done'))
    },
    [change, t],
  )
  const [mayPost, mayRefund, mayApprove, mayVoid, mayQr, mayInvoice] = ['handleup', 'refund', 'approve', 'delete', 'qrcode', 'invoice'].map(
    action => can(`exampay_${action}`),
  )
  const mayReveal = can('signup_reveal')
  const actions = useCallback(
    (row: Row): readonly RowAction[] => {
      const open = (kind: Kind) => () => setOpened({ kind, row })
      const all: Readonly<Record<DueWork, { readonly may: boolean | undefined; readonly action: Omit<RowAction, 'key'> }>> = {
        handUp: { may: mayPost, action: { label: t('due.handUp'), onRun: open('handUp') } },
        confirm: { may: mayPost, action: { label: t('due.confirm'), onRun: open('handUp') } },
        qr: { may: mayQr, action: { label: t('due.qr'), onRun: open('qr') } },
        refund: { may: mayRefund, action: { label: t('due.refund'), onRun: open('refund') } },
        approve: { may: mayApprove, action: { label: t('due.approve'), onRun: open('approve') } },
        settle: { may: mayApprove, action: { label: t('due.settle'), onRun: open('settle') } },
        invoice: { may: mayInvoice, action: { label: t('due.invoice'), onRun: open('invoice') } },
        undo: {
          may: mayInvoice,
          action: {
            label: t('due.invoiceUndo'),
            onRun: () => void change('/blade-exam/examination/sureInvoice', { ids: row.id, isInvoice: 0 }, t('done.ok')),
          },
        },
        reveal: { may: mayReveal, action: { label: t('due.reveal'), onRun: open('reveal') } },
        void: { may: mayVoid, action: { label: t('due.void'), danger: true, onRun: () => void voidDue(row) } },
      }
      return worksOf(row).flatMap(key => (all[key].may ? [{ key, ...all[key].action }] : []))
    },
    [mayPost, mayRefund, mayApprove, mayVoid, mayQr, mayInvoice, mayReveal, voidDue, change, t],
  )
  const close = () => setOpened(null)
  const dialog =
    opened === null ? null : (
      <Suspense>
        {opened.kind === 'handUp' ? (
          <HandUpDialog due={opened.row} onClose={close} onDone={refresh} />
        ) : opened.kind === 'refund' ? (
          <RefundDialog due={opened.row} onClose={close} onDone={refresh} />
        ) : opened.kind === 'approve' ? (
          <ApproveDialog due={opened.row} onClose={close} onDone={refresh} />
        ) : opened.kind === 'settle' ? (
          <SettleDialog due={opened.row} onClose={close} onDone={refresh} />
        ) : opened.kind === 'reveal' ? (
          <RevealDialog signupId={String(opened.row.signupId)} name={String(opened.row.name ?? '')} field="idCard" onClose={close} />
        ) : opened.kind === 'invoice' ? (
          <InvoiceDialog due={opened.row} onClose={close} onDone={refresh} />
        ) : (
          <QrDialog payId={opened.row.id} onClose={close} onPaid={refresh} />
        )}
      </Suspense>
    )
  return { actions, dialog }
}
