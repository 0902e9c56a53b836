import { type TSchema, Type } from 'typebox'
import type { Label } from './label.ts'
import { maxFen } from './money.ts'

/** Decimal text below 9 × 10¹⁸, so that every id that passes fits the signed 64 bits of the database. */
export const idPattern = '([0-9]{1,18}|[0-8][0-9]{18})'
/** Schemas that many routes share. Ids are 64-bit and travel as decimal text (decision 3.5). */
export const id = (options: object = {}) => Type.String({ pattern: `^${idPattern}$`, ...options })
/** Comma-joined ids, at most 200 (decision 4.7). `x-list`: also as repeated keys or a list, and with a comma too many. */
export const ids = () => Type.String({ pattern: `^${idPattern}(,${idPattern}){0,199}$`, 'x-list': true })
export const text = (maxLength: number, options: object = {}) => Type.String({ maxLength, ...options })
export const flag = () => Type.Union([Type.Literal(0), Type.Literal(1)])
export const int = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum })
/** Integer fen; what is wrong with it is said in yuan. */
export const fen = () => Type.Integer({ minimum: 0, maximum: maxFen, 'x-fen': true })
/** `yyyy-MM-dd HH:mm:ss` in Asia/Shanghai. */
export const time = () => Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$', 'x-calendar': 'time' })
export const day = (options: object = {}) => Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', 'x-calendar': 'day', ...options })
export const optional = Type.Optional
/** The same schema under the name by which people know it, for what is said about a wrong value. */
export const named = <T extends TSchema>(label: Label, schema: T): T =>
  Object.defineProperties({ 'x-label': label }, Object.getOwnPropertyDescriptors(schema)) as unknown as T
/** The value or null; both are in the type, the serializer needs one schema only. */
export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
export const strict = <const P extends Record<string, TSchema>>(properties: P) => Type.Object(properties, { additionalProperties: false })
/** An object whose keys are data (the answers of a form). */
export const dictionary = <T extends TSchema>(value: T) => Type.Record(Type.String(), value)
export const none = () => Type.Object({}, { additionalProperties: false })
