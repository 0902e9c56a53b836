import { refuseExam } from '#contract/exam/exam.errors.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { type Label, label } from '#contract/kernel/label.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { Resource } from '#contract/kernel/resource.ts'
import { fromWireTime } from '#contract/kernel/when.ts'
import type { CrudSeams } from '#kernel/crud/crud.ts'
import { duplicateValue } from '#kernel/crud/duplicate.ts'
import type { Row } from '#kernel/crud/rows.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { allOf, type RawBuilder } from '#kernel/db/sql.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { snakeCase } from '#kernel/names.ts'
import { type ExamRow, findExam } from '../data/exam.repo.ts'
import { isTaken, ofReleased } from '../data/part.repo.ts'
import { examForChange, isOffice, tellChange } from './exam-guard.ts'

export const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value))
const wire = (value: unknown): unknown => (value instanceof Date ? value.getTime() : (value ?? null))
export const isChanged = (before: Row, input: Row, name: string): boolean => {
  if (input[name] === undefined) return false
  const old = before[name]
  // Decimals come with all their places: 100.00 and 100 are the same mark.
  if (typeof old === 'string' && /^\d+\.\d+$/.test(old) && typeof input[name] === 'string') return Number(old) !== Number(input[name])
  const next = before[name] instanceof Date ? (fromWireTime(String(input[name])) ?? null) : input[name] === '' ? null : input[name]
  return JSON.stringify(wire(before[name])) !== JSON.stringify(wire(next))
}
/** Refuses a change of these fields: what depends on them has happened already. */
export const frozenAmong = (resource: Resource, ctx: Ctx, before: Row, input: Row, names: readonly string[]): Refusal | undefined => {
  const changed = names.filter(name => isChanged(before, input, name))
  if (changed.length === 0) return undefined
  const fields = changed.map(name => ctx.say(resource.fields[name]?.label ?? { zh: name, en: name })).join(ctx.say({ zh: '、', en: ', ' }))
  return refuseExam('exam/frozen', { fields }, { data: { fields: changed } })
}
/** Columns that have a default take it for a null; on a change a null leaves them alone. */
export const withoutNulls = (input: Row, names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(input).filter(([name, value]) => !(names.includes(name) && value === null)))
export const inUse = (what: string): Refusal => refuse('kernel/in-use', { what })

/** A key may stand once in an examination. */
const refuseTaken = async (
  db: TenantDb,
  { resource, key }: Part,
  examId: string,
  input: Row,
  before: Row | undefined,
): Promise<Refusal | undefined> => {
  const value = input[key]
  const exceptId = textOf(before?.['id']) || '0'
  if (value === undefined || !(await isTaken(db, resource.table, { examId, column: snakeCase(key), value, exceptId }))) return undefined
  return duplicateValue(key, resource.fields[key]?.label ?? label(key, key), textOf(value))
}

/** A plain noun that hangs on an examination: a field or a file of its form, a paper, a post. */
export interface Part {
  readonly resource: Resource
  /** The field that names a row of the examination. */
  readonly key: string
  readonly noun: Label
  /** The name people see in change lines. */
  readonly title: (row: Row) => string
  readonly defaults: readonly string[]
  readonly judge: (call: {
    ctx: Ctx
    db: TenantDb
    exam: ExamRow
    input: Row
    before: Row | undefined
  }) => Promise<Row | Refusal | undefined>
  readonly refuseRemove: (call: { ctx: Ctx; db: TenantDb; exam: ExamRow; row: Row }) => Promise<Refusal | undefined>
  readonly afterWrite?: (call: { db: TenantDb; exam: ExamRow; after: Row | undefined }) => Promise<void>
  readonly present?: (ctx: Ctx, row: Row) => Row
  readonly more?: CrudSeams['more']
  /** The `feeMode` of examinations that charge by this part; in all others its amount says nothing. */
  readonly chargedIn?: 2 | 3
  /** Narrows what a member of staff outside the office sees. */
  readonly scope?: (ctx: Ctx) => RawBuilder<unknown> | undefined
}

/** Whatever hangs on an examination is guarded by its state, and once it is public every change leaves a line. */
export const seamsOf = (part: Part): CrudSeams => ({
  visible: ctx => (isOffice(ctx) ? undefined : allOf([ofReleased, part.scope?.(ctx)])),
  prepare: async ({ ctx, db, input, before }) => {
    const exam = await examForChange(db, textOf(before?.['examId'] ?? input['examId']))
    const clean = withoutNulls(input, part.defaults)
    const taken = await refuseTaken(db, part, exam.id, clean, before)
    if (taken) return taken
    return (await part.judge({ ctx, db, exam, input: clean, before })) ?? clean
  },
  refuseRemove: async ({ ctx, db, rows }) => {
    for (const row of rows) {
      const exam = await examForChange(db, textOf(row['examId']))
      const refusal = await part.refuseRemove({ ctx, db, exam, row })
      if (refusal) return refusal
    }
    return undefined
  },
  afterWrite: async ({ db, before, after }) => {
    const exam = await examForChange(db, textOf((after ?? before)?.['examId']))
    const what = part.title(after ?? before ?? {})
    const verb = !before ? { zh: '新增', en: 'Added' } : after ? { zh: '修改', en: 'Changed' } : { zh: '删除', en: 'Removed' }
    const reason = textOf(after?.['changeReason'])
    await tellChange(db, exam, {
      zh: `${verb.zh}${part.noun.zh}“${what}”${reason && before ? `：${reason}` : ''}`,
      en: `${verb.en}: ${part.noun.en} “${what}”${reason && before ? ` (${reason})` : ''}`,
    })
    await part.afterWrite?.({ db, exam, after })
  },
  ...(part.present ? { present: part.present } : {}),
  ...(part.more ? { more: part.more } : {}),
  sheetWithout: async (ctx, input) => {
    if (part.chargedIn === undefined || !input['examId']) return []
    const exam = await ctx.tx(db => findExam(db, textOf(input['examId'])))
    return exam && exam.feeMode !== part.chargedIn ? ['feeFen'] : []
  },
})
