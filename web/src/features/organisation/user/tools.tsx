import type { ReactNode } from 'react'
import { accountMachine } from '#contract/organisation/account.state.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import type { CrudContext } from '#web/resource/crud-page.tsx'
import { ExportButtons } from '#web/resource/export-buttons.tsx'
import { startExport } from '#web/resource/export-jobs.ts'
import { TickedButton } from '#web/ui/ticked-button.tsx'
import { userTexts } from './texts.ts'
import type { UserRights } from './use-rights.ts'
import type { UserActs, UserLine } from './use-user-acts.ts'
import type { OpenedWindow } from './windows.tsx'

interface Props {
  readonly context: CrudContext
  readonly may: UserRights
  readonly acts: UserActs
  readonly open: (window: OpenedWindow) => void
  /** Rows that the list has shown, by id. */
  readonly known: ReadonlyMap<string, UserLine>
  readonly onFilter: (filters: Readonly<Record<string, string>>) => void
}

/** Does something to the selected users, and says so when there are none. */
const useOnSelected = ({ context: { selected, clearSelection }, known }: Props) => {
  const t = useT(userTexts)
  return (run: (users: readonly UserLine[]) => unknown) => () => {
    const users = [...selected].flatMap(id => known.get(id) ?? [])
    if (users.length === 0) return notify('warning', t('user.none'))
    clearSelection()
    void run(users)
  }
}

const Tool = ({ look = '', onClick, children }: { readonly look?: string; readonly onClick: () => void; readonly children: ReactNode }) => (
  <button type="button" className={`button ${look}`} onClick={onClick}>
    {children}
  </button>
)

/** Above registrations that wait. */
export const AuditTools = (props: Props) => {
  const { may, acts, open, onFilter } = props
  const t = useT(userTexts)
  const onSelected = useOnSelected(props)
  const count = props.context.selected.size
  return (
    <>
      {may.audit ? (
        <>
          <TickedButton count={count} look="button-primary" onClick={onSelected(acts.pass)}>
            {t('user.audit.pass')}
          </TickedButton>
          <TickedButton count={count} onClick={onSelected(users => open({ kind: 'refuse', users }))}>
            {t('user.audit.refuse')}
          </TickedButton>
        </>
      ) : null}
      <Tool onClick={() => onFilter({})}>{t('user.audit.back')}</Tool>
    </>
  )
}

/** Above the list of users. */
export const ListTools = (props: Props & { readonly deptId: string }) => {
  const { may, open, onFilter, deptId } = props
  const t = useT(userTexts)
  const onSelected = useOnSelected(props)
  const count = props.context.selected.size
  const download = () => {
    const { current: _current, size: _size, ...query } = props.context.query
    return startExport({ method: 'GET', path: '/blade-system/user/export-user', query }, t('user.title'))
  }
  return (
    <>
      {may.add ? (
        <Tool look="button-primary" onClick={() => open({ kind: 'add', deptId })}>
          {t('action.add')}
        </Tool>
      ) : null}
      {may.delete ? (
        <TickedButton count={count} onClick={onSelected(users => open({ kind: 'remove', users }))}>
          {t('action.batchDelete')}
        </TickedButton>
      ) : null}
      {may.role ? (
        <TickedButton count={count} look="" onClick={onSelected(users => open({ kind: 'role', users }))}>
          {t('user.roleSet')}
        </TickedButton>
      ) : null}
      {may.reset ? (
        <TickedButton count={count} look="" onClick={onSelected(users => open({ kind: 'reset', users }))}>
          {t('user.reset')}
        </TickedButton>
      ) : null}
      {may.audit ? <Tool onClick={() => onFilter({ status: String(accountMachine.wire.pending) })}>{t('user.audit')}</Tool> : null}
      {may.import ? <Tool onClick={() => open({ kind: 'import' })}>{t('user.import')}</Tool> : null}
      {may.export ? <ExportButtons onExport={download} /> : null}
    </>
  )
}
