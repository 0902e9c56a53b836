import type { Field } from '#contract/kernel/field.ts'
import type { Resource } from '#contract/kernel/resource.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { ChoiceBar, useChoice } from '#web/resource/choice.tsx'
import { useExamOptions } from '#web/resource/exams.ts'
import type { Row } from '#web/resource/fields.ts'
import type { Cells } from '#web/resource/row-dialog.tsx'
import type { InputSlots } from '#web/resource/schema-form.tsx'
import { examTexts } from './texts.ts'

/**
 * The declaration of a noun that belongs to an examination, for a page that has one chosen: the examination is no condition to
 * type, it stands above the list, and a new row begins with it.
 */
export const scopedTo = (resource: Resource, examId: string | null): Resource => {
  const own = resource.fields.examId
  if (own === undefined) return resource
  const { search: _search, ...rest } = own
  const examField = { ...rest, list: false, immutable: true, ...(examId === null ? {} : { default: examId }) } as Field
  return { ...resource, fields: { ...resource.fields, examId: examField } }
}

/**
 * The same with its fee where the examination charges by this noun, and then without a default, so that nobody makes a free row by saying
 * nothing; where it charges otherwise there is no amount to show or to type.
 */
export const chargedFor = (resource: Resource, isCharged: boolean): Resource => {
  const { feeFen, ...rest } = resource.fields
  if (feeFen === undefined) return resource
  const { default: _default, ...fee } = feeFen
  const fields = Object.entries(resource.fields).map(([name, field]) => [name, name === 'feeFen' ? { ...fee, required: true } : field])
  return { ...resource, fields: isCharged ? (Object.fromEntries(fields) as Resource['fields']) : rest }
}

/** The examination a page is about, with the control to change it. */
export const useExamChoice = (released = false) => {
  const t = useT(examTexts)
  const options = useExamOptions(released)
  const { value, choose } = useChoice('examId', options)
  const bar = <ChoiceBar label={t('exam.choose')} options={options ?? []} value={value} onChoose={choose} />
  const feeMode = options?.find(option => option.value === value)?.feeMode
  return { examId: value, bar, feeMode, options: options ?? [], none: options?.length === 0 }
}

const ExamText = ({ value }: { readonly value: unknown }) => <>{useExamOptions()?.find(option => option.value === value)?.label ?? '-'}</>
/** The examination of a row by its name: its id is for programs. */
export const examCells: Cells = { examId: (row: Row) => <ExamText value={row.examId} /> }

const ExamName = ({ value, id }: { readonly value?: unknown; readonly id?: string }) => {
  const options = useExamOptions() ?? []
  return <input id={id} className="input" readOnly value={options.find(option => option.value === value)?.label ?? ''} />
}
export const examInputs: InputSlots = { examId: ({ value, id }) => <ExamName value={value} {...(id === undefined ? {} : { id })} /> }
