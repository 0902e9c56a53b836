import { useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useFieldLevels } from '#web/kernel/permission.ts'
import { useCall } from '#web/kernel/query.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { confirm, namesAndCount } from '#web/ui/dialog.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { HeldWork } from './held-work.tsx'
import { missingDuty } from './missing-duty.ts'
import { userTexts } from './texts.ts'

export interface Named {
  readonly id: string
  readonly realName: string
  readonly roleId: string
  readonly userType: number
  readonly userCode: string
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
  const [handTo, setHandTo] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(held))
  const seesCodes = useFieldLevels('user')('userCode') === 'full'
  /** Asked as the form of one person asks: some would log in and find nothing. */
  const isMeant = async (): Promise<boolean> => {
    const roleId = [...chosen].join(',')
    const missing = people.flatMap(({ realName, userType, userCode }) => {
      const found = missingDuty({ roleId, userType, userCode: seesCodes ? userCode : realName }, roles.data ?? [])
      return found === null ? [] : [{ realName, ...found }]
    })
    const [one] = missing
    if (one === undefined) return true
    const what = namesAndCount(missing.map(({ realName }) => realName))
    const ok = t('user.noRole.ok')
    return one.kind === 'noCode'
      ? confirm({ title: t('user.noCode'), text: `${what}\n${t('user.noCode.text', { role: one.role })}`, ok })
      : confirm({ title: t('user.noRole'), text: `${what}\n${t('user.noRole.text')}`, ok })
  }
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  const isChanged = chosen.size !== held.length || held.some(id => !chosen.has(id))
  const save = async (): Promise<boolean> => {
    if (!(await isMeant())) return false
    try {
      await api.call(
        'POST /blade-system/user/grant',
        { userIds: people.map(person => person.id).join(','), roleIds: [...chosen].join(','), ...(handTo === '' ? {} : { handTo }) },
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
      hasChanges={() => isChanged}
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
      {isChanged ? (
        <HeldWork
          of={{ userIds: people.map(person => person.id).join(','), act: 'roles', roleIds: [...chosen].join(',') }}
          handTo={handTo}
          onHandTo={setHandTo}
        />
      ) : null}
    </ActionDialog>
  )
}
