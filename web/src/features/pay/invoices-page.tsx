import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useState } from 'react'
import { invoiceStates } from '#contract/pay/order.state.ts'
import { examPay } from '#contract/pay/pay.resources.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import { useExamOptions } from '#web/resource/exams.ts'
import type { Row } from '#web/resource/fields.ts'
import { ResourcePage } from '#web/resource/resource-page.tsx'
import { NavLink } from '#web/shell/nav-link.tsx'
import { StateTag } from '#web/ui/state-tag.tsx'
import { arranged } from './arranged.ts'
import { moneyCell } from './cells.tsx'
import { useDueActions } from './due-actions.tsx'
import { duePath, openDue } from './paths.ts'
import { payTexts } from './texts.ts'
import './pay.css'

const ListDialog = lazy(async () => ({ default: (await import('./list-dialogs.tsx')).ListDialog }))

const columns = [
  'name',
  'signNo',
  'code',
  'payName',
  'paidAmount',
  'refundAmount',
  'isInvoice',
  'invoiceTitle',
  'invoiceNo',
  'paidTime',
] as const
const listed = arranged(examPay, columns, ['isInvoice', 'name', 'signNo', 'invoiceNo', 'examId', 'payWay', 'paidTime'])
const receipts = {
  ...listed,
  label: { zh: '票据', en: 'Receipts' },
  lead: {
    zh: '已缴费用的票据：考生申请后在此开具，登记票据号或链接，也可按表格批量导入；非税缴款码收的款由财政平台自动开具。退费前须先冲红已开具的票据；财政平台开具的由平台在退费时自动冲红。',
    en: 'Receipts of what was paid: issued here once they are applied for, with number or link, or many by a workbook; those of the non-tax platform come by themselves. An issued receipt is reversed before money goes back; the platform reverses its own.',
  },
  fields: Object.fromEntries(
    Object.entries(listed.fields).map(([name, field]) => [
      name,
      (columns as readonly string[]).includes(name) ? { ...field, list: true } : { ...field, list: false },
    ]),
  ),
}
const cells = {
  name: (row: Row) => <NavLink to={duePath(row)}>{String(row.name ?? '-')}</NavLink>,
  paidAmount: moneyCell('paidAmount'),
  refundAmount: moneyCell('refundAmount'),
  isInvoice: (row: Row) => <StateTag of={invoiceStates} wire={Number(row.isInvoice)} />,
}
/** Nothing is made out for what nobody has paid. */
const fixed = { paidAmount_ge: 1 }
const works = ['invoice', 'undo']

/** Receipts of what was paid: which are applied for, which are issued and under which number. */
export const Page = () => {
  const t = useT(payTexts)
  const can = useCan()
  const client = useQueryClient()
  const [importing, setImporting] = useState<{ readonly examId: unknown } | null>(null)
  const refresh = useCallback(() => void client.invalidateQueries({ queryKey: listKey(examPay.name) }), [client])
  const { actions, dialog } = useDueActions(refresh)
  const rowActions = useCallback((row: Row) => actions(row).filter(({ key }) => works.includes(key)), [actions])
  const exams = useExamOptions(true)
  return (
    <>
      <ResourcePage
        resource={receipts}
        fixed={fixed}
        cells={cells}
        searchOptions={{ examId: exams ?? [] }}
        rowActions={rowActions}
        onView={openDue}
        without={['add', 'edit', 'delete', 'export']}
        empty={t('invoice.empty')}
        toolbar={({ query }) =>
          can('exampay_invoice') ? (
            <button type="button" className="button" onClick={() => setImporting({ examId: query.examId })}>
              {t('list.invoices')}
            </button>
          ) : null
        }
      />
      {importing === null ? null : (
        <Suspense>
          <ListDialog
            work="invoices"
            exams={exams ?? []}
            examId={typeof importing.examId === 'string' ? importing.examId : undefined}
            onClose={() => setImporting(null)}
            onDone={refresh}
          />
        </Suspense>
      )}
      {dialog}
    </>
  )
}
