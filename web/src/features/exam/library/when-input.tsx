import { Form } from 'antd'
import type { VisibleWhen } from '#contract/signup/content.ts'
import { useLang, useT } from '#web/kernel/i18n/index.ts'
import type { Row } from '#web/resource/fields.ts'
import type { InputProps } from '#web/resource/input-props.ts'
import { useDict } from '#web/resource/use-dict.ts'
import { useFormItems } from '../calls.ts'
import { WhenEditor } from '../edit/when-editor.tsx'
import { editTexts } from '../texts-edit.ts'

/** The condition of a field or file in its own dialog; the other fields of the same examination can be named. */
export const WhenInput = ({ value, onChange }: InputProps) => {
  const form = Form.useFormInstance()
  const examId = Form.useWatch('examId', form) as string | undefined
  const own = Form.useWatch('itemKey', form) as string | undefined
  const items = useFormItems(examId ?? null).data?.records ?? []
  return (
    <WhenEditor
      value={(value ?? null) as VisibleWhen | null}
      items={items}
      own={own ?? null}
      onChange={next => {
        // What the server said of the former condition is no longer true of this one.
        form.setFields([{ name: 'visibleWhen', errors: [] }])
        onChange?.(next)
      }}
    />
  )
}

/** The same in words: the field, the comparison and what it is compared with. */
export const WhenText = ({ row }: { readonly row: Row }) => {
  const t = useT(editTexts)
  const lang = useLang()
  const when = row.visibleWhen as VisibleWhen | null | undefined
  const items = useFormItems(when && typeof row.examId === 'string' ? row.examId : null).data?.records ?? []
  const item = items.find(one => one.itemKey === when?.key)
  const entries = useDict(item?.dictCode ?? undefined)
  if (!when) return <>{t('fields.when.always')}</>
  const named = [when.value ?? []].flat().map(one => entries.find(entry => entry.value === String(one))?.label ?? String(one))
  return (
    <>
      {[(lang === 'en' && item?.itemLabelEn) || item?.itemLabel || when.key, t(`fields.when.${when.op}`), named.join(', ')]
        .join(' ')
        .trim()}
    </>
  )
}
