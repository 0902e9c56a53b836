import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type PurgedKind, purgeCodes } from '#contract/log/log.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import { LogPurge } from './log-purge.tsx'
import { logTexts } from './log-texts.ts'

/** The button that removes old lines of a log, for whoever may, and its window. */
export const usePurge = (kind: PurgedKind, listName: string): { readonly button: ReactNode; readonly dialog: ReactNode } => {
  const t = useT(logTexts)
  const can = useCan()
  const client = useQueryClient()
  const [open, setOpen] = useState(false)
  return {
    button: can(purgeCodes[kind]) ? (
      <button type="button" className="button button-danger" onClick={() => setOpen(true)}>
        {t('log.purge')}
      </button>
    ) : null,
    dialog: open ? (
      <LogPurge kind={kind} onClose={() => setOpen(false)} onDone={() => void client.invalidateQueries({ queryKey: listKey(listName) })} />
    ) : null,
  }
}
