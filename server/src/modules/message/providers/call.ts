import { type Outbound, OutboundError, type OutboundResponse } from '#kernel/outbound.ts'
import { problem, type SmsProblem } from './provider.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** A JSON object of the answer; undefined where it is none, which no provider sends. */
const objectOf = (answer: OutboundResponse): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(answer.body.toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}

export const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
export const objectIn = (value: unknown): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined
export const listIn = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.map(objectIn).filter(one => one !== undefined) : []

/**
 * One call of a provider. Nothing has left this machine when it refuses by itself or finds no connection; after that only an answer that can be read says
 * what became of the message.
 */
export const callJson = async (
  outbound: Outbound,
  request: Parameters<Outbound>[0],
): Promise<{ readonly ok: true; readonly body: JsonObject } | ({ readonly ok: false } & SmsProblem)> => {
  let answer: OutboundResponse
  try {
    answer = await outbound(request)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    if (error.failure === 'refused' || error.failure === 'held') return problem('ours', 'OUTBOUND_REFUSED', error.message)
    return problem(error.failure === 'unreachable' ? 'retry' : 'unknown', error.failure.toUpperCase(), error.message)
  }
  const body = objectOf(answer)
  return body ? { ok: true, body } : problem('unknown', 'NO_JSON', `status ${answer.status}`)
}
