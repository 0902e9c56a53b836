import { payRefund } from '#contract/pay/refund.resource.ts'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import type { CrudContext } from '#web/resource/crud-page.tsx'
import { ResourcePage } from '#web/resource/resource-page.tsx'
import { confirm } from '#web/ui/dialog.tsx'
import { booksTexts } from './books-texts.ts'
import { moneyCell } from './cells.tsx'

const cells = { amount: moneyCell('amount') }
const mostNamed = 3

/** Refunds with each of their steps; a second person approves several at once, the single ones with a voucher stand in the list of dues. */
export const Page = () => {
  const t = useT(booksTexts)
  const may = useCan()('payrefund_approve')
  const approve = async ({ selected, clearSelection, reload }: CrudContext) => {
    const count = String(selected.size)
    if (!(await confirm({ title: t('refunds.approve'), text: t('refunds.sure', { count }), ok: t('refunds.approve') }))) return
    const body = { ids: [...selected].join(','), approve: 1 }
    const answer = await api
      .request<{ readonly done: number; readonly failed: readonly { readonly refundNo: string; readonly reason: string }[] }>({
        method: 'POST',
        path: '/blade-payRefund/payrefund/approve',
        body,
      })
      .catch(() => null)
    if (answer === null) return
    const { done, failed } = answer
    const why = failed.slice(0, mostNamed).map(one => `${one.refundNo} ${one.reason}`)
    if (failed.length === 0) notify('success', t('refunds.done', { done: String(done) }))
    else notify('error', t('refunds.failed', { done: String(done), count: String(failed.length), why: why.join('；') }))
    clearSelection()
    reload()
  }
  return (
    <ResourcePage
      resource={payRefund}
      cells={cells}
      selectable={may}
      without={['add', 'edit', 'delete']}
      toolbar={context =>
        may ? (
          <button type="button" className="button" disabled={context.selected.size === 0} onClick={() => void approve(context)}>
            {t('refunds.approve')}
          </button>
        ) : null
      }
    />
  )
}
