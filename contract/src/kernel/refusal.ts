import type { FieldMark } from './field-rule.ts'
import type { Label, Language } from './label.ts'
import { saidTime } from './when.ts'

/**
 * Everything the server declines on purpose is a refusal: a reason id for programs, a number for the wire (domain 13.2),
 * an HTTP status (decision 3.3) and a text in both languages whose `{placeholders}` name its parameters.
 */
export type RefusalDefinition = {
  readonly code: number
  readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 410 | 413 | 415 | 422 | 423 | 429 | 431 | 500 | 503 | 507
  /** Parameters, and values of the data beside the text, that are facts about people: rules of fields hold for them as in every answer. */
  readonly tells?: Readonly<Record<string, FieldMark>>
} & Label

type Placeholders<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholders<Rest> : never
export type ParamsOf<D extends RefusalDefinition> = [Placeholders<D['zh']>] extends [never]
  ? Record<never, never>
  : { readonly [K in Placeholders<D['zh']>]: string | number | Label }

export const defineErrors = <const E extends Record<string, RefusalDefinition>>(errors: E): E => errors

/** A refusal as a value. `data` travels to the client beside the text (problem lists, the number of an existing sign-up…). */
export interface Refusal {
  readonly refused: true
  readonly reason: string
  readonly code: number
  readonly status: RefusalDefinition['status']
  readonly text: Label
  readonly data?: unknown
  /** Values in the text that are facts about people, each with the name under which the data may hold it. */
  readonly tells?: readonly { readonly key: string; readonly mark: FieldMark; readonly value: string }[]
  /** Seconds for the `Retry-After` header. */
  readonly retryAfterSeconds?: number
}

/** A parameter that is itself a text in both languages is filled in in the language of the sentence; a time is said without needless seconds. */
const fill = (text: string, params: Record<string, string | number | Label>, language: Language): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name]
    return saidTime(String((typeof value === 'object' ? value[language] : value) ?? whole))
  })

/** Makes the `refuse` function of one error table; unknown reasons and missing parameters do not compile. */
export const refuserOf =
  <E extends Record<string, RefusalDefinition>>(errors: E) =>
  <R extends keyof E & string>(reason: R, params: ParamsOf<E[R]>, extra?: { data?: unknown; retryAfterSeconds?: number }): Refusal => {
    const definition = errors[reason] as RefusalDefinition
    const said = params as Readonly<Record<string, unknown>>
    const tells = Object.entries(definition.tells ?? {}).map(([key, mark]) => ({ key, mark, value: String(said[key] ?? '') }))
    return {
      refused: true,
      reason,
      code: definition.code,
      status: definition.status,
      text: { zh: fill(definition.zh, params, 'zh'), en: fill(definition.en, params, 'en') },
      ...(tells.length === 0 ? {} : { tells }),
      ...extra,
    }
  }

export const isRefusal = (value: unknown): value is Refusal =>
  typeof value === 'object' && value !== null && 'refused' in value && value.refused === true
