import type { MenuLine } from '#contract/access/menu.routes.ts'
import { int, text } from '#contract/kernel/field.ts'
import type { Fields } from '#contract/kernel/resource.ts'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { formFields } from '#web/resource/fields.ts'
import { FormDialog } from '#web/resource/form-dialog.tsx'
import type { Values } from '#web/resource/schema-form.tsx'
import { ChoiceInput, IconInput, ParentInput, PathInput } from './inputs.tsx'
import { menuTexts } from './texts.ts'

const label = (zh: string, en: string) => ({ zh, en })
const common: Fields = {
  name: text(60, { label: label('菜单名称', 'Name'), required: true, requiredMessage: label('请输入菜单名称', 'Please enter the name') }),
  nameEn: text(100, {
    label: label('英文名称', 'English name'),
    required: true,
    requiredMessage: label('请输入英文名称', 'Please enter the English name'),
  }),
  parentId: text(20, { label: label('上级', 'Parent'), required: true, requiredMessage: label('请选择上级', 'Please select the parent') }),
}
const code = text(60, {
  label: label('菜单编号', 'Code'),
  required: true,
  requiredMessage: label('请输入菜单编号', 'Please enter the code'),
  pattern: '^[A-Za-z][A-Za-z0-9_\\-]{0,59}$',
  help: label('字母开头，可用字母、数字、下划线和短横线', 'Begins with a letter; letters, digits, _ and -'),
})
const sort = int({
  label: label('排序', 'Order'),
  required: true,
  min: 0,
  max: 9999,
  requiredMessage: label('请输入排序', 'Please enter the order'),
})
const remark = text(255, { label: label('备注', 'Remark'), widget: 'textarea' })
const menuFields = formFields({
  ...common,
  path: text(255, { label: label('路由地址', 'Path'), required: true, requiredMessage: label('请输入路由地址', 'Please enter the path') }),
  code: { ...code, help: label('字母开头；按钮的权限编码以它为前缀', 'Begins with a letter; prefix of the codes of its buttons') },
  alias: text(60, { label: label('菜单别名', 'Alias') }),
  source: text(60, { label: label('菜单图标', 'Icon') }),
  isOpen: int({ label: label('打开方式', 'Opens in'), required: true }),
  sort,
  remark,
})
const buttonFields = formFields({
  ...common,
  code: {
    ...code,
    label: label('权限编码', 'Permission code'),
    requiredMessage: label('请输入权限编码', 'Please enter the permission code'),
    help: label('例如 post_add；程序按它判断能否操作', 'As post_add; the program decides by it'),
  },
  alias: text(60, { label: label('菜单别名', 'Alias') }),
  action: int({ label: label('按钮位置', 'Place'), required: true }),
  sort,
  remark,
})

/** What the program knows its own menus by stays as it is. */
const fixedNames: ReadonlySet<string> = new Set(['code', 'path'])
const fixed = (fields: typeof menuFields): typeof menuFields =>
  fields.map(one => (fixedNames.has(one.name) ? { ...one, field: { ...one.field, immutable: true } } : one))

export type MenuTarget =
  | { readonly kind: 'add'; readonly category: 1 | 2; readonly parentId: string; readonly sort: number }
  | { readonly kind: 'edit'; readonly row: MenuLine }

interface Props {
  readonly target: MenuTarget
  readonly onClose: () => void
  readonly onSaved: () => void
}

/** A menu or a button; which of the two it is was chosen before, so each form asks only what it needs. */
export const MenuDialog = ({ target, onClose, onSaved }: Props) => {
  const t = useT(menuTexts)
  const category = (target.kind === 'add' ? target.category : target.row.category) === 2 ? 2 : 1
  const own = category === 1 ? menuFields : buttonFields
  const isProgram = target.kind === 'edit' && target.row.isSystem === 1
  const fields = isProgram ? fixed(own) : own
  const initial: Values =
    target.kind === 'edit' ? { ...target.row } : { parentId: target.parentId, sort: target.sort, isOpen: 1, action: 2, source: '' }
  const save = async (values: Values) => {
    const { alias, remark: note, source, ...rest } = values
    await api.request({
      method: 'POST',
      path: '/blade-system/menu/submit',
      body: {
        ...rest,
        alias: alias ?? '',
        remark: note ?? '',
        ...(category === 1 ? { source: source ?? '' } : {}),
        category,
        ...(target.kind === 'edit' ? { id: target.row.id, version: target.row.version } : {}),
      },
      quiet: 'fields',
    })
    notify('success', t(target.kind === 'add' ? 'menu.saved.grant' : 'menu.saved'))
    onSaved()
  }
  return (
    <FormDialog
      title={t(`menu.${target.kind === 'add' ? 'new' : 'edit'}.${category}`)}
      fields={fields}
      initial={initial}
      mode={target.kind}
      slots={{
        parentId: props => <ParentInput {...props} noRoot={category === 2} />,
        source: props => <IconInput {...props} />,
        ...(isProgram ? {} : { path: props => <PathInput {...props} /> }),
        isOpen: props => <ChoiceInput {...props} options={[1, 2].map(value => ({ value, label: t(`menu.isOpen.${value as 1 | 2}`) }))} />,
        action: props => (
          <ChoiceInput {...props} options={[1, 2, 3].map(value => ({ value, label: t(`menu.action.${value as 1 | 2 | 3}`) }))} />
        ),
      }}
      onSubmit={save}
      onClose={onClose}
    />
  )
}
