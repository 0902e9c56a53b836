import { idsOf } from '#contract/kernel/ids.ts'
import type { Language } from '#contract/kernel/label.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import { type FailedRow, type Route, severalOf } from '#contract/kernel/route.ts'
import { asTrial } from '../db/scope.ts'
import { failureOf } from './failure.ts'

/** The ids that a call decides on, more than one, and the field that named them. */
export interface SeveralRows {
  readonly by: 'each' | 'together'
  readonly field: string
  readonly ids: readonly string[]
}

/** @returns undefined where the call decides on one row, or on none */
export const severalRows = (route: Route, input: object): SeveralRows | undefined => {
  const several = severalOf(route)
  const sent = input as Readonly<Record<string, unknown>>
  const field = several?.fields.find(name => typeof sent[name] === 'string' && sent[name] !== '')
  const ids = field === undefined ? [] : idsOf(String(sent[field]))
  return several === undefined || field === undefined || ids.length < 2 ? undefined : { by: several.by, field, ids }
}

const failedRow = (id: string, { code, reason, text }: Refusal, language: Language): FailedRow => ({
  id,
  code,
  reason,
  msg: text[language],
})

/** The answers of single calls as one: numbers are added up, lists joined; of anything else the last one counts. */
const joined = (answers: readonly object[]): Record<string, unknown> => {
  const sum: Record<string, unknown> = {}
  for (const answer of answers)
    for (const [key, value] of Object.entries(answer)) {
      const before = sum[key]
      if (typeof before === 'number' && typeof value === 'number') sum[key] = before + value
      else if (Array.isArray(before) && Array.isArray(value)) sum[key] = [...before, ...value]
      else sum[key] = value
    }
  return sum
}

const refusalOf = async (run: () => Promise<unknown>): Promise<{ readonly value: unknown } | { readonly refusal: Refusal }> => {
  try {
    const value = await run()
    return isRefusal(value) ? { refusal: value } : { value }
  } catch (error) {
    const { refusal, log } = failureOf(error)
    if (log === 'error') throw error
    return { refusal }
  }
}

/**
 * Decides on several ids one by one, each as by a call of its own. What is refused is tried once more after others have succeeded, because one row may stand in the
 * way of another: an entry in the way of its group.
 * @returns what the single calls answered, with `failed`; the first refusal, with all of them, where nothing succeeded
 */
export const decideEach = async (
  rows: SeveralRows,
  input: object,
  run: (input: object) => Promise<unknown>,
  language: Language,
): Promise<unknown> => {
  const answers: object[] = []
  let open: readonly string[] = rows.ids
  let refused: (readonly [string, Refusal])[] = []
  for (let before = -1; open.length > 0 && before !== open.length; ) {
    before = open.length
    refused = []
    for (const id of open) {
      const one = await refusalOf(() => run({ ...input, [rows.field]: id }))
      if ('refusal' in one) refused.push([id, one.refusal])
      else answers.push((one.value ?? {}) as object)
    }
    open = refused.map(([id]) => id)
  }
  const failed = refused.map(([id, refusal]) => failedRow(id, refusal, language))
  const [first] = refused
  if (answers.length === 0 && first) return { ...first[1], data: { ...(first[1].data as object | undefined), failed } }
  return { ...joined(answers), failed }
}

/**
 * Decides on several ids together: all or none. A refusal names in `data.failed` the ids that a call of their own would be refused for too; none are named where the
 * rows only stand in each other's way.
 * @param run - the call, whose effects are rows of the database
 */
export const decideTogether = async (
  rows: SeveralRows,
  input: object,
  run: (input: object) => Promise<unknown>,
  language: Language,
): Promise<unknown> => {
  const done = await refusalOf(() => run(input))
  if (!('refusal' in done)) return done.value
  const failed: FailedRow[] = []
  for (const id of rows.ids) {
    const one = await refusalOf(() => asTrial(() => run({ ...input, [rows.field]: id })))
    if ('refusal' in one) failed.push(failedRow(id, one.refusal, language))
  }
  return { ...done.refusal, data: { ...(done.refusal.data as object | undefined), failed } }
}
