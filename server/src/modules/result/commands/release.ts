import { paperScoreWire } from '#contract/exam/exam.state.ts'
import { isExamCode } from '#contract/exam/exam-code.ts'
import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { fromWireTime, toWireEnd, toWireTime } from '#contract/kernel/when.ts'
import { refuseResult } from '#contract/result/result.errors.ts'
import type { releaseResults } from '#contract/result/result.routes.ts'
import { audit } from '#kernel/audit.ts'
import { lock } from '#kernel/db/lock.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import { type Ctx, sessionOf } from '#kernel/http/context.ts'
import { enqueue, type Task } from '#kernel/queue/outbox.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import { refuseSamePerson } from '#kernel/two-persons.ts'
import { listPapers } from '#modules/exam/index.ts'
import { proposeResults } from '#modules/signup/index.ts'
import { joinByHash } from '../data/bulk.ts'
import { findExamOfResults } from '../data/exam.repo.ts'
import { dropWaiting, endRelease, listDueReleases, lockRelease, orderRelease } from '../data/release-order.repo.ts'
import {
  countForRelease,
  countReleasedPeople,
  listDisciplined,
  listIncomplete,
  listReleasedPeople,
  listUnreleased,
  listWithdrawnPeople,
  listWriters,
  listWritten,
  lockPapers,
  markReleased,
  type PaperState,
} from '../data/result.repo.ts'
import { rankedExam, readPlaces, readStandingFacts, type Shown, writeStandings } from '../data/standing.repo.ts'
import type { ResultParts } from '../deps.ts'
import { firstNotOver, type PaperEnd } from '../domain/paper-over.ts'
import { standings } from '../domain/standing.ts'
import { placesMovedNotice, releasedNotice, releaseSkippedNotice, withdrawnNotice } from '../templates/notices.ts'
import { againstRoom } from './against-room.ts'
import { publishRoot } from './prove-scores.ts'
import { linesMoved } from './weigh-lines.ts'

interface ReleaseOrder extends Shown {
  readonly examId: string
  readonly itemIds: readonly string[]
  readonly sms: boolean
  /** Who releases; a task acts in their name. */
  readonly by: string
}

const papersOf = async (db: TenantDb, examId: string, itemIds: readonly string[]): Promise<readonly PaperState[] | Refusal> => {
  const papers = await lockPapers(db, examId, itemIds)
  return papers.length === new Set(itemIds).size ? papers : refuse('kernel/not-found', {})
}

/** Computes totals, ranks and shortlists anew from the released papers. */
export const recompute = async (db: TenantDb, examId: string, shown?: Shown): Promise<void> => {
  await joinByHash(db)
  const { people, papers, plans, rules } = await readStandingFacts(db, examId)
  await writeStandings(db, examId, standings(people, papers, plans, rules), shown)
}

/** Refuses what touches the scores of papers of which one is not over at `at`. */
export const refuseBeforeEnd = (papers: readonly PaperEnd[], at: Date): Refusal | undefined => {
  const early = firstNotOver(papers, at)
  return early && refuseResult('result/not-over', { paper: early.itemName, time: toWireEnd(early.endTime) })
}

/** What must hold for a release at `at`, now or when the time has come: over, imported, by somebody else (2402), and for everybody. */
const refuseRelease = async (db: TenantDb, papers: readonly PaperState[], by: string, at: Date): Promise<Refusal | undefined> => {
  const early = refuseBeforeEnd(papers, at)
  if (early) return early
  const notImported = papers.find(paper => paper.scoreState !== 'imported')
  if (notImported) return refuseResult('result/not-imported', { paper: notImported.itemName })
  const ids = papers.map(paper => paper.id)
  if ((await listWritten(db, ids, by)).length > 0) return refuseResult('result/same-person', {})
  await joinByHash(db)
  // Nobody is forgotten silently: who did not sit stands in the list as absent (domain 5.9 T6).
  const [incomplete] = await listIncomplete(db, ids)
  const paper = papers.find(one => one.id === incomplete?.itemId)
  return incomplete && paper ? refuseResult('result/incomplete', { paper: paper.itemName, count: incomplete.count }) : undefined
}

const release = async (db: TenantDb, origin: Ctx | undefined, order: ReleaseOrder): Promise<{ people: number } | Refusal> => {
  await lock(db, `result|${order.examId}`)
  const exam = await findExamOfResults(db, order.examId)
  if (!exam) return refuse('kernel/not-found', {})
  if (exam.state === 'draft' || exam.state === 'archived') return refuse('kernel/not-supported', {})
  const papers = await papersOf(db, order.examId, order.itemIds)
  if (isRefusal(papers)) return papers
  const refused = await refuseRelease(db, papers, order.by, db.now)
  if (refused) return refused
  // Whoever wrote one of the results was refused above, with words of their own; here whose account a writer made.
  const written = papers.map(paper => paper.id)
  await refuseSamePerson(db, 'resultRelease', order.by, await listWriters(db, written))
  for (const paper of papers)
    await transition(
      db,
      'exam_item',
      paper.id,
      { from: 'imported', to: 'released', column: 'score_state' },
      { score_release_by: order.by, score_release_at: db.now },
    )
  const ids = written
  const results = await markReleased(db, ids, true)
  await recompute(db, order.examId, order)
  await publishRoot(db, origin, order.examId, 'release')
  const people = await countReleasedPeople(db, ids)
  await audit(db, origin, {
    action: 'result.released',
    entity: 'examination',
    entityId: order.examId,
    after: {
      papers: papers.map(paper => paper.itemCode),
      results,
      people,
      by: order.by,
      showRank: order.showRank,
      showLine: order.showLine,
    },
  })
  await enqueue(db, 'result.notify', {
    examId: order.examId,
    itemIds: ids,
    sms: order.sms,
    key: `result-released|${ids[0]}|${db.now.getTime()}`,
  })
  return { people }
}

interface ReleaseInput {
  readonly examId: string
  readonly itemIds: string
  readonly scoreBegin?: string
  readonly showRank?: 0 | 1
  readonly showLine?: 0 | 1
  readonly sms?: 0 | 1
  readonly dryRun?: 0 | 1
  readonly confirmCode?: string
}

const refuseWithdrawal = (papers: readonly PaperState[]): Refusal | undefined => {
  const notOut = papers.find(paper => paper.scoreState !== 'released')
  return notOut && refuseResult('result/not-out', { paper: notOut.itemName })
}

/** A release cannot be unread, nor can its withdrawal: whoever orders one says which examination they mean. */
const refuseCode = (ctx: Ctx, typed: string | undefined, examCode: string, reason: 'result/confirm-code' | 'result/confirm-withdraw') => {
  if (isExamCode(typed, examCode)) return undefined
  const refusal = refuseResult(reason, {})
  return { ...refusal, data: { fields: [{ field: 'confirmCode', msg: ctx.say(refusal.text) }] } }
}

/** What a release or a withdrawal of these papers would be, and what keeps it back: whoever orders it reads it before. Changes nothing. */
const planOf = async (db: TenantDb, ctx: Ctx, order: Pick<ReleaseOrder, 'examId' | 'itemIds' | 'by'>, isWithdrawal: boolean) => {
  const exam = await findExamOfResults(db, order.examId)
  if (!exam) return refuse('kernel/not-found', {})
  const papers = await papersOf(db, order.examId, order.itemIds)
  if (isRefusal(papers)) return papers
  const refused = isWithdrawal ? refuseWithdrawal(papers) : await refuseRelease(db, papers, order.by, db.now)
  const { lines, moved } = isWithdrawal ? { lines: [], moved: 0 } : await linesMoved(db, ctx, order.examId, papers)
  const figures = new Map((await countForRelease(db, order.itemIds)).map(({ itemId, ...counts }) => [itemId, counts]))
  return {
    people: 0,
    scheduled: null,
    plan: {
      examName: exam.examName,
      examCode: exam.examCode,
      refused: refused ? { code: refused.code, msg: ctx.say(refused.text) } : null,
      lines,
      moved,
      against: isWithdrawal ? { total: 0, people: [] } : await againstRoom(db, ctx, order.examId, papers),
      rest: isWithdrawal
        ? []
        : (await listUnreleased(db, order.examId, order.itemIds)).map(({ scoreState, ...paper }) => ({
            ...paper,
            scoreState: paperScoreWire[scoreState],
          })),
      papers: papers.flatMap(({ id, itemName, startTime, endTime }) => {
        const counts = figures.get(id)
        return counts ? [{ itemName, startTime: toWireTime(startTime), endTime: toWireTime(endTime), ...counts }] : []
      }),
    },
  }
}

/** Releases now, or orders the release for `scoreBegin`. */
const releaseOrSchedule = async (db: TenantDb, ctx: Ctx, input: ReleaseInput, by: string) => {
  const order: ReleaseOrder = {
    examId: input.examId,
    itemIds: idsOf(input.itemIds),
    showRank: input.showRank !== 0,
    showLine: input.showLine === 1,
    sms: input.sms === 1,
    by,
  }
  if (input.dryRun === 1) return planOf(db, ctx, order, false)
  const exam = await findExamOfResults(db, input.examId)
  if (!exam) return refuse('kernel/not-found', {})
  const unsure = refuseCode(ctx, input.confirmCode, exam.examCode, 'result/confirm-code')
  if (unsure) return unsure
  const at = input.scoreBegin === undefined ? undefined : fromWireTime(input.scoreBegin)
  // Whoever names a time does not mean now: a slip of the year must not make results public.
  if (at !== undefined && at <= ctx.arrivedAt)
    return refuseField('scoreBegin', { zh: '定时发布的时间须晚于现在', en: 'The time of the release must be later than now' })
  if (at === undefined) {
    const done = await release(db, ctx, order)
    if (isRefusal(done)) return done
    await dropWaiting(db, order.examId, order.itemIds)
    return { ...done, scheduled: null, plan: null }
  }
  await lock(db, `result|${order.examId}`)
  const papers = await papersOf(db, order.examId, order.itemIds)
  if (isRefusal(papers)) return papers
  const refused = await refuseRelease(db, papers, by, at)
  if (refused) return refused
  await orderRelease(db, order, at)
  await audit(db, ctx, {
    action: 'result.release-scheduled',
    entity: 'examination',
    entityId: order.examId,
    after: { papers: papers.map(paper => paper.itemCode), at: toWireTime(at) },
  })
  return { people: 0, scheduled: toWireTime(at), plan: null }
}

/** Takes a release back: candidates read "being checked" until the next release (domain 4.7). */
const withdrawRelease = async (
  db: TenantDb,
  ctx: Ctx,
  input: Pick<ReleaseInput, 'examId' | 'itemIds' | 'dryRun' | 'confirmCode'> & { readonly reason?: string },
  by: string,
) => {
  if (input.dryRun === 1) return planOf(db, ctx, { examId: input.examId, itemIds: idsOf(input.itemIds), by }, true)
  const exam = await findExamOfResults(db, input.examId)
  if (!exam) return refuse('kernel/not-found', {})
  if (!input.reason) return refuseResult('result/reason', {})
  const unsure = refuseCode(ctx, input.confirmCode, exam.examCode, 'result/confirm-withdraw')
  if (unsure) return unsure
  await lock(db, `result|${input.examId}`)
  const papers = await papersOf(db, input.examId, idsOf(input.itemIds))
  if (isRefusal(papers)) return papers
  const refused = refuseWithdrawal(papers)
  if (refused) return refused
  for (const paper of papers) await transition(db, 'exam_item', paper.id, { from: 'released', to: 'imported', column: 'score_state' })
  const results = await markReleased(
    db,
    papers.map(paper => paper.id),
    false,
  )
  await recompute(db, input.examId)
  await publishRoot(db, ctx, input.examId, 'withdrawal')
  await audit(db, ctx, {
    action: 'result.withdrawn',
    entity: 'examination',
    entityId: input.examId,
    before: { papers: papers.map(paper => paper.itemCode), results },
    reason: input.reason,
  })
  await enqueue(db, 'result.notify-withdrawn', {
    examId: input.examId,
    itemIds: papers.map(paper => paper.id),
    papers: papers.map(paper => paper.itemName).join('、'),
    at: db.now.getTime(),
  })
  return { people: 0, scheduled: null, plan: null }
}

/**
 * A sign-up lost its place, or has it again: ranks and shortlists that were published are made anew from the queue, in the name of the system, since
 * whoever gives the money back need not see everybody's scores. Nothing is ordered while nothing is published.
 */
export const orderRanking = async (db: TenantDb, signupId: string): Promise<void> => {
  const examId = await rankedExam(db, signupId)
  if (examId !== undefined) await enqueue(db, 'result.rank-anew', { examId, signupId })
}

/** People of one transaction of the notice task. */
const chunk = 200

/** Deleted, imported anew or released by hand meanwhile: whoever ordered it is told, and the trail says why nothing happened. */
const noteSkipped = async (
  { message }: Pick<ResultParts, 'message'>,
  db: TenantDb,
  order: Pick<ReleaseOrder, 'examId' | 'itemIds' | 'by'>,
  { reason, text }: Refusal,
): Promise<void> => {
  await audit(db, undefined, {
    action: 'result.release-skipped',
    entity: 'examination',
    entityId: order.examId,
    after: { refused: reason },
  })
  const exam = await findExamOfResults(db, order.examId)
  const papers = (await listPapers(db, order.examId)).filter(paper => order.itemIds.includes(paper.id)).map(paper => paper.itemName)
  await message.notify(db, {
    ...{ userId: order.by, examId: order.examId, kind: 4 },
    ...releaseSkippedNotice(exam?.examName ?? '', papers.join('、'), order.examId, text),
    eventKey: `result-release-skipped|${order.itemIds[0]}|${db.now.getTime()}`,
  })
}

/** Releases results whose time has come, each in a transaction of its own and in the name of whoever ordered it. */
export const releaseProcessor = ({ services, message }: Pick<ResultParts, 'services' | 'message'>): Processor => ({
  name: 'result.release-due',
  label: { zh: '定时发布成绩', en: 'Release results at their time' },
  help: {
    zh: '每分钟发布到时间的成绩；到时不再符合发布条件的不发布，并写入审计',
    en: 'Releases results whose time has come, every minute; what may not be released by then is left, with a line in the trail',
  },
  scope: 'platform',
  own: { cron: '0 * * * * ?', mayPause: false },
  run: async ({ now, log, signal }) => {
    const { scopes } = services
    let [released, skipped] = [0, 0]
    const due = await scopes.asPlatform('releases of every tenant have their time', now, listDueReleases)
    for (const { tenantId, id, by } of due) {
      signal.throwIfAborted()
      const done = await scopes.tx({ ...systemOf(tenantId), userId: by }, now, async db => {
        const order = await lockRelease(db, id)
        const outcome = order && (await release(db, undefined, order))
        if (order === undefined || outcome === undefined) return undefined
        if (!isRefusal(outcome)) await endRelease(db, id, 'done', null)
        return { order, outcome }
      })
      if (!done) continue
      if (isRefusal(done.outcome)) {
        skipped += 1
        const { outcome, order } = done
        const { reason, text } = outcome
        await scopes.tx(systemOf(tenantId), now, async db => {
          await endRelease(db, id, 'skipped', reason)
          await noteSkipped({ message }, db, order, outcome)
        })
        const { zh, en } = text
        log(3, {
          zh: `机构 ${tenantId} 考试 ${order.examId}：未发布，${zh}`,
          en: `Tenant ${tenantId}, examination ${order.examId}: not released. ${en}`,
        })
      } else {
        released += 1
        const { people } = done.outcome
        log(2, {
          zh: `机构 ${tenantId} 考试 ${done.order.examId}：已发布，${people} 人`,
          en: `Tenant ${tenantId}, examination ${done.order.examId}: released for ${people} people`,
        })
      }
    }
    return { zh: `发布 ${released} 次，未能发布 ${skipped} 次`, en: `${released} released, ${skipped} not released` }
  },
})

export const releaseTasks = ({ services, message }: ResultParts): Task[] => [
  {
    // Ordered before releases had a table of their own.
    name: 'result.release',
    run: async (payload: ReleaseOrder & { tenantId: string }, { now }) => {
      const done = await services.scopes.tx({ ...systemOf(payload.tenantId), userId: payload.by }, now, db =>
        release(db, undefined, payload),
      )
      if (isRefusal(done)) await services.scopes.tx(systemOf(payload.tenantId), now, db => noteSkipped({ message }, db, payload, done))
    },
  } satisfies Task<ReleaseOrder> as Task,
  {
    name: 'result.rank-anew',
    run: async (payload: { tenantId: string; examId: string; signupId: string }, { now }) => {
      await services.scopes.tx(systemOf(payload.tenantId), now, async db => {
        await lock(db, `result|${payload.examId}`)
        const before = new Map((await readPlaces(db, payload.examId)).map(place => [place.signupId, place]))
        await recompute(db, payload.examId)
        const after = await readPlaces(db, payload.examId)
        const moved = after.filter(place => {
          const old = before.get(place.signupId)
          return old && (old.rank !== place.rank || old.shortlist !== place.shortlist)
        })
        if (moved.length === 0) return
        const exam = await findExamOfResults(db, payload.examId)
        const text = placesMovedNotice(exam?.examName ?? '')
        // Whose fee it was has been told by the refund and the ticket.
        for (const { userId, signupId } of moved)
          if (signupId !== payload.signupId)
            await message.notify(db, {
              ...{ userId, examId: payload.examId, kind: 4, ...text },
              eventKey: `result-places|${payload.signupId}|${db.now.getTime()}`,
            })
        await audit(db, undefined, {
          action: 'result.ranked-anew',
          entity: 'examination',
          entityId: payload.examId,
          after: { signupId: payload.signupId, moved: moved.length },
        })
      })
    },
  } satisfies Task<{ examId: string; signupId: string }> as Task,
  {
    name: 'result.notify-withdrawn',
    run: async (payload: { tenantId: string; examId: string; itemIds: string[]; papers: string; at: number }, { now }) => {
      for (let last = '0'; ; ) {
        const next = await services.scopes.tx(systemOf(payload.tenantId), now, async db => {
          const exam = await findExamOfResults(db, payload.examId)
          const text = withdrawnNotice(exam?.examName ?? '', payload.papers)
          const people = await listWithdrawnPeople(db, payload.itemIds, new Date(payload.at), last, chunk)
          for (const { userId } of people)
            await message.notify(db, {
              ...{ userId, examId: payload.examId, kind: 4, ...text },
              eventKey: `result-withdrawn|${payload.itemIds[0]}|${payload.at}`,
            })
          return people.length < chunk ? undefined : people.at(-1)?.userId
        })
        if (next === undefined) return
        last = next
      }
    },
  } satisfies Task<{ examId: string; itemIds: string[]; papers: string; at: number }> as Task,
  {
    name: 'result.notify',
    run: async (payload: { tenantId: string; examId: string; itemIds: string[]; sms: boolean; key: string }, { now }) => {
      const actor = systemOf(payload.tenantId)
      // What was found in the room is proposed there; here what stands in the results alone (domain 4.11).
      await services.scopes.tx(actor, now, async db => {
        const found = await listDisciplined(db, payload.itemIds)
        const results = found.map(({ itemName, ...of }) => ({ ...of, reason: `${itemName}：成绩按违纪处理` }))
        await proposeResults({ message }, db, undefined, results)
      })
      for (let last = '0'; ; ) {
        const next = await services.scopes.tx(actor, now, async db => {
          const exam = await findExamOfResults(db, payload.examId)
          const people = await listReleasedPeople(db, payload.itemIds, last, chunk)
          for (const { userId } of people) {
            const text = releasedNotice(exam?.examName ?? '')
            const isNew = await message.notify(db, { userId, examId: payload.examId, kind: 4, ...text, eventKey: payload.key })
            // The notice is written once, so a task that runs again sends no second message.
            if (isNew && payload.sms)
              await message.sendSmsTo(db, { userId, examId: payload.examId }, 'result-released', { exam: exam?.examName ?? '' })
          }
          return people.length < chunk ? undefined : people.at(-1)?.userId
        })
        if (next === undefined) return
        last = next
      }
    },
  } satisfies Task<{ examId: string; itemIds: string[]; sms: boolean; key: string }> as Task,
]

/** Releases, or takes a release back; each asks for a right of its own. */
export const releaseOrWithdraw = async (db: TenantDb, ctx: Ctx, input: InputOf<typeof releaseResults>) => {
  const { permissions, userId } = sessionOf(ctx)
  const isRelease = input.state === 1
  if (!permissions.has(isRelease ? 'result_release' : 'result_withdraw')) return refuse('kernel/forbidden', {})
  return isRelease ? releaseOrSchedule(db, ctx, input, userId) : withdrawRelease(db, ctx, input, userId)
}
