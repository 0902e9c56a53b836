import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import { fromWireTime, toWireDay } from '#contract/kernel/when.ts'
import { type DueState, dueMachine } from '#contract/pay/order.state.ts'
import { examPay } from '#contract/pay/pay.resources.ts'
import { figureOfStage, type SignupFigure, signupFigures } from '#contract/signup/figures.ts'
import {
  countsOverTime,
  crossBook,
  exportSignUps,
  papersOfExam,
  passedByType,
  payByPost,
  payByPostPage,
  payByState,
  planByType,
  rankedPosts,
  sexStatistics,
  signedUpByType,
  statisticsInfo,
  unexaminedByType,
  unitAndCode,
} from '#contract/statistics/statistics.routes.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { createFigureCache, type FigureCache } from '#kernel/figure-cache.ts'
import { type Ctx, type Handler, handle, handleExport, Refused } from '#kernel/http/context.ts'
import { rowScopeOf, valuesInScope } from '#kernel/http/row-scope.ts'
import { hidesFew } from '#modules/report/index.ts'
import { joinByHash, unitScopeOf } from '#modules/result/index.ts'
import { readParameters } from '#modules/tenancy/index.ts'
import { planCross } from './commands/cross-book.ts'
import { bySexAndAge, crossTable } from './commands/cross-table.ts'
import { planSignups } from './commands/export-signups.ts'
import { postDues, topPosts } from './commands/pay-by-post.ts'
import * as repo from './data/statistics.repo.ts'
import { keepMsOf } from './domain/keep.ts'
import { maxPoints, pointsBetween, shownFrom, timelineOf } from './domain/timeline.ts'

const cachedFigures = 500
export const createFigures = (): FigureCache<unknown> => createFigureCache<unknown>(cachedFigures)

const unitsOf = (ctx: Ctx): repo.Units => {
  if (!ctx.session) throw new Refused(refuse('kernel/no-token', {}))
  return valuesInScope(ctx.session, 'signup', 'unit', unitScopeOf(ctx.session))
}

/**
 * What sets one reader's figures apart from another's: whose examinations they are follows from the departments, and from who the caller is;
 * rules narrow other nouns than sign-ups too (tickets, dues) and name the reader and their departments.
 */
const reachOf = ({ session }: Ctx): unknown => {
  if (!session) return null
  const { userId, deptId, departments, rowRules, wideResources } = session
  return [departments ? [userId, ...departments] : null, rowRules.length === 0 ? null : [userId, deptId, rowRules, wideResources]]
}

const stages = (counts: repo.StageCounts) =>
  [
    ['submitted', figureOfStage.submitted, counts.submitted, counts.submittedToday],
    ['waiting', figureOfStage.waiting, counts.waiting, counts.waitingToday],
    ['passed', figureOfStage.passed, counts.passed, counts.passedToday],
    ['paid', figureOfStage.paid, counts.paid, counts.paidToday],
    ['downloaded', { label: { zh: '下载准考证', en: 'Ticket downloaded' } }, counts.downloaded, counts.downloadedToday],
    ['attended', { label: { zh: '到考', en: 'Attended' } }, counts.attended, counts.attendedToday],
    ['shortlisted', { label: { zh: '入围', en: 'Shortlisted' } }, counts.shortlisted, counts.shortlistedToday],
  ] as const

const rankedPostsShown = 15
const emptyPostsShown = 50
const rankingOf = (posts: Awaited<ReturnType<typeof repo.signupsByPost>>) => {
  const empty = posts.filter(post => post.num === 0)
  return {
    posts: posts.filter(post => post.num > 0).slice(0, rankedPostsShown),
    empty: empty.slice(0, emptyPostsShown).map(({ num: _num, ...post }) => post),
    emptyCount: empty.length,
    postCount: posts.length,
  }
}

export const statisticsHandlers = (cache: FigureCache<unknown>): Handler[] => {
  /** Answers from memory while the figure is fresh; the key holds tenant, reach, scope, language and every parameter. */
  const figure = async <T>(
    ctx: Ctx,
    name: string,
    input: { readonly examId: string },
    read: (db: TenantDb, units: repo.Units, exam: repo.ExamHead) => Promise<T>,
  ): Promise<T> => {
    const units = unitsOf(ctx)
    const key = JSON.stringify([ctx.tenantId, reachOf(ctx), name, ctx.language, units && [...units].sort(), Object.entries(input).sort()])
    const nowMs = ctx.arrivedAt.getTime()
    const known = cache.get(key, nowMs)
    if (known !== undefined) return known as T
    const { value, keepMs } = await ctx.tx(async db => {
      const exam = await repo.findExamHead(db, input.examId)
      if (!exam) throw new Refused(refuse('kernel/not-found', {}))
      const { 'stat.cacheSeconds': cacheSeconds } = await readParameters(db, ['stat.cacheSeconds'])
      await joinByHash(db)
      return { value: await read(db, units, exam), keepMs: keepMsOf(cacheSeconds) }
    })
    cache.put(key, value, nowMs, keepMs)
    return value
  }

  const byType = (of: SignupFigure) => (db: TenantDb, units: repo.Units, input: { examId: string; unit?: string }) =>
    repo.signupsByType(db, input.examId, of, units, input.unit)
  const signedUp = byType(signupFigures.signedUp)
  const unexamined = byType(signupFigures.unexamined)
  const passed = byType(signupFigures.passed)

  return [
    handle(unitAndCode, ({ ctx, input }) =>
      figure(ctx, 'unitAndCode', input, async (db, units) => {
        const tree = new Map<string, { value: string; label: string; children: { value: string; label: string; type: string }[] }>()
        for (const post of await repo.listPosts(db, input.examId, units)) {
          const unit = tree.get(post.unit) ?? { value: post.unit, label: post.unitName, children: [] }
          unit.children.push({ value: post.code, label: post.codeName, type: post.type })
          tree.set(post.unit, unit)
        }
        return [...tree.values()]
      }),
    ),
    handle(papersOfExam, ({ ctx, input }) => figure(ctx, 'papers', input, db => repo.listPapers(db, input.examId))),
    handle(countsOverTime, ({ ctx, input }) =>
      figure(ctx, 'line', input, async (db, units, exam) => {
        const grain = input.grain ?? 'day'
        const given = (text: string | undefined) => (text === undefined ? undefined : fromWireTime(text))
        const [givenBegin, givenEnd] = [given(input.begin), given(input.end)]
        const untilNow = exam.signEnd && exam.signEnd < ctx.arrivedAt ? exam.signEnd : ctx.arrivedAt
        const tooLong = {
          zh: '时间范围过大，请缩短范围或按天统计',
          en: 'The period is too long; shorten it or count by day',
        }
        const refuseLong = (begin: Date, end: Date): void => {
          if (pointsBetween(grain, begin, end) > maxPoints) throw new Refused(refuseField('begin', tooLong))
        }
        if (givenBegin && givenEnd) refuseLong(givenBegin, givenEnd)
        const events = await repo.eventsOverTime(db, {
          ...{ examId: exam.id, units, dues: rowScopeOf(ctx.session, examPay), grain, begin: givenBegin, end: givenEnd },
        })
        const startOf = (bucket: { readonly at: string } | undefined) => given(bucket?.at)
        const earliest =
          givenBegin ?? [exam.signBegin, startOf(events[0])].flatMap(at => at ?? []).sort((a, b) => a.getTime() - b.getTime())[0]
        // The end is open, so an event of this very moment needs one millisecond more.
        const end = givenEnd ?? new Date(Math.max(untilNow.getTime(), startOf(events.at(-1))?.getTime() ?? 0) + 1)
        if (!earliest || earliest >= end) return { x: [], submitted: [], passed: [], paid: [], outside: 0 }
        // One date that cannot be stretches no chart: it is counted as lying outside.
        return timelineOf(grain, shownFrom(grain, earliest, exam.signBegin, end), end, events)
      }),
    ),
    handle(planByType, ({ ctx, input }) => figure(ctx, 'plan', input, (db, units) => repo.planByType(db, input.examId, units, input.unit))),
    handle(signedUpByType, ({ ctx, input }) => figure(ctx, 'signedUp', input, (db, units) => signedUp(db, units, input))),
    handle(unexaminedByType, ({ ctx, input }) => figure(ctx, 'unexamined', input, (db, units) => unexamined(db, units, input))),
    handle(passedByType, ({ ctx, input }) => figure(ctx, 'passed', input, (db, units) => passed(db, units, input))),
    handle(rankedPosts, ({ ctx, input }) =>
      figure(ctx, 'rankedPosts', input, async (db, units) =>
        rankingOf(await repo.signupsByPost(db, input.examId, signupFigures.signedUp, units, input.unit)),
      ),
    ),
    handle(payByState, ({ ctx, input }) =>
      figure(ctx, 'payByState', input, async (db, units) => {
        const rows = new Map(
          (await repo.duesByState(db, input.examId, units, rowScopeOf(ctx.session, examPay))).map(row => [row.state, row]),
        )
        return (Object.keys(dueMachine.wire) as DueState[]).map(state => ({
          state: dueMachine.wire[state],
          stateName: ctx.say(dueMachine.label[state]),
          num: rows.get(state)?.num ?? 0,
          amount: Number(rows.get(state)?.amountFen ?? 0),
          paidFen: Number(rows.get(state)?.paidFen ?? 0),
        }))
      }),
    ),
    handle(statisticsInfo, ({ ctx, input }) => {
      const { dims } = input
      if (dims !== 'stage')
        return figure(ctx, `cross ${hidesFew(ctx, 'signups')}`, input, (db, units, exam) =>
          crossTable(db, ctx, exam, { ...input, dims, units }),
        )
      return figure(ctx, 'stage', input, async (db, units) => {
        const midnight = fromWireTime(`${toWireDay(ctx.arrivedAt)} 00:00:00`) ?? ctx.arrivedAt
        const counts = await repo.stageCounts(db, {
          ...input,
          units,
          dues: rowScopeOf(ctx.session, examPay),
          results: valuesInScope(ctx.session, 'result', 'unit', null),
          midnight,
        })
        return stages(counts).map(([stage, { label }, num, today]) => ({ stage, stageName: ctx.say(label), num, today }))
      })
    }),
    handle(payByPost, ({ ctx, input }) =>
      figure(ctx, `payByPost ${hidesFew(ctx, 'dues')}`, input, async (db, units) => topPosts(await postDues(db, ctx, units, input))),
    ),
    handle(payByPostPage, async ({ ctx, input: { current: _current, size: _size, ...input } }) => {
      const all = await figure(ctx, `payByPosts ${hidesFew(ctx, 'dues')}`, input, (db, units) => postDues(db, ctx, units, input))
      const { current, size, offset } = sliceOf({ current: _current ?? 1, size: _size ?? 10 })
      return toPage(all.slice(offset, offset + size), all.length, current, size)
    }),
    handle(sexStatistics, ({ ctx, input }) =>
      figure(ctx, `sex ${hidesFew(ctx, 'signups')}`, input, db => bySexAndAge(db, ctx, input.examId, input)),
    ),
    handleExport(crossBook, ({ ctx, input }) => planCross(ctx, input, unitsOf(ctx))),
    handleExport(exportSignUps, ({ ctx, input }) => planSignups(ctx, input, unitsOf(ctx))),
  ]
}
