import { Select } from 'antd'
import { useId } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCall } from '#web/kernel/query.ts'
import { namedChoices } from '#web/resource/named-choices.ts'
import { resourceTexts } from '#web/resource/texts.ts'
import { editTexts } from '../texts-edit.ts'

interface Props {
  readonly isNew: boolean
  readonly deptId: string | null
  readonly managers: readonly string[]
  readonly problems: Readonly<Record<string, string>>
  readonly onChange: (part: Readonly<Record<string, unknown>>) => void
}

/** Whose examination it is: the department whose administrators run it, and people of other departments named beside them. */
export const OwnerFields = ({ isNew, deptId, managers, problems, onChange }: Props) => {
  const t = useT(editTexts)
  const r = useT(resourceTexts)
  const id = useId()
  const owners = useCall('GET /blade-exam/examination/getOwners', {})
  const { departments = [], managers: people = [], mayLeaveOpen = false } = owners.data ?? {}
  // Of another department, which this person does not reach and may leave as it is.
  const isElsewhere = deptId !== null && owners.data !== undefined && departments.every(row => row.id !== deptId)
  const error = (name: 'deptId' | 'managers') =>
    problems[name] === undefined ? null : (
      <span className="field-error" role="alert" id={`${id}${name}-error`}>
        {problems[name]}
      </span>
    )
  return (
    <div className="exam-grid exam-owner" data-columns={2}>
      <div className="exam-field" data-field="deptId">
        <label htmlFor={`${id}dept`}>{t('owner.dept')}</label>
        <select
          id={`${id}dept`}
          className="input"
          value={deptId ?? ''}
          disabled={owners.data === undefined}
          aria-invalid={problems['deptId'] !== undefined}
          onChange={event => onChange({ deptId: event.target.value === '' ? null : event.target.value })}
        >
          {mayLeaveOpen || deptId === null ? <option value="">{t(isNew && !mayLeaveOpen ? 'owner.mine' : 'owner.open')}</option> : null}
          {isElsewhere ? <option value={deptId}>{t('owner.elsewhere')}</option> : null}
          {departments.map(row => (
            <option key={row.id} value={row.id}>
              {`${'\u3000'.repeat(row.level)}${row.title}`}
            </option>
          ))}
        </select>
        {error('deptId') ?? <span className="exam-help">{t('owner.dept.help')}</span>}
      </div>
      <div className="exam-field" data-field="managers">
        <label htmlFor={`${id}managers`}>{t('owner.managers')}</label>
        <Select<string[]>
          id={`${id}managers`}
          mode="multiple"
          allowClear
          loading={owners.isFetching}
          placeholder={t('owner.managers.choose')}
          value={[...managers]}
          options={namedChoices(
            people.map(one => ({ value: one.id, label: `${one.name} ${one.account}` })),
            managers,
            owners.isFetching,
            r('ref.unread'),
          )}
          onChange={next => onChange({ managers: next })}
        />
        {error('managers') ?? <span className="exam-help">{t('owner.managers.help')}</span>}
      </div>
    </div>
  )
}
