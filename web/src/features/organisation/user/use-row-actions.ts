import { useCallback } from 'react'
import { accountMachine } from '#contract/organisation/account.state.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { goTo } from '#web/shell/go.ts'
import type { RowAction } from '#web/ui/data-table.tsx'
import { userPath } from './path.ts'
import { userTexts } from './texts.ts'
import type { UserRights } from './use-rights.ts'
import type { UserActs, UserLine } from './use-user-acts.ts'
import type { OpenedWindow } from './windows.tsx'

const { wire } = accountMachine

/** What can be done to one user, by what the user is and what the reader may. */
export const useRowActions = (may: UserRights, acts: UserActs, open: (window: OpenedWindow) => void) => {
  const t = useT(userTexts)
  return useCallback(
    (row: UserLine): readonly RowAction[] => {
      const action = (key: string, name: string, isShown: boolean, onRun: () => void, danger = false): readonly RowAction[] =>
        isShown ? [{ key, label: name, danger, onRun }] : []
      const isStaff = row.userType !== 2
      const isLocked = row.status === wire.locked || row.lockedUntil !== ''
      return [
        { key: 'view', label: t('action.view'), onRun: () => goTo(userPath(row)) },
        ...(row.status === wire.pending
          ? [
              ...action('pass', t('user.audit.pass'), may.audit, () => void acts.pass([row])),
              ...action('refuse', t('user.audit.refuse'), may.audit, () => open({ kind: 'refuse', users: [row] }), true),
            ]
          : [
              ...action('edit', t('action.edit'), may.edit && isStaff, () => open({ kind: 'edit', id: row.id })),
              ...action('role', t('user.roleSet'), may.role && isStaff, () => open({ kind: 'role', users: [row] })),
              ...action('reset', t('user.reset'), may.reset && isStaff, () => open({ kind: 'reset', users: [row] })),
              ...action('totp', t('user.totp'), may.totp && row.secondFactor === 1, () => open({ kind: 'totp', users: [row] }), true),
              ...action('unlock', t('user.unlock'), may.lock && isLocked, () => open({ kind: 'unlock', users: [row] })),
              ...action('lock', t('user.lock'), may.lock && row.status === wire.normal, () => open({ kind: 'lock', users: [row] })),
              ...action('enable', t('user.enable'), may.edit && row.status === wire.disabled, () => void acts.enable(row)),
              ...action('disable', t('user.disable'), may.edit && row.status === wire.normal, () =>
                open({ kind: 'disable', users: [row] }),
              ),
            ]),
        ...action('leader', t(row.isLeader === 1 ? 'user.leader.off' : 'user.leader.on'), may.edit && isStaff, () => void acts.lead(row)),
        ...action('logins', t('user.logins'), may.logins, () => goTo(`/monitor/authLog?${new URLSearchParams({ account: row.account })}`)),
        ...action('platform', t('user.platform'), isStaff, () => open({ kind: 'platform', id: row.id })),
        ...action('delete', t('action.delete'), may.delete && isStaff, () => open({ kind: 'remove', users: [row] }), true),
      ]
    },
    [may, acts, open, t],
  )
}
