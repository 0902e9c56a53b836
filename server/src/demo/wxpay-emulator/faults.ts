import type { RefundOutcome } from './records.ts'
import type { SignatureFault } from './wire.ts'

/** How the next notices misbehave. `copies`, `signature` and `tamper` act on every attempt while they are set, the rest when the notice arises. */
export type NoticeFaults = {
  /** Sent so many times at once. */
  readonly copies?: number
  readonly delayMs?: number
  /** Never sent: the merchant has to ask. */
  readonly drop?: boolean
  readonly signature?: SignatureFault
  /** One byte of the sealed text is changed and the whole signed again, so that only the seal can tell. */
  readonly tamper?: boolean
  /** A rightly signed notice with another amount or merchant. */
  readonly totalFen?: number
  readonly mchid?: string
}

/**
 * What happens to one call of a merchant: `busy` refuses it with 500 and no effect; `lostAnswer` lets it have its effect and
 * breaks the connection; the others answer with a signature that must not be believed.
 */
export type CallFault = 'busy' | 'lostAnswer' | SignatureFault

export type EmulatorFaults = {
  notice: NoticeFaults
  /** Used up from the front, one for each call. */
  calls: CallFault[]
  refund: RefundOutcome
  /** How long a refund stays PROCESSING. */
  refundMs: number
  /** What becomes of a bill before it is packed: lines that are missing or changed, a bill of somebody else. Undefined: there is none for the day. */
  bill:
    | ((bill: { readonly kind: 'trade' | 'fund'; readonly date: string; readonly text: string | undefined }) => string | undefined)
    | undefined
  /** The digest of bills is that of other bytes. */
  billDigest: 'wrong' | undefined
}

export const noFaults = (): EmulatorFaults => ({
  notice: {},
  calls: [],
  refund: 'SUCCESS',
  refundMs: 3_000,
  bill: undefined,
  billDigest: undefined,
})
