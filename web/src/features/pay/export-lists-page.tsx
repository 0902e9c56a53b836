import { useCallback } from 'react'
import { payExportMain } from '#contract/pay/books.resource.ts'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import type { Row } from '#web/resource/fields.ts'
import { ResourcePage } from '#web/resource/resource-page.tsx'
import { booksTexts } from './books-texts.ts'
import { moneyCell } from './cells.tsx'

const cells = { amount: moneyCell('amount'), refundAmount: moneyCell('refundAmount') }
const isMade = 1

/** Lists of payments that are made once for whoever the money goes to, and never change. */
export const Page = () => {
  const t = useT(booksTexts)
  const actions = useCallback(
    (row: Row) =>
      row.state === isMade
        ? [
            {
              key: 'file',
              label: t('list.file'),
              onRun: () => {
                const request = { method: 'GET', path: '/blade-exportpaymain/exportpaymain/file', query: { id: row.id } } as const
                void api.download(request, `${String(row.name)}.xlsx`).then(
                  got => (got.kind === 'data' ? notify('info', t('list.queued')) : undefined),
                  () => undefined,
                )
              },
            },
          ]
        : [],
    [t],
  )
  return <ResourcePage resource={payExportMain} cells={cells} rowActions={actions} without={['edit']} />
}
