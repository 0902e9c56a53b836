import type { Clock } from '../clock.ts'
import { type Exchange, settledSecond } from './exchange.ts'
import { createPace, noPressure, type PaceOptions, type Pressure } from './pace.ts'
import { newPlaceId, type Place } from './place.ts'
import { createQueue } from './queue.ts'

export type Ticket = Place & { readonly kind: 'ticket' }

/** Where somebody stands. */
export type Standing =
  | { readonly isIn: true }
  | {
      readonly isIn: false
      /** 1 is next. */
      readonly position: number
      /** Undefined while the instances cannot reach the database: nobody knows when it goes on. */
      readonly waitSeconds: number | undefined
      /** When the browser should ask again. */
      readonly askAgainMs: number
    }

export interface WaitingRoomOptions extends PaceOptions {
  /** `auto` opens it in a rush, `on` for good, `off` never. */
  readonly mode: 'auto' | 'on' | 'off'
  /** Asks "is it my turn" that this instance answers a second before it spreads them out. */
  readonly mostAsks: number
}

export interface WaitingRoomGauges {
  readonly isOpen: boolean
  readonly isSevere: boolean
  /** Tickets that stand before the front, people who gave up among them. */
  readonly waiting: number
  /** People inside who have called this instance lately. */
  readonly active: number
  /** Arrivals a second that are let in, of all instances together. */
  readonly rate: number
  readonly instances: number
  readonly pressure: Pressure
}

export interface WaitingRoom {
  readonly isOpen: () => boolean
  /** Holding arrivals back is not enough: who reads without a place waits too. */
  readonly isSevere: () => boolean
  /** Somebody new; counted also while nobody has to wait. */
  readonly arrived: () => void
  /** Somebody without a place while nobody has to wait. @returns whether they may go in; else there is a waiting room from now on */
  readonly letIn: () => boolean
  /** A call of somebody inside. @param who - the same for all calls of one person */
  readonly active: (who: string) => void
  readonly draw: () => Ticket
  readonly look: (ticket: Ticket) => Standing
  /** Once a second: tells the other instances, hears of them, finds its pace. Never throws. */
  readonly tick: () => Promise<void>
  readonly claim: (placeId: string, owner: string) => Promise<boolean>
  readonly gauges: () => WaitingRoomGauges
}

interface Deps {
  readonly clock: Clock
  /** Uniform in [0, 1). */
  readonly random: () => number
  readonly instance: string
  readonly exchange: Exchange
  readonly load: () => Pressure
  readonly onProblem: (error: unknown) => void
  /** The room has opened or closed. */
  readonly onTurn: (isOpen: boolean) => void
}

/** What is promised follows the pace of the queue by so much: slower than chance, quicker than people's patience. */
const speedMs = 60_000
/** Who has not called for so long is gone, or is thinking: neither is work. */
const activeMs = 60_000
/** Longer without news of the others, and no time can be promised. */
const newsMs = 8_000
const shortestAskMs = 3_000
const longestAskMs = 60_000

export const createWaitingRoom = (options: WaitingRoomOptions, deps: Deps): WaitingRoom => {
  const { clock, random, instance, exchange } = deps
  const pace = createPace(options)
  const queue = createQueue()
  let firstSecond: number | undefined
  let front = 0
  let isDrained = true
  let rate = 0
  let instances = 1
  let heardAtMs = clock.now().getTime()
  let pressure: Pressure = noPressure
  let arrivals = 0
  /** When each person inside called last. */
  const inside = new Map<string, number>()
  let asks = 0
  let asksBefore = 0
  /** Own counts of seconds that have not been told for good. */
  const own = new Map<number, number>()
  let knownUntil = 0
  /** Positions a second that the front has moved by lately, while there was always somebody behind it; undefined before it has moved. */
  let pacing: number | undefined
  let mark: { readonly atMs: number; readonly front: number } | undefined
  let ticking: Promise<void> | undefined
  /** Too many have come since the last tick: the room opens as soon as the others have been told. */
  let holdsNow = false

  const nowMs = (): number => clock.now().getTime()
  /** Positions a second that people may count on. */
  const speed = (): number => Math.max(0.05, pacing ?? rate)
  const askAgain = (waitSeconds: number | undefined): number => {
    const wanted = waitSeconds === undefined ? 15_000 : (waitSeconds * 1_000) / 3
    const spread = Math.max(1, asksBefore / options.mostAsks)
    return Math.round(Math.min(longestAskMs, Math.max(shortestAskMs, wanted)) * spread * (0.8 + 0.4 * random()))
  }

  const tell = async (): Promise<void> => {
    const startMs = nowMs()
    const before = inside.size
    for (const [who, atMs] of inside) if (startMs - atMs > activeMs) inside.delete(who)
    pressure = deps.load()
    pace.tick({ pressure, active: inside.size, left: before - inside.size, arrived: arrivals, instances })
    asksBefore = asks
    arrivals = 0
    asks = 0
    const counts = [...own].map(([second, count]) => ({ second, instance, count }))
    const heard = await exchange.tell({
      instance,
      rate: pace.rate(),
      wantsRoom: options.mode === 'on' || pace.wantsRoom(),
      isCalm: options.mode !== 'on' && pace.isCalm(),
      counts,
      sinceSecond: firstSecond === undefined ? 0 : knownUntil,
    })
    holdsNow = false
    const atMs = heard.nowMs
    if (heard.firstSecond !== firstSecond) {
      if ((firstSecond === undefined) !== (heard.firstSecond === undefined)) deps.onTurn(heard.firstSecond !== undefined)
      firstSecond = heard.firstSecond
      queue.clear(firstSecond ?? 0)
      pacing = undefined
      mark = undefined
      // Drawn in a rush that is over: these are in.
      for (const second of own.keys()) if (firstSecond === undefined || second < firstSecond) own.delete(second)
    }
    queue.learn(heard.counts)
    queue.learn([...own].map(([second, count]) => ({ second, instance, count })))
    // One that is gone, or has come, takes its part of the pace along.
    if (pacing !== undefined) pacing *= heard.instances / instances
    front = heard.front
    isDrained = heard.isDrained
    rate = heard.rate
    instances = heard.instances
    heardAtMs = nowMs()
    if (mark !== undefined && atMs > mark.atMs && !isDrained) {
      const moved = ((front - mark.front) * 1_000) / (atMs - mark.atMs)
      const share = 1 - Math.exp((mark.atMs - atMs) / speedMs)
      pacing = pacing === undefined ? rate : pacing * (1 - share) + moved * share
    }
    mark = { atMs, front }
    // What others may still add to, and what was just told, is asked for and told once more.
    knownUntil = Math.max(0, Math.floor(atMs / 1_000) - 30)
    for (const { second, count } of counts) if (second < Math.floor(atMs / 1_000) - 1 && own.get(second) === count) own.delete(second)
  }

  const tick = (): Promise<void> => {
    if (options.mode === 'off') return Promise.resolve()
    ticking ??= tell()
      .catch(deps.onProblem)
      .finally(() => {
        ticking = undefined
      })
    return ticking
  }
  const isOpen = (): boolean => firstSecond !== undefined || holdsNow

  return {
    isOpen,
    isSevere: () => firstSecond !== undefined && pace.isSevere(),
    arrived: () => {
      arrivals += 1
    },
    letIn: () => {
      if (options.mode === 'off' || pace.takeFree(nowMs())) return true
      holdsNow = true
      void tick()
      return false
    },
    active: who => void inside.set(who, nowMs()),
    draw: () => {
      const second = Math.floor(nowMs() / 1_000)
      const index = own.get(second) ?? 0
      own.set(second, index + 1)
      queue.learn([{ second, instance, count: index + 1 }])
      return { kind: 'ticket', id: newPlaceId(), second, instance, index }
    },
    look: ticket => {
      asks += 1
      if (firstSecond === undefined)
        return holdsNow ? { isIn: false, position: 1, waitSeconds: 5, askAgainMs: askAgain(5) } : { isIn: true }
      const at = queue.positionOf(ticket)
      if (at === undefined) return { isIn: true }
      const isSettled = ticket.second <= settledSecond(nowMs())
      if (isSettled && at < front) return { isIn: true }
      const ahead = Math.max(0, at - front)
      const isCutOff = nowMs() - heardAtMs > newsMs
      const unsettledSeconds = isSettled ? 0 : ticket.second + 1 - settledSecond(nowMs())
      const waitSeconds = isCutOff ? undefined : Math.ceil(Math.max(unsettledSeconds, ahead / speed()))
      return { isIn: false, position: Math.floor(ahead) + 1, waitSeconds, askAgainMs: askAgain(waitSeconds) }
    },
    tick,
    claim: (placeId, owner) => exchange.claim(placeId, owner),
    gauges: () => ({
      isOpen: isOpen(),
      isSevere: firstSecond !== undefined && pace.isSevere(),
      active: inside.size,
      waiting: firstSecond === undefined ? 0 : Math.max(0, Math.round(queue.totalUntil(Math.floor(nowMs() / 1_000)) - front)),
      rate: firstSecond === undefined ? 0 : rate,
      instances,
      pressure,
    }),
  }
}
