import type { Field } from '#contract/kernel/field.ts'
import type { Resource } from '#contract/kernel/resource.ts'
import { useT } from '../kernel/i18n/index.ts'
import { usePage } from '../shell/page-context.tsx'
import { ChoiceBar, useChoice } from './choice.tsx'
import { useExamOptions } from './exams.ts'
import type { Row } from './fields.ts'
import type { Cells } from './row-dialog.tsx'
import type { InputSlots } from './schema-form.tsx'
import { resourceTexts } from './texts.ts'
import type { Option } from './use-dict.ts'
import { useWorkExam } from './work-exam.ts'

/**
 * The declaration of a noun that belongs to an examination, for a page that has one chosen: the examination is no condition to
 * type, it stands above the list, and a new row begins with it.
 */
export const scopedTo = (resource: Resource, examId: string | null): Resource => {
  const own = resource.fields.examId
  if (own === undefined) return resource
  const { search: _search, ...rest } = own
  const chosen = examId === null ? {} : { default: examId }
  // Where rows may belong to all examinations, the form asks to which, and the list says it.
  const examField = (own.required ? { ...rest, list: false, immutable: true, ...chosen } : { ...rest, ...chosen }) as Field
  return { ...resource, fields: { ...resource.fields, examId: examField } }
}

/** The choice of an examination that begins, where the address names none, with the one that has work for the person. */
export const useWorkChoice = (options: readonly Option[] | undefined) => {
  const { path, search } = usePage()
  const isOpen = search.get('examId') === null
  const work = useWorkExam(path, isOpen)
  return useChoice('examId', isOpen && !work.isKnown ? undefined : options, work.examId)
}

/** Stands in the address for rows of every examination. */
const all = 'all'

/**
 * The examination a page is about, with the control to change it.
 *
 * @param withAll - it may be about all of them: then `examId` is null
 */
export const useExamChoice = (released = false, withAll = false) => {
  const t = useT(resourceTexts)
  const options = useExamOptions(released)
  const choices = options === undefined || !withAll ? options : [{ value: all, label: t('within.all') }, ...options]
  const { value, choose } = useWorkChoice(choices)
  const bar = <ChoiceBar label={t('within.choose')} options={choices ?? []} value={value} onChoose={choose} />
  const feeMode = options?.find(option => option.value === value)?.feeMode
  return { examId: value === all ? null : value, bar, feeMode, options: options ?? [], none: options?.length === 0 }
}

const ExamText = ({ value }: { readonly value: unknown }) => <>{useExamOptions()?.find(option => option.value === value)?.label ?? '-'}</>
/** The examination of a row by its name: its id is for programs. */
export const examCells: Cells = { examId: (row: Row) => <ExamText value={row.examId} /> }

const ExamName = ({ value, id }: { readonly value?: unknown; readonly id?: string }) => {
  const options = useExamOptions() ?? []
  return <input id={id} className="input" readOnly value={options.find(option => option.value === value)?.label ?? ''} />
}
export const examInputs: InputSlots = { examId: ({ value, id }) => <ExamName value={value} {...(id === undefined ? {} : { id })} /> }
