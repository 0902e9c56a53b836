/** What an instance feels of its load; each is 1 where it is as much as people should have to bear. */
export interface Pressure {
  /** How busy its thread and its machine are. */
  readonly work: number
  /** How late the event loop is. */
  readonly loop: number
  /** Calls that wait for a connection of the database. */
  readonly pool: number
  /** How long calls take, at the 95th percentile. */
  readonly answers: number
}

export const noPressure: Pressure = { work: 0, loop: 0, pool: 0, answers: 0 }
export const worstOf = ({ work, loop, pool, answers }: Pressure): number => Math.max(work, loop, pool, answers)

export interface PaceOptions {
  /** Most arrivals a second that this instance lets in. */
  readonly most: number
  /** So many people may come at once before anybody waits: an office that has fewer never sees a waiting room. */
  readonly burst: number
}

/** People who come at this pace or slower have no waiting room while the machine is well. */
const freePerSecond = 5
/** A queue always goes on, however slowly. */
const least = 0.2
const busyTicksToOpen = 2
/** Fewer people than this within ten seconds are not what makes the machine slow. */
const fewArrivals = 30
const severe = 3
const severeTicks = 3
const calmTicksToClose = 10
/** A difference between those who are inside and those who could be is made up within so many seconds: by then the newly come are felt. */
const catchUpSeconds = 20
/** Who has just come in does the heavy steps only some minutes later, so more are let in slowly. */
const growth = 1.12
/** Pressure of one person inside that is reckoned with at least, whatever those who are there do at the moment. */
const leastWork = 0.001

export interface Pace {
  /** Somebody goes in without waiting. @returns whether that is still all right */
  readonly takeFree: (nowMs: number) => boolean
  /**
   * Once a second.
   * @param active - people inside who have called lately, @param left - who did and no longer do, @param arrived - who came during the last second
   */
  readonly tick: (of: {
    readonly pressure: Pressure
    readonly active: number
    readonly left: number
    readonly arrived: number
    readonly instances: number
  }) => void
  /** Arrivals a second that this instance can bear. */
  readonly rate: () => number
  /** A waiting room is needed. */
  readonly wantsRoom: () => boolean
  readonly isCalm: () => boolean
  /** Holding arrivals back is not enough. */
  readonly isSevere: () => boolean
}

/**
 * Finds out how many arrivals a second can be borne. Whoever goes in causes work for as long as they stay, so what is held steady is not the pace
 * but the number of people inside: as many as there would be if each caused the work that those who are there cause now, and the pressure were 1.
 */
export const createPace = ({ most, burst }: PaceOptions): Pace => {
  let rate = Math.min(most, 2)
  let felt = 0
  /** People a second who have done what they came for. */
  let leaving = 0
  let free = burst
  let freeAtMs = 0
  let isShort = false
  let wantsRoom = false
  let busyTicks = 0
  let calmTicks = 0
  let severeFor = 0
  const recent: number[] = []
  const recentArrivals = (): number => recent.reduce((sum, count) => sum + count, 0)
  return {
    takeFree: nowMs => {
      free = Math.min(burst, free + (Math.max(0, nowMs - freeAtMs) * Math.min(most, freePerSecond)) / 1_000)
      freeAtMs = nowMs
      if (free < 1) {
        isShort = true
        return false
      }
      free -= 1
      return true
    },
    tick: ({ pressure, active, left, arrived, instances }) => {
      recent.push(arrived)
      if (recent.length > 10) recent.shift()
      const worst = worstOf(pressure)
      busyTicks = worst >= 1 ? busyTicks + 1 : 0
      calmTicks = worst < 0.8 ? calmTicks + 1 : 0
      severeFor = worst >= severe ? severeFor + 1 : 0
      wantsRoom = isShort || (busyTicks >= busyTicksToOpen && recentArrivals() >= fewArrivals)
      isShort = false
      // One bad second is chance; much worse than bearable is felt at once.
      felt = felt * 0.85 + worst * 0.15
      if (worst > 2) felt = Math.max(felt, worst * 0.8)
      const bearable = Math.min((active + 1) / Math.max(felt, active * leastWork, leastWork), active * growth + 12)
      // A person may call several instances and is counted by each: they share what is missing.
      leaving = leaving * 0.95 + left * 0.05
      rate = Math.min(most, Math.max(least, (leaving + (bearable - active) / catchUpSeconds) / instances))
    },
    rate: () => rate,
    wantsRoom: () => wantsRoom,
    isCalm: () => calmTicks >= calmTicksToClose && recentArrivals() < Math.min(most, freePerSecond) * 10,
    isSevere: () => severeFor >= severeTicks,
  }
}
