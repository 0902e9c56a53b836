import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { examPay } from '#contract/pay/pay.resources.ts'
import { api } from '#web/kernel/api.ts'
import { yuanOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import { useExamOptions } from '#web/resource/exams.ts'
import type { Row } from '#web/resource/fields.ts'
import { useReason } from '#web/resource/own-reason.ts'
import { ResourcePage } from '#web/resource/resource-page.tsx'
import type { RowAction } from '#web/ui/data-table.tsx'
import { confirm } from '#web/ui/dialog.tsx'
import type { Tone } from '#web/ui/status-tag.tsx'
import { useApproveMany } from './approve-many.ts'
import { arranged } from './arranged.ts'
import { invoiceTones, moneyCell, StateCell, WaitsCell } from './cells.tsx'
import { type DueWork, fenOfRow, waits, worksOf } from './due-rules.ts'
import type { ListWork } from './list-dialogs.tsx'
import { RefundReason } from './refund-reason.tsx'
import { payTexts } from './texts.ts'
import './pay.css'

const HandUpDialog = lazy(async () => ({ default: (await import('./hand-up-dialog.tsx')).HandUpDialog }))
const RefundDialog = lazy(async () => ({ default: (await import('./refund-dialogs.tsx')).RefundDialog }))
const ApproveDialog = lazy(async () => ({ default: (await import('./refund-dialogs.tsx')).ApproveDialog }))
const SettleDialog = lazy(async () => ({ default: (await import('./refund-dialogs.tsx')).SettleDialog }))
const InvoiceDialog = lazy(async () => ({ default: (await import('./invoice-dialog.tsx')).InvoiceDialog }))
const QrDialog = lazy(async () => ({ default: (await import('./qr-dialog.tsx')).QrDialog }))

const RevealDialog = lazy(async () => ({ default: (await import('#web/resource/reveal-dialog.tsx')).RevealDialog }))
const AddDialog = lazy(async () => ({ default: (await import('./add-dialog.tsx')).AddDialog }))
const ListDialog = lazy(async () => ({ default: (await import('./list-dialogs.tsx')).ListDialog }))

type Kind = 'handUp' | 'refund' | 'approve' | 'settle' | 'invoice' | 'qr' | 'reveal'
const stateTones: readonly Tone[] = ['closed', 'waiting', 'passed', 'active', 'closed', 'refused', 'draft']

/** What is looked at first stands first; whatever is not named follows. */
const dues = arranged(
  examPay,
  [
    'name',
    'idCardTail',
    'payName',
    'amount',
    'state',
    'waitsFor',
    'paidAmount',
    'refundAmount',
    'askedAmount',
    'deadline',
    'paidTime',
    'payWay',
    'isInvoice',
    'code',
  ],
  [
    'name',
    'state',
    'waitsFor',
    'examId',
    'signNo',
    'idCardTail',
    'code',
    'payWay',
    'orderNo',
    'voucherNo',
    'isInvoice',
    'deadline',
    'paidTime',
  ],
)

/** Numbers by which one due is looked up, what a refund is decided by in its window, and what its examination tells. */
const hidden = ['askedAmount', 'payWay', 'isInvoice', 'code', 'signNo', 'orderNo', 'examName', 'itemName']

/** What candidates owe (domain 3.13), and what finance does about one due. */
export const Page = () => {
  const t = useT(payTexts)
  const can = useCan()
  const client = useQueryClient()
  const [opened, setOpened] = useState<{ readonly kind: Kind; readonly row: Row } | null>(null)
  const [listed, setListed] = useState<{ readonly work: ListWork; readonly examId: unknown } | null>(null)
  const [adding, setAdding] = useState<{ readonly examId: unknown } | null>(null)
  const works: readonly ListWork[] = [
    ...(can('exampay_import') ? (['dues', 'payments'] as const) : []),
    ...(can('exampay_invoice') ? (['invoices'] as const) : []),
    ...(can('exampay_export') ? (['export'] as const) : []),
  ]
  const refresh = useCallback(() => void client.invalidateQueries({ queryKey: listKey(examPay.name) }), [client])
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
  const reason = useReason()
  const cells = useMemo(
    () => ({
      amount: moneyCell('amount'),
      paidAmount: moneyCell('paidAmount'),
      refundAmount: moneyCell('refundAmount'),
      askedAmount: moneyCell('askedAmount'),
      askedReason: (row: Row) => <RefundReason due={row} />,
      remark: (row: Row) => reason(row.remark) || '-',
      waitsFor: (row: Row) => <WaitsCell value={row.waitsFor} />,
      state: (row: Row) => <StateCell code="pay_state" value={row.state} tones={stateTones} />,
      isInvoice: (row: Row) => <StateCell code="invoice_state" value={row.isInvoice} tones={invoiceTones} />,
    }),
    [reason],
  )
  const approveMany = useApproveMany()
  const approveAll = async (ticked: readonly Row[]): Promise<void> => {
    await approveMany(ticked)
    refresh()
  }
  const close = () => setOpened(null)
  const exams = useExamOptions(true)
  const waitOptions = Object.values(waits).map(value => ({ value: String(value), label: t(`waits.${value}`) }))
  return (
    <>
      <ResourcePage
        resource={dues}
        hidden={hidden}
        cells={cells}
        searchOptions={{ examId: exams ?? [], waitsFor: waitOptions }}
        rowActions={actions}
        without={['add', 'edit', 'delete']}
        selectable={mayApprove}
        toolbar={({ query, selected, rows, clearSelection }) => (
          <>
            {mayApprove ? (
              <button
                type="button"
                className="button"
                disabled={selected.size === 0}
                onClick={() => void approveAll((rows as readonly Row[]).filter(row => selected.has(row.id))).then(clearSelection)}
              >
                {t('approve.batch')}
              </button>
            ) : null}
            {can('exampay_add') ? (
              <button type="button" className="button button-primary" onClick={() => setAdding({ examId: query.examId })}>
                {t('due.add')}
              </button>
            ) : null}
            {works.map(work => (
              <button key={work} type="button" className="button" onClick={() => setListed({ work, examId: query.examId })}>
                {t(`list.${work}`)}
              </button>
            ))}
          </>
        )}
      />
      {adding === null ? null : (
        <Suspense>
          <AddDialog
            exams={exams ?? []}
            examId={typeof adding.examId === 'string' ? adding.examId : undefined}
            onClose={() => setAdding(null)}
            onDone={refresh}
          />
        </Suspense>
      )}
      {listed === null ? null : (
        <Suspense>
          <ListDialog
            work={listed.work}
            exams={exams ?? []}
            examId={typeof listed.examId === 'string' ? listed.examId : undefined}
            onClose={() => setListed(null)}
            onDone={refresh}
          />
        </Suspense>
      )}
      {opened === null ? null : (
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
      )}
    </>
  )
}
