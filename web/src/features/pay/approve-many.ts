import { useCallback } from 'react'
import { api } from '#web/kernel/api.ts'
import { yuanOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import type { Row } from '#web/resource/fields.ts'
import { confirm } from '#web/ui/dialog.tsx'
import { fenOfRow } from './due-rules.ts'
import { payTexts } from './texts.ts'

/**
 * Approves the refunds of the ticked dues, one after another: each has its own decision, its own line in the trail and its own refusal. What asks for
 * more than a yes (a voucher of what came by hand, a receipt to take back) is left to its own window.
 */
export const useApproveMany = (): ((rows: readonly Row[]) => Promise<void>) => {
  const t = useT(payTexts)
  return useCallback(
    async rows => {
      const asked = rows.filter(row => fenOfRow(row, 'askedAmount') > 0)
      const plain = asked.filter(row => Number(row.askedByHand) !== 1 && Number(row.isInvoice) !== 1)
      if (plain.length === 0) return notify('warning', t('approve.batch.none'))
      const amount = yuanOf(plain.reduce((sum, row) => sum + fenOfRow(row, 'askedAmount'), 0))
      const text = t('approve.batch.sure', { count: plain.length, amount, left: rows.length - plain.length })
      if (!(await confirm({ title: t('approve.batch'), text, ok: t('approve.batch') }))) return
      const refused: string[] = []
      for (const row of plain) {
        try {
          await api.request({ method: 'POST', path: '/blade-exam/examination/backPay', body: { payId: row.id, approve: 1 }, quiet: true })
        } catch (error) {
          refused.push(`${String(row.name ?? '')}: ${error instanceof Error ? error.message : ''}`)
        }
      }
      if (refused.length < plain.length) notify('success', t('approve.batch.done', { count: plain.length - refused.length }))
      if (refused.length > 0) notify('error', t('approve.batch.left', { count: refused.length, why: refused.join('\n') }))
    },
    [t],
  )
}
