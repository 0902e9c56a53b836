import type { Route } from '#contract/kernel/route.ts'
import type { Session } from './context.ts'

/** What is known of a call once it is answered. */
export interface AnsweredCall {
  readonly route: Route
  readonly status: number
  /** Reason id of the refusal, if it was refused. */
  readonly reason: string | undefined
  readonly arrivedAt: Date
  readonly durationMs: number
  /** Undefined for a call that was refused before its tenant was looked for. */
  readonly tenantId: string | undefined
  /** What such a call said of its tenant. */
  readonly address: { readonly named: string | undefined; readonly host: string }
  readonly session: Session | undefined
  readonly ip: string
  readonly userAgent: string
  readonly traceId: string
  /** As checked; undefined when it was refused before. */
  readonly input: unknown
  /** What broke, when that is not the caller's doing. */
  readonly error: unknown
}

/** Hears of every call that reached a route, after its answer has left. Must neither wait nor throw. */
export type Observer = (call: AnsweredCall) => void
