import { useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCall } from '#web/kernel/query.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { namesAndCount } from '#web/ui/dialog.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { userTexts } from './texts.ts'

export interface Named {
  readonly id: string
  readonly realName: string
  readonly roleId: string
}

/** Roles of one or several people; never beyond the reader's own rights. */
export const RoleDialog = ({
  people,
  onClose,
  onDone,
}: {
  readonly people: readonly Named[]
  readonly onClose: () => void
  readonly onDone: () => void
}) => {
  const t = useT(userTexts)
  const roles = useCall('GET /blade-system/user/role-choices', {})
  const [first] = people
  const held = people.length === 1 && first !== undefined ? first.roleId.split(',').filter(Boolean) : []
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(held))
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  const save = async (): Promise<boolean> => {
    try {
      await api.call(
        'POST /blade-system/user/grant',
        { userIds: people.map(person => person.id).join(','), roleIds: [...chosen].join(',') },
        { as: 'query' },
      )
    } catch {
      return false // The api client has said why.
    }
    notify('success', t('done.ok'))
    onDone()
    return true
  }
  return (
    <ActionDialog
      title={t('user.roleSet.of', { what: namesAndCount(people.map(person => person.realName)) })}
      actions={[{ label: t('action.save'), run: save }]}
      hasChanges={() => chosen.size !== held.length || held.some(id => !chosen.has(id))}
      onClose={onClose}
    >
      <p>{t('user.roleSet.replace')}</p>
      <Loaded query={roles} skeletonRows={6}>
        {list => (
          <ul className="role-choices">
            {list.map(role => (
              <li key={role.id}>
                <label className="check">
                  <input type="checkbox" checked={chosen.has(role.id)} disabled={!role.grantable} onChange={() => toggle(role.id)} />
                  <span>
                    {role.roleName} <small>{role.grantable ? role.roleAlias : t('user.roleSet.beyond')}</small>
                  </span>
                </label>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </ActionDialog>
  )
}
