import { flag, int, text } from '#contract/kernel/field.ts'
import type { Fields } from '#contract/kernel/resource.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { formFields } from '#web/resource/fields.ts'
import { FormDialog } from '#web/resource/form-dialog.tsx'
import type { Values } from '#web/resource/schema-form.tsx'
import { type DictRow, type Kind, saveDict } from './calls.ts'
import { dictTexts } from './texts.ts'

/** What the dialog is open for: a group, or an entry of `parent`; `row` is absent for an addition. */
export interface Editing {
  readonly parent: Pick<DictRow, 'id' | 'code' | 'dictValue'> | null
  readonly row: DictRow | null
}

const label = (zh: string, en: string) => ({ zh, en })
const common = {
  dictValue: text(120, { label: label('字典名称', 'Name'), required: true }),
  dictValueEn: text(160, { label: label('英文名称', 'English name') }),
  sort: int({ label: label('字典排序', 'Order'), required: true, min: 0, max: 9999 }),
  isSealed: flag({ label: label('封存', 'Sealed'), required: true }),
  remark: text(255, { label: label('字典备注', 'Remark'), widget: 'textarea' }),
}
const groupFields: Fields = {
  code: text(60, {
    label: label('字典编号', 'Code'),
    required: true,
    pattern: '^[A-Za-z][A-Za-z0-9_-]*$',
    help: label('字母开头，可含数字、“_”和“-”', 'Begins with a letter; digits, “_” and “-” may follow'),
  }),
  ...common,
}
const entryFields: Fields = {
  code: text(60, { label: label('字典编号', 'Code'), immutable: true }),
  dictKey: text(60, { label: label('字典键值', 'Key'), required: true }),
  ...common,
}

/** Add and edit of a group or an entry (S3.05); an entry has the code of its group. */
export const DictDialog = ({
  kind,
  editing: { parent, row },
  onClose,
  onSaved,
}: {
  readonly kind: Kind
  readonly editing: Editing
  readonly onClose: () => void
  readonly onSaved: () => void
}) => {
  const t = useT(dictTexts)
  const what = parent === null ? 'group' : 'entry'
  const fields = formFields(parent === null ? groupFields : entryFields)
  const initial: Values = row === null ? { code: parent?.code ?? null, isSealed: 0, sort: null } : { ...row }
  const save = async (values: Values) => {
    const texts = Object.fromEntries(
      (['dictValue', 'dictValueEn', 'remark', ...(parent === null ? [] : ['dictKey'])] as const).map(name => [
        name,
        String(values[name] ?? ''),
      ]),
    )
    await saveDict(
      kind,
      {
        ...(row === null ? {} : { id: row.id, version: row.version }),
        ...(parent === null ? {} : { parentId: parent.id }),
        dictValue: '',
        ...texts,
        code: parent?.code ?? String(values.code ?? ''),
        sort: Number(values.sort),
        isSealed: Number(values.isSealed) === 1 ? 1 : 0,
      },
      'fields',
    )
    notify('success', t(row === null ? 'done.added' : 'done.updated'))
    onSaved()
  }
  return (
    <FormDialog
      title={t(`${what}.${row === null ? 'add' : 'edit'}`)}
      fields={fields}
      initial={initial}
      // The code of an entry is its group's, for an addition too.
      mode={parent === null && row === null ? 'add' : 'edit'}
      onSubmit={save}
      onClose={onClose}
    />
  )
}
