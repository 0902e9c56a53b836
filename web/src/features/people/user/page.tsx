import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import { stateOfWire } from '#contract/kernel/machine.ts'
import { accountMachine } from '#contract/system/account.state.ts'
import { api } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { type CrudContext, CrudPage, type ListQuery, listKey } from '#web/resource/crud-page.tsx'
import { ExportButtons } from '#web/resource/export-buttons.tsx'
import { startExport } from '#web/resource/export-jobs.ts'
import { ImportRun } from '#web/resource/import-run.tsx'
import { useListState } from '#web/resource/list-state.ts'
import type { SearchField } from '#web/resource/search-row.tsx'
import type { Column, RowAction } from '#web/ui/data-table.tsx'
import { ReasonDialog } from '#web/ui/reason-dialog.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { StatusTag, type Tone } from '#web/ui/status-tag.tsx'
import type { OneTime } from './one-time-dialog.tsx'
import { userTexts } from './texts.ts'
import { namesOf, type UserLine, useUserActs } from './use-user-acts.ts'
import type { OpenedUser } from './user-dialog.tsx'
import './user.css'
import { listOf } from '#web/kernel/i18n/list.ts'

const DeptSide = lazy(async () => ({ default: (await import('./dept-side.tsx')).DeptSide }))
const UserDialog = lazy(async () => ({ default: (await import('./user-dialog.tsx')).UserDialog }))
const RoleDialog = lazy(async () => ({ default: (await import('./role-dialog.tsx')).RoleDialog }))
const PlatformDialog = lazy(async () => ({ default: (await import('./platform-dialog.tsx')).PlatformDialog }))
const OneTimeDialog = lazy(async () => ({ default: (await import('./one-time-dialog.tsx')).OneTimeDialog }))

type Opened =
  | OpenedUser
  | { readonly kind: 'role'; readonly users: readonly UserLine[] }
  | { readonly kind: 'lock'; readonly users: readonly UserLine[] }
  | { readonly kind: 'unlock'; readonly users: readonly UserLine[] }
  | { readonly kind: 'refuse'; readonly users: readonly UserLine[] }
  | { readonly kind: 'totp'; readonly users: readonly UserLine[] }
  | { readonly kind: 'platform'; readonly id: string }
  | { readonly kind: 'import' }
  | { readonly kind: 'oneTime'; readonly list: readonly OneTime[] }

const { wire } = accountMachine
const tones: readonly Tone[] = ['waiting', 'passed', 'closed', 'refused', 'refused', 'closed']
const rowId = (row: UserLine) => row.id
const rowName = (row: UserLine) => row.realName || row.account
/** Beside the departments there is no room for all roles of a person: the rest is in the title. */
const cut = (text: string) =>
  text === '' ? (
    ''
  ) : (
    <span className="user-cut" title={text}>
      {text}
    </span>
  )
const isCandidate = (row: UserLine) => row.userType === 2
const load = (query: ListQuery, signal: AbortSignal) =>
  api.request<{ readonly records: readonly UserLine[]; readonly total: number; readonly atLeast?: boolean }>({
    method: 'GET',
    path: '/blade-system/user/page',
    query,
    signal,
    quiet: true,
  })

const useColumns = (): readonly Column<UserLine>[] => {
  const t = useT(userTexts)
  const label = useLabel()
  const columns = useMemo<readonly Column<UserLine>[]>(
    () => [
      { key: 'account', title: t('user.account'), width: 150, cell: row => row.account },
      { key: 'realName', title: t('user.realName'), width: 110, cell: row => row.realName },
      {
        key: 'status',
        title: t('user.status'),
        cell: row => (
          <span className="user-status">
            <StatusTag
              tone={tones[row.status] ?? 'draft'}
              text={label(accountMachine.label[stateOfWire(accountMachine, row.status) ?? 'closed'])}
            />
            {row.passwordDue === 1 ? <StatusTag tone="draft" text={t('user.passwordDue')} /> : null}
            {row.secondFactor === 1 ? <StatusTag tone="passed" text={t('user.totp.on')} /> : null}
            {row.lockedUntil === '' ? null : (
              <StatusTag tone="refused" text={t('user.wrongPasswords', { time: minuteOf(row.lockedUntil) })} />
            )}
          </span>
        ),
      },
      { key: 'roleName', title: t('user.roles'), width: 180, cell: row => cut(listOf(row.roleName.split(','))) },
      { key: 'deptName', title: t('user.dept'), width: 160, cell: row => cut(listOf(row.deptName.split(','))) },
      { key: 'userType', title: t('user.kind'), hidden: true, cell: row => t(`user.kind.${row.userType as 1 | 2 | 3}`) },
      { key: 'phone', title: t('user.phone'), hidden: true, cell: row => row.phone },
      { key: 'email', title: t('user.email'), hidden: true, cell: row => row.email },
      { key: 'postName', title: t('user.post'), hidden: true, cell: row => listOf(row.postName.split(',')) },
      { key: 'code', title: t('user.code'), hidden: true, cell: row => row.code },
      { key: 'userCode', title: t('user.userCode'), hidden: true, cell: row => row.userCode },
      { key: 'createTime', title: t('user.created'), hidden: true, cell: row => minuteOf(row.createTime) },
    ],
    [t, label],
  )
  // The fields of an account are its columns; those that no role is kept from have no rule.
  return useMemo(() => columns.map(column => ({ ...column, field: `user.${column.key}` })), [columns])
}

const useSearch = (): readonly SearchField[] => {
  const t = useT(userTexts)
  const label = useLabel()
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
      options: Object.entries(accountMachine.label).map(([state, text]) => ({
        value: String(wire[state as keyof typeof wire]),
        label: label(text),
      })),
    },
  ]
}

/** Users of the tenant with the department tree at the left, and the registrations that wait (S7.19). */
export const Page = () => {
  const t = useT(userTexts)
  const can = useCan()
  const client = useQueryClient()
  const columns = useColumns()
  const search = useSearch()
  const { state, change } = useListState('')
  const [opened, setOpened] = useState<Opened | null>(null)
  const [known] = useState(() => new Map<string, UserLine>())
  const { filters } = state
  // Candidates are many and keep themselves: who opens the page without a wish sees staff; "clear" shows everybody.
  const [began, setBegan] = useState(false)
  useEffect(() => {
    if (began) return
    setBegan(true)
    if (Object.keys(filters).length === 0) change({ filters: { userType: '1' }, current: 1 })
  }, [began, filters, change])
  const isAudit = filters['status'] === String(wire.pending)
  const refresh = useCallback(() => void client.invalidateQueries({ queryKey: listKey('user') }), [client])
  const onMade = useCallback((list: readonly OneTime[]) => setOpened({ kind: 'oneTime', list }), [])
  const acts = useUserActs(refresh, onMade)
  const may = {
    add: can('user_add'),
    edit: can('user_edit'),
    delete: can('user_delete'),
    role: can('user_role'),
    reset: can('user_reset'),
    totp: can('user_totp'),
    lock: can('user_lock'),
    audit: can('user_audit'),
    export: can('user_export'),
    import: can('user_import'),
  }
  const rights = JSON.stringify(may)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rights are compared by what they say
  const actions = useCallback(
    (row: UserLine): readonly RowAction[] => {
      const action = (key: string, name: string, isShown: boolean, onRun: () => void, danger = false): readonly RowAction[] =>
        isShown ? [{ key, label: name, danger, onRun }] : []
      const isStaff = !isCandidate(row)
      const isLocked = row.status === wire.locked || row.lockedUntil !== ''
      return [
        { key: 'view', label: t('action.view'), onRun: () => setOpened({ kind: 'view', id: row.id }) },
        ...(row.status === wire.pending
          ? [
              ...action('pass', t('user.audit.pass'), may.audit, () => void acts.pass([row])),
              ...action('refuse', t('user.audit.refuse'), may.audit, () => setOpened({ kind: 'refuse', users: [row] }), true),
            ]
          : [
              ...action('edit', t('action.edit'), may.edit && isStaff, () => setOpened({ kind: 'edit', id: row.id })),
              ...action('role', t('user.roleSet'), may.role && isStaff, () => setOpened({ kind: 'role', users: [row] })),
              ...action('reset', t('user.reset'), may.reset && isStaff, () => void acts.reset([row])),
              ...action('totp', t('user.totp'), may.totp && row.secondFactor === 1, () => setOpened({ kind: 'totp', users: [row] }), true),
              ...action('unlock', t('user.unlock'), may.lock && isLocked, () => setOpened({ kind: 'unlock', users: [row] })),
              ...action('lock', t('user.lock'), may.lock && row.status === wire.normal, () => setOpened({ kind: 'lock', users: [row] })),
              ...action('enable', t('user.enable'), may.edit && row.status === wire.disabled, () => void acts.enable(row)),
              ...action('disable', t('user.disable'), may.edit && row.status === wire.normal, () => void acts.disable(row)),
            ]),
        ...action('leader', t(row.isLeader === 1 ? 'user.leader.off' : 'user.leader.on'), may.edit && isStaff, () => void acts.lead(row)),
        ...action('platform', t('user.platform'), isStaff, () => setOpened({ kind: 'platform', id: row.id })),
        ...action('delete', t('action.delete'), may.delete && isStaff, () => void acts.remove([row]), true),
      ]
    },
    [acts, rights, t],
  )
  const loadKnown = useCallback(
    async (query: ListQuery, signal: AbortSignal) => {
      const page = await load(query, signal)
      for (const row of page.records) known.set(row.id, row)
      return page
    },
    [known],
  )
  const onSelected = ({ selected, clearSelection }: CrudContext, run: (users: readonly UserLine[]) => unknown) => {
    const users = [...selected].flatMap(id => known.get(id) ?? [])
    if (users.length === 0) return notify('warning', t('user.none'))
    clearSelection()
    void run(users)
  }
  const download = ({ query }: CrudContext) => {
    const { current: _current, size: _size, ...rest } = query
    return startExport({ method: 'GET', path: '/blade-system/user/export-user', query: rest }, t('user.title'))
  }
  const button = (name: string, onClick: () => void, look = '') => (
    <button type="button" className={`button ${look}`} onClick={onClick}>
      {name}
    </button>
  )
  const auditTools = (context: CrudContext) => (
    <>
      {may.audit ? button(t('user.audit.pass'), () => onSelected(context, users => acts.pass(users)), 'button-primary') : null}
      {may.audit
        ? button(t('user.audit.refuse'), () => onSelected(context, users => setOpened({ kind: 'refuse', users })), 'button-danger')
        : null}
      {button(t('user.audit.back'), () => change({ filters: {}, current: 1 }))}
    </>
  )
  const tools = (context: CrudContext) => (
    <>
      {may.add ? button(t('action.add'), () => setOpened({ kind: 'add', deptId: filters['deptId'] ?? '' }), 'button-primary') : null}
      {may.delete ? button(t('action.batchDelete'), () => onSelected(context, users => acts.remove(users)), 'button-danger') : null}
      {may.role ? button(t('user.roleSet'), () => onSelected(context, users => setOpened({ kind: 'role', users }))) : null}
      {may.reset ? button(t('user.reset'), () => onSelected(context, users => acts.reset(users))) : null}
      {may.audit ? button(t('user.audit'), () => change({ filters: { status: String(wire.pending) }, current: 1 })) : null}
      {may.import ? button(t('user.import'), () => setOpened({ kind: 'import' })) : null}
      {may.export ? <ExportButtons onExport={() => download(context)} /> : null}
    </>
  )
  const close = () => setOpened(null)
  const reasonDialog = (kind: 'lock' | 'unlock' | 'refuse' | 'totp', users: readonly UserLine[]) => {
    const texts = {
      lock: { title: t('user.lock'), lead: 'user.lock.ask', label: t('user.lock.reason'), missing: t('user.lock.missing') },
      unlock: { title: t('user.unlock'), lead: 'user.unlock.ask', label: t('user.unlock.reason'), missing: t('user.unlock.missing') },
      totp: { title: t('user.totp'), lead: 'user.totp.ask', label: t('user.totp.reason'), missing: t('user.totp.missing') },
      refuse: {
        title: t('user.audit.refuse'),
        lead: 'user.audit.refuse.ask',
        label: t('user.audit.reason'),
        missing: t('user.audit.missing'),
      },
    } as const
    const { title, lead, label: name, missing } = texts[kind]
    return (
      <ReasonDialog
        title={title}
        lead={t(lead, { what: namesOf(users) })}
        label={name}
        missing={missing}
        ok={title}
        send={async reason => {
          await acts[kind](users, reason)
          notify('success', t('done.ok'))
          refresh()
        }}
        onClose={close}
      />
    )
  }
  return (
    <div className="with-depts">
      {/* The tree comes after the list: nobody waits for it to see people. */}
      <Suspense fallback={<aside className="dept-side card" />}>
        <DeptSide
          value={filters['deptId'] ?? ''}
          onChange={deptId => {
            const { deptId: _former, ...rest } = filters
            change({ filters: deptId === '' ? rest : { ...rest, deptId }, current: 1 })
          }}
        />
      </Suspense>
      <CrudPage<UserLine>
        name="user"
        isLong
        title={t('user.title')}
        columns={columns}
        search={search}
        load={loadKnown}
        rowId={rowId}
        rowName={rowName}
        rowActions={actions}
        selectable={may.delete || may.role || may.reset || may.audit}
        empty={<EmptyState text={t(isAudit ? 'user.audit.empty' : 'user.empty')} />}
        toolbar={isAudit ? auditTools : tools}
      />
      {opened === null ? null : (
        <Suspense>
          {opened.kind === 'oneTime' ? (
            <OneTimeDialog list={opened.list} onClose={close} />
          ) : opened.kind === 'role' ? (
            <RoleDialog people={opened.users} onClose={close} onDone={refresh} />
          ) : opened.kind === 'import' ? (
            <ImportRun
              title={t('user.import')}
              path="/blade-system/user/import-user"
              kind="T0"
              fields={{}}
              partial
              onClose={close}
              onDone={() => {
                refresh()
                notify('success', t('user.import.done'))
              }}
            />
          ) : opened.kind === 'platform' ? (
            <PlatformDialog id={opened.id} mayEdit={may.edit} onClose={close} />
          ) : opened.kind === 'lock' || opened.kind === 'unlock' || opened.kind === 'refuse' || opened.kind === 'totp' ? (
            reasonDialog(opened.kind, opened.users)
          ) : (
            <UserDialog
              opened={opened}
              onClose={() => setOpened(now => (now?.kind === 'oneTime' ? now : null))}
              onDone={refresh}
              onMade={made => setOpened({ kind: 'oneTime', list: [made] })}
            />
          )}
        </Suspense>
      )}
    </div>
  )
}
