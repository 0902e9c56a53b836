import { Select } from 'antd'
import type { RoleWire } from '#contract/access/role.routes.ts'
import { int, text } from '#contract/kernel/field.ts'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { formFields } from '#web/resource/fields.ts'
import { FormDialog } from '#web/resource/form-dialog.tsx'
import type { InputProps } from '#web/resource/input-props.ts'
import type { Values } from '#web/resource/schema-form.tsx'
import { roleTexts } from './texts.ts'

const label = (zh: string, en: string) => ({ zh, en })
const fields = formFields({
  roleName: text(60, {
    label: label('角色名称', 'Name'),
    required: true,
    requiredMessage: label('请输入角色名称', 'Please enter the name'),
  }),
  roleNameEn: text(60, { label: label('英文名称', 'English name') }),
  roleAlias: text(60, {
    label: label('角色别名', 'Alias'),
    required: true,
    requiredMessage: label('请输入角色别名', 'Please enter the alias'),
    pattern: '^[a-z][a-z0-9_]{1,59}$',
    help: label('小写字母开头，可用小写字母、数字和下划线', 'Begins with a small letter; small letters, digits and _'),
  }),
  parentId: text(20, {
    label: label('上级角色', 'Parent'),
    required: true,
    requiredMessage: label('请选择上级角色', 'Please select the parent'),
  }),
  sort: int({
    label: label('排序', 'Order'),
    required: true,
    min: 0,
    max: 9999,
    requiredMessage: label('请输入排序', 'Please enter the order'),
  }),
})
/** The alias of a role of the program stays. */
const systemFields = fields.map(({ name, field }) => ({ name, field: name === 'roleAlias' ? { ...field, immutable: true } : field }))

export interface RoleOption {
  readonly value: string
  readonly label: string
}
const ParentInput = ({ value, onChange, id, options }: InputProps & { readonly options: readonly RoleOption[] }) => (
  <Select
    {...(id === undefined ? {} : { id })}
    // What was chosen stands alone: it is not indented like the list.
    labelRender={({ label }) => String(label).trim()}
    options={[...options]}
    value={typeof value === 'string' ? value : undefined}
    onChange={next => onChange?.(next)}
  />
)

export type RoleTarget =
  | { readonly kind: 'add'; readonly parentId: string; readonly sort: number }
  | { readonly kind: 'edit'; readonly row: RoleWire }

interface Props {
  readonly target: RoleTarget
  readonly parents: readonly RoleOption[]
  readonly onClose: () => void
  readonly onSaved: () => void
}

export const RoleDialog = ({ target, parents, onClose, onSaved }: Props) => {
  const t = useT(roleTexts)
  const isSystem = target.kind === 'edit' && target.row.isSystem === 1
  const save = async ({ roleNameEn, ...values }: Values) => {
    const identity = target.kind === 'edit' ? { id: target.row.id, version: target.row.version } : {}
    await api.request({
      method: 'POST',
      path: '/blade-system/role/submit',
      body: { ...values, roleNameEn: roleNameEn ?? '', ...identity },
      quiet: 'fields',
    })
    notify('success', t('role.saved'))
    onSaved()
  }
  return (
    <FormDialog
      title={t(target.kind === 'add' ? 'role.add' : 'role.edit')}
      fields={isSystem ? systemFields : fields}
      initial={target.kind === 'edit' ? { ...target.row } : { parentId: target.parentId, sort: target.sort }}
      mode={target.kind}
      slots={{ parentId: props => <ParentInput {...props} options={parents} /> }}
      onSubmit={save}
      onClose={onClose}
    />
  )
}
