import { type Static, type TSchema, Type } from 'typebox'

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
export const pageOf = <T extends TSchema>(record: T) =>
  Type.Object({ records: Type.Array(record), total: Type.Integer(), size: Type.Integer(), current: Type.Integer(), pages: Type.Integer() })
export type PageOf<T extends TSchema> = Page<Static<T>>

export const toPage = <T>(records: readonly T[], total: number, current: number, size: number): Page<T> => ({
  records,
  total,
  size,
  current,
  pages: Math.ceil(total / size),
})
