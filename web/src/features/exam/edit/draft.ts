import { checkWindows, parseInstant, windowWarnings } from '#contract/exam/window.ts'
import type { Label } from '#contract/kernel/label.ts'
import { problemOf, toSubmit } from '#web/resource/fields.ts'
import type { ExamDetail, ExamValues, LibraryFile, LibraryItem, Paper, SignFile, SignItem } from '../wire.ts'
import { defaults, examFields } from './fields.ts'

/** What the wizard holds of an examination. */
export interface Draft {
  readonly id: string | null
  readonly version: number | null
  readonly state: number
  readonly values: ExamValues
  readonly signitems: readonly SignItem[]
  readonly signfiles: readonly SignFile[]
  readonly examitems: readonly Paper[]
}

export const newDraft = (year: number): Draft => ({
  id: null,
  version: null,
  state: 0,
  values: defaults(year),
  signitems: [],
  signfiles: [],
  examitems: [],
})

const bySort = <T extends { readonly sort: number }>(list: readonly T[]): readonly T[] => [...list].sort((a, b) => a.sort - b.sort)

export const draftOf = (exam: ExamDetail): Draft => ({
  id: exam.id,
  version: exam.version,
  state: exam.state,
  values: Object.fromEntries(Object.keys(examFields).map(name => [name, exam[name] ?? null])),
  signitems: bySort(exam.signitems),
  signfiles: bySort(exam.signfiles),
  examitems: bySort(exam.examitems),
})

/** Whether something differs from what was saved. */
export const isChanged = (draft: Draft, saved: Draft): boolean =>
  JSON.stringify([draft.values, draft.signitems, draft.signfiles, draft.examitems]) !==
  JSON.stringify([saved.values, saved.signitems, saved.signfiles, saved.examitems])

const numbered = <T extends { readonly sort: number }>(list: readonly T[]): readonly T[] =>
  list.map((entry, index) => ({ ...entry, sort: (index + 1) * 10 }))
/** The row of a nested list as `submit` takes it: what the server owns stays out. */
const pick = <T extends object>(row: T, keys: readonly (keyof T & string)[]): object =>
  Object.fromEntries(keys.flatMap(key => (row[key] === undefined ? [] : [[key, row[key]]])))

const itemKeys = ['id', 'itemsId', 'itemKey', 'required', 'groupName', 'visibleWhen', 'useInTicket', 'useInExport', 'help', 'sort'] as const
const fileKeys = ['id', 'filesId', 'fileKey', 'required', 'visibleWhen', 'stage', 'help', 'sort'] as const
const paperKeys = [
  'id',
  'itemName',
  'itemCode',
  'itemType',
  'startTime',
  'endTime',
  'reportTime',
  'lateMinutes',
  'fullScore',
  'passScore',
  'weight',
  'fee',
  'seatGroup',
  'tools',
  'rules',
  'sort',
] as const

/** The body of `submit` (domain 5.1). */
export const toBody = (draft: Draft): object => {
  const fields = Object.entries(examFields).map(([name, field]) => ({ name, field }))
  return {
    ...(draft.id === null ? {} : { id: draft.id, ...(draft.version === null ? {} : { version: draft.version }) }),
    ...toSubmit(fields, draft.values),
    signitems: numbered(draft.signitems).map(item => pick(item, itemKeys)),
    signfiles: numbered(draft.signfiles).map(file => pick(file, fileKeys)),
    examitems: numbered(draft.examitems).map(paper => pick(paper, paperKeys)),
  }
}

export const itemOf = (item: LibraryItem, groupName: string): SignItem => ({
  itemsId: item.id,
  itemKey: item.itemKey,
  itemLabel: item.itemLabel,
  itemLabelEn: item.itemLabelEn ?? null,
  fieldType: item.fieldType,
  dictCode: item.dictCode ?? null,
  columns: item.columns ?? null,
  help: item.help ?? null,
  placeholder: item.placeholder ?? null,
  required: ['name', 'idCard', 'phone'].includes(item.itemKey) ? 1 : 0,
  groupName,
  visibleWhen: null,
  useInTicket: 0,
  useInExport: 1,
  sort: 0,
})
export const fileOf = (file: LibraryFile): SignFile => ({
  filesId: file.id,
  fileKey: file.fileKey,
  fileLabel: file.fileLabel,
  fileLabelEn: file.fileLabelEn ?? null,
  kind: file.kind,
  accept: file.accept,
  maxKb: file.maxKb,
  maxCount: file.maxCount,
  help: file.help ?? null,
  required: 1,
  visibleWhen: null,
  stage: 1,
  sort: 0,
})

/** The entry at `from` put before the one that is at `to` now. */
export const moved = <T>(list: readonly T[], from: number, to: number): readonly T[] => {
  const entry = list[from]
  if (entry === undefined || from === to || to < 0 || to >= list.length) return list
  const rest = list.filter((_, index) => index !== from)
  return [...rest.slice(0, to), entry, ...rest.slice(to)]
}

const msOf = (value: unknown): number | null => (typeof value === 'string' && value !== '' ? (parseInstant(value) ?? null) : null)
/** Problems and warnings of the windows, by the rules the server releases by (decision 1.6). Nothing while the required ones are empty. */
export const windowFindings = (
  draft: Draft,
): { readonly problems: readonly { field: string; message: Label }[]; readonly warnings: readonly { field: string; message: Label }[] } => {
  const at = (name: string) => msOf(draft.values[name])
  const [signBegin, signEnd, examineEnd] = [at('signBegin'), at('signEnd'), at('examineEnd')]
  if (signBegin === null || signEnd === null || examineEnd === null) return { problems: [], warnings: [] }
  const optional = ['modifyEnd', 'examineBegin', 'appealEnd', 'payBegin', 'payEnd', 'adjustBegin', 'adjustEnd'] as const
  const tickets = ['ticketBegin', 'ticketEnd', 'msTicketBegin', 'msTicketEnd', 'scoreBegin'] as const
  const windows = { signBegin, signEnd, examineEnd, ...Object.fromEntries([...optional, ...tickets].map(name => [name, at(name)])) }
  const papers = draft.examitems.flatMap(paper => {
    const [startTime, endTime] = [msOf(paper.startTime), msOf(paper.endTime)]
    return startTime === null || endTime === null
      ? []
      : [{ itemName: paper.itemName, itemType: paper.itemType as 1 | 2 | 3 | 4, startTime, endTime, reportTime: msOf(paper.reportTime) }]
  })
  return {
    problems: checkWindows(windows, papers, Number(draft.values.feeMode ?? 0)),
    warnings: windowWarnings({ examType: Number(draft.values.examType ?? 0), signBegin, signEnd }),
  }
}

/** Fields of a step whose value cannot be stored, for the way out of it. Empty required ones may wait in a draft, a name and a code not. */
export const unsavable = (draft: Draft): readonly string[] =>
  Object.entries(examFields).flatMap(([name, field]) => {
    const problem = problemOf(field, draft.values[name])
    if (problem === null) return []
    return problem.kind === 'required' && !['examName', 'examCode', 'year', 'examNo', 'examType'].includes(name) ? [] : [name]
  })
