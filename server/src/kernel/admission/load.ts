import { cpus } from 'node:os'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { Pressure } from './pace.ts'

/** As much as people should have to bear: beyond these an instance is under pressure. */
const bearable = { work: 0.7, machine: 0.9, loopMs: 100, answersMs: 1_000 }
/** Below this many answers a second one slow export would be the 95th percentile. */
const leastAnswers = 10
const mostSamples = 5_000

interface WaitingPool {
  readonly waitingCount: number
  readonly options: { readonly max?: number }
}

export interface LoadMeter {
  /** Call after each answer, except those that only wait for others. @param durationMs - from the gates to the answer */
  readonly note: (durationMs: number) => void
  /** The load since the last call of this. */
  readonly take: () => Pressure
  readonly stop: () => void
}

/** The value below which 95 of 100 lie; 0 for none. */
export const p95Of = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0

/** Ticks of all processors: how many, and how many of them idle. */
const processorTimes = (): { readonly all: number; readonly idle: number } => {
  const times = cpus().map(one => one.times)
  return {
    all: times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0),
    idle: times.reduce((sum, { idle }) => sum + idle, 0),
  }
}

export const createLoadMeter = (pools: () => readonly WaitingPool[]): LoadMeter => {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  let durations: number[] = []
  let loopBefore = performance.eventLoopUtilization()
  let machineBefore = processorTimes()
  return {
    note: durationMs => {
      if (durations.length < mostSamples) durations.push(durationMs)
    },
    take: () => {
      const answersMs = durations.length < leastAnswers ? 0 : p95Of(durations)
      durations = []
      // Idle histograms have no percentile, and the resolution is part of what they measure.
      const loopMs = delay.count > 0 ? Math.max(0, delay.percentile(95) / 1e6 - 20) : 0
      delay.reset()
      // As many waiting as there are connections: each waits for one whole answer of the database.
      const pool = Math.max(0, ...pools().map(({ waitingCount, options }) => waitingCount / (options.max ?? 10)))
      const own = performance.eventLoopUtilization(loopBefore).utilization
      loopBefore = performance.eventLoopUtilization()
      const machine = processorTimes()
      const spent = machine.all - machineBefore.all
      const busy = spent > 0 ? 1 - (machine.idle - machineBefore.idle) / spent : 0
      machineBefore = machine
      const work = Math.max(own / bearable.work, busy / bearable.machine)
      return { work, loop: loopMs / bearable.loopMs, pool, answers: answersMs / bearable.answersMs }
    },
    stop: () => delay.disable(),
  }
}
