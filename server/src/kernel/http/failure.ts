import { refuse } from '#contract/kernel/errors.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import { BusyError } from '../crypto/gate.ts'
import { Refused } from './context.ts'

interface Failure {
  readonly refusal: Refusal
  /** True when the cause is a defect of ours and belongs into the log. */
  readonly defect: boolean
}

const busy = (): Refusal => refuse('kernel/busy', {}, { retryAfterSeconds: 2 })

/** The one mapping from what can go wrong to what the caller is told. */
export const failureOf = (error: unknown): Failure => {
  if (error instanceof Refused) return { refusal: error.refusal, defect: false }
  if (isRefusal(error)) return { refusal: error, defect: false }
  if (error instanceof BusyError) return { refusal: busy(), defect: false }
  const code = String((error as { code?: unknown }).code ?? '')
  const message = error instanceof Error ? error.message : ''
  if (code === '23505' || code === '40001' || code === '40P01')
    return { refusal: refuse('kernel/changed-meanwhile', {}), defect: code === '23505' }
  if (code === '55P03' || code === '57014' || code.startsWith('53') || /timeout exceeded when trying to connect/.test(message))
    return { refusal: busy(), defect: true }
  // Data that no column can hold is the caller's; that no schema refused it earlier is worth a line in the log.
  if (['22003', '22007', '22008', '22021', '22P02', '22P05'].includes(code))
    return { refusal: refuse('kernel/invalid-input', {}), defect: true }
  if (code === '42501') return { refusal: refuse('kernel/not-found', {}), defect: true }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || code === 'FST_REQ_FILE_TOO_LARGE')
    return { refusal: refuse('kernel/too-large', {}), defect: false }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || code === 'FST_INVALID_MULTIPART_CONTENT_TYPE')
    return { refusal: refuse('kernel/media-type', {}), defect: false }
  if (code.startsWith('FST_ERR_CTP') || error instanceof SyntaxError)
    return { refusal: refuse('kernel/unreadable-body', {}), defect: false }
  return { refusal: refuse('kernel/defect', {}), defect: true }
}
