import { refuse } from '#contract/kernel/errors.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { toWireEnd, toWireTime } from '#contract/kernel/when.ts'
import { refuseTicket } from '#contract/ticket/ticket.errors.ts'
import type { TicketState } from '#contract/ticket/ticket.state.ts'
import { type SeatFacts, seatBar } from './seat-bar.ts'

/** What decides whether a candidate may have the paper (domain 4.12). */
export interface DownloadFacts {
  /** States of the person's tickets of the type, those of unreleased papers included. */
  readonly states: readonly { readonly state: TicketState; readonly isReleased: boolean }[]
  readonly seat: SeatFacts
  /** Tickets of a paper that the person sits are released, whether or not they have one. */
  readonly isPaperReleased: boolean
  /** Half-open; null = open on that side. */
  readonly begin: Date | null
  readonly end: Date | null
  readonly needRead: boolean
  readonly isRead: boolean
  readonly needUpload: boolean
  readonly isUploaded: boolean
}

/** The first reason against a download, in the order that is most useful to the candidate; undefined = allowed. */
export const downloadRefusal = (facts: DownloadFacts, now: Date): Refusal | undefined => {
  // Whoever is not entitled reads why, whatever else is true of a ticket they have or have not.
  const bar = seatBar(facts.seat)
  if (bar) return bar
  const released = facts.states.filter(({ state }) => state === 'released' || state === 'downloaded')
  if (released.length === 0)
    return facts.states.some(({ state, isReleased }) => state === 'void' && isReleased)
      ? refuseTicket('ticket/void', {})
      : refuseTicket(facts.isPaperReleased ? 'ticket/no-seat' : 'ticket/not-released', {})
  if (facts.begin && now < facts.begin) return refuseTicket('ticket/too-early', { begin: toWireTime(facts.begin) })
  if (facts.end && now >= facts.end) return refuseTicket('ticket/too-late', { end: toWireEnd(facts.end) })
  if (facts.needRead && !facts.isRead) return refuseTicket('ticket/read-notice', {})
  if (facts.needUpload && !facts.isUploaded) return refuseTicket('ticket/upload-health', {})
  return undefined
}

/** Another person's ticket is answered like one that does not exist. */
export const noTicket = (): Refusal => refuse('kernel/not-found', {})
