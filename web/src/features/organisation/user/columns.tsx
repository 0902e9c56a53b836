import { useMemo } from 'react'
import { accountMachine } from '#contract/organisation/account.state.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { listOf } from '#web/kernel/i18n/list.ts'
import type { SearchField } from '#web/resource/search-row.tsx'
import { NavLink } from '#web/shell/nav-link.tsx'
import type { Column } from '#web/ui/data-table.tsx'
import { StateTag, useStateOptions } from '#web/ui/state-tag.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { userPath } from './path.ts'
import { userTexts } from './texts.ts'
import type { UserLine } from './use-user-acts.ts'

/** The state of an account, and what keeps it from being used. */
export const UserStatus = ({ user }: { readonly user: UserLine }) => {
  const t = useT(userTexts)
  return (
    <span className="user-status">
      <StateTag of={accountMachine} wire={user.status} />
      {user.passwordDue === 1 ? <StatusTag tone="draft" text={t('user.passwordDue')} /> : null}
      {user.secondFactor === 1 ? <StatusTag tone="passed" text={t('user.totp.on')} /> : null}
      {user.lockedUntil === '' ? null : <StatusTag tone="refused" text={t('user.wrongPasswords', { time: minuteOf(user.lockedUntil) })} />}
    </span>
  )
}
/** Beside the departments there is no room for all roles of a person: the rest is in the title. */
const cut = (text: string) =>
  text === '' ? (
    ''
  ) : (
    <span className="user-cut" title={text}>
      {text}
    </span>
  )

export const useUserColumns = (): readonly Column<UserLine>[] => {
  const t = useT(userTexts)
  const columns = useMemo<readonly Column<UserLine>[]>(
    () => [
      { key: 'account', title: t('user.account'), width: 150, cell: row => <NavLink to={userPath(row)}>{row.account}</NavLink> },
      { key: 'realName', title: t('user.realName'), width: 110, cell: row => row.realName },
      {
        key: 'status',
        title: t('user.status'),
        cell: row => <UserStatus user={row} />,
      },
      { key: 'roleName', title: t('user.roles'), width: 180, cell: row => cut(listOf(row.roleName.split(','))) },
      { key: 'deptName', title: t('user.dept'), width: 160, cell: row => cut(listOf(row.deptName.split(','))) },
      { key: 'userType', title: t('user.kind'), hidden: true, cell: row => t(`user.kind.${row.userType as 1 | 2 | 3}`) },
      { key: 'phone', title: t('user.phone'), hidden: true, cell: row => row.phone },
      { key: 'email', title: t('user.email'), hidden: true, cell: row => row.email },
      { key: 'postName', title: t('user.post'), hidden: true, cell: row => listOf(row.postName.split(',')) },
      // Whom somebody reports to is told by a name, and seen by whoever sees names.
      {
        key: 'leaderName',
        field: 'user.realName',
        title: t('user.reportsTo'),
        hidden: true,
        cell: row => listOf(row.leaderName.split(',')),
      },
      { key: 'code', title: t('user.code'), hidden: true, cell: row => row.code },
      { key: 'userCode', title: t('user.userCode'), hidden: true, cell: row => row.userCode },
      { key: 'createTime', title: t('user.created'), hidden: true, cell: row => minuteOf(row.createTime) },
    ],
    [t],
  )
  // The fields of an account are its columns; those that no role is kept from have no rule.
  return useMemo(() => columns.map(column => ({ field: `user.${column.key}`, ...column })), [columns])
}

export const useUserSearch = (): readonly SearchField[] => {
  const t = useT(userTexts)
  const states = useStateOptions(accountMachine)
  return [
    { kind: 'text', key: 'account', label: t('user.account') },
    { kind: 'text', key: 'realName', field: 'user.realName', label: t('user.realName') },
    {
      kind: 'select',
      key: 'userType',
      label: t('user.kind'),
      options: ([1, 2, 3] as const).map(kind => ({ value: String(kind), label: t(`user.kind.${kind}`) })),
    },
    {
      kind: 'select',
      key: 'status',
      label: t('user.status'),
      options: states,
    },
  ]
}
