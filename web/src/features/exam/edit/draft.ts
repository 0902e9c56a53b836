import { portraitKind } from '#contract/exam/released.ts'
import { checkPaper, checkWindows, parseInstant, reversedWindows, type WindowProblem, windowWarnings } from '#contract/exam/window.ts'
import type { Field } from '#contract/kernel/field.ts'
import type { Label } from '#contract/kernel/label.ts'
import { problemOf, toSubmit } from '#web/resource/fields.ts'
import type { ExamDetail, ExamValues, LibraryFile, LibraryItem, Paper, SignFile, SignItem } from '../wire.ts'
import { defaults, examFields, neededForRelease, needsAtOnce, timeFields } from './fields.ts'

/** What the wizard holds of an examination. */
export interface Draft {
  readonly id: string | null
  readonly version: number | null
  readonly state: number
  /** When it was stored last, on the wire's clock. */
  readonly savedAt: string | null
  readonly values: ExamValues
  readonly signitems: readonly SignItem[]
  readonly signfiles: readonly SignFile[]
  readonly examitems: readonly Paper[]
}

export const newDraft = (year: number): Draft => ({
  id: null,
  version: null,
  state: 0,
  savedAt: null,
  values: defaults(year),
  signitems: [],
  signfiles: [],
  examitems: [],
})

/** With the number that is offered to it; whoever has another one types it. */
export const withNo = (draft: Draft, examNo: number | undefined): Draft =>
  examNo === undefined ? draft : { ...draft, values: { ...draft.values, examNo } }

const bySort = <T extends { readonly sort: number }>(list: readonly T[]): readonly T[] => [...list].sort((a, b) => a.sort - b.sort)

export const draftOf = (exam: ExamDetail): Draft => ({
  id: exam.id,
  version: exam.version,
  state: exam.state,
  savedAt: typeof exam['updateTime'] === 'string' ? exam['updateTime'] : null,
  values: {
    ...Object.fromEntries(Object.keys(examFields).map(name => [name, exam[name] ?? null])),
    deptId: exam['deptId'] ?? null,
    managers: exam['managers'] ?? [],
  },
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

const itemKeys = [
  'id',
  'itemsId',
  'itemKey',
  'itemLabel',
  'itemLabelEn',
  'fieldType',
  'dictCode',
  'columns',
  'maxRows',
  'maxLen',
  'pattern',
  'minValue',
  'maxValue',
  'placeholder',
  'help',
  'helpEn',
  'sensitive',
  'required',
  'groupName',
  'groupNameEn',
  'visibleWhen',
  'useInTicket',
  'useInExport',
  'sort',
] as const
const fileKeys = [
  'id',
  'filesId',
  'fileKey',
  'fileLabel',
  'fileLabelEn',
  'kind',
  'accept',
  'maxKb',
  'minKb',
  'maxCount',
  'pixel',
  'help',
  'helpEn',
  'sampleFileId',
  'required',
  'visibleWhen',
  'stage',
  'sort',
] as const
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
  'feeFen',
  'seatGroup',
  'tools',
  'rules',
  'sort',
] as const

/** Fields that may be taken back to nothing; an empty text of the others is an empty text, an empty number is not sent. */
const mayBeNull = (name: string, field: Field): boolean =>
  field.kind === 'instant' || ['undertaker', 'passScore', 'interviewPass', 'freshDay'].includes(name)
const sent = (name: string, field: Field, value: unknown): readonly (readonly [string, unknown])[] =>
  value !== null || mayBeNull(name, field) ? [[name, value]] : field.kind === 'text' && name !== 'regionLabel' ? [[name, '']] : []

/** A row that is there leaves out what its writer does not see in full, as `noun.field`: the server keeps it as it is. */
const nested = <T extends { readonly id?: string; readonly sort: number }>(
  list: readonly T[],
  keys: readonly (keyof T & string)[],
  noun: string,
  isUnseen: (field: string) => boolean,
): readonly object[] =>
  numbered(list).map(row =>
    pick(
      row,
      keys.filter(key => row.id === undefined || !isUnseen(`${noun}.${key}`)),
    ),
  )

/** The body of `submit` (domain 5.1). */
export const toBody = (draft: Draft, isUnseen: (field: string) => boolean = () => false): object => {
  const fields = Object.entries(examFields).map(([name, field]) => ({ name, field }))
  const values = toSubmit(fields, draft.values)
  return {
    ...(draft.id === null ? {} : { id: draft.id, ...(draft.version === null ? {} : { version: draft.version }) }),
    ...Object.fromEntries(fields.flatMap(({ name, field }) => sent(name, field, values[name]))),
    allowAdjust: asksAdjust(draft.signitems),
    // Left out of a new examination, both are the server's to fill in.
    ...Object.fromEntries(['deptId', 'managers'].flatMap(name => (draft.values[name] === undefined ? [] : [[name, draft.values[name]]]))),
    signitems: nested(draft.signitems, itemKeys, 'signitems', isUnseen),
    signfiles: nested(draft.signfiles, fileKeys, 'signfiles', isUnseen),
    examitems: nested(draft.examitems, paperKeys, 'examitem', isUnseen),
  }
}

/** Values with those that follow from what was changed: who counts for the opening ratio, paid people where there is a fee (domain 3.1). */
export const withValues = (values: ExamValues, part: Readonly<Record<string, unknown>>): ExamValues => {
  const next = { ...values, ...part }
  if (part.feeMode === undefined) return next
  if (part.feeMode === 0) return { ...next, ratioBasis: 1 }
  return values.feeMode === 0 ? { ...next, ratioBasis: 2 } : next
}

const withIds = <T extends { readonly id?: string }>(rows: readonly T[], stored: readonly T[], keyOf: (row: T) => string): readonly T[] =>
  rows.map(row => {
    const id = row.id ?? stored.find(each => keyOf(each) === keyOf(row))?.id
    return id === undefined ? row : { ...row, id }
  })

/** What somebody went on typing while it was being saved, on the ground of what has been saved. */
export const rebased = (draft: Draft, saved: Draft): Draft => ({
  ...draft,
  version: saved.version,
  state: saved.state,
  signitems: withIds(draft.signitems, saved.signitems, item => item.itemKey),
  signfiles: withIds(draft.signfiles, saved.signfiles, file => file.fileKey),
  examitems: withIds(draft.examitems, saved.examitems, paper => paper.itemCode),
})

const withoutId = <T extends { readonly id?: string }>({ id: _id, ...rest }: T): Omit<T, 'id'> => rest
/**
 * A new examination after the pattern of an earlier one: form, files, papers and settings stay, its name, code, number and windows are the new
 * one's own. Posts come by workbook, rooms with the papers' own page.
 */
export const copyOf = (exam: Draft, year: number): Draft => ({
  ...newDraft(year),
  values: {
    ...exam.values,
    ...Object.fromEntries(Object.keys(timeFields).map(name => [name, null])),
    examCode: '',
    examNo: null,
    year,
    // A copy belongs to whoever makes it.
    deptId: undefined,
    managers: undefined,
  },
  signitems: exam.signitems.map(withoutId),
  signfiles: exam.signfiles.map(withoutId),
  examitems: exam.examitems.map(paper => {
    const { version: _version, ticketState: _ticket, scoreState: _score, rooms: _rooms, ...rest } = withoutId(paper)
    return rest
  }),
})

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
/**
 * What somebody has typed, put on what another person has saved meanwhile: each field that was touched here stays as it was typed,
 * everything else is as it is stored now.
 * @param base what the typing began with
 */
export const merged = (mine: Draft, base: Draft, theirs: Draft): Draft => {
  const onTop = rebased(mine, theirs)
  return {
    ...theirs,
    // What a new examination begins without is a key of what was typed alone.
    values: Object.fromEntries(
      Object.keys({ ...mine.values, ...theirs.values }).map(name => [
        name,
        (isSame(mine.values[name], base.values[name]) ? theirs : mine).values[name],
      ]),
    ),
    signitems: isSame(mine.signitems, base.signitems) ? theirs.signitems : onTop.signitems,
    signfiles: isSame(mine.signfiles, base.signfiles) ? theirs.signfiles : onTop.signfiles,
    examitems: isSame(mine.examitems, base.examitems) ? theirs.examitems : onTop.examitems,
  }
}

const lists = {
  signitems: { zh: '报名项', en: 'Form fields' },
  signfiles: { zh: '材料', en: 'Files' },
  examitems: { zh: '考试项目', en: 'Papers' },
} as const satisfies Readonly<Record<string, Label>>
const owners: Readonly<Record<string, Label>> = {
  deptId: { zh: '所属部门', en: 'Department' },
  managers: { zh: '负责人', en: 'Managers' },
}

/** A save numbers the rows anew: that is nobody's change. */
const bare = ({ sort: _sort, version: _version, ...row }: { readonly sort: number; readonly version?: unknown }): object => row

/** What another person has changed since the typing here began; `isMine`: it was touched here too, and the own word stays. */
export const changesOf = (mine: Draft, base: Draft, theirs: Draft): readonly { readonly label: Label; readonly isMine: boolean }[] => {
  const named = [...Object.entries(examFields).map(([name, field]) => [name, field.label] as const), ...Object.entries(owners)]
  const values = named.flatMap(([name, label]) =>
    isSame(base.values[name], theirs.values[name]) ? [] : [{ label, isMine: !isSame(mine.values[name], base.values[name]) }],
  )
  const nested = (Object.keys(lists) as (keyof typeof lists)[]).flatMap(name =>
    isSame(base[name].map(bare), theirs[name].map(bare)) ? [] : [{ label: lists[name], isMine: !isSame(mine[name], base[name]) }],
  )
  return [...values, ...nested]
}

export const itemOf = (item: LibraryItem, groupName: string, groupNameEn: string | null = null): SignItem => ({
  itemsId: item.id,
  itemKey: item.itemKey,
  itemLabel: item.itemLabel,
  itemLabelEn: item.itemLabelEn ?? null,
  fieldType: item.fieldType,
  dictCode: item.dictCode ?? null,
  columns: item.columns ?? null,
  maxRows: item.maxRows ?? null,
  maxLen: item.maxLen ?? null,
  pattern: item.pattern ?? null,
  minValue: item.minValue ?? null,
  maxValue: item.maxValue ?? null,
  sensitive: item.sensitive ?? 0,
  help: item.help ?? null,
  helpEn: item.helpEn ?? null,
  placeholder: item.placeholder ?? null,
  required: ['name', 'idCard', 'phone'].includes(item.itemKey) ? 1 : 0,
  groupName,
  groupNameEn,
  visibleWhen: null,
  useInTicket: 0,
  useInExport: 1,
  sort: 0,
})

/** Where a form begins that has no groups yet. */
export const firstGroup = { zh: '基本信息', en: 'Basic details' }
/** A group is called in English what any of its fields says. */
export const groupEnglish = (items: readonly SignItem[], group: string): string | null =>
  items.find(item => item.groupName === group && item.groupNameEn)?.groupNameEn ?? (group === firstGroup.zh ? firstGroup.en : null)
export const groupsOf = (items: readonly SignItem[]): readonly string[] => [
  ...new Set(items.map(item => item.groupName).filter(group => group !== '')),
]
/** The form with a field of the library at its end, in its last group. */
export const withItem = (items: readonly SignItem[], entry: LibraryItem): readonly SignItem[] => {
  const group = groupsOf(items).at(-1) ?? firstGroup.zh
  return [...items, itemOf(entry, group, groupEnglish(items, group))]
}

/** The field that asks whether somebody would take another post: the examination asks about it where its form does (domain 3.1). */
export const adjustKey = 'adjust'
export const asksAdjust = (items: readonly SignItem[]): 0 | 1 => (items.some(item => item.itemKey === adjustKey) ? 1 : 0)

/** What nearly every recruitment asks (domain 3.3). */
const commonKeys = [
  ...(['name', 'idCardType', 'idCard', 'sex', 'birthday', 'nation', 'political', 'phone'] as const),
  ...(['education', 'degree', 'school', 'major', 'graduateDate'] as const),
]
export const commonItems = (library: readonly LibraryItem[], english: string | null = firstGroup.en): readonly SignItem[] =>
  commonKeys.flatMap(key =>
    library.filter(entry => entry.itemKey === key && entry.status === 1).map(entry => itemOf(entry, firstGroup.zh, english)),
  )

/** A new examination asks from the start what none does without: the common fields and a portrait. */
export const withCommonForm = (draft: Draft, items: readonly LibraryItem[], files: readonly LibraryFile[]): Draft => ({
  ...draft,
  signitems: commonItems(items),
  signfiles: files
    .filter(file => file.kind === portraitKind && file.status !== 0)
    .slice(0, 1)
    .map(fileOf),
})

export const fileOf = (file: LibraryFile): SignFile => ({
  filesId: file.id,
  fileKey: file.fileKey,
  fileLabel: file.fileLabel,
  fileLabelEn: file.fileLabelEn ?? null,
  kind: file.kind,
  accept: file.accept,
  maxKb: file.maxKb,
  minKb: file.minKb ?? 0,
  pixel: file.pixel ?? null,
  maxCount: file.maxCount,
  help: file.help ?? null,
  helpEn: file.helpEn ?? null,
  sampleFileId: file.sampleFileId ?? null,
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
const factsOf = (paper: Paper) => {
  const [startTime, endTime] = [msOf(paper.startTime), msOf(paper.endTime)]
  if (startTime === null || endTime === null) return null
  const { fullScore, passScore } = paper
  return { startTime, endTime, reportTime: msOf(paper.reportTime), fullScore, passScore: passScore === '' ? null : passScore }
}
/** What a paper breaks among its own fields, by the rules the server stores it by. Nothing while its times are missing. */
export const paperFindings = (paper: Paper): readonly { readonly field: string; readonly message: Label }[] => {
  const facts = factsOf(paper)
  return facts === null ? [] : checkPaper(facts)
}
/** Problems and warnings of the windows, by the rules the server releases by (decision 1.6); while the required ones are empty, only what contradicts itself. */
export const windowFindings = (
  draft: Draft,
): {
  readonly reversed: readonly WindowProblem[]
  readonly problems: readonly WindowProblem[]
  readonly warnings: readonly WindowProblem[]
} => {
  const at = (name: string) => msOf(draft.values[name])
  const times = Object.fromEntries(Object.keys(timeFields).map(name => [name, at(name)]))
  const reversed = reversedWindows(times)
  const [signBegin, signEnd, examineEnd] = [at('signBegin'), at('signEnd'), at('examineEnd')]
  if (signBegin === null || signEnd === null || examineEnd === null) return { reversed, problems: reversed, warnings: [] }
  const papers = draft.examitems.flatMap(paper => {
    const facts = factsOf(paper)
    return facts === null ? [] : [{ ...facts, itemName: paper.itemName, itemType: paper.itemType as 1 | 2 | 3 | 4 }]
  })
  return {
    reversed,
    problems: checkWindows({ ...times, signBegin, signEnd, examineEnd }, papers, Number(draft.values.feeMode ?? 0)),
    warnings: windowWarnings({
      examType: Number(draft.values.examType ?? 0),
      ...{ signBegin, signEnd, ticketBegin: at('ticketBegin') },
      hasPapers: papers.length > 0,
    }),
  }
}

/** Fields whose value cannot be stored, for the way out of a step. Empty required ones may wait in a draft, a name and a code not. */
export const unsavable = (draft: Draft): readonly string[] => {
  const reversed = new Set(windowFindings(draft).reversed.map(({ field }) => field))
  return Object.entries(examFields).flatMap(([name, field]) => {
    if (reversed.has(name)) return [name]
    const problem = problemOf(field, draft.values[name])
    if (problem === null) return []
    return problem.kind === 'required' && !needsAtOnce.has(name) ? [] : [name]
  })
}
/** What the release demands and nobody has filled in. */
export const openFields = (draft: Draft): readonly string[] => [...neededForRelease].filter(name => isBlank(draft.values[name]))
const isBlank = (value: unknown): boolean => value === null || value === undefined || String(value).trim() === ''
