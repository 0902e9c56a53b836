import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { NavLink } from '#web/shell/nav-link.tsx'
import type { RowAction } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { refreshWork } from './refresh.ts'
import { workTexts } from './texts.ts'
import { WithdrawDialog } from './withdraw-dialog.tsx'
import { WorkListPage, type WorkRow } from './work-list.tsx'

const [running, returned] = [0, 1]

/** What I started. */
export const Page = () => {
  const t = useT(workTexts)
  const can = useCan()
  const client = useQueryClient()
  const [withdrawn, setWithdrawn] = useState<WorkRow | null>(null)
  const mayRemind = can('work_send_detail')
  const mayWithdraw = can('work_send_withdraw')
  const remind = useCallback(
    async (row: WorkRow) => {
      const told = await api.call('POST /blade-flow/work/remind', { processInstanceId: row.processInstanceId }).catch(() => null)
      if (told === null) return
      notify('success', t('act.remind.done', { count: told.reminded }))
      await refreshWork(client)
    },
    [client, t],
  )
  const actions = useCallback(
    (row: WorkRow): readonly RowAction[] => [
      ...(mayRemind && row.state === running ? [{ key: 'remind', label: t('act.remind'), onRun: () => void remind(row) }] : []),
      ...(mayWithdraw && (row.state === running || row.state === returned)
        ? [{ key: 'withdraw', label: t('act.withdraw'), danger: true, onRun: () => setWithdrawn(row) }]
        : []),
    ],
    [mayRemind, mayWithdraw, remind, t],
  )
  return (
    <>
      <WorkListPage
        list="send"
        title={t('send.title')}
        actions={actions}
        empty={
          <EmptyState
            text={t('send.empty')}
            action={
              <NavLink to="/work/start" className="button button-primary">
                {t('send.start')}
              </NavLink>
            }
          />
        }
      />
      {withdrawn === null ? null : (
        <WithdrawDialog
          processInstanceId={withdrawn.processInstanceId}
          name={withdrawn.title || withdrawn.processDefinitionName}
          onClose={() => setWithdrawn(null)}
        />
      )}
    </>
  )
}
