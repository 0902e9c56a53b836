import { refuse } from '#contract/kernel/errors.ts'
import { foldGroups } from '#contract/kernel/fold-width.ts'
import { countCap, sliceOf, toCappedPage } from '#contract/kernel/page.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireDay } from '#contract/kernel/when.ts'
import { checkMobile } from '#contract/person/mobile.ts'
import { documentKeysOf } from '#contract/person/passport.ts'
import { adviceIn } from '#contract/signup/canned-advice.ts'
import type { examineList } from '#contract/signup/examine.routes.ts'
import type { SignupState } from '#contract/signup/signup.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, type Session, sessionOf } from '#kernel/http/context.ts'
import { findExam } from '#modules/exam/index.ts'
import { countReach } from '../data/examine.repo.ts'
import { countByUnit, type ListFilter, pageSignups, type ReviewedLine } from '../data/list.repo.ts'
import type { SignupContext } from '../deps.ts'
import { statesAsked, statesWaitingFor } from '../domain/review-list.ts'
import { didFirst } from '../domain/take.ts'
import { presentRow } from '../present.ts'
import { conflictWords } from './conflict-of.ts'
import { mayDecideAt } from './examine-signup.ts'
import { mayBeNarrowed, seesPart } from './review-scope.ts'
import { seesShortlistedOnly, unitsOf } from './visibility.ts'

/** What a keyword means: an id number, a phone, a sign-up number, else part of a name. Numbers are looked up by their sealed index. */
const keywordFilter = (deps: SignupContext, ctx: Ctx, keyword: string): Partial<ListFilter> => {
  const phone = checkMobile(keyword)
  if (phone.ok) return { phoneIndex: deps.services.cipher.blindIndex(ctx.tenantId, 'phone', phone.mobile) }
  const number = foldGroups(keyword)
  if (/^\d{14}$/.test(number)) return { signNo: number }
  // Every word of letters could be a passport's number; those have digits, and names have none.
  const keys = /\d/.test(keyword) ? documentKeysOf(keyword, toWireDay(ctx.arrivedAt)) : []
  return keys.length === 0
    ? { nameLike: keyword }
    : { idCardIndexes: keys.map(key => deps.services.cipher.blindIndex(ctx.tenantId, 'id-card', key)) }
}

/** The reviewer to whom a list keeps; undefined where it shows what anybody has. */
const givenTo = async (db: TenantDb, session: Session, examId: string): Promise<string | undefined> => {
  const exam = mayBeNarrowed(session) ? await findExam(db, examId) : undefined
  return exam && (await seesPart(db, session, exam)) ? session.userId : undefined
}

/**
 * Why somebody who decides on what waits does not decide on a sign-up of the list, and whether a recorded recusal closes its facts to them,
 * whatever they decide on and however it stands.
 */
const recusalsFor = async (
  { conflicts }: SignupContext,
  ctx: Ctx,
  db: TenantDb,
  session: Session,
  { examId, states }: ListFilter,
): Promise<(row: ReviewedLine) => { readonly why: string | null; readonly isClosed: boolean }> => {
  const lists = (state: SignupState): boolean => states === undefined || states.includes(state)
  const decides = (mayDecideAt(session, 1) || mayDecideAt(session, 2)) && (lists('waiting') || lists('second'))
  const [conflict, exam] = await Promise.all([
    conflicts.of(db, examId, session.userId),
    decides && lists('second') ? findExam(db, examId) : undefined,
  ])
  return row => {
    const why = conflict(row)
    const isClosed = why === 'declared'
    if (!decides || (row.examine !== 'waiting' && row.examine !== 'second')) return { why: null, isClosed }
    if (why) return { why: ctx.say(conflictWords[why]), isClosed }
    const isOwnFirst = row.examine === 'second' && row.reviewer1Id === session.userId && !exam?.allowSameReviewer
    return { why: isOwnFirst ? ctx.say(didFirst) : null, isClosed }
  }
}

/** A sign-up that a recusal closes is known to be there, whose it is and how it stands, and nothing of what was answered or found in it. */
const withoutFacts = (row: ReturnType<typeof presentRow>): ReturnType<typeof presentRow> => ({
  ...row,
  ...{ idCardMask: null, phoneMask: null, sex: null, education: null, major: null, examineRemark: null, autoCheck: null },
})

/** A page of the sign-ups that a reviewer may see. */
export const listForReview = async (deps: SignupContext, ctx: Ctx, db: TenantDb, input: InputOf<typeof examineList>) => {
  const session = sessionOf(ctx)
  const { current, size, offset } = sliceOf(input)
  const filter: ListFilter = {
    examId: input.examId,
    states: statesAsked(input),
    units: unitsOf(session),
    unit: input.unit || undefined,
    code: input.code || undefined,
    ...(input.keyword ? keywordFilter(deps, ctx, input.keyword) : {}),
    autoResult: input.autoCheck,
    mineOf: input.onlyMine === 1 ? session.userId : undefined,
    givenTo: await givenTo(db, session, input.examId),
    isProposed: input.proposed === 1 ? true : undefined,
    takenBy: input.mayTake === 1 ? { userId: session.userId, runsExams: session.roleAliases.has('exam_admin') } : undefined,
    isShortlisted: seesShortlistedOnly(session) || undefined,
  }
  const cap = input.count === 'capped' ? countCap(current, size) : undefined
  const page = { limit: size, offset, cap }
  const {
    rows,
    total,
    besides: recusalOf,
  } = await pageSignups(db, filter, input.order ?? 'wait', page, () => recusalsFor(deps, ctx, db, session, filter))
  const shown = rows.map(row => {
    const { why, isClosed } = recusalOf(row)
    const line = { ...presentRow(ctx.arrivedAt, row), examineRemark: row.examineRemark && adviceIn(row.examineRemark, ctx.language) }
    return { ...(isClosed ? withoutFacts(line) : line), recusal: why }
  })
  return toCappedPage(shown, total, cap, current, size)
}

/** How many sign-ups of an examination a change of its windows reaches. */
export const readReach = async (db: TenantDb, examId: string) => {
  if (!(await findExam(db, examId))) throw new Refused(refuse('kernel/not-found', {}))
  return countReach(db, examId)
}

/** The units of an examination with what waits for this person in each. */
export const listUnits = async (ctx: Ctx, db: TenantDb, examId: string) => {
  const session = sessionOf(ctx)
  const levels = ([1, 2] as const).filter(level => mayDecideAt(session, level))
  return countByUnit(db, {
    examId,
    units: unitsOf(session),
    waitingIn: statesWaitingFor(levels),
    givenTo: await givenTo(db, session, examId),
  })
}
