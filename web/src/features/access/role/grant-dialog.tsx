import { useQuery } from '@tanstack/react-query'
import { Tabs } from 'antd'
import { useState } from 'react'
import type { RoleKeys, RoleWire } from '#contract/access/role.routes.ts'
import { api } from '#web/kernel/api.ts'
import { useLang, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { confirm } from '#web/ui/dialog.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { roleTexts } from './texts.ts'
import { type GrantLine, TickTree } from './tick-tree.tsx'
import type { Ticks } from './ticks.ts'

const kinds = ['menu', 'dataScope', 'apiScope'] as const
type Kind = (typeof kinds)[number]
type Trees = Readonly<Record<Kind, readonly GrantLine[]>>
type Held = Readonly<Record<Kind, Ticks>>

const read = async (roleId: string, signal: AbortSignal): Promise<{ readonly trees: Trees; readonly held: Held }> => {
  const [trees, keys] = await Promise.all([
    api.call('GET /blade-system/menu/grant-tree', {}, { signal }),
    api.call('GET /blade-system/role/role-tree-keys', { roleIds: roleId }, { signal }),
  ])
  const of = keys as RoleKeys
  return {
    trees: trees as unknown as Trees,
    held: { menu: new Set(of.menu), dataScope: new Set(of.dataScope), apiScope: new Set(of.apiScope) },
  }
}

interface Props {
  readonly role: RoleWire
  readonly readOnly: boolean
  readonly onClose: () => void
  readonly onSaved: () => void
}

/** What a role holds, in three trees (S6.04). Lines beyond the reader's own rights are shown and stay. */
export const GrantDialog = ({ role, readOnly, onClose, onSaved }: Props) => {
  const t = useT(roleTexts)
  const isEnglish = useLang() === 'en'
  const [chosen, setChosen] = useState<Held | null>(null)
  const query = useQuery({
    queryKey: ['role-grant', role.id],
    queryFn: ({ signal }) => read(role.id, signal),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const now = chosen ?? query.data?.held
  const send = async (): Promise<boolean> => {
    if (now === undefined || query.data === undefined) return false
    // Whoever holds no other role would log in and find nothing.
    if (now.menu.size === 0 && query.data.held.menu.size > 0) {
      const text = t(role.holders > 0 ? 'grant.empty.held' : 'grant.empty.text', { count: role.holders })
      if (!(await confirm({ title: t('grant.empty'), text, ok: t('grant.empty.ok'), danger: true }))) return false
    }
    // Scopes go along only when somebody may give them.
    const scopes = (kind: Kind) => (query.data.trees[kind].length === 0 ? undefined : [...now[kind]])
    try {
      const { changed } = await api.call('POST /blade-system/role/grant', {
        roleIds: [role.id],
        menuIds: [...now.menu],
        ...(scopes('dataScope') === undefined ? {} : { dataScopeIds: scopes('dataScope') }),
        ...(scopes('apiScope') === undefined ? {} : { apiScopeIds: scopes('apiScope') }),
      })
      notify('success', t(changed === 0 ? 'grant.same' : 'grant.saved'))
      onSaved()
      return true
    } catch {
      return false // The api client has said why.
    }
  }
  return (
    <ActionDialog
      title={t('role.grantOf', { name: (isEnglish && role.roleNameEn) || role.roleName })}
      size="two"
      actions={readOnly ? [] : [{ label: t('action.save'), disabled: query.data === undefined, run: send }]}
      hasChanges={() => chosen !== null}
      onClose={onClose}
    >
      <p>{t('grant.lead')}</p>
      <Loaded query={query} skeletonRows={8}>
        {({ trees }) => (
          <Tabs
            items={kinds.map(kind => ({
              key: kind,
              label: t(`grant.${kind}`),
              children: (
                <TickTree
                  nodes={trees[kind]}
                  ticks={now?.[kind] ?? new Set()}
                  readOnly={readOnly}
                  onChange={ticks => setChosen({ ...(now as Held), [kind]: ticks })}
                />
              ),
            }))}
          />
        )}
      </Loaded>
    </ActionDialog>
  )
}
