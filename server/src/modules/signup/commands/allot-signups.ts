import { refuse } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import { ownReasons } from '#contract/kernel/own-reason.ts'
import type { InputOf, OutputOf } from '#contract/kernel/route.ts'
import type { allotCheck, getExamAllot, getExamUsers, saveCheck } from '#contract/signup/allot.routes.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import { audit } from '#kernel/audit.ts'
import { deriveKey, hmacSm3 } from '#kernel/crypto/sm3.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { type ExamRow, findExam } from '#modules/exam/index.ts'
import {
  allotFigures,
  countWaiting,
  type ExamUserRow,
  giveBackExcept,
  giveBackWaiting,
  knownPlaces,
  type Level,
  lastAllotment,
  listExamUsers,
  listToAllot,
  mayReview,
  removeExamUser,
  reviewerFigures,
  saveExamUser,
  type Units,
  writeAllotment,
} from '../data/allot.repo.ts'
import { listConflictReviewers, listRecusals } from '../data/recusal.repo.ts'
import type { SignupContext } from '../deps.ts'
import { type AllotItem, type AllotMode, allot, covers, type UnplacedReason } from '../domain/allot.ts'
import { conflictFinder } from '../domain/conflict.ts'
import { orderAllotment } from './order-allotment.ts'
import { overdueBeforeOf, reviewOfLevel } from './transfer-allot.ts'
import { unitsOf } from './visibility.ts'

const shownUnplaced = 200
/** Posts and people of a reviewer that a trial shows. */
const shownShare = 20

const reasons: Readonly<Record<UnplacedReason, Label>> = {
  noReviewer: { zh: '没有启用的审核人员', en: 'no reviewer is enabled' },
  outsideScope: { zh: '没有审核人员负责该单位或岗位', en: 'no reviewer covers its unit or post' },
  barred: { zh: '负责的审核人员均需回避或已做过初审', en: 'every reviewer for it has a conflict or did the first review' },
  quota: { zh: '审核人员的待审数量已满', en: 'the reviewers for it have reached their quota' },
}
const { allotTaken, allotByUnit, allotByPost, allotByChance, allotBySurname } = ownReasons
const modeNames = [allotTaken.zh, allotByUnit.zh, allotByPost.zh, allotByChance.zh, allotBySurname.zh] as const

const examOf = async (db: TenantDb, examId: string): Promise<ExamRow> => {
  const exam = await findExam(db, examId)
  if (!exam) throw new Refused(refuse('kernel/not-found', {}))
  return exam
}

/** What the key of a draw is made with. */
export type DrawKit = Pick<SignupContext, 'services'>

/**
 * The key of the next draw of a level: nobody can foresee it or choose it, and until the next hand-out it is the same, so that handing out does
 * what the trial before it showed.
 */
const drawKey = async (kit: DrawKit, db: TenantDb, examId: string, level: Level): Promise<Buffer> => {
  const last = await lastAllotment(db, examId)
  return deriveKey(kit.services.secrets.ticketDrawKey, 'kaopu allotment v1', `${db.actor.tenantId}|${examId}|${level}|${last}`, 32)
}

/** Each sign-up by itself. */
const evenly: AllotMode = 3

const nobody: ReadonlySet<string> = new Set()

interface Order {
  readonly exam: ExamRow
  readonly level: Level
  readonly mode: AllotMode
  readonly scope: 'unallotted' | 'rebalance'
  readonly users: readonly ExamUserRow[]
  readonly isDryRun: boolean
  /** Units that narrow whoever hands out. */
  readonly units?: Units
  /** These sign-ups alone. */
  readonly only?: readonly string[]
}

/** Hands out, or says what handing out would do. The key of the draw goes into the audit line, so that it can be computed again. */
const handOut = async (kit: DrawKit, db: TenantDb, ctx: Ctx | undefined, order: Order) => {
  const { exam, level, mode, scope, users, units } = order
  await lock(db, `allot|${exam.id}|${level}`)
  const enabled = users.filter(user => user.state === 1 && user.mayAct)
  const items = await listToAllot(db, exam.id, level, mode === 0 ? 'rebalance' : scope, units, order.only)
  const waiting = await countWaiting(
    db,
    exam.id,
    level,
    items.map(item => item.signupId),
  )
  const conflictsOf = conflictFinder(
    await listConflictReviewers(
      db,
      enabled.map(user => user.userId),
    ),
    await listRecusals(db, exam.id),
  )
  const recused = new Map<string, number>()
  const barredOf = (item: (typeof items)[number]): ReadonlySet<string> => {
    const conflicts = conflictsOf(item)
    const decided = level === 2 && item.reviewer1Id !== null && !exam.allowSameReviewer ? [item.reviewer1Id] : []
    if (conflicts.size === 0 && decided.length === 0) return nobody
    const barred = new Set([...conflicts.keys(), ...decided])
    for (const user of enabled)
      if (barred.has(user.userId) && covers(user, item)) recused.set(user.userId, (recused.get(user.userId) ?? 0) + 1)
    return barred
  }
  const key = await drawKey(kit, db, exam.id, level)
  const { placed, unplaced } = allot(
    mode,
    enabled.map(user => ({ ...user, waiting: waiting.get(user.userId) ?? 0 })),
    items.map((item): AllotItem => ({ ...item, barred: barredOf(item) })),
    text => hmacSm3(key, text).toString('hex'),
  )
  const nameOf = new Map(users.map(user => [user.userId, user.name]))
  let released = 0
  if (!order.isDryRun) {
    if (mode === 0) released = await giveBackWaiting(db, exam.id, level, undefined, units)
    await writeAllotment(
      db,
      exam.id,
      level,
      [...placed].map(([signupId, reviewerId]) => ({ signupId, reviewerId, reviewerName: nameOf.get(reviewerId) ?? '' })),
      modeNames[mode],
    )
    if (placed.size > 0 || released > 0 || ctx)
      await audit(db, ctx, {
        action: 'signup.allotted',
        entity: 'examination',
        entityId: exam.id,
        after: {
          level,
          mode,
          scope,
          placed: placed.size,
          released,
          unplaced: unplaced.length,
          reviewers: enabled.map(user => user.userId),
          key: key.toString('base64url'),
        },
      })
  }
  const added = new Map<string, number>()
  for (const userId of placed.values()) added.set(userId, (added.get(userId) ?? 0) + 1)
  return { placed, unplaced, released, items, waiting, added, recused }
}

/** What one reviewer would get: by post, and the first people. */
const shareOf = (
  items: readonly {
    readonly signupId: string
    readonly signNo: string | null
    readonly unit: string
    readonly code: string
    readonly name: string
  }[],
) => {
  const posts = [...Map.groupBy(items, item => item.code)]
    .map(([code, of]) => ({ unit: of[0]?.unit ?? '', code, count: of.length }))
    .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1))
  return {
    posts: posts.slice(0, shownShare),
    postCount: posts.length,
    people: items.slice(0, shownShare).map(({ signupId, signNo, name }) => ({ signUpId: signupId, signNo, name })),
  }
}

/** Distributes waiting sign-ups among the reviewers of an examination (domain 5.5). Never moves one that is open. */
export const allotSignups = async (
  kit: DrawKit,
  db: TenantDb,
  ctx: Ctx,
  input: InputOf<typeof allotCheck>,
): Promise<OutputOf<typeof allotCheck>> => {
  const exam = await examOf(db, input.examId)
  if (exam.state !== 'released') throw new Refused(refuseSignup('signup/exam-not-open', {}))
  const level = (input.level ?? 1) as Level
  const wanted = input.userIds === undefined ? undefined : new Set(input.userIds.split(','))
  const listed = await listExamUsers(db, exam.id, level)
  const users = listed.filter(user => wanted === undefined || wanted.has(user.userId))
  if (wanted !== undefined && users.length !== wanted.size) throw new Refused(refuse('kernel/not-found', {}))
  const mode = (input.mode ?? exam.allotMode) as AllotMode
  const isDryRun = input.dryRun === 1
  // Where everybody takes for themselves, what is handed out would bind nobody.
  if (mode !== 0 && exam.allotMode === 0 && !isDryRun) throw new Refused(refuseSignup('allot/takes-itself', {}))
  const { placed, unplaced, released, items, waiting, added, recused } = await handOut(kit, db, ctx, {
    exam,
    level,
    mode,
    scope: input.scope ?? 'unallotted',
    users,
    isDryRun,
    units: unitsOf(sessionOf(ctx)),
  })
  const shares = Map.groupBy(isDryRun ? items : [], item => placed.get(item.signupId))
  const numberOf = new Map(items.map(item => [item.signupId, item.signNo]))
  return {
    mode,
    dryRun: isDryRun,
    placed: placed.size,
    released,
    reviewers: users.map(user => ({
      userId: user.userId,
      name: user.name,
      added: added.get(user.userId) ?? 0,
      waiting: (mode === 0 ? 0 : (waiting.get(user.userId) ?? 0)) + (added.get(user.userId) ?? 0),
      recused: recused.get(user.userId) ?? 0,
      ...shareOf((isDryRun && shares.get(user.userId)) || []),
    })),
    unplacedCount: unplaced.length,
    unplaced: unplaced
      .slice(0, shownUnplaced)
      .map(({ signupId, reason }) => ({ signUpId: signupId, signNo: numberOf.get(signupId) ?? null, reason: ctx.say(reasons[reason]) })),
  }
}

/** Hands out again what somebody had to let go, by the mode of the examination; from the pool everybody takes for themselves. @returns what was given to nobody */
export const handOutAgain = async (
  kit: DrawKit,
  db: TenantDb,
  ctx: Ctx | undefined,
  exam: ExamRow,
  level: Level,
  only: readonly string[],
  /** As far as they may have it to this reviewer, whatever the mode. */
  to?: string,
): Promise<readonly string[]> => {
  if (to === undefined && exam.allotMode === 0) return only
  const users = (await listExamUsers(db, exam.id, level)).filter(user => to === undefined || user.userId === to)
  const mode = to === undefined ? (exam.allotMode as AllotMode) : evenly
  const { placed } = await handOut(kit, db, ctx, { exam, level, mode, scope: 'unallotted', users, isDryRun: false, only })
  return only.filter(id => !placed.has(id))
}

/** Hands out what is given to nobody, by the mode of the examination. */
export const allotNewcomers = async (kit: DrawKit, db: TenantDb, examId: string, level: Level): Promise<void> => {
  const exam = await findExam(db, examId)
  if (exam?.state !== 'released' || exam.allotMode === 0) return
  const users = await listExamUsers(db, examId, level)
  await handOut(kit, db, undefined, { exam, level, mode: exam.allotMode as AllotMode, scope: 'unallotted', users, isDryRun: false })
}

export const readAllotment = async (
  db: TenantDb,
  ctx: Ctx,
  input: InputOf<typeof getExamAllot>,
): Promise<OutputOf<typeof getExamAllot>> => {
  const exam = await examOf(db, input.examId)
  const level = (input.level ?? 1) as Level
  const before = await overdueBeforeOf(db, ctx)
  const units = unitsOf(sessionOf(ctx))
  const figures = await allotFigures(db, exam.id, level, before, units)
  const listed = await listExamUsers(db, exam.id, level)
  const byUser = new Map((await reviewerFigures(db, exam.id, level, before, units)).map(row => [row.userId, row]))
  const others = [...byUser.values()].filter(row => !listed.some(user => user.userId === row.userId))
  return {
    level,
    mode: exam.allotMode,
    ...figures,
    reviewers: [
      ...listed.map(({ userId, name, units, codes, quota, state }) => ({
        userId,
        name,
        units: [...units],
        codes: [...codes],
        quota,
        state,
      })),
      ...others.map(({ userId, name }) => ({ userId, name, units: [], codes: [], quota: 0, state: 0 })),
    ].map(row => {
      const own = byUser.get(row.userId)
      return { ...row, waiting: own?.waiting ?? 0, overdue: own?.overdue ?? 0, done: own?.done ?? 0, avgMinutes: own?.avgMinutes ?? null }
    }),
  }
}

export const readExamUsers = async (db: TenantDb, input: InputOf<typeof getExamUsers>): Promise<OutputOf<typeof getExamUsers>> => {
  const exam = await examOf(db, input.examId)
  const users = await listExamUsers(db, exam.id, input.level)
  const levels: readonly Level[] = input.level === undefined ? [1, 2] : [input.level as Level]
  const listed = new Set(users.map(user => `${user.userId}|${user.level}`))
  return {
    users: users.map(({ mayAct: _mayAct, ...user }) => ({ ...user, units: [...user.units], codes: [...user.codes] })),
    candidates: (await mayReview(db, levels)).filter(one => !listed.has(`${one.userId}|${one.level}`)),
  }
}

/** Units and posts that the examination does not have would keep from a reviewer what they were meant to get. */
const refuseUnknown = async (
  db: TenantDb,
  examId: string,
  { units = [], codes = [] }: { readonly units?: readonly string[]; readonly codes?: readonly string[] },
): Promise<void> => {
  const known = await knownPlaces(db, examId, units, codes)
  const unit = units.find(one => !known.units.includes(one))
  if (unit !== undefined) throw new Refused(refuseSignup('recusal/unknown-unit', { unit }))
  const code = codes.find(one => !known.codes.includes(one))
  if (code !== undefined) throw new Refused(refuseSignup('allot/unknown-post', { code }))
}

/** Saves reviewers with their units, posts and quota; whoever is taken off or disabled gives back what is not open. */
export const saveExamUsers = async (db: TenantDb, ctx: Ctx, input: InputOf<typeof saveCheck>): Promise<OutputOf<typeof saveCheck>> => {
  // Whoever is taken off gives back what they have, of every unit.
  if (unitsOf(sessionOf(ctx)) !== undefined) throw new Refused(refuse('kernel/whole-needed', {}))
  const exam = await examOf(db, input.examId)
  for (const level of [1, 2] as const) await lock(db, `allot|${exam.id}|${level}`)
  const before = await listExamUsers(db, exam.id)
  const counts = { saved: 0, removed: 0, returned: 0 }
  for (const entry of input.list) {
    const level = entry.level as Level
    const isListed = before.some(user => user.userId === entry.userId && user.level === level)
    if (entry.remove === 1) {
      if (!(await removeExamUser(db, exam.id, entry.userId, level))) throw new Refused(refuse('kernel/not-found', {}))
      counts.removed += 1
    } else {
      // Whoever stays listed and off needs no right for it.
      const [able] = isListed && entry.state === 0 ? [true] : await mayReview(db, [level], [entry.userId])
      // Whoever has no right to decide at the level would only keep sign-ups from being reviewed.
      if (!able) throw new Refused(refuseSignup('examine/no-reviewer', { right: reviewOfLevel[level] }))
      await refuseUnknown(db, exam.id, entry)
      await saveExamUser(db, exam.id, entry)
      counts.saved += 1
    }
    if (entry.remove === 1 || entry.state === 0) counts.returned += await giveBackWaiting(db, exam.id, level, entry.userId)
    // With other units or posts they may not decide on what they were given before.
    else if (entry.units || entry.codes) counts.returned += await giveBackExcept(db, exam.id, level, entry.userId)
  }
  const after = await listExamUsers(db, exam.id)
  const shown = (rows: readonly ExamUserRow[]) =>
    rows.map(({ userId, level, units, codes, quota, state }) => ({ userId, level, units, codes, quota, state }))
  await audit(db, ctx, {
    action: 'exam-user.saved',
    entity: 'examination',
    entityId: exam.id,
    before: shown(before),
    after: { reviewers: shown(after), ...counts },
  })
  for (const level of [1, 2] as const) await orderAllotment(db, exam, level)
  return counts
}
