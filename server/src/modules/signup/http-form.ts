import { refuse } from '#contract/kernel/errors.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { asksRegion } from '#contract/signup/region.ts'
import { examInfoOrSignUp, signUpFiles, signUpItems } from '#contract/signup/signup.routes.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, type Handler, handle, Refused, sessionOf } from '#kernel/http/context.ts'
import { type ExamRow, findExam, listSignFiles, listSignItems } from '#modules/exam/index.ts'
import { mayAppeal } from './appeal.ts'
import { ownAnswers, prefillOf } from './commands/prefill.ts'
import { openContent } from './content-vault.ts'
import { figuresOf, type OwnState, ownStates } from './data/exam-card.repo.ts'
import { findLaterDraft, findOwnSignup } from './data/signup.repo.ts'
import type { SignupContext } from './deps.ts'
import { actionOf, presentExam } from './exam-card.ts'
import { formOf } from './form-call.ts'
import { presentFiles, presentSignup, wireTime } from './present.ts'
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

/** What an autosave keeps beside a version that was submitted. */
const presentDraft = (
  { services: { cipher } }: SignupContext,
  ctx: Ctx,
  signupId: string,
  { data, updatedAt }: NonNullable<Awaited<ReturnType<typeof findLaterDraft>>>,
) => ({
  ...data,
  content: openContent(
    cipher,
    { tenantId: ctx.tenantId, table: 'signup_draft', rowId: signupId },
    data['content'] as Record<string, unknown>,
  ),
  savedAt: toWireTime(updatedAt),
})

/** Everything the form opens with: the examination, its fields and files, and what this person has saved or submitted so far. */
const openedForm = async (deps: SignupContext, ctx: Ctx, db: TenantDb, examId: string) => {
  const { userId } = sessionOf(ctx)
  const [exam, items, files, row, later, [own], [figures]] = await Promise.all([
    examOf(db, ctx, examId),
    listSignItems(db, examId),
    listSignFiles(db, examId),
    findOwnSignup(db, examId, userId),
    findLaterDraft(db, examId, userId),
    ownStates(db, userId, [examId]),
    figuresOf(db, [examId]),
  ])
  const hints = await waitHints(deps, ctx, own ? [own] : [])
  const [shown, fields, signup, prefill, verified, canAppeal] = await Promise.all([
    presentExam(db, ctx, exam, figures, own, own && hints.get(own.signupId)),
    formOf(deps, db, ctx, items),
    row ? presentSignup(deps, db, ctx, row, 'owner') : null,
    prefillOf(deps, db, ctx, exam, items),
    ownAnswers(deps, db, ctx, items),
    mayAppeal(db, ctx.arrivedAt, exam, row && { signupId: row.id, state: row.examine }),
  ])
  return {
    exam: shown,
    items: fields,
    asksRegion: asksRegion(exam.regionLabel, items),
    files: files.filter(file => file.stage === 1).map(file => presentRequiredFile(deps, ctx, file)),
    signup,
    draft: row && later ? presentDraft(deps, ctx, row.id, later) : null,
    savedAt: wireTime(later?.updatedAt ?? (row?.examine === 'draft' ? row.updatedAt : null)),
    prefill,
    verified,
    ...(canAppeal ? { canSubmit: true, reason: null } : submitGate(ctx, exam, own)),
    canAppeal,
    serverTime: toWireTime(ctx.arrivedAt),
  }
}

/** The form of an examination, for whoever fills it in. */
export const formHandlers = (deps: SignupContext): Handler[] => [
  handle(examInfoOrSignUp, ({ ctx, db, input }) => openedForm(deps, ctx, db, input.examId)),
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
      ...presentRequiredFile(deps, ctx, file),
      uploads: uploads.filter(upload => upload.fileKey === file.fileKey),
    }))
  }),
]
