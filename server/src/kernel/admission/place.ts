import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { token } from '../random.ts'

/**
 * What a browser shows of itself: a signed text in a cookie, which no database has to be asked about.
 *
 * - A `ticket` waits. It says when and where it was drawn, and is good on every instance and after the death of the one that drew it.
 * - A `pass` is inside until a time.
 * - `staff` is a browser that a member of staff has logged in from.
 * - `desk` is a browser on its way to the log-in of staff; a candidate gets no session by it.
 */
export type Place =
  | { readonly kind: 'ticket'; readonly id: string; readonly second: number; readonly instance: string; readonly index: number }
  | {
      readonly kind: 'pass'
      readonly id: string
      readonly untilSecond: number /** Whose it is, once that is known. */
      readonly owner: string
    }
  | { readonly kind: 'staff' | 'desk'; readonly untilSecond: number }

/** Parts of the text that browsers inside other programs add by the network they are in; the rest stays the same for as long as a rush lasts. */
const changing = /\s*(NetType|Language|ABI|Process|WindowsWechat)\/\S+/gi

/** The browser a place is bound to: eight characters of a digest of what it calls itself. */
export const browserOf = (userAgent: string): string =>
  createHash('sha256').update(userAgent.replaceAll(changing, '').trim()).digest('base64url').slice(0, 8)

/** Stands for an account in a pass, which anybody may read. */
export const ownerOf = (of: { readonly tenantId: string; readonly userId: string }): string =>
  createHash('sha256').update(`${of.tenantId}|${of.userId}`).digest('base64url').slice(0, 12)

/** Longer than any queue: who put the phone away comes back to the same place. */
const ticketSeconds = 12 * 3_600

const partsOf = (place: Place): readonly string[] => {
  if (place.kind === 'ticket') return ['t', place.id, place.second.toString(36), place.instance, place.index.toString(36)]
  if (place.kind === 'pass') return ['p', place.id, place.untilSecond.toString(36), place.owner]
  return [place.kind === 'staff' ? 's' : 'd', place.untilSecond.toString(36)]
}

const number = (text: string | undefined): number => (text !== undefined && /^[0-9a-z]{1,9}$/.test(text) ? Number.parseInt(text, 36) : -1)

const placeFrom = ([kind, ...rest]: readonly string[]): Place | undefined => {
  const [id = '', second, instance = '', index] = rest
  if (kind === 't') return { kind: 'ticket', id, second: number(second), instance, index: number(index) }
  if (kind === 'p') return { kind: 'pass', id, untilSecond: number(second), owner: instance }
  if (kind === 's' || kind === 'd') return { kind: kind === 's' ? 'staff' : 'desk', untilSecond: number(rest[0]) }
  return undefined
}

export interface Places {
  /** @param browser - `browserOf` of the call */
  readonly write: (place: Place, browser: string) => string
  /** The place that a text stands for; undefined when it is forged, of another browser, or over. */
  readonly read: (text: string, browser: string, nowMs: number) => Place | undefined
}

/** @param key - of the installation: all its instances sign and check by the same */
export const createPlaces = (key: Uint8Array): Places => {
  const own = createHmac('sha256', key).update('kaopu admission').digest()
  const signatureOf = (text: string, browser: string): string =>
    createHmac('sha256', own).update(`${browser}|${text}`).digest('base64url').slice(0, 22)
  return {
    write: (place, browser) => {
      const text = partsOf(place).join('.')
      return `${text}.${signatureOf(text, browser)}`
    },
    read: (value, browser, nowMs) => {
      const at = value.lastIndexOf('.')
      if (at < 0 || value.length > 200) return undefined
      const text = value.slice(0, at)
      const given = Buffer.from(value.slice(at + 1))
      const right = Buffer.from(signatureOf(text, browser))
      if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined
      const place = placeFrom(text.split('.'))
      if (place === undefined) return undefined
      const nowSecond = nowMs / 1_000
      const isOver = place.kind === 'ticket' ? nowSecond - place.second > ticketSeconds : place.untilSecond <= nowSecond
      return isOver ? undefined : place
    },
  }
}

export const newPlaceId = (): string => token(12)
