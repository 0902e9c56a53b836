import { type Count, settlingSeconds } from './queue.ts'

/** What one instance tells the others once a second. */
export interface Told {
  readonly instance: string
  /** Arrivals a second that it can bear. */
  readonly rate: number
  readonly wantsRoom: boolean
  readonly isCalm: boolean
  /** Counts of the seconds in which it drew tickets and that the others may not know yet. */
  readonly counts: readonly Count[]
  /** Counts of seconds before this one are known already. */
  readonly sinceSecond: number
}
export interface Heard {
  /** Of the common clock, milliseconds since 1970. */
  readonly nowMs: number
  /** First second of the rush; undefined while there is none. */
  readonly firstSecond: number | undefined
  /** How many positions of the queue have been let in. */
  readonly front: number
  /** The front stands at the end of what has settled: nobody waits for anything but the settling. */
  readonly isDrained: boolean
  /** Together. */
  readonly rate: number
  readonly instances: number
  readonly counts: readonly Count[]
}

/** The row that all instances share. */
export interface Room {
  readonly firstSecond: number | undefined
  readonly front: number
}
export interface Instance {
  readonly instance: string
  readonly seenAtMs: number
  readonly rate: number
  readonly isCalm: boolean
}

/** An instance that has not been heard of for so long is gone, or cannot reach the others. */
export const instanceGoneMs = 6_000
/** One that could not tell anything for a while lets nobody in for that time all at once. */
const longestStepMs = 2_500

/**
 * How the queue goes on when an instance tells of itself: each moves the common front by what it can bear itself, so that nobody leads, and one that
 * dies takes its part of the pace with it and nothing else.
 *
 * @param settled - tickets of the rush that were drawn up to the second that has settled, the counts just told among them
 * @param others - all the instances but the one that tells
 */
export const advance = (
  room: Room,
  told: Told,
  of: { readonly nowMs: number; readonly lastSeenMs: number | undefined; readonly others: readonly Instance[]; readonly settled: number },
): Room & { readonly isDrained: boolean } => {
  const { nowMs, lastSeenMs, others, settled } = of
  if (room.firstSecond === undefined)
    return told.wantsRoom ? { firstSecond: Math.floor(nowMs / 1_000), front: 0, isDrained: true } : { ...room, isDrained: true }
  const stepMs = lastSeenMs === undefined ? 0 : Math.min(longestStepMs, Math.max(0, nowMs - lastSeenMs))
  const front = Math.max(room.front, Math.min(settled, room.front + (told.rate * stepMs) / 1_000))
  const isDrained = front >= settled
  const live = others.filter(one => nowMs - one.seenAtMs < instanceGoneMs)
  if (isDrained && told.isCalm && !told.wantsRoom && live.every(one => one.isCalm)) return { firstSecond: undefined, front: 0, isDrained }
  return { firstSecond: room.firstSecond, front, isDrained }
}

/** The last second whose counts are complete as far as the living instances go. */
export const settledSecond = (nowMs: number): number => Math.floor(nowMs / 1_000) - settlingSeconds

export interface Exchange {
  /** @throws when the database cannot be reached */
  readonly tell: (told: Told) => Promise<Heard>
  /** A place is for one account. @returns whether it is this one's */
  readonly claim: (placeId: string, owner: string) => Promise<boolean>
}

/** Of one process, and of simulations of several. */
export const createMemoryExchange = (nowMs: () => number): Exchange => {
  let room: Room = { firstSecond: undefined, front: 0 }
  const instances = new Map<string, Instance>()
  const counts = new Map<string, Count>()
  const owners = new Map<string, string>()
  return {
    tell: async told => {
      const now = nowMs()
      for (const count of told.counts) {
        const key = `${count.second} ${count.instance}`
        if ((counts.get(key)?.count ?? 0) < count.count) counts.set(key, count)
      }
      const until = settledSecond(now)
      let settled = 0
      for (const { second, count } of counts.values()) if (second <= until && second >= (room.firstSecond ?? 0)) settled += count
      const { instance, rate, isCalm } = told
      const others = [...instances.values()].filter(one => one.instance !== instance)
      const next = advance(room, told, { nowMs: now, lastSeenMs: instances.get(instance)?.seenAtMs, others, settled })
      instances.set(instance, { instance, seenAtMs: now, rate, isCalm })
      if (next.firstSecond === undefined || room.firstSecond === undefined) counts.clear()
      room = { firstSecond: next.firstSecond, front: next.front }
      const live = [...instances.values()].filter(one => now - one.seenAtMs < instanceGoneMs)
      return {
        nowMs: now,
        ...room,
        isDrained: next.isDrained,
        rate: live.reduce((sum, one) => sum + one.rate, 0),
        instances: live.length,
        counts: [...counts.values()].filter(({ second }) => second >= told.sinceSecond),
      }
    },
    claim: async (placeId, owner) => {
      const known = owners.get(placeId) ?? owner
      owners.set(placeId, known)
      return known === owner
    },
  }
}
