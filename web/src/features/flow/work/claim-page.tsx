import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import type { RowAction } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { refreshWork } from './refresh.ts'
import { workTexts } from './texts.ts'
import { WorkListPage, type WorkRow } from './work-list.tsx'

/** Tasks that several people may take and nobody has. */
export const Page = () => {
  const t = useT(workTexts)
  const can = useCan()
  const client = useQueryClient()
  const mayClaim = can('work_claim_sign')
  const claim = useCallback(
    async (row: WorkRow) => {
      // Whoever was quicker is named by the server; the list then shows what is left.
      const done = await api.call('POST /blade-flow/work/claim-task', { taskId: row.taskId }).catch(() => null)
      if (done !== null) notify('success', t('claim.done', { name: row.title || row.taskName }))
      await refreshWork(client)
    },
    [client, t],
  )
  const actions = useCallback(
    (row: WorkRow): readonly RowAction[] => (mayClaim ? [{ key: 'claim', label: t('claim.run'), onRun: () => void claim(row) }] : []),
    [mayClaim, claim, t],
  )
  return <WorkListPage list="claim" title={t('claim.title')} actions={actions} empty={<EmptyState text={t('claim.empty')} />} />
}
