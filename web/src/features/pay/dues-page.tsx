import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { dueMachine, invoiceStates } from '#contract/pay/order.state.ts'
import { examPay } from '#contract/pay/pay.resources.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import { useExamOptions } from '#web/resource/exams.ts'
import type { Row } from '#web/resource/fields.ts'
import { useReason } from '#web/resource/own-reason.ts'
import { ResourcePage } from '#web/resource/resource-page.tsx'
import { NavLink } from '#web/shell/nav-link.tsx'
import { StateTag } from '#web/ui/state-tag.tsx'
import { arranged, withExamCode } from './arranged.ts'
import { moneyCell, WaitsCell } from './cells.tsx'
import { useDueActions } from './due-actions.tsx'
import { waits } from './due-rules.ts'
import { useExamColumn } from './exam-column.tsx'
import type { ListWork } from './list-dialogs.tsx'
import { duePath, openDue } from './paths.ts'
import { RefundReason } from './refund-reason.tsx'
import { payTexts } from './texts.ts'
import './pay.css'

const AddDialog = lazy(async () => ({ default: (await import('./add-dialog.tsx')).AddDialog }))
const ListDialog = lazy(async () => ({ default: (await import('./list-dialogs.tsx')).ListDialog }))

/** What is looked at first stands first; whatever is not named follows. */
const dues = withExamCode(
  arranged(
    examPay,
    [
      'name',
      'examName',
      'signNo',
      'code',
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
      'idCardTail',
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
  ),
)

/** Numbers by which one due is looked up, and what a refund is decided by in its window. */
const unasked = ['askedAmount', 'payWay', 'isInvoice', 'idCardTail', 'deadline', 'orderNo', 'itemName']
/** Among all examinations the one of a due says more than its post. */
const hiddenOfAll = [...unasked, 'code']
const hiddenOfOne = [...unasked, 'examName']

/** What candidates owe (domain 3.13), and what finance does about one due. */
export const Page = () => {
  const t = useT(payTexts)
  const can = useCan()
  const client = useQueryClient()
  const [listed, setListed] = useState<{ readonly work: ListWork; readonly examId: unknown } | null>(null)
  const [adding, setAdding] = useState<{ readonly examId: unknown } | null>(null)
  const works: readonly ListWork[] = [
    ...(can('exampay_import') ? (['dues', 'payments'] as const) : []),
    ...(can('exampay_invoice') ? (['invoices'] as const) : []),
    ...(can('exampay_export') ? (['export'] as const) : []),
  ]
  const refresh = useCallback(() => void client.invalidateQueries({ queryKey: listKey(examPay.name) }), [client])
  const { actions, dialog } = useDueActions(refresh)
  const reason = useReason()
  const exam = useExamColumn()
  const cells = useMemo(
    () => ({
      examName: exam.cell,
      name: (row: Row) => <NavLink to={duePath(row)}>{String(row.name ?? '-')}</NavLink>,
      amount: moneyCell('amount'),
      paidAmount: moneyCell('paidAmount'),
      refundAmount: moneyCell('refundAmount'),
      askedAmount: moneyCell('askedAmount'),
      askedReason: (row: Row) => <RefundReason due={row} />,
      remark: (row: Row) => reason(row.remark) || '-',
      waitsFor: (row: Row) => <WaitsCell value={row.waitsFor} />,
      state: (row: Row) => <StateTag of={dueMachine} wire={Number(row.state)} />,
      isInvoice: (row: Row) => <StateTag of={invoiceStates} wire={Number(row.isInvoice)} />,
    }),
    [reason, exam.cell],
  )
  const exams = useExamOptions(true)
  const waitOptions = Object.values(waits).map(value => ({ value: String(value), label: t(`waits.${value}`) }))
  return (
    <>
      <ResourcePage
        resource={dues}
        hidden={exam.isShown ? hiddenOfAll : hiddenOfOne}
        cells={cells}
        searchOptions={{ examId: exams ?? [], waitsFor: waitOptions }}
        rowActions={actions}
        onView={openDue}
        onExport={can('exampay_export') ? query => setListed({ work: 'export', examId: query.examId }) : undefined}
        without={['add', 'edit', 'delete']}
        empty={t('due.empty')}
        toolbar={({ query }) => (
          <>
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
      {dialog}
    </>
  )
}
