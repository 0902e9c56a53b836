import type { Clock } from '../clock.ts'
import { databaseRoles, type Pools } from '../db/pool.ts'
import { createDatabaseExchange } from '../db/waiting-room.ts'
import type { Log } from '../log.ts'
import { randomInt } from '../random.ts'
import { createGate, type Gate } from './gate.ts'
import { createLoadMeter } from './load.ts'
import type { Pressure } from './pace.ts'
import { createPlaces } from './place.ts'
import { createWaitingRoom, type WaitingRoom } from './waiting-room.ts'

/** So many new people may come at once before anybody waits. */
const burst = 50
/** Asks "is it my turn" that one process answers a second without spreading them out. */
const mostAsks = 150
const tickMs = 1_000

export interface Admission {
  readonly gate: Gate
  readonly room: WaitingRoom
  /** How long an answer took that was worked for. */
  readonly note: (durationMs: number) => void
  /** Hears of the other processes before the first call: in the middle of a rush a process that begins would let people in past the queue. */
  readonly start: () => Promise<void>
  readonly stop: () => void
}

/** The waiting room of a process, with all that it measures and shares. */
export const createAdmission = (of: {
  readonly mode: 'auto' | 'on' | 'off'
  /** Most new people a second. */
  readonly most: number
  /** Of the installation: places are signed by it. */
  readonly key: Uint8Array
  readonly pools: Pools
  /** That all processes share. */
  readonly clock: Clock
  readonly log: Log
  readonly instance: string
  /** Replaces what is measured; tests do not depend on how busy their machine is. */
  readonly pressure?: (() => Pressure) | undefined
}): Admission => {
  const { mode, most, key, pools, clock, log, instance, pressure } = of
  const load = createLoadMeter(() => databaseRoles.map(role => pools[role]))
  const room: WaitingRoom = createWaitingRoom(
    { mode, most, burst, mostAsks },
    {
      ...{ clock, instance, load: pressure ?? load.take },
      random: () => randomInt(0, 1_000) / 1_000,
      exchange: createDatabaseExchange(pools.kaopu_platform, () => clock.now().getTime()),
      onTurn: isOpen =>
        log.warn({ pressure: room.gauges().pressure }, isOpen ? 'the waiting room has opened' : 'the waiting room has closed'),
      onProblem: error => log.warn({ err: error }, 'the waiting room has not heard of the other processes'),
    },
  )
  let ticks: NodeJS.Timeout | undefined
  return {
    gate: createGate(room, createPlaces(key), clock),
    room,
    note: load.note,
    start: async () => {
      await room.tick()
      ticks = setInterval(() => void room.tick(), tickMs)
      ticks.unref()
    },
    stop: () => {
      clearInterval(ticks)
      load.stop()
    },
  }
}
