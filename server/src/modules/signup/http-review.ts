import { refuse } from '#contract/kernel/errors.ts'
import { stateOfWire } from '#contract/kernel/machine.ts'
import { countCap, sliceOf, toCappedPage } from '#contract/kernel/page.ts'
import { toWireDay, toWireTime } from '#contract/kernel/when.ts'
import { diffContent, diffFiles } from '#contract/signup/content-diff.ts'
import { examine, examineInfo, examineList, examUnits, releaseLock } from '#contract/signup/signup.routes.ts'
import { type SignupState, signupMachine } from '#contract/signup/signup.state.ts'
import { checkIdCard } from '#contract/system/id-card.ts'
import { checkMobile } from '#contract/system/mobile.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, type Handler, handle, sessionOf } from '#kernel/http/context.ts'
import { findExam, listSignFiles, listSignItems } from '#modules/exam/index.ts'
import { examineSignup, mayDecideAt } from './commands/examine-signup.ts'
import { mayBeNarrowed, mayRead, notTheirs, reviewScopeOf, seesAllottedOnly } from './commands/review-scope.ts'
import { undoable, undoExamine } from './commands/undo-examine.ts'
import { maySee, unitsOf } from './commands/visibility.ts'
import { openContent } from './content-vault.ts'
import { findLiveLock, giveBackLock, isRecused, takeLock } from './data/examine.repo.ts'
import { countByUnit, type ListFilter, pageSignups } from './data/list.repo.ts'
import { findHistory, findSignup } from './data/signup.repo.ts'
import type { SignupContext } from './deps.ts'
import { levelOf } from './domain/examine.ts'
import { formOf } from './form-call.ts'
import { presentFiles, presentRow, presentSignup, wireTime } from './present.ts'

/** What a keyword means: an id number, a phone, a sign-up number, else part of a name. Numbers are looked up by their sealed index. */
const keywordFilter = (deps: SignupContext, ctx: Ctx, keyword: string): Partial<ListFilter> => {
  const person = checkIdCard(keyword, toWireDay(ctx.arrivedAt))
  if (person.ok) return { idCardIndex: deps.services.cipher.blindIndex(ctx.tenantId, 'id-card', person.idCard) }
  const phone = checkMobile(keyword)
  if (phone.ok) return { phoneIndex: deps.services.cipher.blindIndex(ctx.tenantId, 'phone', phone.mobile) }
  return /^\d{14}$/.test(keyword) ? { signNo: keyword } : { nameLike: keyword }
}

const lockMinutesOf = async (deps: SignupContext, db: TenantDb): Promise<number> =>
  Number((await deps.system.parameters(db, ['examine.lockMinutes']))['examine.lockMinutes'] ?? 10)

export const reviewHandlers = (deps: SignupContext): Handler[] => [
  handle(examineList, async ({ ctx, db, input }) => {
    const session = sessionOf(ctx)
    const { current, size, offset } = sliceOf(input)
    const byLevel: readonly SignupState[] | undefined = input.level === 1 ? ['waiting'] : input.level === 2 ? ['second'] : undefined
    const state = input.examine === undefined ? undefined : stateOfWire(signupMachine, input.examine)
    const exam = mayBeNarrowed(session) ? await findExam(db, input.examId) : undefined
    const units = unitsOf(session)
    const states = state ? [state] : byLevel
    const filter: ListFilter = {
      examId: input.examId,
      ...(states ? { states } : {}),
      ...(units ? { units } : {}),
      ...(input.unit ? { unit: input.unit } : {}),
      ...(input.code ? { code: input.code } : {}),
      ...(input.keyword ? keywordFilter(deps, ctx, input.keyword) : {}),
      ...(input.autoCheck ? { autoResult: input.autoCheck } : {}),
      ...(input.onlyMine === 1 ? { mineOf: session.userId } : {}),
      ...(exam && seesAllottedOnly(session, exam) ? { givenTo: session.userId } : {}),
    }
    const cap = input.count === 'capped' ? countCap(current, size) : undefined
    const { rows, total } = await db.last(() => pageSignups(db, filter, input.order ?? 'wait', { limit: size, offset, cap }))
    const shown = rows.map(row => presentRow(ctx.arrivedAt, row))
    return toCappedPage(shown, total, cap, current, size)
  }),
  handle(examUnits, ({ ctx, db, input }) => countByUnit(db, input.examId, unitsOf(sessionOf(ctx)))),
  handle(examineInfo, async ({ ctx, db, input }) => {
    const session = sessionOf(ctx)
    const row = await findSignup(db, input.signUpId)
    const exam = row && (await findExam(db, row.examId))
    if (!row || !exam || !maySee(session, row) || !(await mayRead(db, session, exam, row.id))) return refuse('kernel/not-found', {})
    const level = levelOf(row.examine)
    const recused = await isRecused(db, {
      examId: row.examId,
      reviewerId: session.userId,
      signupId: row.id,
      idCardIndex: row.idCardIndex,
      unit: row.unit,
    })
    const isOwnFirst = level === 2 && row.reviewer1Id === session.userId
    const scope = level === undefined ? undefined : await reviewScopeOf(db, session, exam, level)
    const foreign = scope && (await notTheirs(db, session, scope, row))
    const mayTry = level !== undefined && mayDecideAt(session, level) && !recused && !isOwnFirst && !foreign
    const until = new Date(ctx.arrivedAt.getTime() + (await lockMinutesOf(deps, db)) * 60_000)
    const taken = mayTry
      ? await takeLock(db, {
          signupId: row.id,
          examId: row.examId,
          level,
          reviewerId: session.userId,
          reviewerName: session.realName,
          until,
          isOwnOnly: scope?.kind === 'allotted',
        })
      : undefined
    const holder = taken ?? (await findLiveLock(db, row.id))
    const reason = taken
      ? null
      : recused
        ? ctx.say({ zh: '您与该考生存在回避关系', en: 'You have a conflict of interest with this candidate' })
        : isOwnFirst
          ? ctx.say({ zh: '您已做过初审，不能再复核', en: 'You did the first review; somebody else does the second' })
          : foreign && level !== undefined && mayDecideAt(session, level)
            ? ctx.say(foreign)
            : holder && mayTry
              ? ctx.say({ zh: `${holder.reviewerName} 正在审核`, en: `${holder.reviewerName} is reviewing this` })
              : ctx.say({ zh: '当前状态不需要您审核', en: 'Nothing to decide here for you' })
    const [items, files, previous] = [
      await listSignItems(db, row.examId),
      await listSignFiles(db, row.examId),
      row.signVersion > 1 ? await findHistory(db, row.id, row.signVersion - 1) : undefined,
    ]
    const place = { tenantId: ctx.tenantId, table: 'signup', rowId: row.id } as const
    const hidden = new Set(['idCard', 'phone', 'emergencyPhone'])
    const changes = previous
      ? diffContent(openContent(deps.services.cipher, place, previous.content), openContent(deps.services.cipher, place, row.content))
      : []
    const changedFiles = previous ? diffFiles(previous.files, row.files) : []
    await audit(db, ctx, { action: 'signup.opened-for-review', entity: 'signup', entityId: row.id, after: { locked: taken !== undefined } })
    return {
      signup: await presentSignup(deps, db, ctx, row, 'staff'),
      level: level ?? row.examineLevel,
      mayDecide: taken !== undefined,
      readOnlyReason: reason,
      lockedBy: holder?.reviewerName ?? null,
      lockUntil: wireTime(holder?.lockUntil ?? null),
      undo: await undoable(deps, db, ctx, session, row),
      changedItems: changes.map(change => ({
        key: change.key,
        label: items.find(item => item.itemKey === change.key)?.itemLabel ?? change.key,
        before: hidden.has(change.key) ? '***' : change.before,
        after: hidden.has(change.key) ? '***' : change.after,
      })),
      changedFiles,
      previousFiles: previous
        ? await presentFiles(
            deps,
            db,
            ctx,
            previous.files.filter(file => changedFiles.includes(file.fileKey)),
            files,
          )
        : [],
      items: await formOf(
        deps,
        db,
        ctx,
        items.filter(item => item.reviewerVisible === 1),
      ),
      fileLabels: Object.fromEntries(
        files.map(file => [file.fileKey, ctx.say({ zh: file.fileLabel, en: file.fileLabelEn || file.fileLabel })]),
      ),
      serverTime: toWireTime(ctx.arrivedAt),
    }
  }),
  handle(examine, ({ ctx, db, input }) => (input.examineResult === 0 ? undoExamine : examineSignup)(deps, db, ctx, sessionOf(ctx), input)),
  handle(releaseLock, async ({ ctx, db, input }) => ({ released: await giveBackLock(db, input.signUpId, sessionOf(ctx).userId) })),
]
