import { refuse } from '#contract/kernel/errors.ts'
import { stateOfWire } from '#contract/kernel/machine.ts'
import { countCap, sliceOf, toCappedPage } from '#contract/kernel/page.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireDay, toWireTime } from '#contract/kernel/when.ts'
import { checkMobile } from '#contract/person/mobile.ts'
import { documentKeysOf } from '#contract/person/passport.ts'
import { pictureIdsOf } from '#contract/signup/content.ts'
import { examine, examineInfo, examineList, examUnits, releaseLock, windowReach } from '#contract/signup/examine.routes.ts'
import { asksRegion, regionLabelOf } from '#contract/signup/region.ts'
import { type SignupState, signupMachine } from '#contract/signup/signup.state.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, type Handler, handle, Refused, type Session, sessionOf } from '#kernel/http/context.ts'
import { findExam, listSignFiles, listSignItems, type SignItemRow } from '#modules/exam/index.ts'
import { examineSignup, mayDecideAt } from './commands/examine-signup.ts'
import { mayBeNarrowed, mayRead, seesAllottedOnly } from './commands/review-scope.ts'
import { takeReview } from './commands/take-review.ts'
import { undoable, undoExamine } from './commands/undo-examine.ts'
import { maySee, unitsOf } from './commands/visibility.ts'
import { openContent } from './content-vault.ts'
import { countReach, giveBackLock } from './data/examine.repo.ts'
import { countByUnit, type ListFilter, pageSignups } from './data/list.repo.ts'
import { findSignup, type SignupRow } from './data/signup.repo.ts'
import type { SignupContext } from './deps.ts'
import { formOf } from './form-call.ts'
import { presentChanges, presentRow, presentSignup, wireTime } from './present.ts'
import { labelOf } from './present-form.ts'

/** What a keyword means: an id number, a phone, a sign-up number, else part of a name. Numbers are looked up by their sealed index. */
const keywordFilter = (deps: SignupContext, ctx: Ctx, keyword: string): Partial<ListFilter> => {
  const phone = checkMobile(keyword)
  if (phone.ok) return { phoneIndex: deps.services.cipher.blindIndex(ctx.tenantId, 'phone', phone.mobile) }
  if (/^\d{14}$/.test(keyword)) return { signNo: keyword }
  // Every word of letters could be a passport's number; those have digits, and names have none.
  const keys = /\d/.test(keyword) ? documentKeysOf(keyword, toWireDay(ctx.arrivedAt)) : []
  return keys.length === 0
    ? { nameLike: keyword }
    : { idCardIndexes: keys.map(key => deps.services.cipher.blindIndex(ctx.tenantId, 'id-card', key)) }
}

/** The state that was asked for, else the one that waits at the level that was asked for, else all. */
const statesOf = ({ examine: wire, level }: InputOf<typeof examineList>): readonly SignupState[] | undefined => {
  const asked = wire === undefined ? undefined : stateOfWire(signupMachine, wire)
  if (asked) return [asked]
  if (level === undefined) return undefined
  return [level === 1 ? 'waiting' : 'second']
}

/** The states that wait for this person's decision; all that wait, for those who only look on. */
const waitingFor = (session: Session): readonly SignupState[] => {
  const levels = [1, 2] as const
  const states = levels.filter(level => mayDecideAt(session, level)).map(level => (level === 1 ? 'waiting' : 'second'))
  return states.length === 0 ? ['waiting', 'second'] : states
}

/** The reviewer to whom a list keeps; undefined where it shows what anybody has. */
const givenTo = async (db: TenantDb, session: Session, examId: string): Promise<string | undefined> => {
  const exam = mayBeNarrowed(session) ? await findExam(db, examId) : undefined
  return exam && seesAllottedOnly(session, exam) ? session.userId : undefined
}

/** Links to the pictures among the answers that reviewers see; a file of anybody else is none. */
const answerLinksOf = async (
  deps: SignupContext,
  db: TenantDb,
  ctx: Ctx,
  row: SignupRow,
  items: readonly SignItemRow[],
): Promise<Record<string, string>> => {
  const shown = items.filter(item => item.reviewerVisible === 1)
  const content = openContent(deps.services.cipher, { tenantId: db.actor.tenantId, table: 'signup', rowId: row.id }, row.content)
  const ids = pictureIdsOf(shown, content)
  if (ids.length === 0) return {}
  const own = new Set((await deps.file.findMany(db, ids)).flatMap(file => (file.userId === row.userId ? [file.id] : [])))
  const reader = { tenantId: ctx.tenantId, userId: sessionOf(ctx).userId }
  return Object.fromEntries(
    shown.flatMap(item =>
      pictureIdsOf([item], content).flatMap(id => (own.has(id) ? [[item.itemKey, deps.file.linkFor(reader, id, ctx.arrivedAt)]] : [])),
    ),
  )
}

export const reviewHandlers = (deps: SignupContext): Handler[] => [
  handle(examineList, async ({ ctx, db, input }) => {
    const session = sessionOf(ctx)
    const { current, size, offset } = sliceOf(input)
    const filter: ListFilter = {
      examId: input.examId,
      states: statesOf(input),
      units: unitsOf(session),
      unit: input.unit || undefined,
      code: input.code || undefined,
      ...(input.keyword ? keywordFilter(deps, ctx, input.keyword) : {}),
      autoResult: input.autoCheck,
      mineOf: input.onlyMine === 1 ? session.userId : undefined,
      givenTo: await givenTo(db, session, input.examId),
    }
    const cap = input.count === 'capped' ? countCap(current, size) : undefined
    const { rows, total } = await pageSignups(db, filter, input.order ?? 'wait', { limit: size, offset, cap })
    const shown = rows.map(row => presentRow(ctx.arrivedAt, row))
    return toCappedPage(shown, total, cap, current, size)
  }),
  handle(windowReach, async ({ db, input }) => {
    if (!(await findExam(db, input.examId))) throw new Refused(refuse('kernel/not-found', {}))
    return countReach(db, input.examId)
  }),
  handle(examUnits, async ({ ctx, db, input: { examId } }) => {
    const session = sessionOf(ctx)
    return countByUnit(db, {
      examId,
      units: unitsOf(session),
      waitingIn: waitingFor(session),
      givenTo: await givenTo(db, session, examId),
    })
  }),
  handle(examineInfo, async ({ ctx, db, input }) => {
    const session = sessionOf(ctx)
    const row = await findSignup(db, input.signUpId)
    const exam = row && (await findExam(db, row.examId))
    if (!row || !exam || !maySee(session, row) || !(await mayRead(db, session, exam, row.id))) return refuse('kernel/not-found', {})
    const { level, lock, readOnly } = await takeReview(deps, db, ctx, session, { exam, signup: row })
    const [items, files] = [await listSignItems(db, exam.id), await listSignFiles(db, exam.id)]
    // A page that stays open asks again every two minutes: that is one look. Nothing new can be sent while the lock is held.
    const isSameLook = readOnly === undefined && lock !== undefined && lock.openedAt < db.now
    if (!isSameLook)
      await audit(db, ctx, {
        action: 'signup.opened-for-review',
        entity: 'signup',
        entityId: row.id,
        after: { locked: readOnly === undefined },
      })
    return {
      signup: await presentSignup(deps, db, ctx, row, 'staff'),
      regionLabel: asksRegion(exam.regionLabel, items) ? ctx.say(regionLabelOf(exam.regionLabel)) : null,
      answerLinks: await answerLinksOf(deps, db, ctx, row, items),
      level: level ?? row.examineLevel,
      mayDecide: readOnly === undefined,
      readOnlyReason: readOnly ? ctx.say(readOnly) : null,
      lockedBy: lock?.reviewerName ?? null,
      lockUntil: wireTime(lock?.lockUntil ?? null),
      undo: await undoable(deps, db, ctx, session, row),
      ...(await presentChanges(deps, db, ctx, row, { items, files })),
      items: await formOf(
        db,
        ctx,
        items.filter(item => item.reviewerVisible === 1),
      ),
      fileLabels: Object.fromEntries(files.map(file => [file.fileKey, labelOf(file.fileLabel, file.fileLabelEn, ctx.say)])),
      serverTime: toWireTime(ctx.arrivedAt),
    }
  }),
  handle(examine, ({ ctx, db, input }) => (input.examineResult === 0 ? undoExamine : examineSignup)(deps, db, ctx, sessionOf(ctx), input)),
  handle(releaseLock, async ({ ctx, db, input }) => ({ released: await giveBackLock(db, input.signUpId, sessionOf(ctx).userId) })),
]
