import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { payRefund } from '#contract/pay/refund.resource.ts'
import { yuanOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { type CrudContext, listKey } from '#web/resource/crud-page.tsx'
import { FieldText } from '#web/resource/field-text.tsx'
import type { Row } from '#web/resource/fields.ts'
import { ResourcePage } from '#web/resource/resource-page.tsx'
import { NavLink } from '#web/shell/nav-link.tsx'
import { confirm, namesAndCount } from '#web/ui/dialog.tsx'
import { arranged } from './arranged.ts'
import { booksTexts } from './books-texts.ts'
import { moneyCell } from './cells.tsx'
import { fenOfRow } from './due-rules.ts'
import { useExamColumn } from './exam-column.tsx'
import { openDue, openRefund, refundPath } from './paths.ts'
import { decideRefunds, isToApprove, RefuseDialog } from './refund-decision.tsx'
import { payTexts } from './texts.ts'

/** Who, how much and how it stands come first: on a phone little more is seen. */
const refunds = arranged(
  payRefund,
  ['name', 'examId', 'amount', 'state', 'waitsFor', 'reason', 'signNo', 'applyTime', 'applyName', 'approveTime', 'payName', 'successTime'],
  [
    'name',
    'state',
    'examId',
    'waitsFor',
    'idCardTail',
    'signNo',
    'amount',
    'reason',
    'applyTime',
    'successTime',
    'refundNo',
    'orderNo',
    'voucherNo',
  ],
)
const hiddenOfAll = ['payName', 'successTime', 'approveTime']
const hiddenOfOne = ['payName', 'successTime', 'examId']
const ownCells = {
  name: (row: Row) => <NavLink to={refundPath(row)}>{String(row.name ?? '-')}</NavLink>,
  amount: moneyCell('amount'),
  // The state says it already; a transfer by hand is more than that.
  waitsFor: (row: Row) => (isToApprove(row) ? '-' : undefined),
  // What somebody has written says more than “other”.
  reason: (row: Row) =>
    row.reason === 'other' && row.remark ? String(row.remark) : <FieldText field={payRefund.fields.reason} value={row.reason} />,
}
const mostNamed = 3
const nameOf = (row: Row): string => String(row.name ?? '')

/** Refunds with each of their steps; a second person approves several at once or refuses one, the single ones with a voucher stand in the list of dues. */
export const Page = () => {
  const t = useT(booksTexts)
  const p = useT(payTexts)
  const client = useQueryClient()
  const can = useCan()
  const may = can('payrefund_approve')
  const atDue = can('exampay_approve')
  const exam = useExamColumn()
  const cells = useMemo(() => ({ ...ownCells, examId: exam.cell }), [exam.cell])
  /** Rows of the pages that were shown: a choice goes over pages. */
  const [seen] = useState(() => new Map<string, Row>())
  const [refusing, setRefusing] = useState<Row | null>(null)
  const refresh = useCallback(() => void client.invalidateQueries({ queryKey: listKey(payRefund.name) }), [client])
  /** One call for all of them. @returns whether it was made */
  const decide = useCallback(
    async (chosen: readonly Row[], verb: 'refunds.approve' | 'refunds.approveOne'): Promise<boolean> => {
      const text = t('refunds.sure', {
        count: String(chosen.length),
        names: namesAndCount(chosen.map(nameOf)),
        amount: yuanOf(chosen.reduce((sum, row) => sum + fenOfRow(row, 'amount'), 0)),
      })
      if (!(await confirm({ title: t(verb), text, ok: t(verb) }))) return false
      const answer = await decideRefunds({ ids: chosen.map(row => row.id).join(','), approve: 1 }).catch(() => null)
      if (answer === null) return false
      const { done, failed } = answer
      const why = failed.slice(0, mostNamed).map(one => `${one.refundNo} ${one.reason}`)
      if (failed.length === 0) notify('success', t('refunds.done', { done: String(done) }))
      else notify('error', t('refunds.failed', { done: String(done), count: String(failed.length), why: why.join('；') }))
      refresh()
      return true
    },
    [refresh, t],
  )
  const rowActions = useCallback(
    (row: Row) =>
      may && isToApprove(row)
        ? [
            { key: 'approve', label: t('refunds.approveOne'), onRun: () => void decide([row], 'refunds.approveOne') },
            { key: 'refuse', label: t('refunds.refuse'), danger: true, onRun: () => setRefusing(row) },
          ]
        : atDue && Number(row.waitsFor ?? 0) > 0
          ? [{ key: 'due', label: t('refunds.atDue'), onRun: () => openDue({ id: String(row.payId) }) }]
          : [],
    [may, atDue, t, decide],
  )
  const approve = async ({ selected, clearSelection }: CrudContext) => {
    if (
      await decide(
        [...selected].flatMap(id => seen.get(id) ?? []),
        'refunds.approve',
      )
    )
      clearSelection()
  }
  return (
    <>
      <ResourcePage
        resource={refunds}
        hidden={exam.isShown ? hiddenOfAll : hiddenOfOne}
        cells={cells}
        selectable={may}
        isSelectable={isToApprove}
        rowActions={rowActions}
        onView={openRefund}
        without={['add', 'edit', 'delete']}
        empty={p('refund.empty')}
        toolbar={context => {
          for (const row of context.rows as readonly Row[]) seen.set(row.id, row)
          return may ? (
            <button type="button" className="button" disabled={context.selected.size === 0} onClick={() => void approve(context)}>
              {t('refunds.approve')}
            </button>
          ) : null
        }}
      />
      {refusing === null ? null : <RefuseDialog refund={refusing} onClose={() => setRefusing(null)} onDone={refresh} />}
    </>
  )
}
