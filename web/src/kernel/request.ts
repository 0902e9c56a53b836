/** Texts, numbers and booleans by name; null, undefined and empty ones are left out. */
export type Query = object
export interface CallOptions {
  /** Where the input travels; default: query for GET and for `…/remove`, JSON otherwise (framework-contract 1.7). */
  readonly as?: 'query' | 'json' | 'form'
  /** `true`: the caller shows every failure itself. `'fields'`: only failures that name fields, as forms do. */
  readonly quiet?: boolean | 'fields'
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
  /** Key of a creating call; made anew per call, the same for each try of it. Pass one to repeat an earlier call. */
  readonly idempotencyKey?: string
  readonly timeoutMs?: number
  /** What sends it instead of the client alone; `sealed.ts` encrypts it. */
  readonly through?: Through
}
export interface Request extends CallOptions {
  readonly method: 'GET' | 'POST'
  /** Below /api, `/blade-system/param/list`. */
  readonly path: string
  readonly query?: Query | undefined
  /** JSON, a FormData or URLSearchParams; a function is asked anew for each try (ciphertexts are single use, decision 2.11). */
  readonly body?: unknown
  readonly answer?: 'envelope' | 'bare' | 'blob'
}

export interface Answer {
  readonly status: number
  readonly type: string
  readonly disposition: string | null
  /** The proof of an encrypted answer. */
  readonly sign: string | null
  /** Under which the server's logs know the call. */
  readonly requestId: string
  readonly body: Blob
}

export type Send = (request: Request, idempotencyKey: string | null) => Promise<Answer>
/** Sends a call in a way of its own, by the client's `send`. */
export type Through = (request: Request, idempotencyKey: string | null, send: Send) => Promise<Answer>

/** What came and its JSON, when all rules of the client have been applied. */
export type Settle = (request: Request) => Promise<{ readonly answer: Answer; readonly json: Record<string, unknown> | null }>

export type Downloaded =
  | { readonly kind: 'file'; readonly blob: Blob; readonly fileName: string | null }
  | { readonly kind: 'data'; readonly data: unknown }
export type FileRequest = Omit<Request, 'answer'>
