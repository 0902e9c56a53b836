import { refuse } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import { type DataSet, dataSetOf, isDataSetName } from '#contract/report/data-sets.ts'
import { designProblems } from '#contract/report/design.ts'
import { refuseReport } from '#contract/report/report.errors.ts'
import { audit } from '#kernel/audit.ts'
import { lock } from '#kernel/db/lock.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { backgroundCtx, reachOf, type StoredSession, storeSession } from '#kernel/http/background.ts'
import { type Ctx, Refused, type Session, sessionOf } from '#kernel/http/context.ts'
import { failureOf } from '#kernel/http/failure.ts'
import { enqueue, type Task } from '#kernel/queue/outbox.ts'
import { findPeople, lockReport, type ReportRow } from '../data/report.repo.ts'
import {
  claimRun,
  countOpen,
  failRun,
  findOpenRun,
  findReader,
  findResult,
  finishRun,
  insertReader,
  insertRun,
  markOpened,
  type RunRow,
  requeueRun,
  tellProgress,
} from '../data/run.repo.ts'
import type { ReportDeps } from '../deps.ts'
import type { Table } from '../domain/table.ts'
import { computeTable, mayShowFew, whyClosed, whyUnseen } from './compute.ts'
import { seesAllOf } from './reach.ts'
import { seenReport } from './viewer.ts'

export const runTask = 'report.run'
const attempts = 3
const mostOpen = 6
const dayMs = 86_400_000
/** A result that somebody asked for themselves stays so long. */
const keptDays = 7
/** Long enough for a million rows on a slow machine. */
const runMs = 120_000

/** Why a saved report does not run as it is; undefined when it does. */
const whyBroken = (report: Pick<ReportRow, 'reportName' | 'design'>): Refusal | undefined => {
  const [problem] = designProblems(report.design)
  return problem && refuseReport('report/needs-mending', { report: report.reportName, problem: problem.text })
}

const openStored = (stored: StoredSession): Session => ({
  ...stored,
  roleAliases: new Set(stored.roleAliases),
  permissions: new Set(stored.permissions),
})

const narrower: Label = { zh: '数据范围比创建人小', en: 'they see less than its owner' }
/** Why a result of somebody's rights is closed to another; undefined when it is not. */
const whyKept = (caller: Pick<Ctx, 'say'>, reader: Session, set: DataSet, run: Pick<RunRow, 'design' | 'session'>): Label | undefined => {
  const name = run.design.dataSet
  const why = whyUnseen(caller, reader, set, run.design)
  if (why) return why.text
  return isDataSetName(name) && seesAllOf(name, reader, openStored(run.session)) ? undefined : narrower
}

/** Orders a run with the rights of whoever asks. @returns its id */
export const orderRun = async (db: TenantDb, ctx: Ctx, id: string): Promise<string> => {
  const session = sessionOf(ctx)
  const report = await seenReport(db, session, id)
  const set = dataSetOf(report.dataSet)
  const why = whyBroken(report) ?? (set && whyUnseen(ctx, session, set, report.design))
  if (why) throw new Refused(why)
  await lock(db, `report|${session.userId}`)
  const open = await countOpen(db, session.userId)
  if (open >= mostOpen) throw new Refused(refuseReport('report/too-many-open', { count: open }))
  const run = await insertRun(db, {
    reportId: id,
    reportName: report.reportName,
    design: report.design,
    userId: session.userId,
    session: storeSession(session),
    language: ctx.language,
    dueAt: null,
  })
  if (run === undefined) throw new Error('a run without a due time is always new')
  await enqueue(db, runTask, { id: run }, { queue: `report-${session.userId}` })
  await audit(db, ctx, { action: 'report.ran', entity: 'report', entityId: id, after: { runId: run } })
  return run
}

/** Orders the run of a due time, with the rights that the owner has now; nothing where the owner has none any more, or it was ordered already. */
export const orderScheduled = async (deps: ReportDeps, db: TenantDb, report: ReportRow, dueAt: Date): Promise<string | undefined> => {
  const [owner] = await findPeople(db, [report.ownerId])
  const session = owner?.isActive ? await deps.auth.sessionOfUser(db, report.ownerId) : undefined
  if (!session) return undefined
  const run = await insertRun(db, {
    reportId: report.id,
    reportName: report.reportName,
    design: report.design,
    userId: report.ownerId,
    session: storeSession(session),
    language: 'zh',
    dueAt,
  })
  if (run !== undefined) await enqueue(db, runTask, { id: run }, { queue: `report-${report.ownerId}` })
  return run
}

/** Sends a finished run to the people of its report, as far as they may see figures of its data set now. */
const send = async (deps: ReportDeps, db: TenantDb, run: RunRow, showsFew: boolean): Promise<Date | undefined> => {
  const report = await lockReport(db, run.reportId)
  const set = dataSetOf(run.design.dataSet)
  if (!report || !set) return undefined
  const expiresAt = new Date(db.now.getTime() + report.linkDays * dayMs)
  const people = await findPeople(db, report.people)
  const sent: string[] = []
  const refused: string[] = []
  for (const person of people) {
    const session = person.isActive ? await deps.auth.sessionOfUser(db, person.id) : undefined
    const why: Label | undefined = session
      ? (whyKept({ say: label => label.zh }, session, set, run) ??
        (showsFew && !mayShowFew(session, set) ? { zh: '无权查看明细', en: 'they may not see the rows' } : undefined))
      : { zh: '账号不能登录', en: 'the account cannot log in' }
    await insertReader(db, { runId: run.id, userId: person.id, expiresAt, refused: why })
    ;(why ? refused : sent).push(person.id)
    if (why) continue
    await deps.message.notify(db, {
      userId: person.id,
      examId: null,
      kind: 7,
      title: { zh: `报表：${run.reportName}`, en: `Report: ${run.reportName}` },
      content: {
        zh: `“${run.reportName}”已生成，链接 ${report.linkDays} 天内有效，仅您本人可以打开。`,
        en: `“${run.reportName}” is ready. The link is open for ${report.linkDays} days, to you alone.`,
      },
      link: `/stat/report/open?id=${run.id}`,
      eventKey: `report-run-${run.id}`,
    })
  }
  await audit(db, undefined, {
    action: 'report.sent',
    entity: 'report',
    entityId: run.reportId,
    after: { runId: run.id, people: sent, refused },
  })
  return expiresAt
}

/** Whether somebody of those whom a run is for may see figures, but no rows: then few people are hidden from all of them. */
const isForFigures = async (deps: ReportDeps, db: TenantDb, run: RunRow): Promise<boolean> => {
  const set = dataSetOf(run.design.dataSet)
  if (run.dueAt === null || !set) return false
  const report = await lockReport(db, run.reportId)
  for (const id of report?.people ?? []) {
    const session = await deps.auth.sessionOfUser(db, id)
    if (session && !mayShowFew(session, set)) return true
  }
  return false
}

/** Leaves the work of a run that is not wanted any more. */
class Stopped extends Error {}

export const reportTask = (deps: ReportDeps): Task => {
  const { scopes, clock } = deps.services
  const inTenant = <T>(tenantId: string, work: (db: TenantDb) => Promise<T>): Promise<T> => scopes.tx(systemOf(tenantId), clock.now(), work)

  const perform = async (tenantId: string, run: RunRow): Promise<void> => {
    const [owner] = await inTenant(tenantId, db => findPeople(db, [run.userId]))
    if (!owner?.isActive) throw new Refused(refuse('kernel/forbidden', {}))
    const ctx = backgroundCtx(scopes, {
      session: run.session,
      language: run.language,
      arrivedAt: run.dueAt === null ? run.createdAt : clock.now(),
    })
    const result: Table = await computeTable(
      { ...ctx, session: sessionOf(ctx) },
      {
        design: run.design,
        title: run.reportName,
        timeoutMs: runMs,
        isForFigures: await inTenant(tenantId, db => isForFigures(deps, db, run)),
        heed: async progress => {
          if (!(await inTenant(tenantId, db => tellProgress(db, run.id, progress)))) throw new Stopped()
        },
      },
    )
    await inTenant(tenantId, async db => {
      const sentUntil = run.dueAt === null ? undefined : await send(deps, db, run, result.showsFew === true)
      const expiresAt = sentUntil ?? new Date(db.now.getTime() + keptDays * dayMs)
      if (!(await finishRun(db, run.id, { result, expiresAt }))) throw new Stopped()
    })
  }
  return {
    name: runTask,
    maxAttempts: attempts,
    isNotable: true,
    run: async (payload: { tenantId: string; id?: string }, { attempt }) => {
      const { tenantId } = payload
      const run = await inTenant(tenantId, db => claimRun(db, payload.id ?? '0'))
      if (!run) return
      try {
        await perform(tenantId, run)
      } catch (error) {
        if (error instanceof Stopped) return
        if (error instanceof Refused) return inTenant(tenantId, db => failRun(db, run.id, error.refusal.text))
        if (attempt < attempts) await inTenant(tenantId, db => requeueRun(db, run.id))
        else await inTenant(tenantId, db => failRun(db, run.id, failureOf(error).refusal.text))
        throw error
      }
    },
  } satisfies Task<{ id?: string }> as Task
}

/** Why a run does not open for somebody: it is neither theirs nor sent to them, its time is over, or they see less by now. */
const whyNot = (
  ctx: Ctx,
  session: Session,
  run: RunRow,
  reader: { expiresAt: Date; isRefused: boolean } | undefined,
): Refusal | undefined => {
  const set = dataSetOf(run.design.dataSet)
  if (run.userId === session.userId) {
    if (run.expiresAt !== null && run.expiresAt <= ctx.arrivedAt) return refuseReport('report/run-expired', {})
    const why = set ? whyClosed(session, set) : refuse('kernel/not-found', {})
    if (why) return why
    return reachOf(session) === reachOf(run.session) ? undefined : refuseReport('report/rules-changed', {})
  }
  if (!reader || reader.isRefused) return refuse('kernel/not-found', {})
  if (reader.expiresAt <= ctx.arrivedAt) return refuseReport('report/run-expired', {})
  if (!set) return refuse('kernel/not-found', {})
  const unseen = whyUnseen(ctx, session, set, run.design)
  if (unseen) return unseen
  return whyKept(ctx, session, set, run) ? refuseReport('report/rules-changed', {}) : undefined
}

/** A run that opens for the caller, with its result once it has one. @throws Refused kernel/not-found, report/run-expired, report/rules-changed, report/data-set-closed */
export const openRun = async (db: TenantDb, ctx: Ctx, id: string): Promise<{ run: RunRow; table: Table | undefined }> => {
  const session = sessionOf(ctx)
  const run = session.userType === 1 ? await findOpenRun(db, id) : undefined
  if (!run) throw new Refused(refuse('kernel/not-found', {}))
  const reader = await findReader(db, id, session.userId)
  const why = whyNot(ctx, session, run, reader)
  if (isRefusal(why)) throw new Refused(why)
  if (reader && run.userId !== session.userId && (await markOpened(db, id, session.userId)))
    await audit(db, ctx, { action: 'report.opened', entity: 'report', entityId: run.reportId, after: { runId: id } })
  const table = run.state === 4 ? await findResult(db, id) : undefined
  const set = dataSetOf(run.design.dataSet)
  if (table?.showsFew && !(set && mayShowFew(session, set))) throw new Refused(refuseReport('report/rules-changed', {}))
  return { run, table }
}
