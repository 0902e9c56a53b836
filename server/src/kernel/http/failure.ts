import { refuse } from '#contract/kernel/errors.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import { BusyError } from '../crypto/gate.ts'
import { isDatabaseUnavailable, OutcomeUnknownError } from '../db/unavailable.ts'
import { type StorageFault, storageFaultOf } from '../files/storage-fault.ts'
import { Refused } from './context.ts'

interface Failure {
  readonly refusal: Refusal
  /** How loud it goes into the log: `error` is a defect of ours, `warn` was answered rightly and is worth a line. */
  readonly log?: 'error' | 'warn'
  /** What is wrong with the place of files: operators are told of it. */
  readonly fault?: StorageFault
}

const faultReasons = { full: 'kernel/storage-full', broken: 'kernel/storage', damaged: 'kernel/file-damaged' } as const

const busy = (): Refusal => refuse('kernel/busy', {}, { retryAfterSeconds: 2 })
/** A cluster has another primary within some seconds. */
const noDatabase = (): Refusal => refuse('kernel/no-database', {}, { retryAfterSeconds: 3 })

/** Whether what was thrown says that nothing was done: a refusal, which rolls back, and never a defect or a lost link. */
export const hasDoneNothing = (error: unknown): boolean => {
  const { refusal, log } = failureOf(error)
  return refusal.reason !== 'kernel/outcome-unknown' && (log !== 'error' || refusal.reason === 'kernel/busy')
}

/** The one mapping from what can go wrong to what the caller is told. */
export const failureOf = (error: unknown): Failure => {
  if (error instanceof Refused) return { refusal: error.refusal }
  if (isRefusal(error)) return { refusal: error }
  const fault = storageFaultOf(error)
  // The call is undone as a whole, so to try again is safe.
  if (fault) return { refusal: refuse(faultReasons[fault.kind], { why: fault.why }, { retryAfterSeconds: 10 }), log: 'warn', fault }
  if (error instanceof BusyError) return { refusal: busy() }
  if (error instanceof OutcomeUnknownError) return { refusal: refuse('kernel/outcome-unknown', {}, { retryAfterSeconds: 2 }), log: 'warn' }
  const code = String((error as { code?: unknown }).code ?? '')
  const message = error instanceof Error ? error.message : ''
  // Two callers wanted the same thing and the unique key decided: the second is told, nothing is broken.
  if (code === '23505' || code === '40001' || code === '40P01') return { refusal: refuse('kernel/changed-meanwhile', {}), log: 'warn' }
  if (code === '55P03' || code === '57014' || code.startsWith('53') || /timeout exceeded when trying to connect/.test(message))
    return { refusal: busy(), log: 'error' }
  // Nothing was committed: the caller may ask again.
  if (isDatabaseUnavailable(error)) return { refusal: noDatabase(), log: 'warn' }
  // An id that no row can have, or one of somebody else's row: there is no such thing, and nothing is broken.
  if (code === '23503' || (['22003', '22P02'].includes(code) && /bigint/.test(message)))
    return { refusal: refuse('kernel/not-found', {}), log: 'warn' }
  // Data that no column can hold is the caller's; that no schema refused it earlier is worth a line in the log.
  if (['22003', '22007', '22008', '22021', '22P02', '22P05'].includes(code))
    return { refusal: refuse('kernel/invalid-input', {}), log: 'error' }
  // The trail takes no line of an export from somebody whose exports are stopped (migration 0310).
  if (code === 'KP801') return { refusal: refuse('kernel/exports-stopped', {}), log: 'warn' }
  if (code === '42501') return { refusal: refuse('kernel/not-found', {}), log: 'warn' }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || code === 'FST_REQ_FILE_TOO_LARGE') return { refusal: refuse('kernel/too-large', {}) }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || code === 'FST_INVALID_MULTIPART_CONTENT_TYPE')
    return { refusal: refuse('kernel/media-type', {}) }
  if (code.startsWith('FST_ERR_CTP') || error instanceof SyntaxError) return { refusal: refuse('kernel/unreadable-body', {}) }
  return { refusal: refuse('kernel/defect', {}), log: 'error' }
}
