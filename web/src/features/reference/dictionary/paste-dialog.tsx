import { text } from '#contract/kernel/field.ts'
import type { Fields } from '#contract/kernel/resource.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { formFields } from '#web/resource/fields.ts'
import { FormDialog } from '#web/resource/form-dialog.tsx'
import type { Values } from '#web/resource/schema-form.tsx'
import { addEntries, type DictRow, type Kind } from './calls.ts'
import { dictTexts } from './texts.ts'

const fields = {
  lines: text(70_000, {
    isTable: true,
    label: { zh: '字典项', en: 'Entries' },
    required: true,
    requiredMessage: { zh: '请粘贴字典项，每行一项', en: 'Paste the entries, one a line' },
    widget: 'textarea',
    help: {
      zh: '每行一项：键值、名称、英文名称（可不填），从表格粘贴或用逗号隔开，最多 200 行',
      en: 'One a line: key, name and, if there is one, the English name; pasted from a sheet or with commas between, at most 200 lines',
    },
  }),
} satisfies Fields

/** Many entries of one dictionary at once, as they come out of a sheet. */
export const PasteDialog = ({
  kind,
  parent,
  onClose,
  onSaved,
}: {
  readonly kind: Kind
  readonly parent: Pick<DictRow, 'id'>
  readonly onClose: () => void
  readonly onSaved: () => void
}) => {
  const t = useT(dictTexts)
  const save = async (values: Values) => {
    const { added } = await addEntries(kind, parent.id, String(values.lines ?? ''))
    notify('success', t('paste.done', { n: added }))
    onSaved()
  }
  return <FormDialog title={t('paste')} fields={formFields(fields)} initial={{}} mode="add" onSubmit={save} onClose={onClose} />
}
