import { refuse } from '#contract/kernel/errors.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import { isRefusal } from '#contract/kernel/refusal.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { payStateWire } from '#contract/pay/order.state.ts'
import { adviceIn } from '#contract/signup/canned-advice.ts'
import { revealSignup } from '#contract/signup/examine.routes.ts'
import { regionItemOf } from '#contract/signup/region.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import {
  examInfoOrSignUp,
  examList,
  myExamList,
  removeSignup,
  signUpFiles,
  signUpItems,
  signupDetail,
  submitSignup as submitRoute,
} from '#contract/signup/signup.routes.ts'
import { signupMachine } from '#contract/signup/signup.state.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, type Handler, handle, Refused, sessionOf } from '#kernel/http/context.ts'
import { inputDigest, once } from '#kernel/http/idempotency.ts'
import { type ExamRow, findExam, findExams, listPapersOf, listSignFiles, listSignItems } from '#modules/exam/index.ts'
import { mayAppeal } from './appeal.ts'
import { prefillOf } from './commands/prefill.ts'
import { reveal } from './commands/reveal.ts'
import { mayBeNarrowed, mayRead } from './commands/review-scope.ts'
import { openForm, type Submitted, saveSignup, submitSignup } from './commands/submit-signup.ts'
import { maySee } from './commands/visibility.ts'
import { withdrawSignups } from './commands/withdraw-signup.ts'
import { openContent } from './content-vault.ts'
import { figuresOf, type OwnState, ownStates, pageOwn, pageReleased } from './data/exam-card.repo.ts'
import { lockedAmong } from './data/examine.repo.ts'
import { findLaterDraft, findOwnSignup, findSignup } from './data/signup.repo.ts'
import type { SignupContext } from './deps.ts'
import { decideWithdraw } from './domain/withdraw.ts'
import { actionOf, phaseOf, presentCard, presentExam } from './exam-card.ts'
import { formOf } from './form-call.ts'
import { presentCheck, presentFiles, presentSignup, wireTime } from './present.ts'
import { presentRequiredFile } from './present-form.ts'
import { waitHints } from './wait-hint.ts'

/** A released examination, or any for staff; drafts do not exist for candidates. */
const examOf = async (db: TenantDb, ctx: Ctx, examId: string): Promise<ExamRow> => {
  const exam = await findExam(db, examId)
  if (!exam || (exam.state === 'draft' && ctx.session?.userType !== 1)) throw new Refused(refuse('kernel/not-found', {}))
  return exam
}

/** Whether the form may be sent now, and why not. */
const submitGate = (ctx: Ctx, exam: ExamRow, own: OwnState | undefined): { canSubmit: boolean; reason: string | null } => {
  const next = actionOf(ctx, exam, own)
  const isOpen =
    ['fill', 'submit', 'fix', 'repost'].includes(next.code) ||
    (own?.state === 'waiting' && exam.signEnd !== null && ctx.arrivedAt < exam.signEnd)
  return isOpen ? { canSubmit: true, reason: null } : { canSubmit: false, reason: next.text }
}

/** Whether the button is offered. A draft is none of it: nothing was handed in that could be taken back. */
const mayWithdraw = (now: Date, exam: ExamRow, row: OwnState, isOpenAtReviewer: boolean): boolean =>
  row.state !== 'draft' && !isRefusal(decideWithdraw({ now, exam, state: row.state, payState: row.payState, isOpenAtReviewer }))

const submitAnswer = (ctx: Ctx, done: Submitted & { readonly savedAt: string }) => ({
  id: done.id,
  examine: signupMachine.wire[done.state],
  signNo: done.signNo,
  signVersion: done.signVersion,
  autoCheck: done.checks.map(check => presentCheck(ctx.say, check)),
  savedAt: done.savedAt,
})

export const signupHandlers = (deps: SignupContext): Handler[] => [
  handle(examList, async ({ ctx, db, input }) => {
    const { current, size, offset } = sliceOf(input)
    const { ids, total } = await pageReleased(db, input, size, offset)
    const figures = await figuresOf(db, ids)
    const own = ctx.session?.userType === 2 ? await ownStates(db, ctx.session.userId, ids) : []
    const hints = await waitHints(deps, ctx, own)
    const exams = await findExams(db, ids)
    const papers = await listPapersOf(db, ids)
    const records = ids.flatMap(examId => {
      const exam = exams.find(one => one.id === examId)
      if (!exam) return []
      const mine = own.find(one => one.examId === examId)
      return [
        presentCard(
          ctx,
          exam,
          papers.filter(paper => paper.examId === examId),
          figures.find(one => one.examId === examId),
          mine,
          mine && hints.get(mine.signupId),
        ),
      ]
    })
    return toPage(records, total, current, size)
  }),
  handle(myExamList, async ({ ctx, db, input }) => {
    const { current, size, offset } = sliceOf(input)
    const { rows, total } = await pageOwn(db, sessionOf(ctx).userId, size, offset)
    const examIds = [...new Set(rows.map(row => row.examId))]
    const exams = await findExams(db, examIds)
    const papers = await listPapersOf(db, examIds)
    const waiting = rows.filter(row => row.state === 'waiting').map(row => row.signupId)
    const locked =
      waiting.length === 0
        ? new Set<string>()
        : new Set(await ctx.asSystem('a lock decides whether the owner may withdraw', system => lockedAmong(system, waiting)))
    const hints = await waitHints(deps, ctx, rows)
    const appeals = new Set<string>()
    for (const row of rows) {
      const exam = exams.find(one => one.id === row.examId)
      if (exam && (await mayAppeal(db, ctx.arrivedAt, exam, row))) appeals.add(row.signupId)
    }
    const records = rows.flatMap(row => {
      const exam = exams.find(one => one.id === row.examId)
      if (!exam) return []
      return [
        {
          signupId: row.signupId,
          examId: row.examId,
          examName: exam.examName,
          examCode: exam.examCode,
          phase: phaseOf(
            exam,
            papers.filter(paper => paper.examId === exam.id),
            ctx.arrivedAt,
          ),
          signNo: row.signNo,
          unitName: row.unitName,
          codeName: row.codeName,
          code: row.code,
          examine: signupMachine.wire[row.state],
          examineRemark: row.examineRemark === null ? null : adviceIn(row.examineRemark, ctx.language),
          payState: payStateWire[row.payState],
          signVersion: row.signVersion,
          submitTime: wireTime(row.submitTime),
          ticketReleased: row.ticketReleased,
          scoreReleased: row.scoreReleased,
          canWithdraw: mayWithdraw(ctx.arrivedAt, exam, row, locked.has(row.signupId)),
          canAppeal: appeals.has(row.signupId),
          nextAction: actionOf(ctx, exam, row, hints.get(row.signupId)),
        },
      ]
    })
    return toPage(records, total, current, size)
  }),
  handle(examInfoOrSignUp, async ({ ctx, db, input }) => {
    const exam = await examOf(db, ctx, input.examId)
    const userId = sessionOf(ctx).userId
    const [items, files] = [await listSignItems(db, exam.id), await listSignFiles(db, exam.id)]
    const row = await findOwnSignup(db, exam.id, userId)
    const later = row ? await findLaterDraft(db, exam.id, userId) : undefined
    const own = (await ownStates(db, userId, [exam.id]))[0]
    const hints = await waitHints(deps, ctx, own ? [own] : [])
    const [figures] = await figuresOf(db, [exam.id])
    const canAppeal = await mayAppeal(db, ctx.arrivedAt, exam, row && { signupId: row.id, state: row.examine })
    return {
      exam: await presentExam(db, ctx, exam, figures, own, own && hints.get(own.signupId)),
      items: await formOf(deps, db, ctx, items),
      asksRegion: exam.regionLabel !== '' && regionItemOf(items, exam.regionLabel) === undefined,
      files: files.filter(file => file.stage === 1).map(file => presentRequiredFile(ctx, file)),
      signup: row ? await presentSignup(deps, db, ctx, row, 'owner') : null,
      draft:
        row && later
          ? {
              ...later.data,
              content: openContent(
                deps.services.cipher,
                { tenantId: ctx.tenantId, table: 'signup_draft', rowId: row.id },
                later.data['content'] as Record<string, unknown>,
              ),
              savedAt: toWireTime(later.updatedAt),
            }
          : null,
      prefill: await prefillOf(deps, db, ctx, exam, items),
      ...(canAppeal ? { canSubmit: true, reason: null } : submitGate(ctx, exam, own)),
      canAppeal,
      serverTime: toWireTime(ctx.arrivedAt),
    }
  }),
  handle(signUpItems, async ({ ctx, db, input }) => {
    const exam = await examOf(db, ctx, input.examId)
    const items = await listSignItems(db, exam.id)
    return { groups: await formOf(deps, db, ctx, items), prefill: await prefillOf(deps, db, ctx, exam, items) }
  }),
  handle(signUpFiles, async ({ ctx, db, input }) => {
    const exam = await examOf(db, ctx, input.examId)
    const files = await listSignFiles(db, exam.id)
    const row = ctx.session?.userType === 2 ? await findOwnSignup(db, exam.id, ctx.session.userId) : undefined
    const uploads = row ? await presentFiles(deps, db, ctx, row.files, files) : []
    return files.map(file => ({
      ...presentRequiredFile(ctx, file),
      uploads: uploads.filter(upload => upload.fileKey === file.fileKey),
    }))
  }),
  handle(signupDetail, async ({ ctx, db, input }) => {
    const session = sessionOf(ctx)
    const row = await findSignup(db, input.id)
    const isOwner = session.userType === 2
    if (!row || (isOwner ? row.userId !== session.userId : !maySee(session, row))) return refuse('kernel/not-found', {})
    const isNarrowed = !isOwner && mayBeNarrowed(session)
    if (isNarrowed && !(await mayRead(db, session, await findExam(db, row.examId), row.id))) return refuse('kernel/not-found', {})
    const [shown] = await db.last(() =>
      Promise.all([
        presentSignup(deps, db, ctx, row, isOwner ? 'owner' : 'staff'),
        !isOwner && audit(db, ctx, { action: 'signup.read', entity: 'signup', entityId: row.id }),
      ]),
    )
    return shown
  }),
  handle(submitRoute, async ({ ctx, input }) => {
    // The time is part of what the key stores: a repetition tells when it was saved, not when it was asked again.
    const write = input.submitType === 0 ? saveSignup : submitSignup
    const key = ctx.header('idempotency-key')
    const digest = inputDigest(submitRoute.path, input, ctx.files)
    const because = 'a submit moves counters of the examination and the post, which a candidate may not touch'
    const done = await ctx
      .asSystem(because, db => {
        // Every look-up of a submit is by a key.
        db.planOnce('by index')
        const work = async () => ({ ...(await write(deps, db, ctx, input, await opened)), savedAt: toWireTime(ctx.arrivedAt) })
        // The key is taken first, in the same flight: a repetition waits at it, and then gets the stored answer.
        const answered = key ? once(db, key, submitRoute.path, digest, work) : undefined
        const opened = openForm(deps, db, ctx, input)
        opened.catch(() => {})
        return answered ?? work()
      })
      .catch((error: unknown) => {
        // The same id number under another account, submitted in the same instant (scenario 2).
        if ((error as { constraint?: string }).constraint === 'signup_id_card_uq')
          throw new Refused(refuseSignup('signup/person-taken', {}))
        throw error
      })
    return submitAnswer(ctx, done)
  }),
  handle(removeSignup, async ({ ctx, input }) => ({
    withdrawn: await ctx.asSystem('a withdrawal gives back places and voids dues, which a candidate may not touch', db =>
      withdrawSignups(deps, db, ctx, input.ids.split(',')),
    ),
  })),
  handle(revealSignup, ({ ctx, input }) => reveal(deps, ctx, sessionOf(ctx), input)),
]
