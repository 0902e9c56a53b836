import { nextDue } from '#contract/job/schedule.ts'
import { ownResult, platformLimits, runState, storedText } from '#contract/job/words.ts'
import type { Label } from '#contract/kernel/label.ts'
import { systemOf } from '#kernel/db/scope.ts'
import type { LineLevel, Processor, ProcessorCall } from '#kernel/queue/processor.ts'
import { withTrace } from '#kernel/trace.ts'
import { giveBack, takeOver, tellEnd } from '../commands/end-run.ts'
import { insertParts, type Part } from '../data/instance.repo.ts'
import {
  forgetDeadRunners,
  forgetRunner,
  insertDueRuns,
  listAbandoned,
  listRunners,
  listStops,
  lockDueJobs,
  lockJobsOfTheFuture,
  nameRunner,
  type Runner,
  storePlans,
  type TakenRun,
  takeRuns,
} from '../data/schedule.repo.ts'
import type { JobKit } from '../deps.ts'
import { timeLimitOf } from '../domain/outcome.ts'
import { planOf } from '../domain/plan.ts'

/** Jobs that one transaction plans. */
const batch = 500
/** Runs at a time in one process. */
const mostRuns = 40
const tickMs = 500
/** Every so many ticks it is looked for killed processes. */
const ticksPerWatch = 10

interface Going {
  readonly abort: AbortController
  readonly done: Promise<void>
}

export interface Scheduler {
  /** One look: plans what is due, takes what waits as far as there is room, and begins it. @returns runs that were begun */
  tick(): Promise<number>
  /** Looks until nothing is left to begin, and waits for what it began. @returns runs that were begun */
  settle(): Promise<number>
  /** Takes over what killed processes held. @returns how many runs that were */
  rescue(): Promise<number>
  start(): void
  stop(): Promise<void>
}

const waitFor = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })

/** Why a run was broken off, as its result says it. */
class BrokenOff extends Error {
  readonly result: string
  readonly state: number
  constructor(state: number, result: string) {
    super(result)
    this.state = state
    this.result = result
  }
}

const processEnds = new Error('the process ends')

/** As the columns have room for. */
const mostResult = 2_000
const mostLine = 1_000

const unknownProcessor = (name: string): Label => ({
  zh: `没有名为“${name}”的处理器，请编辑任务另选一个`,
  en: `There is no processor “${name}”: edit the job and choose another`,
})
const failed = (error: unknown): Label => {
  const why = error instanceof Error ? error.message : String(error)
  return { zh: `执行出错：${why}`, en: `It failed: ${why}` }
}

/**
 * Runs the jobs of the built-in scheduler in this process. Any number of processes do so on one database: each due time becomes one run, each run is
 * taken by one of them, and the end of a run counts only for who holds it.
 */
export const createScheduler = (kit: JobKit, me: Runner, mayRun: () => boolean): Scheduler => {
  const { scopes, clock, log } = kit.services
  const going = new Map<string, Going>()
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let ticks = 0
  let working: Promise<unknown> = Promise.resolve()
  const asPlatform = <T>(work: Parameters<typeof scopes.asPlatform<T>>[2]): Promise<T> =>
    scopes.asPlatform('jobs of every tenant run by one scheduler', clock.now(), work)

  const plan = async (): Promise<void> => {
    for (let count = batch; count === batch; )
      count = await asPlatform(async db => {
        const jobs = await lockDueJobs(db, batch)
        if (jobs.length === 0) return 0
        const plans = jobs.map(job => ({ ...job, ...planOf(job, db.now) }))
        const runs = plans.flatMap(({ tenantId, id, runs: of }) => of.map(run => ({ tenantId, jobInfoId: id, ...run })))
        if (runs.length > 0) await insertDueRuns(db, runs)
        await storePlans(db, plans)
        return jobs.length
      })
  }
  const heedClock = (): Promise<void> =>
    asPlatform(async db => {
      const jobs = await lockJobsOfTheFuture(db)
      if (jobs.length > 0)
        await storePlans(
          db,
          jobs.map(job => ({ ...job, next: nextDue(job, db.now) })),
        )
    })

  const call = (run: TakenRun, signal: AbortSignal, lines: { at: Date; level: LineLevel; text: string }[]): ProcessorCall => ({
    tenantId: run.tenantId,
    params: run.params,
    item: run.item ?? undefined,
    attempt: run.attempt,
    now: clock.now(),
    signal,
    log: (level, text) => {
      if (level >= run.logLevel) lines.push({ at: clock.now(), level, text: storedText(text, mostLine) })
    },
  })
  const partsOf = async (run: TakenRun, processor: Processor, of: ProcessorCall): Promise<readonly Part[] | undefined> => {
    if (run.parentId !== null) return undefined
    if (run.executeType === 2) return (await asPlatform(listRunners)).map(targetRunner => ({ item: null, targetRunner }))
    if (run.executeType !== 3 || processor.split === undefined) return undefined
    const items = await processor.split(of)
    if (items.length > platformLimits.shards) throw new Error(`${items.length} parts; at most ${platformLimits.shards}`)
    return items.map(item => ({ item, targetRunner: null }))
  }
  const inTenant = <T>(run: TakenRun, work: Parameters<typeof scopes.tx<T>>[2]): Promise<T> =>
    scopes.tx(systemOf(run.tenantId), clock.now(), work)

  const perform = async (run: TakenRun, abort: AbortController): Promise<void> => {
    const lines: { at: Date; level: LineLevel; text: string }[] = []
    const limit = setTimeout(() => abort.abort(new BrokenOff(runState.failed, ownResult.time)), timeLimitOf(run.instanceTimeLimit))
    limit.unref()
    const broken = waitFor(abort.signal)
    broken.catch(() => {})
    let told: { readonly state: number; readonly result: string } = { state: runState.done, result: '' }
    try {
      const processor = kit.processors.find(run.tenantId, run.processorInfo)
      if (!processor) throw new BrokenOff(runState.failed, storedText(unknownProcessor(run.processorInfo), mostResult))
      const of = call(run, abort.signal, lines)
      const parts = await Promise.race([partsOf(run, processor, of), broken])
      if (parts !== undefined && parts.length > 0) {
        await inTenant(run, db => insertParts(db, run.id, run.fence, parts))
        return
      }
      const result = parts === undefined ? await Promise.race([processor.run(of), broken]) : `${ownResult.parts} 0/0`
      told = { state: runState.done, result: storedText(result, mostResult) }
    } catch (error) {
      if (abort.signal.reason === processEnds) return inTenant(run, db => giveBack(db, run))
      if (error instanceof BrokenOff) told = error
      else {
        log.error({ err: error, job: run.jobName, tenant: run.tenantId, attempt: run.attempt }, 'job failed')
        lines.push({ at: clock.now(), level: 4, text: storedText(failed(error), mostLine) })
        told = { state: runState.failed, result: ownResult.failed }
      }
    } finally {
      clearTimeout(limit)
    }
    const counts = await inTenant(run, db => tellEnd(kit, db, run, { ...told, lines }))
    if (!counts) log.warn({ job: run.jobName, run: run.id }, 'the end of a run that was taken from this process counts for nothing')
  }
  const begin = (run: TakenRun): void => {
    const abort = new AbortController()
    // Its lines, orders and calls carry the number that the list of runs shows.
    const done = withTrace(`run-${run.id}`, () => perform(run, abort))
      .catch((error: unknown) => log.error({ err: error, run: run.id }, 'the end of a run is not stored'))
      .finally(() => going.delete(run.id))
    going.set(run.id, { abort, done })
  }

  const rescue = async (): Promise<number> => {
    const lost = await asPlatform(async db => {
      await nameRunner(db, me)
      await forgetDeadRunners(db, me.runner)
      return listAbandoned(db)
    })
    let count = 0
    for (const one of lost) if (await scopes.tx(systemOf(one.tenantId), clock.now(), db => takeOver(kit, db, one))) count += 1
    return count
  }
  const tick = async (): Promise<number> => {
    // Not by a clock that is wrong: what is due waits.
    if (isStopped || !mayRun()) return 0
    if (ticks++ % ticksPerWatch === 0) {
      await rescue()
      await heedClock()
    }
    if (going.size > 0)
      for (const id of await asPlatform(db => listStops(db, me.runner)))
        going.get(id)?.abort.abort(new BrokenOff(runState.stopped, ownResult.stopped))
    await plan()
    let begun = 0
    for (let room = mostRuns - going.size; room > 0 && !isStopped; room = mostRuns - going.size) {
      const taken = await asPlatform(db => takeRuns(db, me, room))
      for (const run of taken) begin(run)
      begun += taken.length
      if (taken.length < room) break
    }
    return begun
  }
  /** With a full process the next look follows as soon as there is room again. */
  const look = async (): Promise<void> => {
    for (let begun = await tick(); begun > 0 && going.size >= mostRuns && !isStopped; begun = await tick())
      await Promise.race([...going.values()].map(one => one.done))
  }
  let isBusy = false
  return {
    tick,
    rescue,
    settle: async () => {
      ticks = 0
      let all = 0
      for (;;) {
        const begun = await tick()
        all += begun
        await Promise.all([...going.values()].map(one => one.done))
        if (begun === 0) return all
      }
    },
    start: () => {
      timer = setInterval(() => {
        if (isBusy || isStopped) return
        isBusy = true
        working = look()
          .catch((error: unknown) => {
            if (!isStopped) log.error({ err: error }, 'due jobs were not looked for')
          })
          .finally(() => {
            isBusy = false
          })
      }, tickMs)
      timer.unref()
    },
    stop: async () => {
      isStopped = true
      clearInterval(timer)
      await working
      // What does not end by itself is given back at once.
      for (const { abort } of going.values()) abort.abort(processEnds)
      await Promise.all([...going.values()].map(one => one.done))
      await asPlatform(db => forgetRunner(db, me.runner)).catch(() => undefined)
    },
  }
}
