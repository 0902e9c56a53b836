import { workHeader } from '#contract/auth/work.ts'
import type { ApiError } from './api-error.ts'
import type { Request } from './request.ts'

export { noteAnswer } from './moved.ts'

/** Whether a call that was answered so may wait and be made again: its turn comes, or it changes something and the database is away. */
const isHeld = (error: ApiError, method: 'GET' | 'POST'): boolean =>
  error.reason === 'kernel/waiting-room' || (error.reason === 'kernel/no-database' && method === 'POST')

/** The work that an answer gives; undefined for any other answer. */
const workOf = (
  failure: ApiError,
  json: Readonly<Record<string, unknown>> | null,
): { readonly key: string; readonly bits: number } | undefined =>
  failure.reason === 'auth/address-busy'
    ? (json?.data as { readonly work?: { readonly key: string; readonly bits: number } } | null)?.work
    : undefined

/**
 * What to do about a call of which nothing was done.
 * @returns the call to make now: the same one when its turn has come or the database is back, one that brings the work it was given; null where
 * the failure stands
 */
export const again = async (
  failure: ApiError,
  json: Readonly<Record<string, unknown>> | null,
  request: Request,
  key: string | null,
): Promise<Request | null> => {
  const work = workOf(failure, json)
  if (work !== undefined && request.headers?.[workHeader] === undefined) {
    // Many people use this network: the browser works a moment, and nobody has to do anything.
    const { solve } = await import('./solve-work.ts')
    const done = `${work.key}.${await solve(work.key, work.bits, request.signal)}`
    return { ...request, ...(key === null ? {} : { idempotencyKey: key }), headers: { ...request.headers, [workHeader]: done } }
  }
  return isHeld(failure, request.method) && (await (await import('./hold.ts')).hold(failure, request.signal)) ? request : null
}
