import type { FieldProblem } from '#contract/kernel/envelope.ts'

/** A call that did not succeed. The api client has already shown `message`, unless the call asked for quiet. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** Number of the envelope; 0 when no answer came. */
  readonly code: number
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  /** Reason id of a refusal, `signup/not-open`. */
  readonly reason: string | undefined
  /** Wrong inputs, `field` is a path with dots. */
  readonly fields: readonly FieldProblem[]
  /** Where somebody has to look into it: the id by which the server's logs know the call. */
  readonly requestId: string | undefined
  /** What else the refusal carries in `data`. */
  readonly data: unknown

  constructor(of: {
    code: number
    status: number
    message: string
    reason?: string | undefined
    data?: unknown
    requestId?: string | undefined
    cause?: unknown
  }) {
    super(of.message, { cause: of.cause })
    this.code = of.code
    this.status = of.status
    this.reason = of.reason
    this.data = of.data
    this.requestId = of.requestId
    this.fields = fieldsOf(of.data)
  }

  /** No answer came, or the server has no database: nothing was done, the call may be made again. */
  get isOffline(): boolean {
    return this.status === 0 || this.reason === 'kernel/no-database'
  }
}

const fieldsOf = (data: unknown): readonly FieldProblem[] => {
  const fields = typeof data === 'object' && data !== null ? (data as { fields?: unknown }).fields : undefined
  return Array.isArray(fields)
    ? fields.flatMap(entry => (typeof entry?.field === 'string' ? [{ field: entry.field as string, msg: String(entry.msg ?? '') }] : []))
    : []
}

export const isApiError = (error: unknown): error is ApiError => error instanceof ApiError
