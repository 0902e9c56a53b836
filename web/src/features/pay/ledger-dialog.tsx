import { useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { booksTexts } from './books-texts.ts'

/** The nightly check of the ledger, now: whether what each due counts is the sum of its lines. */
export const LedgerDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const t = useT(booksTexts)
  const [found, setFound] = useState<{ readonly dues: number; readonly broken: readonly string[] } | null>(null)
  const run = async (): Promise<boolean> => {
    const answer = await api.call('POST /blade-reconciliation/reconciliation/checkLedger', {}).catch(() => null)
    if (answer !== null) setFound(answer)
    return false
  }
  return (
    <ActionDialog title={t('ledger.check')} onClose={onClose} actions={[{ label: t('ledger.run'), run }]}>
      <p>{t('ledger.lead')}</p>
      <div role="status">
        {found === null ? null : (
          <p>
            <strong>
              {found.broken.length === 0
                ? t('ledger.flat', { dues: String(found.dues) })
                : t('ledger.broken', { dues: String(found.dues), count: String(found.broken.length) })}
            </strong>
          </p>
        )}
      </div>
      {found === null || found.broken.length === 0 ? null : (
        <ul className="books-missing">
          {found.broken.map(line => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </ActionDialog>
  )
}
