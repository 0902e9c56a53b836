import { nextDue, timing } from '#contract/job/schedule.ts'
import { ownResult, runState } from '#contract/job/words.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { countFailures, endRun, type HeldRun, insertLines, lockRun, putBack, statesOfParts } from '../data/instance.repo.ts'
import { noteAlarm, noteEnd, setNext } from '../data/job.repo.ts'
import type { JobKit } from '../deps.ts'
import { alarms, retryAfterMs, wholeOf } from '../domain/outcome.ts'

type EndKit = Pick<JobKit, 'message'>

const alarm = async ({ message }: EndKit, db: TenantDb, job: Awaited<ReturnType<typeof noteEnd>>, run: HeldRun): Promise<void> => {
  // A window of no length is this failure alone.
  const failures =
    job.statisticWindowLen === 0 ? 1 : await countFailures(db, run.jobInfoId, new Date(db.now.getTime() - job.statisticWindowLen * 1000))
  if (!alarms(job, failures, db.now)) return
  await noteAlarm(db, run.jobInfoId)
  for (const userId of job.notifyUserIds.split(','))
    await message.notify(db, {
      userId,
      examId: null,
      kind: 7,
      title: { zh: `任务失败：${job.jobName}`, en: `Job failed: ${job.jobName}` },
      content: {
        zh: `定时任务“${job.jobName}”执行失败，统计窗口内共 ${failures} 次。请在任务调度中查看执行记录。`,
        en: `The job “${job.jobName}” failed, ${failures} times within the window. Its runs are under Scheduled jobs.`,
      },
      link: '/job/jobinfo',
      eventKey: `job-failed:${run.jobInfoId}:${run.id}`,
    })
}

/** The end of a whole run: what hangs on it follows in the same transaction. */
const endWhole = async (kit: EndKit, db: TenantDb, run: HeldRun, state: number, result: string): Promise<void> => {
  await endRun(db, run.id, state, result)
  const job = await noteEnd(db, run.jobInfoId, state)
  if (job.timeExpressionType === timing.delay && job.nextTime === null) await setNext(db, run.jobInfoId, nextDue(job, db.now))
  if (state === runState.failed) await alarm(kit, db, job, run)
}

/** A run of which the last part has ended. */
const endOfParts = async (kit: EndKit, db: TenantDb, parentId: string): Promise<void> => {
  const parent = await lockRun(db, parentId)
  if (!parent || parent.state !== runState.running) return
  const states = await statesOfParts(db, parentId)
  if (states.some(state => state === runState.waiting || state === runState.running)) return
  const { state } = wholeOf(states)
  const done = states.filter(one => one === runState.done).length
  await endWhole(kit, db, parent, state, `${ownResult.parts} ${done}/${states.length}`)
}

export const finish = async (kit: EndKit, db: TenantDb, run: HeldRun, state: number, result: string): Promise<void> => {
  if (run.parentId === null) return endWhole(kit, db, run, state, result)
  await endRun(db, run.id, state, result)
  await endOfParts(kit, db, run.parentId)
}

/**
 * What a process tells of the end of a run that it took under a number. A number that is not the newest is that of somebody from whom the run was
 * taken: it counts for nothing.
 */
export const tellEnd = async (
  kit: EndKit,
  db: TenantDb,
  taken: { readonly id: string; readonly fence: number },
  told: { readonly state: number; readonly result: string; readonly lines: Parameters<typeof insertLines>[2] },
): Promise<boolean> => {
  const run = await lockRun(db, taken.id)
  if (!run || run.fence !== taken.fence || run.state !== runState.running) return false
  await insertLines(db, run.id, told.lines)
  const retry =
    told.state === runState.failed && told.result !== ownResult.time ? retryAfterMs({ ...run, isPart: run.parentId !== null }) : undefined
  if (retry === undefined) await finish(kit, db, run, told.state, told.result)
  else await putBack(db, run.id, new Date(db.now.getTime() + retry))
  return true
}

/** A process that ends gives back what it had begun; the try does not count. */
export const giveBack = async (db: TenantDb, taken: { readonly id: string; readonly fence: number }): Promise<void> => {
  const run = await lockRun(db, taken.id)
  if (run && run.fence === taken.fence && run.state === runState.running) await putBack(db, run.id, db.now, 1)
}

/** A run whose process was killed: taken over by another, or, when it has used up its tries, marked. Work for that process alone is over. */
export const takeOver = async (kit: EndKit, db: TenantDb, lost: { readonly id: string; readonly fence: number }): Promise<boolean> => {
  const run = await lockRun(db, lost.id)
  if (!run || run.fence !== lost.fence) return false
  const line = { at: db.now, level: 3 as const, text: ownResult.killed }
  await insertLines(db, run.id, [line])
  // What a killed process began may have worked or not; only a job that may be tried again is.
  if (!run.isTargeted && retryAfterMs({ ...run, isPart: run.parentId !== null }) !== undefined) await putBack(db, run.id, db.now)
  else await finish(kit, db, run, runState.failed, ownResult.killed)
  return true
}
