import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { FieldMark } from './field-rule.ts'
import { type MediaKind, mediaTypes } from './media-types.ts'
import type { Rank, RankByField } from './rank.ts'

/** Code of a granted button (S6.03), `examination_release`. */
export type PermissionCode = `${string}_${string}`

/**
 * Who may call. A route without access does not compile and is not mounted. The parts are alternatives: a member of staff with
 * one of the codes, a candidate on their own rows, anybody signed in, anybody at all.
 */
export type Access =
  | { readonly staff: PermissionCode | readonly PermissionCode[]; readonly candidate?: 'own' }
  /** What stands above all tenants: whatever other roles hold, only administrators of the platform pass (ADR 0270). */
  | { readonly staff: PermissionCode | readonly PermissionCode[]; readonly platform: true; readonly because: string }
  /**
   * A call of every tenant that reaches all of them when it is made in the platform's own: `always`, because the others use its rows, or by what is
   * `asked`, where the handler asks `ctx.actsForPlatform()`. There administrators of the platform alone may (ADR 0270).
   */
  | { readonly staff: PermissionCode | readonly PermissionCode[]; readonly reachesAll: 'always' | 'asked'; readonly because: string }
  | { readonly candidate: 'own' }
  | { readonly signedIn: true; readonly because: string; readonly reachesAll?: 'asked' }
  /** Only somebody whom a provider knows and who has no account here yet (S2.43). */
  | { readonly guest: true; readonly because: string }
  | { readonly public: true; readonly because: string }

export interface FilePart {
  /** Name of the multipart field, or a prefix ending in `*`. */
  readonly name: string
  readonly maxBytes: number
  readonly maxCount: number
}

export interface Route<
  M extends 'GET' | 'POST' = 'GET' | 'POST',
  P extends string = string,
  I extends TObject = TObject,
  O extends TSchema = TSchema,
> {
  readonly method: M
  /** Below /api. */
  readonly path: P
  readonly access: Access
  /** Query, form and JSON fields together (decision 3.2); unknown body fields are refused, and of a list unknown conditions; other unknown query keys are ignored. */
  readonly input: I
  readonly output: O
  /** Of a list of a noun: the columns that its handler compares with every suffix of the search grammar; such conditions reach it in its input. */
  readonly columns?: readonly string[]
  /** Of another list: conditions of its input that hold where a part of the field of the same name is like them. */
  readonly contains?: readonly string[]
  /** Multipart file parts the call takes. */
  readonly files?: readonly FilePart[]
  /**
   * What the answer is when it is not the envelope; `plain` is a status and JSON of somebody else's protocol. A `file` route with an
   * `output` other than unknown answers that in the envelope when there is no file to send (a large export).
   */
  readonly answer?: 'envelope' | 'bare' | 'file' | 'plain'
  /** Kinds of the files it answers; a workbook where none is named. Nothing else leaves by it. */
  readonly kinds?: readonly MediaKind[]
  /**
   * Of an `own` route: the handler keeps the promise of the Idempotency-Key inside of its own transaction. For every other one the kernel does,
   * with a claim before and the answer after it.
   */
  readonly keyed?: 'own'
  /** The body reaches the handler byte for byte and unparsed, because a signature covers it. */
  readonly rawBody?: true
  /**
   * `read` and `write` run inside one transaction that the kernel opens; `own` gets no transaction because it talks to the
   * outside world or streams, and opens its own.
   */
  readonly tx?: 'read' | 'write' | 'own'
  /** Also answered under these paths and methods (spelling variants of the wire). */
  readonly also?: readonly `${'GET' | 'POST'} ${string}`[]
  /** What the call is worth in a rush; without it access and method decide (`rank.ts`). */
  readonly rank?: Rank | RankByField
  /** Whoever makes this call is at work inside: their place is good for another while. */
  readonly keepsPlace?: true
  /** A call made by a timer: it is no activity of a person (decision 4.7 Sessions). */
  readonly background?: true
  /** The handler checks the input by itself, because what is required depends on it (an addition or an update). */
  readonly selfChecked?: true
  /** A guest may call it too, who may call nothing else. */
  readonly guests?: true
  /** Still answered to whoever has to change a one-time password first. */
  readonly whilePasswordDue?: true
  /** Still answered while the session is locked (decision 3.9). */
  readonly whileLocked?: true
  /** Fields that the call shows or takes in full where nothing can be masked, as a printed page or an import: closed to who does not see them all. */
  readonly tells?: readonly FieldMark[]
  /** Of a call that takes several ids: how it decides on them (`severalOf`). */
  readonly several?: Several
  /** Field of the answer, or of its rows, that says what happened where that is not what was asked for: `msg` says it too, for clients that show that alone. */
  readonly says?: string
  /** What the call means, when the wire name does not tell. */
  readonly means?: string
}

/**
 * How a call decides on several ids. `each`: every id as by a call of its own, and `failed` of the answer names those that were refused;
 * `together`: all or none, and `data.failed` of the refusal names the ids that stand in the way. Where the ids are no rows to decide on one by one, it says why.
 */
export type Several = 'together' | 'each' | { readonly because: string }

/** An id of several that was refused, and why. */
export interface FailedRow {
  readonly id: string
  readonly code: number
  readonly reason: string
  readonly msg: string
}
const failedRows = Type.Array(
  Type.Object({ id: Type.String(), code: Type.Integer(), reason: Type.String(), msg: Type.String() }, { additionalProperties: false }),
)

interface ListSchema {
  readonly 'x-list'?: boolean
  readonly anyOf?: readonly ListSchema[]
}
const isIds = (schema: ListSchema): boolean => schema['x-list'] === true || (schema.anyOf ?? []).some(isIds)

/**
 * How a call decides on several ids, and the fields that name them (one of them is sent); undefined for a call that takes none, that only reads or that answers a file.
 * What is not declared is `together`.
 */
export const severalOf = (
  route: Pick<Route, 'method' | 'input' | 'answer' | 'several'>,
): { readonly fields: readonly string[]; readonly by: 'each' | 'together' } | undefined => {
  const { several = 'together' } = route
  if (route.method === 'GET' || route.answer === 'file' || typeof several === 'object') return undefined
  const { properties = {} } = route.input as { properties?: Record<string, ListSchema> }
  // `sure` names what somebody has confirmed (`asking.ts`), no rows to decide on.
  const fields = Object.keys(properties).filter(name => name !== 'sure' && isIds(properties[name] ?? {}))
  return fields.length === 0 ? undefined : { fields, by: several }
}

export const defineRoute = <const M extends 'GET' | 'POST', const P extends string, I extends TObject, O extends TSchema>(
  route: Route<M, P, I, O>,
): Route<M, P, I, O> => {
  if (severalOf(route)?.by !== 'each') return route
  const { properties } = route.output as unknown as TObject
  return { ...route, output: Type.Object({ ...properties, failed: Type.Optional(failedRows) }) as unknown as O }
}

/** The content types of the files that a route answers. */
export const fileTypesOf = ({ kinds = ['xlsx'] }: Pick<Route, 'kinds'>): readonly string[] => kinds.map(kind => mediaTypes[kind])

export type RouteKey<R extends Route> = `${R['method']} ${R['path']}`
export type InputOf<R extends Route> = Static<R['input']>
export type OutputOf<R extends Route> = Static<R['output']>
/** The typed map of a set of routes, for the web's client. */
export type ApiOf<Rs extends Route> = { [R in Rs as RouteKey<R>]: { input: Static<R['input']>; output: Static<R['output']> } }
