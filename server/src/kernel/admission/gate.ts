import type { Rank } from '#contract/kernel/rank.ts'
import type { Clock } from '../clock.ts'
import { browserOf, newPlaceId, ownerOf, type Place, type Places } from './place.ts'
import type { Standing, Ticket, WaitingRoom } from './waiting-room.ts'

export const placeCookie = 'kaopu-place'
export const staffCookie = 'kaopu-staff'

/** Whoever does nothing for so long has left. */
const passSeconds = 30 * 60
const staffSeconds = 180 * 24 * 3_600
const deskSeconds = 10 * 60
/** Calls a second of browsers on their way to the log-in of staff: enough for an office, and nothing for a crowd. */
const deskCallsPerSecond = 5

export interface Account {
  readonly tenantId: string
  readonly userId: string
  /** 1 staff, 2 candidate, 3 service account. */
  readonly userType: number
}

/** What of a call the gate looks at. */
export interface Entrance {
  readonly cookies: Readonly<Record<string, string>>
  readonly userAgent: string
  readonly session: Account | undefined
}

export interface Cookie {
  readonly name: string
  readonly value: string
  readonly maxAgeSeconds: number
}

/** A call that went in. */
export interface Entry {
  readonly isIn: true
  /** The account that a log-in is about to open a session for. @returns where its browser has to wait, when this place is not for it */
  readonly claim: (account: Account) => Promise<Waiting | undefined>
  /** What the browser gets along with the answer of a call that was not refused. */
  readonly cookies: () => readonly Cookie[]
}
export interface Waiting {
  readonly isIn: false
  readonly standing: Standing & { readonly isIn: false }
  readonly cookies: readonly Cookie[]
}

export interface Gate {
  /** Before a call of this rank is worked on. */
  readonly enter: (rank: Rank, entrance: Entrance) => Promise<Entry | Waiting>
  /** Where a browser stands; draws a ticket for one that has no place. Changes nothing for one that is in. */
  readonly stand: (entrance: Entrance) => { readonly standing: Standing; readonly cookies: readonly Cookie[] }
  /** Whether a page that leads to an arrival may be shown. */
  readonly mayOpen: (entrance: Entrance) => boolean
  /** There is a waiting room. */
  readonly isRush: () => boolean
  /** A browser goes to the log-in of staff. */
  readonly desk: (entrance: Entrance) => Cookie
}

type Pass = Place & { readonly kind: 'pass' }
const ticketOrPass = (place: Place | undefined): Pass | Ticket | undefined =>
  place?.kind === 'pass' || place?.kind === 'ticket' ? place : undefined
const ticketIn = (place: Place | undefined): Ticket | undefined => (place?.kind === 'ticket' ? place : undefined)

const nothingToGive: Entry = { isIn: true, claim: async () => undefined, cookies: () => [] }

export const createGate = (room: WaitingRoom, places: Places, clock: Clock): Gate => {
  let deskSecond = 0
  let deskCalls = 0
  const nowMs = (): number => clock.now().getTime()
  const until = (seconds: number): number => Math.floor(nowMs() / 1_000) + seconds
  const read = ({ cookies, userAgent }: Entrance, name: string): Place | undefined => {
    const text = cookies[name]
    return text === undefined || text === '' ? undefined : places.read(text, browserOf(userAgent), nowMs())
  }
  const cookieOf = (entrance: Entrance, place: Place): Cookie => ({
    name: place.kind === 'staff' || place.kind === 'desk' ? staffCookie : placeCookie,
    value: places.write(place, browserOf(entrance.userAgent)),
    maxAgeSeconds:
      place.kind === 'ticket' ? 12 * 3_600 : place.kind === 'pass' ? passSeconds : place.kind === 'staff' ? staffSeconds : deskSeconds,
  })
  const takeDesk = (): boolean => {
    const second = Math.floor(nowMs() / 1_000)
    if (second !== deskSecond) {
      deskSecond = second
      deskCalls = 0
    }
    deskCalls += 1
    return deskCalls <= deskCallsPerSecond
  }

  const waiting = (entrance: Entrance, drawn: Ticket | undefined): Waiting | undefined => {
    const ticket = drawn ?? room.draw()
    const standing = room.look(ticket)
    return standing.isIn ? undefined : { isIn: false, standing, cookies: drawn === undefined ? [cookieOf(entrance, ticket)] : [] }
  }

  /** In by this pass or ticket, or by neither because nobody has to wait. */
  const admitted = (entrance: Entrance, place: Pass | Ticket | undefined, isAtDesk: boolean): Entry => {
    const { session } = entrance
    const who = session?.userId ?? place?.id
    if (who !== undefined) room.active(who)
    let owner = session?.userType === 2 ? ownerOf(session) : ((place?.kind === 'pass' ? place.owner : undefined) ?? '')
    const belongsTo = (claimant: string): boolean => place?.kind === 'pass' && place.owner === claimant
    let isStaff = false
    return {
      isIn: true,
      claim: async account => {
        if (account.userType !== 2) {
          isStaff = true
          return undefined
        }
        const claimant = ownerOf(account)
        if (room.isOpen()) {
          if (isAtDesk) return waiting(entrance, ticketIn(read(entrance, placeCookie)))
          // Nobody gains by a place of somebody else: it lets one account in.
          const isOwn = place === undefined || belongsTo(claimant) || (await room.claim(place.id, claimant))
          if (!isOwn) return waiting(entrance, undefined)
        }
        owner = claimant
        return undefined
      },
      cookies: () => {
        if (isStaff) return [cookieOf(entrance, { kind: 'staff', untilSecond: until(staffSeconds) })]
        if (isAtDesk) return []
        const isFresh = belongsTo(owner) && place?.kind === 'pass' && place.untilSecond - until(0) > passSeconds / 2
        if (isFresh) return []
        const isSame = place?.kind === 'ticket' || (place?.kind === 'pass' && (place.owner === '' || place.owner === owner))
        const id = isSame ? place.id : newPlaceId()
        return [cookieOf(entrance, { kind: 'pass', id, untilSecond: until(passSeconds), owner })]
      },
    }
  }
  /** Whether a pass lets this session in; one of another account in the same browser does not. */
  const lets = async (place: Pass | Ticket, session: Account | undefined): Promise<boolean> => {
    if (session === undefined) return true
    const claimant = ownerOf(session)
    if (place.kind === 'pass' && place.owner !== '') return place.owner === claimant
    return room.claim(place.id, claimant)
  }

  const arrive = async (entrance: Entrance): Promise<Entry | Waiting> => {
    const { session } = entrance
    const place = ticketOrPass(read(entrance, placeCookie))
    if (place === undefined) room.arrived()
    if (!room.isOpen() && (place !== undefined || room.letIn())) return admitted(entrance, place, false)
    const staff = read(entrance, staffCookie)
    if (staff?.kind === 'staff') return admitted(entrance, undefined, false)
    if (staff?.kind === 'desk' && takeDesk()) return admitted(entrance, undefined, true)
    const isTurn = place !== undefined && (place.kind === 'pass' || room.look(place).isIn)
    if (isTurn && (await lets(place, session))) return admitted(entrance, place, false)
    // A place that is somebody else's is none.
    return waiting(entrance, isTurn ? undefined : ticketIn(place)) ?? admitted(entrance, undefined, false)
  }

  return {
    enter: async (rank, entrance) => {
      const { session } = entrance
      if (rank === 'look' || (session !== undefined && session.userType !== 2)) return nothingToGive
      if (rank === 'arrive') return arrive(entrance)
      if (rank === 'within') return session !== undefined && room.isSevere() ? arrive(entrance) : nothingToGive
      // Whoever saves, uploads or pays is inside, and stays so.
      return admitted(entrance, ticketOrPass(read(entrance, placeCookie)), false)
    },
    stand: entrance => {
      const place = read(entrance, placeCookie)
      if (!room.isOpen() || place?.kind === 'pass' || read(entrance, staffCookie)?.kind === 'staff')
        return { standing: { isIn: true }, cookies: [] }
      if (place === undefined) room.arrived()
      const drawn = ticketIn(place)
      const ticket = drawn ?? room.draw()
      return { standing: room.look(ticket), cookies: drawn === undefined ? [cookieOf(entrance, ticket)] : [] }
    },
    mayOpen: entrance => {
      if (!room.isOpen() || read(entrance, staffCookie) !== undefined) return true
      const place = read(entrance, placeCookie)
      return place?.kind === 'pass' || (place?.kind === 'ticket' && room.look(place).isIn)
    },
    isRush: () => room.isOpen(),
    desk: entrance => cookieOf(entrance, { kind: 'desk', untilSecond: until(deskSeconds) }),
  }
}
