import type { Doubt } from '../kernel/asking.ts'
import { dayDoubts, dayProblem } from '../kernel/date-facts.ts'
import type { Label } from '../kernel/label.ts'
import { type Answers, type ConditionCheck, type Demand, type FactRule, yearsBetween } from './conditions.ts'
import { type Content, type FieldProblem, type SignItem, visibleKeys } from './content.ts'
import { isEmptyValue } from './empty-value.ts'
import type { JudgedFinding } from './photo.ts'
import { regionKey } from './region.ts'
import { type SignFile, visibleFiles } from './required-files.ts'

// What the answers of a form say against each other, whatever the post: doubts are told and left to a reviewer, what cannot be refuses.

const text = (zh: string, en: string): Label => ({ zh, en })
const same = (value: string): Label => text(value, value)
const given = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** Nobody may be employed before this age (Labour Law, article 15). */
const leastWorkAge = 16

/** An answer that a document of one kind proves (domain 3.4), and whether it claims something. */
const claims: readonly { readonly field: string; readonly kind: number; readonly isClaim: (value: unknown) => boolean }[] = [
  { field: 'certName', kind: 7, isClaim: value => !isEmptyValue(value) },
  { field: 'title', kind: 8, isClaim: value => !isEmptyValue(value) && given(value) !== '无' },
  { field: 'residency', kind: 9, isClaim: value => given(value) === '1' },
]

/** A file of a form with its kind (domain 3.4). */
export interface KindOfFile extends SignFile {
  readonly kind: number
}

export interface FactContext {
  /** `yyyy-MM-dd` in Asia/Shanghai. */
  readonly today: string
  readonly items: readonly SignItem[]
  /** The files the form asks for. */
  readonly signFiles: readonly KindOfFile[]
  /** Keys under which files stand. */
  readonly uploaded: ReadonlySet<string>
  /** What was found on the certified photo, and under which key it stands. */
  readonly photo?: { readonly fileKey: string; readonly findings: readonly JudgedFinding[] } | undefined
  /** Whether a list of schools has this name; left out where no list is at hand. */
  readonly isKnownSchool?: (name: string) => boolean
  /** Asks which school is meant, where the list has several of this name and the code is of none of them. */
  readonly whichSchool?: (name: string, code: string | undefined) => Label | undefined
}

/** Claims of the answers whose document the form takes and does not have. */
const unproven = (answers: Answers, { items, signFiles, uploaded }: FactContext) => {
  const asked = visibleFiles(signFiles, items, answers) as KindOfFile[]
  return claims.flatMap(claim => {
    const file = claim.isClaim(answers[claim.field]) ? asked.find(one => one.kind === claim.kind) : undefined
    return file === undefined || uploaded.has(file.fileKey) ? [] : [{ ...claim, file }]
  })
}

/** Kinds of documents any of which proves what a condition of a post has found (domain 3.4). */
const proofs: Partial<Readonly<Record<ConditionCheck['rule'], readonly number[]>>> = {
  ...{ education: [4, 6], major: [4, 6], degree: [5] },
  ...{ cert: [7], title: [8], hukou: [10] },
}
/** A condition is met only as far as its document is there, where the form takes one: without it a reviewer must look. */
export const withProof = (checks: readonly ConditionCheck[], answers: Answers, context: FactContext): ConditionCheck[] => {
  const asked = visibleFiles(context.signFiles, context.items, answers) as KindOfFile[]
  return checks.map(check => {
    const files = check.result === 'ok' ? asked.filter(file => proofs[check.rule]?.includes(file.kind)) : []
    const [file] = files
    if (file === undefined || files.some(({ fileKey }) => context.uploaded.has(fileKey))) return check
    const { zh, en } = check.got
    const got = text(`${zh}（未上传${file.fileLabel}）`, `${en} (not uploaded: ${file.fileLabelEn || file.fileLabel})`)
    // What is missing is the file: advice about it is followed there, and a form shows it among what is asked for.
    return { ...check, result: 'warn', got, blocking: false, field: check.field ?? `file:${file.fileKey}` }
  })
}

const doubt = (rule: FactRule, need: Label, got: Label, field?: string): ConditionCheck => ({
  ...{ rule, result: 'warn', need, got, blocking: false },
  ...(field === undefined ? {} : { field }),
})
const notUploaded = text('未上传', 'Not uploaded')

/** What a reviewer must look at: it is said to the candidate too, and refuses nothing. Judged are visible answers in stored form. */
export const doubtsOf = (answers: Answers, context: FactContext): ConditionCheck[] => {
  const { today } = context
  const found = unproven(answers, context).map(({ file }) =>
    doubt('evidence', text(`上传${file.fileLabel}`, `Upload: ${file.fileLabelEn || file.fileLabel}`), notUploaded, `file:${file.fileKey}`),
  )
  const [graduated, born, worked] = ['graduateDate', 'birthday', 'firstWorkDate'].map(key => given(answers[key]))
  if (graduated && graduated.slice(0, 10) > today.slice(0, graduated.length))
    found.push(
      doubt(
        'graduation',
        text('今天以前；尚未毕业的由审核人员确认', 'Before today; who has yet to graduate is confirmed by a reviewer'),
        same(graduated),
      ),
    )
  const age = born && worked ? yearsBetween(born, worked.length === 7 ? `${worked}-31` : worked) : undefined
  if (age !== undefined && age >= 0 && age < leastWorkAge)
    found.push(
      doubt(
        'workAge',
        text(`年满 ${leastWorkAge} 周岁`, `At least ${leastWorkAge} years`),
        text(`${age} 周岁（${worked}）`, `${age} years (${worked})`),
      ),
    )
  for (const { itemKey, fieldType } of context.items) {
    const name = given(answers[itemKey])
    const several = fieldType === 'school' && name ? context.whichSchool?.(name, given(answers[`${itemKey}Code`])) : undefined
    if (several) found.push(doubt('school', several, same(name ?? ''), itemKey))
    if (fieldType === 'school' && name && context.isKnownSchool?.(name) === false)
      found.push(
        doubt(
          'school',
          text(
            '院校名单中的全称；境外和已更名的院校由审核人员确认',
            'Full name as on the list; schools abroad or renamed are confirmed by a reviewer',
          ),
          same(name),
          itemKey,
        ),
      )
  }
  const { photo } = context
  for (const { verdict, message } of photo?.findings ?? [])
    if (verdict === 'reviewer' && message !== undefined)
      found.push(
        doubt(
          'photo',
          text('白色或蓝色背景，人像清晰', 'A white or blue ground, the person clearly seen'),
          message,
          `file:${photo?.fileKey}`,
        ),
      )
  return found
}

/** Fields whose dates have bounds (`dateFacts`). */
const dated = ['birthday', 'graduateDate', 'firstWorkDate', 'titleDate'] as const
const beginKeys = ['begin', 'start', 'from', 'startDate', 'beginDate', 'startTime', 'beginTime']
const endKeys = ['end', 'to', 'endDate', 'endTime']

const isAfter = (first: string, second: string): boolean => {
  const length = Math.min(first.length, second.length)
  return first !== '' && second !== '' && first.slice(0, length) > second.slice(0, length)
}

const wrongOrder = (key: string, path: string, message: Label): FieldProblem => ({ key, path, reason: 'order', message })

/** What is asked about dates of the form that can be but are unlikely: the candidate may confirm them. */
export const formDoubts = (items: readonly SignItem[], content: Content, today: string): Doubt[] => {
  const visible = visibleKeys(items, content)
  const born = given(content['birthday'])
  return dated.flatMap(key =>
    visible.has(key) ? dayDoubts(key, key, given(content[key]), { now: today, ...(born === '' ? {} : { born }) }) : [],
  )
}

/** Rows of tables that end before they begin, and dates before a person was born. */
export const orderProblems = (items: readonly SignItem[], content: Content, today: string): FieldProblem[] => {
  const visible = visibleKeys(items, content)
  const nameOf = (key: string): Label => {
    const item = items.find(one => one.itemKey === key)
    return text(item?.itemLabel ?? key, item?.itemLabelEn || item?.itemLabel || key)
  }
  const days = dated.flatMap(key => {
    const born = given(content['birthday'])
    if (!visible.has(key)) return []
    if (key !== 'birthday' && isAfter(born, given(content[key]))) {
      const name = nameOf(key)
      return [wrongOrder(key, key, text(`${name.zh}早于出生日期`, `${name.en} is before the birth date`))]
    }
    const problem = dayProblem(key, given(content[key]), { now: today, ...(born === '' ? {} : { born }) })
    return problem === undefined ? [] : [wrongOrder(key, key, problem)]
  })
  const rows = items.flatMap(item => {
    const value = content[item.itemKey]
    const dates = (item.columns ?? []).filter(column => column.fieldType === 'month' || column.fieldType === 'date')
    const begin = dates.find(column => beginKeys.includes(column.key))
    const end = dates.find(column => endKeys.includes(column.key))
    if (item.fieldType !== 'table' || !visible.has(item.itemKey) || !Array.isArray(value) || !begin || !end) return []
    return value.flatMap((row: unknown, at) => {
      const cells = (row ?? {}) as Content
      if (!isAfter(given(cells[begin.key]), given(cells[end.key]))) return []
      const name = nameOf(item.itemKey)
      return [
        wrongOrder(
          item.itemKey,
          `${item.itemKey}.${at}.${end.key}`,
          text(
            `第 ${at + 1} 行：${name.zh}·${end.label}早于${begin.label}`,
            `Row ${at + 1}: ${name.en}·${end.labelEn || end.label} is before ${begin.labelEn || begin.label}`,
          ),
        ),
      ]
    })
  })
  return [...days, ...rows]
}

/**
 * Answers and documents that the chosen posts ask for and the form does not have, where the form has a place for them. What it does not ask
 * is judged by a reviewer.
 * @param regionAnswer - what the first step says where it asks for a region; undefined where it does not
 */
export const demandProblems = (
  demands: readonly Demand[],
  answers: Answers,
  context: FactContext,
  regionAnswer: string | undefined,
): { readonly field: string; readonly message: Label }[] => {
  const { items } = context
  const visible = visibleKeys(items, answers)
  const isNumbered = items.some(item => item.itemKey === 'idCard')
  const missing = demands.flatMap(({ field, need }) => {
    // Both are read out of the number, which is asked for where it is missing or wrong.
    if (isNumbered && (field === 'birthday' || field === 'sex')) return []
    const item = items.find(one => one.itemKey === field)
    const value = field === regionKey ? regionAnswer : answers[field]
    const isThere = field === regionKey ? regionAnswer !== undefined : item !== undefined && visible.has(field)
    if (!isThere || !isEmptyValue(value)) return []
    const name = item === undefined ? text('地区', 'the region') : text(item.itemLabel, item.itemLabelEn || item.itemLabel)
    return [
      { field, message: text(`请填写${name.zh}：报考岗位要求 ${need.zh}`, `Please fill in ${name.en}: the post asks for ${need.en}`) },
    ]
  })
  const unprovenDemands = unproven(answers, context).flatMap(({ field, file }) =>
    demands.some(demand => demand.field === field)
      ? [
          {
            field: `file:${file.fileKey}`,
            message: text(
              `请上传${file.fileLabel}：报考岗位对此有要求`,
              `Please upload ${file.fileLabelEn || file.fileLabel}: the post asks for it`,
            ),
          },
        ]
      : [],
  )
  return [...missing, ...unprovenDemands]
}
