import { type Burst, burst, type Call, type Client, createClient } from './load.ts'
import { cpuOfDatabase, cpuOfProgram } from './proc.ts'
import type { Program } from './programs.ts'

/** A server under load together with the database it asks. */
export interface Subject {
  readonly program: Program
  readonly client: Client
  readonly postmaster: number
}
export const subjectOf = (program: Program, postmaster: number): Subject => ({ program, client: createClient(program.url), postmaster })

/** CPU seconds used while `work` ran; only what is measured may run meanwhile. */
export const cpuDuring = async <T>(subject: Subject, work: () => Promise<T>): Promise<{ value: T; server: number; database: number }> => {
  const server = cpuOfProgram(subject.program.pid)
  const database = cpuOfDatabase(subject.postmaster)
  const value = await work()
  return { value, server: cpuOfProgram(subject.program.pid) - server, database: cpuOfDatabase(subject.postmaster) - database }
}

/** One side of a comparison. */
export interface Variant {
  readonly subject: Subject
  /** Prepares a segment (unmeasured) and gives its calls; undefined ends the segment early. */
  readonly calls: () => Promise<() => Call | undefined> | (() => Call | undefined)
}

export interface Pace {
  readonly rounds: number
  readonly segmentMs: number
}
export interface SegmentLimits {
  readonly connections?: number
  readonly atMost?: number
  /** So many calls of each before anything counts; where it is left out, half a segment. */
  readonly warmUp?: number
}

export interface Cost {
  /** CPU milliseconds per request: server and database. */
  readonly server: number
  readonly database: number
  readonly total: number
  readonly perSecond: number
}
export interface Compared {
  readonly a: readonly Cost[]
  readonly b: readonly Cost[]
}

const segment = async (variant: Variant, wallMs: number, limits: SegmentLimits): Promise<Cost & { burst: Burst }> => {
  const next = await variant.calls()
  const { value, server, database } = await cpuDuring(variant.subject, () =>
    burst(variant.subject.client, next, {
      wallMs,
      connections: limits.connections ?? 4,
      ...(limits.atMost === undefined ? {} : { atMost: limits.atMost }),
    }),
  )
  const per = 1000 / Math.max(1, value.requests)
  return {
    server: server * per,
    database: database * per,
    total: (server + database) * per,
    perSecond: (value.requests * 1000) / value.wallMs,
    burst: value,
  }
}

/** So many calls are enough for code to be as fast as it gets. */
export const warmCalls = 2_000

/** Calls that do not count, until the code is as fast as it gets. */
export const warmUp = async (variant: Variant, calls: number): Promise<void> => {
  for (let made = 0; made < calls; ) {
    const { requests } = await burst(variant.subject.client, await variant.calls(), { wallMs: 5_000, connections: 4, atMost: calls - made })
    made += requests
  }
}

/** Product and floor in turns, ABAB…, after calls of each that do not count. */
export const compare = async (a: Variant, b: Variant, pace: Pace, limits: SegmentLimits = {}): Promise<Compared> => {
  for (const variant of [a, b])
    await (limits.warmUp === undefined ? segment(variant, pace.segmentMs / 2, limits) : warmUp(variant, limits.warmUp))
  const costs: { a: Cost[]; b: Cost[] } = { a: [], b: [] }
  for (let round = 0; round < pace.rounds; round += 1) {
    costs.a.push(await segment(a, pace.segmentMs, limits))
    costs.b.push(await segment(b, pace.segmentMs, limits))
  }
  return costs
}

export interface Spread {
  readonly min: number
  readonly median: number
  readonly max: number
}
export const spread = (values: readonly number[]): Spread => {
  const sorted = [...values].sort((x, y) => x - y)
  const middle = Math.floor(sorted.length / 2)
  const median =
    sorted.length % 2 === 1 ? (sorted[middle] ?? Number.NaN) : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
  return { min: sorted[0] ?? Number.NaN, median, max: sorted.at(-1) ?? Number.NaN }
}
