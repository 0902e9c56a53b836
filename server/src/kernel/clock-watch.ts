import type { Pool } from 'pg'
import { type Clock, systemClock } from './clock.ts'
import type { Log } from './log.ts'

/** How far the clock of a process may be from the database's (domain P16: ±1 s). */
export const clockToleranceMs = 1_000
const everyMs = 5_000
/** The quickest of these answers says most exactly what time it is there. */
const questions = 3

export interface ClockReading {
  /** The clock of this process, less the database's. */
  readonly aheadMs: number
  /** Half of what the question took: so much the reading may be wrong. */
  readonly uncertainMs: number
}

/** Whether the process is off for certain: what a slow link leaves open is no reason to refuse anybody. */
export const isOff = ({ aheadMs, uncertainMs }: ClockReading): boolean => Math.abs(aheadMs) - uncertainMs > clockToleranceMs

export interface ClockWatch {
  /**
   * The clock that all processes of an installation share: the database's at the last look, carried on by this process's monotonic time. Setting
   * the clock of the machine does not move it.
   */
  readonly clock: Clock
  /** How far this process is from the database while it is off; undefined while both agree. */
  readonly offBy: () => number | undefined
  /** Looks now; runs by itself every five seconds after `start`. */
  readonly look: () => Promise<ClockReading>
  /** @param onTurn - called when the process goes off, and when it agrees again */
  readonly start: (onTurn: (reading: ClockReading, isOff: boolean) => void) => void
  readonly stop: () => void
}

type Ask = () => Promise<Date>
export const askDatabase =
  (pool: Pick<Pool, 'query'>): Ask =>
  async () => {
    const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now')
    const [row] = rows
    if (!row) throw new Error('the database does not say what time it is')
    return row.now
  }

/**
 * Compares the clock of this process with the database's, which all processes ask.
 *
 * @param own - this process's clock
 * @param monotonicMs - runs evenly whatever is done to the clock
 */
export const createClockWatch = (
  ask: Ask,
  log: Log,
  { own = systemClock, monotonicMs = () => performance.now() }: { readonly own?: Clock; readonly monotonicMs?: () => number } = {},
): ClockWatch => {
  let anchor = { atMs: own.now().getTime(), monotonicMs: monotonicMs() }
  let off: number | undefined
  let turned: ((reading: ClockReading, isOff: boolean) => void) | undefined
  let timer: NodeJS.Timeout | undefined
  const once = async () => {
    const began = monotonicMs()
    const there = (await ask()).getTime()
    const ended = monotonicMs()
    const uncertainMs = (ended - began) / 2
    return { there: there + uncertainMs, ended, aheadMs: own.now().getTime() - there - uncertainMs, uncertainMs }
  }
  const look = async (): Promise<ClockReading> => {
    let best = await once()
    for (let asked = 1; asked < questions; asked += 1) {
      const next = await once()
      if (next.uncertainMs < best.uncertainMs) best = next
    }
    anchor = { atMs: best.there, monotonicMs: best.ended }
    const reading = { aheadMs: Math.round(best.aheadMs), uncertainMs: Math.ceil(best.uncertainMs) }
    const isNowOff = isOff(reading)
    const hasTurned = isNowOff !== (off !== undefined)
    off = isNowOff ? reading.aheadMs : undefined
    if (hasTurned) {
      if (isNowOff) log.error(reading, 'the clock of this process and the database’s differ: nothing is written until they agree')
      else log.warn(reading, 'the clock of this process agrees with the database’s again')
      turned?.(reading, isNowOff)
    }
    return reading
  }
  return {
    clock: { now: () => new Date(Math.round(anchor.atMs + monotonicMs() - anchor.monotonicMs)) },
    offBy: () => off,
    look,
    start: onTurn => {
      turned = onTurn
      timer = setInterval(() => {
        look().catch((error: unknown) => log.warn({ err: error }, 'the database was not asked for its time'))
      }, everyMs)
      timer.unref()
    },
    stop: () => clearInterval(timer),
  }
}

/** In words for whoever starts the program. */
export const clockProblem = ({ aheadMs }: ClockReading): string =>
  `The clock of this machine is ${(Math.abs(aheadMs) / 1000).toFixed(1)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's; at most ${clockToleranceMs / 1000} s is allowed, because deadlines are judged by it. Synchronise both (NTP) and start again.`
