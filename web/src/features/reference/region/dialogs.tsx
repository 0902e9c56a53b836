import { int, text } from '#contract/kernel/field.ts'
import type { Fields } from '#contract/kernel/resource.ts'
import { regionStem } from '#contract/reference/region.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { formFields } from '#web/resource/fields.ts'
import { FormDialog } from '#web/resource/form-dialog.tsx'
import type { Values } from '#web/resource/schema-form.tsx'
import { regionTexts } from './texts.ts'

export type Region = ApiOutput<'GET /blade-system/region/lazy-list'>[number]
/** A region to change, or the one below which another is added; both null: a province is added. */
export interface Editing {
  readonly row: Region | null
  readonly parent: Region | null
}

const label = (zh: string, en: string) => ({ zh, en })
const fields: Fields = {
  code: text(12, {
    label: label('区划编号', 'Code'),
    required: true,
    immutable: true,
    pattern: '^[1-9][0-9]{5}([0-9]{3}|[0-9]{6})?$',
    help: label(
      '以上级编号开头；省市县 6 位，乡级 9 位，村级 12 位',
      'Begins like the one above; 6 digits to counties, 9 for towns, 12 for villages',
    ),
  }),
  name: text(60, { label: label('区划名称', 'Name'), required: true }),
  sort: int({ label: label('排序', 'Order'), min: 0, max: 9999 }),
  remark: text(255, { label: label('备注', 'Remark'), widget: 'textarea' }),
}

interface Props {
  readonly onClose: () => void
  readonly onDone: () => void
}

export const RegionDialog = ({ editing: { row, parent }, onClose, onDone }: Props & { readonly editing: Editing }) => {
  const t = useT(regionTexts)
  const save = async (values: Values) => {
    await api.call(
      'POST /blade-system/region/submit',
      {
        code: String(values.code ?? ''),
        parentCode: row?.parentCode ?? parent?.code ?? '',
        name: String(values.name ?? ''),
        sort: Number(values.sort ?? 0),
        remark: String(values.remark ?? ''),
        ...(row === null ? {} : { version: row.version }),
      },
      { quiet: 'fields' },
    )
    notify('success', t(row === null ? 'done.added' : 'done.updated'))
    onDone()
  }
  const above = parent === null ? '' : ` · ${t('parent', { name: parent.fullName })}`
  return (
    <FormDialog
      title={t(row === null ? 'dialog.add' : 'dialog.edit') + above}
      fields={formFields(fields)}
      initial={row === null ? { code: parent === null ? null : regionStem(parent.code), sort: 0 } : { ...row }}
      mode={row === null ? 'add' : 'edit'}
      onSubmit={save}
      onClose={onClose}
    />
  )
}
