import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { payRefund } from '#contract/pay/refund.resource.ts'
import { api } from '#web/kernel/api.ts'
import { yuanOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { type CrudContext, listKey } from '#web/resource/crud-page.tsx'
import type { Row } from '#web/resource/fields.ts'
import { ResourcePage } from '#web/resource/resource-page.tsx'
import { confirm, namesAndCount } from '#web/ui/dialog.tsx'
import { NotDone } from '#web/ui/not-done.ts'
import { ReasonDialog } from '#web/ui/reason-dialog.tsx'
import { booksTexts } from './books-texts.ts'
import { moneyCell } from './cells.tsx'
import { fenOfRow } from './due-rules.ts'

const cells = { amount: moneyCell('amount') }
const mostNamed = 3
/** It waits for a second person's word and no transfer: those with a voucher stand in the list of dues. */
const isAsked = (row: Row): boolean => Number(row.waitsFor) === 1
const nameOf = (row: Row): string => String(row.name ?? '')

interface Answer {
  readonly done: number
  readonly failed: readonly { readonly refundNo: string; readonly reason: string }[]
}
const decide = (body: { readonly ids: string; readonly approve: 1 | 2; readonly reason?: string }) =>
  api.request<Answer>({ method: 'POST', path: '/blade-payRefund/payrefund/approve', body, quiet: 'fields' })

/** Refunds with each of their steps; a second person approves several at once or refuses one, the single ones with a voucher stand in the list of dues. */
export const Page = () => {
  const t = useT(booksTexts)
  const client = useQueryClient()
  const may = useCan()('payrefund_approve')
  /** Rows of the pages that were shown: a choice goes over pages. */
  const [seen] = useState(() => new Map<string, Row>())
  const [refusing, setRefusing] = useState<Row | null>(null)
  const rowActions = useCallback(
    (row: Row) => (may && isAsked(row) ? [{ key: 'refuse', label: t('refunds.refuse'), danger: true, onRun: () => setRefusing(row) }] : []),
    [may, t],
  )
  const approve = async ({ selected, clearSelection, reload }: CrudContext) => {
    const chosen = [...selected].flatMap(id => seen.get(id) ?? [])
    const text = t('refunds.sure', {
      count: String(chosen.length),
      names: namesAndCount(chosen.map(nameOf)),
      amount: yuanOf(chosen.reduce((sum, row) => sum + fenOfRow(row, 'amount'), 0)),
    })
    if (!(await confirm({ title: t('refunds.approve'), text, ok: t('refunds.approve') }))) return
    const answer = await decide({ ids: chosen.map(row => row.id).join(','), approve: 1 }).catch(() => null)
    if (answer === null) return
    const { done, failed } = answer
    const why = failed.slice(0, mostNamed).map(one => `${one.refundNo} ${one.reason}`)
    if (failed.length === 0) notify('success', t('refunds.done', { done: String(done) }))
    else notify('error', t('refunds.failed', { done: String(done), count: String(failed.length), why: why.join('；') }))
    clearSelection()
    reload()
  }
  const refuse = async (reason: string) => {
    if (refusing === null) return
    const { failed } = await decide({ ids: refusing.id, approve: 2, reason })
    const [problem] = failed
    if (problem !== undefined) throw new NotDone(problem.reason)
    notify('success', t('refunds.refused'))
    await client.invalidateQueries({ queryKey: listKey(payRefund.name) })
  }
  return (
    <>
      <ResourcePage
        resource={payRefund}
        cells={cells}
        selectable={may}
        isSelectable={isAsked}
        rowActions={rowActions}
        without={['add', 'edit', 'delete']}
        toolbar={context => {
          for (const row of context.rows as readonly Row[]) seen.set(row.id, row)
          return may ? (
            <button type="button" className="button" disabled={context.selected.size === 0} onClick={() => void approve(context)}>
              {t('refunds.approve')}
            </button>
          ) : null
        }}
      />
      {refusing === null ? null : (
        <ReasonDialog
          title={t('refunds.refuseTitle')}
          lead={t('refunds.refuseLead', { name: nameOf(refusing), amount: yuanOf(fenOfRow(refusing, 'amount')) })}
          label={t('refunds.refuseReason')}
          missing={t('refunds.refuseMissing')}
          ok={t('refunds.refuse')}
          send={refuse}
          onClose={() => setRefusing(null)}
        />
      )}
    </>
  )
}
