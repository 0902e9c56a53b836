import { type TSchema, Type } from 'typebox'

export interface Page<T> {
  readonly records: readonly T[]
  readonly total: number
  readonly size: number
  readonly current: number
  readonly pages: number
}

export const pageInput = {
  current: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  /** 1–200, default 10 (S9.03, decision 4.7). */
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
}
/** The slice of a list that a call asks for. How deep it may go is settled before any handler runs (`kernel/http/mount.ts`). */
export const sliceOf = <T extends { readonly current?: number; readonly size?: number }>(input: T) => {
  const { current = 1, size = 10 } = input
  return { ...input, current, size, offset: (current - 1) * size }
}
/** Asks a long list for "more than a thousand" instead of counting all of it; a list that is short is counted to the end either way. */
export const countInput = { count: Type.Optional(Type.Union([Type.Literal('exact'), Type.Literal('capped')])) }
/** Steps in which a capped count grows. */
const countStep = 1_000
/** How far a capped count goes for a page: always beyond it, so that there is a next page where there are rows. */
export const countCap = (current: number, size: number): number => Math.ceil((current * size + 1) / countStep) * countStep

export const pageOf = <T extends TSchema>(record: T) =>
  Type.Object({ records: Type.Array(record), total: Type.Integer(), size: Type.Integer(), current: Type.Integer(), pages: Type.Integer() })
/** The page of a list that may be asked for a capped count: then `atLeast` says that there are more than `total`. */
export const cappedPageOf = <T extends TSchema>(record: T) =>
  Type.Object({ ...pageOf(record).properties, atLeast: Type.Optional(Type.Boolean()) })

export const toPage = <T>(records: readonly T[], total: number, current: number, size: number): Page<T> => ({
  records,
  total,
  size,
  current,
  pages: Math.ceil(total / size),
})

/** The same for a count that went one beyond `cap`; without a cap all were counted. */
export const toCappedPage = <T>(
  records: readonly T[],
  counted: number,
  cap: number | undefined,
  current: number,
  size: number,
): Page<T> & { readonly atLeast?: boolean } =>
  cap === undefined
    ? toPage(records, counted, current, size)
    : { ...toPage(records, Math.min(counted, cap), current, size), atLeast: counted > cap }
