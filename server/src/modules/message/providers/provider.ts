/** A message as a provider takes it: a template that is registered there, and what stands in it. */
export interface SmsOrder {
  /** Eleven digits. */
  readonly phone: string
  readonly signName: string
  readonly templateId: string
  /** In the order in which they stand in the template. */
  readonly params: readonly (readonly [name: string, value: string])[]
  /** Ours; comes back when the provider is asked, so that a message is known again. */
  readonly requestId: string
  /** The text as it will be read; for whoever records it. */
  readonly content: string
}

/**
 * Why a provider does not send (recipes 4).
 *
 * - `ours`: template, signature or parameters are wrong: the next message will fail like this one
 * - `account`: keys, balance, suspension: somebody has to act at the provider
 * - `person`: this number cannot or must not have it; others can
 * - `retry`: the provider has said that it did not send and may be asked again
 * - `unknown`: no answer that can be believed: it may have been sent
 */
export type SmsProblemKind = 'ours' | 'account' | 'person' | 'retry' | 'unknown'
export interface SmsProblem {
  readonly kind: SmsProblemKind
  /** In the provider's words. */
  readonly code: string
  readonly detail: string
}
export type SmsAnswer = { readonly ok: true; readonly id: string } | ({ readonly ok: false } & SmsProblem)

/** What the provider says of a message it was asked about. `none`: it knows of no such message. */
export type SmsReceipt =
  | { readonly state: 'accepted' | 'delivered'; readonly id: string }
  | { readonly state: 'failed'; readonly id: string; readonly code: string }
  | { readonly state: 'none' }
  | { readonly state: 'unknown'; readonly detail: string }

export interface SmsQuestion {
  readonly phone: string
  readonly requestId: string
  /** The provider's number, where it has told one. */
  readonly id: string | null
  readonly givenAt: Date
}

export interface SmsProvider {
  readonly name: string
  readonly send: (order: SmsOrder) => Promise<SmsAnswer>
  readonly ask: (question: SmsQuestion) => Promise<SmsReceipt>
}

/** What an account at a provider needs to be called. */
export interface SmsAccount {
  readonly accessKey: string
  readonly secretKey: string
  /** Empty: the provider's usual one. */
  readonly regionId: string
  readonly appId: string
}

export const problem = (kind: SmsProblemKind, code: string, detail: string): { readonly ok: false } & SmsProblem => ({
  ok: false,
  kind,
  code,
  detail: detail.slice(0, 200),
})

/** The kind of a code by the beginnings that are known; what nobody knows is ours, so that somebody looks. */
export const kindBy =
  (table: Readonly<Record<Exclude<SmsProblemKind, 'unknown' | 'ours'>, readonly string[]>>) =>
  (code: string): SmsProblemKind => {
    for (const kind of ['retry', 'account', 'person'] as const) if (table[kind].some(begin => code.startsWith(begin))) return kind
    return 'ours'
  }
