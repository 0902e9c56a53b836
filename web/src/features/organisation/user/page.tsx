import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { accountMachine } from '#contract/organisation/account.state.ts'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { CrudPage, type ListQuery, listKey } from '#web/resource/crud-page.tsx'
import { useListState } from '#web/resource/list-state.ts'
import { EmptyState } from '#web/ui/states.tsx'
import { useUserColumns, useUserSearch } from './columns.tsx'
import type { OneTime } from './one-time-dialog.tsx'
import { userTexts } from './texts.ts'
import { AuditTools, ListTools } from './tools.tsx'
import { useUserRights } from './use-rights.ts'
import { useRowActions } from './use-row-actions.ts'
import { type UserLine, useUserActs } from './use-user-acts.ts'
import { type OpenedWindow, UserWindow } from './windows.tsx'
import './user.css'

const DeptSide = lazy(async () => ({ default: (await import('./dept-side.tsx')).DeptSide }))
const DeptPick = lazy(async () => ({ default: (await import('./dept-side.tsx')).DeptPick }))

const rowId = (row: UserLine) => row.id
const rowName = (row: UserLine) => row.realName || row.account
const load = (query: ListQuery, signal: AbortSignal) =>
  api.request<{ readonly records: readonly UserLine[]; readonly total: number; readonly atLeast?: boolean }>({
    method: 'GET',
    path: '/blade-system/user/page',
    query,
    signal,
    quiet: true,
  })

/** The rows that the list has shown, by id: what is selected may stand on another page. */
const useKnown = () => {
  const [known] = useState(() => new Map<string, UserLine>())
  const loadKnown = useCallback(
    async (query: ListQuery, signal: AbortSignal) => {
      const page = await load(query, signal)
      for (const row of page.records) known.set(row.id, row)
      return page
    },
    [known],
  )
  return { known, loadKnown }
}

/** The conditions of the list. Candidates are many and keep themselves: who opens the page without a wish sees staff; "clear" shows everybody. */
const useFilters = () => {
  const { state, change } = useListState('')
  const { filters } = state
  const [began, setBegan] = useState(false)
  useEffect(() => {
    if (began) return
    setBegan(true)
    if (Object.keys(filters).length === 0) change({ filters: { userType: '1' }, current: 1 })
  }, [began, filters, change])
  return { filters, onFilter: (next: Readonly<Record<string, string>>) => change({ filters: next, current: 1 }) }
}

/** Users of the tenant with the department tree at the left, and the registrations that wait (S7.19). */
export const Page = () => {
  const t = useT(userTexts)
  const client = useQueryClient()
  const columns = useUserColumns()
  const search = useUserSearch()
  const { filters, onFilter } = useFilters()
  const { known, loadKnown } = useKnown()
  const [opened, open] = useState<OpenedWindow | null>(null)
  const may = useUserRights()
  const refresh = useCallback(() => void client.invalidateQueries({ queryKey: listKey('user') }), [client])
  const onMade = useCallback((list: readonly OneTime[]) => open({ kind: 'oneTime', list }), [])
  const acts = useUserActs(refresh, onMade)
  const actions = useRowActions(may, acts, open)
  const isAudit = filters['status'] === String(accountMachine.wire.pending)
  const deptId = filters['deptId'] ?? ''
  const onDept = (next: string) => {
    const { deptId: _former, ...rest } = filters
    onFilter(next === '' ? rest : { ...rest, deptId: next })
  }
  const tools = { may, acts, open, known, onFilter }
  return (
    <div className="with-depts">
      {/* The tree comes after the list: nobody waits for it to see people. */}
      <Suspense fallback={<aside className="dept-side card" />}>
        <DeptSide value={deptId} onChange={onDept} />
      </Suspense>
      <CrudPage<UserLine>
        name="user"
        isLong
        title={t('user.title')}
        above={
          <div className="dept-pick card">
            <Suspense>
              <DeptPick value={deptId} onChange={onDept} />
            </Suspense>
          </div>
        }
        columns={columns}
        search={search}
        load={loadKnown}
        rowId={rowId}
        rowName={rowName}
        rowActions={actions}
        selectable={may.delete || may.role || may.reset || may.audit}
        empty={<EmptyState text={t(isAudit ? 'user.audit.empty' : 'user.empty')} />}
        toolbar={context =>
          isAudit ? <AuditTools {...tools} context={context} /> : <ListTools {...tools} context={context} deptId={deptId} />
        }
      />
      {opened === null ? null : (
        <UserWindow opened={opened} mayEdit={may.edit} mayReset={may.reset} acts={acts} open={open} onDone={refresh} />
      )}
    </div>
  )
}
