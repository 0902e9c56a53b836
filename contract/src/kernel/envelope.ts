/** Every answer but the token, the captcha and files (decision 3.3). */
export interface Envelope<T> {
  readonly code: number
  readonly success: boolean
  readonly data: T
  readonly msg: string
  /** Reason id of a refusal. */
  readonly reason?: string
  readonly traceId?: string
}

/** One wrong input: `field` is the path with dots, `msg` is in the reader's language. */
export interface FieldProblem {
  readonly field: string
  readonly msg: string
}
