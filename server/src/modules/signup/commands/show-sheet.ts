import { refuse } from '#contract/kernel/errors.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireDay } from '#contract/kernel/when.ts'
import { asksRegion, regionLabelOf } from '#contract/signup/region.ts'
import type { formSheet } from '#contract/signup/signup.routes.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { type ExamRow, listSignItems } from '#modules/exam/index.ts'
import { regionName } from '#modules/reference/index.ts'
import { findUndertaking } from '../data/leaving.repo.ts'
import { blankSignup, findOwnSignup, findPersonFacts, type SignupRow } from '../data/signup.repo.ts'
import type { SignupContext } from '../deps.ts'
import { registrationForm } from '../domain/registration-form.ts'
import { formOf } from '../form-call.ts'
import { presentSignup } from '../present.ts'
import { examOf } from './exam-of.ts'
import { readForm, type SubmitCall } from './read-form.ts'
import { savedFormOf } from './save-signup.ts'

type Input = InputOf<typeof formSheet>

const because = 'a form is read as its submit reads it; nothing is written, and nothing of other people is looked at'

/** The row that a submit of this form would leave, as far as it is printed. */
const rowOf = async (call: SubmitCall, exam: ExamRow, own: SignupRow | undefined): Promise<SignupRow> => {
  const { db, ctx } = call
  const userId = sessionOf(ctx).userId
  const person = await findPersonFacts(db, exam.id, toWireDay(ctx.arrivedAt), userId)
  const current = own ?? blankSignup(person.newId, exam.id, userId)
  const form = await readForm(call, { exam, current: own, currentContent: {}, person, ahead: undefined })
  const photoFileId = form.files.find(file => file.fileKey === 'photo')?.fileId ?? null
  return {
    ...current,
    ...savedFormOf(call, current, form, 'signup'),
    ...{ photoFileId, signatureFileId: form.signatureFileId, submitTime: null },
  }
}

/** The registration form as it is printed, of what is sent or of what was handed in; its pictures are links. Refusals: kernel/not-found. */
export const showSheet = (deps: SignupContext, ctx: Ctx, input: Input) =>
  ctx.asSystem(because, async db => {
    const { userId } = sessionOf(ctx)
    const exam = await examOf(db, ctx, input.examId)
    const [own, items] = await Promise.all([findOwnSignup(db, exam.id, userId), listSignItems(db, exam.id)])
    const isDraft = input.content !== undefined
    if (!isDraft && (own === undefined || own.examine === 'draft')) throw new Refused(refuse('kernel/not-found', {}))
    const row = isDraft ? await rowOf({ deps, db, ctx, input }, exam, own) : own
    return sheetOf(deps, db, ctx, exam, items, row as SignupRow, isDraft)
  })

const sheetOf = async (
  deps: SignupContext,
  db: TenantDb,
  ctx: Ctx,
  exam: ExamRow,
  items: Awaited<ReturnType<typeof listSignItems>>,
  row: SignupRow,
  isDraft: boolean,
) => {
  const [signup, groups, undertaking] = await Promise.all([
    presentSignup(deps, db, ctx, row, 'owner'),
    formOf(db, ctx, items),
    isDraft ? undefined : findUndertaking(db, row.id),
  ])
  const linkOf = (fileId: string | null): string | null =>
    fileId && deps.file.linkFor({ tenantId: ctx.tenantId, userId: sessionOf(ctx).userId }, fileId, ctx.arrivedAt)
  return registrationForm<string>({
    ...{ say: ctx.say, exam, groups, items, regionName, signup, levels: exam.examineLevels, isDraft, printed: '' },
    regionLabel: asksRegion(exam.regionLabel, items) ? regionLabelOf(exam.regionLabel) : null,
    promiseDate: undertaking?.promiseTime ? toWireDay(undertaking.promiseTime) : null,
    ...{ photo: linkOf(row.photoFileId), signature: linkOf(row.signatureFileId), createdAt: ctx.arrivedAt.toISOString() },
  })
}
