import { foldWidth } from '../kernel/fold-width.ts'
import type { Label } from '../kernel/label.ts'
import { tidyLine, tidyText } from '../kernel/tidy-text.ts'
import { checkDocument, foldIdCard, idCardMessages, isCalendarDate, isPassportNumber } from '../person/id-card.ts'
import { checkMobile, foldMobile, mobileMessages } from '../person/mobile.ts'
import { checkName, nameMessages } from '../person/person-name.ts'
import type { CellType } from './cell-types.ts'
import { isEmptyValue } from './empty-value.ts'
import { matchesPattern } from './safe-pattern.ts'

export const fieldTypes = [
  'text',
  'textarea',
  'number',
  'date',
  'month',
  'select',
  'radio',
  'checkbox',
  'cascader',
  'region',
  'school',
  'major',
  'table',
  'image',
  'signature',
  'idcard',
  'phone',
] as const
export type FieldType = (typeof fieldTypes)[number]

/** When a field or file is asked for (domain 3.3 `visibleWhen`). */
export interface VisibleWhen {
  readonly key: string
  readonly op: 'eq' | 'in' | 'ne' | 'notEmpty'
  readonly value?: unknown
}

export interface TableColumn {
  readonly key: string
  readonly label: string
  /** Empty or absent: the label stands in both languages. */
  readonly labelEn?: string
  readonly fieldType: CellType
  readonly required?: boolean
  readonly maxLen?: number | null
  /** Of a `select`. */
  readonly dictCode?: string | null
}

/** A field of the sign-up form of one examination (domain 3.3 `signitems`). */
export interface SignItem {
  readonly itemKey: string
  readonly itemLabel: string
  /** Empty or absent: the label stands in both languages. */
  readonly itemLabelEn?: string | null
  readonly fieldType: FieldType
  readonly required?: boolean
  readonly dictCode?: string | null
  readonly columns?: readonly TableColumn[] | null
  readonly maxRows?: number | null
  readonly maxLen?: number | null
  readonly pattern?: string | null
  readonly min?: number | string | null
  readonly max?: number | string | null
  readonly visibleWhen?: VisibleWhen | null
}

/** Values by item key, as on the wire (domain 3.18). */
export type Content = Readonly<Record<string, unknown>>

export type ContentReason =
  | 'unknown'
  | 'required'
  | 'type'
  | 'too-long'
  | 'pattern'
  | 'min'
  | 'max'
  | 'dictionary'
  | 'date'
  | 'rows'
  | 'id-card'
  | 'phone'
  | 'name'
  | 'derived'
  | 'order'

/** One field-level problem; `path` leads into tables: `education.0.school`. */
export interface FieldProblem {
  readonly key: string
  readonly path: string
  readonly reason: ContentReason
  readonly message: Label
}

export interface ContentContext {
  /** `yyyy-MM-dd` in Asia/Shanghai. */
  readonly today: string
  /** The enabled keys of a dictionary, undefined when there is no such dictionary. */
  readonly dictionary: (code: string) => { has(key: string): boolean } | undefined
  /** Whether a code is one of GB/T 2260; left out where the list is not at hand (in the browser). */
  readonly isRegion?: (code: string) => boolean
}

const DEFAULT_MAX: Partial<Record<FieldType, number>> = { text: 200, textarea: 2000, school: 60, major: 60 }
const DEFAULT_ROWS = 10

/** Fields that carry the catalogue code of another: `school` comes with `schoolCode`, `major` with `majorCode` (domain 3.18). */
const companionOf = (item: Pick<SignItem, 'itemKey' | 'fieldType'>): string | undefined =>
  item.fieldType === 'school' || item.fieldType === 'major' ? `${item.itemKey}Code` : undefined

const own = (content: Content, key: string): unknown => (Object.hasOwn(content, key) ? content[key] : undefined)

function holds(when: VisibleWhen, value: unknown): boolean {
  const values = (Array.isArray(value) ? value : [value]).map(String)
  const wanted = (Array.isArray(when.value) ? when.value : [when.value]).map(String)
  switch (when.op) {
    case 'notEmpty':
      return !isEmptyValue(value)
    case 'eq':
    case 'in':
      return !isEmptyValue(value) && values.some(one => wanted.includes(one))
    case 'ne':
      return isEmptyValue(value) || !values.some(one => wanted.includes(one))
  }
}

/** Keys of the fields that are asked for with these answers. A field that hangs on a hidden field sees it as empty. */
export function visibleKeys(items: readonly Pick<SignItem, 'itemKey' | 'visibleWhen'>[], content: Content): Set<string> {
  const byKey = new Map(items.map(item => [item.itemKey, item]))
  const known = new Map<string, boolean>()
  const isVisible = (key: string, trail: readonly string[]): boolean => {
    const item = byKey.get(key)
    if (!item) return false
    const decided = known.get(key)
    if (decided !== undefined) return decided
    const when = item.visibleWhen
    // Two fields that hang on each other would never show; a circle counts as shown.
    const visible = !when || trail.includes(key) || holds(when, isVisible(when.key, [...trail, key]) ? own(content, when.key) : undefined)
    if (trail.length === 0) known.set(key, visible)
    return visible
  }
  return new Set(items.filter(item => isVisible(item.itemKey, [])).map(item => item.itemKey))
}

/** What tells how an answer is kept. */
export type AnswerField = Pick<SignItem, 'itemKey' | 'fieldType' | 'visibleWhen'> & {
  readonly columns?: readonly { readonly key: string; readonly fieldType: FieldType }[] | null | undefined
}

/**
 * The answers that are kept: those of visible fields, without characters that nobody sees, with numbers typed in full width folded, and idCard,
 * phone and name in stored form.
 */
export function normalizeContent(items: readonly AnswerField[], content: Content): Record<string, unknown> {
  const visible = visibleKeys(items, content)
  const result: Record<string, unknown> = {}
  for (const item of items) {
    if (!visible.has(item.itemKey)) continue
    const value = own(content, item.itemKey)
    if (value !== undefined) result[item.itemKey] = normalizeValue(item, value)
    const companion = companionOf(item)
    if (companion && own(content, companion) !== undefined) result[companion] = own(content, companion)
  }
  return result
}

/** Every text in an answer of several parts: chosen keys, cells of a table. */
const tidyParts = (value: unknown): unknown => {
  if (typeof value === 'string') return tidyLine(value)
  if (Array.isArray(value)) return value.map(tidyParts)
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, tidyParts(part)]))
    : value
}

/** The rows of a table with each cell in the stored form of its column. */
const tidyRows = (columns: AnswerField['columns'], rows: readonly unknown[]): unknown[] =>
  rows.map(row =>
    typeof row === 'object' && row !== null && !Array.isArray(row)
      ? Object.fromEntries(
          Object.entries(row).map(([key, value]) => {
            const column = columns?.find(one => one.key === key)
            return [key, column ? normalizeValue({ itemKey: '', fieldType: column.fieldType }, value) : tidyParts(value)]
          }),
        )
      : tidyParts(row),
  )

function normalizeValue(item: AnswerField, value: unknown): unknown {
  if (item.fieldType === 'table' && Array.isArray(value)) return tidyRows(item.columns, value)
  if (typeof value !== 'string') return tidyParts(value)
  if (item.itemKey === 'name') {
    const name = checkName(value)
    return name.ok ? name.name : tidyLine(value)
  }
  if (item.fieldType === 'idcard') return foldIdCard(value)
  if (item.fieldType === 'phone') return foldMobile(value)
  if (item.fieldType === 'number' || item.fieldType === 'date' || item.fieldType === 'month') return foldWidth(value)
  return item.fieldType === 'textarea' ? tidyText(value) : tidyLine(value)
}

/** Sets what the id card number tells: birthday, sex and kind of document are never typed (domain 0). The content is returned unchanged while the number is wrong. */
export function withDerived(content: Content, today: string): Record<string, unknown> {
  const facts = checkDocument(String(own(content, 'idCard') ?? ''), today)
  return facts.ok
    ? { ...content, idCard: facts.idCard, birthday: facts.birthday, sex: String(facts.sex), idCardType: facts.type }
    : { ...content }
}

const text = (zh: string, en: string): Label => ({ zh, en })
const namesOf = ({ itemLabel, itemLabelEn }: Pick<SignItem, 'itemLabel' | 'itemLabelEn'>): Label =>
  text(itemLabel, itemLabelEn || itemLabel)

type Fault = { readonly reason: ContentReason; readonly message: Label; readonly path?: string }

function checkText(
  field: Pick<SignItem, 'itemLabel' | 'itemLabelEn' | 'fieldType' | 'maxLen' | 'pattern'>,
  value: string,
): Fault | undefined {
  const max = field.maxLen ?? DEFAULT_MAX[field.fieldType] ?? 200
  const name = namesOf(field)
  if ([...value].length > max)
    return { reason: 'too-long', message: text(`${name.zh}最多 ${max} 个字`, `${name.en} must have at most ${max} characters`) }
  if (field.pattern && !matchesPattern(field.pattern, value))
    return { reason: 'pattern', message: text(`${name.zh}格式不正确`, `${name.en} has the wrong format`) }
  return undefined
}

function checkBounds(item: SignItem, value: number | string, noun: Label): Fault | undefined {
  const name = namesOf(item)
  const bound = (limit: number | string) => (typeof value === 'number' ? Number(limit) : String(limit))
  if (item.min != null && item.min !== '' && value < bound(item.min)) {
    return {
      reason: 'min',
      message: text(
        `${name.zh}不能${noun.zh === '日期' ? '早' : '小'}于 ${item.min}`,
        `${name.en} must be ${item.min} or ${noun.en === 'date' ? 'later' : 'more'}`,
      ),
    }
  }
  if (item.max != null && item.max !== '' && value > bound(item.max)) {
    return {
      reason: 'max',
      message: text(
        `${name.zh}不能${noun.zh === '日期' ? '晚' : '大'}于 ${item.max}`,
        `${name.en} must be ${item.max} or ${noun.en === 'date' ? 'earlier' : 'less'}`,
      ),
    }
  }
  return undefined
}

const isMonth = (value: string): boolean => /^[1-9]\d{3}-(?:0[1-9]|1[0-2])$/.test(value)

function checkValue(item: SignItem, value: unknown, context: ContentContext): Fault | undefined {
  const name = namesOf(item)
  const wrongType: Fault = { reason: 'type', message: text(`${name.zh}内容无效`, `${name.en} is not valid`) }
  const inDictionary = (key: unknown): Fault | undefined => {
    if (typeof key !== 'string') return wrongType
    if (!item.dictCode) return undefined
    const keys = context.dictionary(item.dictCode)
    return keys?.has(key)
      ? undefined
      : { reason: 'dictionary', message: text(`${name.zh}不在可选范围内`, `${name.en} is not one of the choices`) }
  }
  switch (item.fieldType) {
    case 'text':
    case 'textarea':
    case 'school':
    case 'major': {
      if (typeof value !== 'string') return wrongType
      const fault = checkText(item, value)
      if (fault || item.itemKey !== 'name') return fault
      const checked = checkName(value)
      return checked.ok ? undefined : { reason: 'name', message: nameMessages[checked.problem] }
    }
    case 'number': {
      const plain = typeof value === 'number' ? String(value) : value
      if (typeof plain !== 'string' || !/^-?\d{1,15}(?:\.\d{1,6})?$/.test(plain))
        return { reason: 'type', message: text(`${name.zh}应为数字`, `${name.en} must be a number`) }
      return checkBounds(item, Number(plain), text('数', 'number'))
    }
    case 'date':
    case 'month': {
      const fits = typeof value === 'string' && (item.fieldType === 'date' ? isCalendarDate(value) : isMonth(value))
      const form = item.fieldType === 'date' ? 'YYYY-MM-DD' : 'YYYY-MM'
      if (!fits)
        return { reason: 'date', message: text(`${name.zh}应为有效日期，格式 ${form}`, `${name.en} must be a valid date like ${form}`) }
      return checkBounds(item, value as string, text('日期', 'date'))
    }
    case 'select':
    case 'radio':
      return inDictionary(value)
    case 'checkbox':
    case 'cascader': {
      if (item.fieldType === 'cascader' && typeof value === 'string') return inDictionary(value)
      if (!Array.isArray(value) || value.length > 100 || new Set(value).size !== value.length) return wrongType
      return value.map(inDictionary).find(fault => fault !== undefined)
    }
    case 'region':
      if (typeof value !== 'string' || !/^\d{6}$/.test(value)) return wrongType
      return context.isRegion && !context.isRegion(value)
        ? { reason: 'dictionary', message: text(`${name.zh}不是有效的行政区划`, `${name.en} is not a region`) }
        : undefined
    case 'image':
    case 'signature':
      return typeof value === 'string' && fileId.test(value) ? undefined : wrongType
    case 'idcard': {
      const number = typeof value === 'string' ? value : ''
      const checked = checkDocument(number, context.today)
      // Who signs up does so with the number that the account has, which may be a passport's.
      return checked.ok || (item.itemKey === 'idCard' && isPassportNumber(number))
        ? undefined
        : { reason: 'id-card', message: idCardMessages[checked.problem] }
    }
    case 'phone': {
      const checked = checkMobile(typeof value === 'string' ? value : '')
      return checked.ok ? undefined : { reason: 'phone', message: mobileMessages[checked.problem] }
    }
    case 'table':
      return undefined
  }
}

/** As ids of 64 bits are written (contract kernel `idPattern`). */
const fileId = /^(\d{1,18}|[0-8]\d{18})$/

/** Ids of the files that answers of type image or signature name. */
export const pictureIdsOf = (items: readonly Pick<SignItem, 'itemKey' | 'fieldType'>[], content: Content): string[] =>
  items.flatMap(({ itemKey, fieldType }) => {
    const value = content[itemKey]
    return (fieldType === 'image' || fieldType === 'signature') && typeof value === 'string' && fileId.test(value) ? [value] : []
  })

function checkTable(item: SignItem, value: unknown, context: ContentContext): Fault[] {
  const name = namesOf(item)
  const maxRows = item.maxRows ?? DEFAULT_ROWS
  if (!Array.isArray(value)) return [{ reason: 'type', message: text(`${name.zh}内容无效`, `${name.en} is not valid`) }]
  if (value.length > maxRows)
    return [{ reason: 'rows', message: text(`${name.zh}最多 ${maxRows} 行`, `${name.en} must have at most ${maxRows} rows`) }]
  const columns = (item.columns ?? []).map(
    (column): SignItem => ({
      ...column,
      itemKey: column.key,
      itemLabel: `${name.zh}·${column.label}`,
      itemLabelEn: `${name.en}·${column.labelEn || column.label}`,
    }),
  )
  return value.flatMap((row: unknown, at): Fault[] => {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) {
      return [
        {
          reason: 'type',
          path: String(at),
          message: text(`${name.zh}第 ${at + 1} 行无效`, `Row ${at + 1} of ${name.en} is not valid`),
        } as const,
      ]
    }
    return collect(columns, row as Content, context).map(problem => ({
      ...problem,
      path: `${at}.${problem.path}`,
      message: text(`第 ${at + 1} 行：${problem.message.zh}`, `Row ${at + 1}: ${problem.message.en}`),
    }))
  })
}

const chosenTypes: ReadonlySet<FieldType> = new Set(['select', 'radio', 'checkbox', 'region', 'date', 'month'])
const isChosen = (item: SignItem): boolean => chosenTypes.has(item.fieldType)

function collect(items: readonly SignItem[], content: Content, context: ContentContext): FieldProblem[] {
  const problems: FieldProblem[] = []
  const visible = visibleKeys(items, content)
  const known = new Set(items.flatMap(item => [item.itemKey, companionOf(item) ?? item.itemKey]))
  for (const key of Object.keys(content)) {
    if (!known.has(key))
      problems.push({ key, path: key, reason: 'unknown', message: text(`报名表没有此项：${key}`, `The form has no such field: ${key}`) })
  }
  for (const item of items) {
    const key = item.itemKey
    const name = namesOf(item)
    if (!visible.has(key)) continue
    const put = (fault: Fault) =>
      problems.push({ key, path: fault.path === undefined ? key : `${key}.${fault.path}`, reason: fault.reason, message: fault.message })
    const value = own(content, key)
    if (isEmptyValue(value)) {
      if (item.required)
        put({
          reason: 'required',
          message: isChosen(item)
            ? text(`请选择${name.zh}`, `Please choose ${name.en}`)
            : text(`请填写${name.zh}`, `Please fill in ${name.en}`),
        })
      continue
    }
    if (item.fieldType === 'table') checkTable(item, value, context).forEach(put)
    else {
      const fault = checkValue(item, value, context)
      if (fault) put(fault)
    }
    const companion = companionOf(item)
    const code = companion && own(content, companion)
    if (companion && !isEmptyValue(code) && (typeof code !== 'string' || !/^[0-9A-Z]{1,16}$/.test(code))) {
      problems.push({
        key: companion,
        path: companion,
        reason: 'type',
        message: text(`${name.zh}代码无效`, `The code of ${name.en} is not valid`),
      })
    }
  }
  return problems
}

/**
 * All field-level problems of a sign-up form, unknown keys first, then in the order of the items (2106 with `data.fields`).
 * Hidden fields are not looked at; `normalizeContent` drops them before the content is stored. Birthday and sex must be what the
 * id card number tells.
 */
export function validateContent(items: readonly SignItem[], content: Content, context: ContentContext): FieldProblem[] {
  const problems = collect(items, content, context)
  const facts = checkDocument(String(own(content, 'idCard') ?? ''), context.today)
  if (!facts.ok) return problems
  for (const [key, derived] of [
    ['birthday', facts.birthday],
    ['sex', String(facts.sex)],
    ['idCardType', facts.type],
  ] as const) {
    const value = own(content, key)
    if (!isEmptyValue(value) && String(value) !== derived) {
      const message = text('与证件号码不一致', 'Differs from the id card number')
      problems.push({ key, path: key, reason: 'derived', message })
    }
  }
  return problems
}
