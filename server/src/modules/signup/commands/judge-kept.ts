import { toWireDay } from '#contract/kernel/when.ts'
import { normalizeContent, withDerived } from '#contract/signup/content.ts'
import type { SignupFileRef } from '#contract/signup/content-diff.ts'
import type { RegionLevels } from '#contract/signup/region.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, sessionOf } from '#kernel/http/context.ts'
import { type ExamRow, findPosts, judgingOf } from '#modules/exam/index.ts'
import { findVerifiedPerson, type SavedForm } from '../data/signup.repo.ts'
import type { SignupContext } from '../deps.ts'
import { judgeForm, schoolNames } from '../domain/judge.ts'
import { answersOfAccount, documentNotTaken, documentOf } from '../domain/verified.ts'
import { knownForm } from '../known-form.ts'
import { presentJudged } from '../present.ts'
import { verifiedOf } from '../verified-answers.ts'
import { householdRegionOf, schoolNamesIn } from './read-form.ts'

/** What the account has verified; undefined for staff. */
const verifiedAccount = async ({ services: { cipher } }: SignupContext, ctx: Ctx, db: TenantDb) => {
  const { userId, userType } = sessionOf(ctx)
  const account = userType === 2 ? await findVerifiedPerson(db, userId) : undefined
  return account && verifiedOf(cipher, { tenantId: ctx.tenantId, userId }, account)
}

/** Nobody fills in a form that their document will be refused for. */
export const documentGate = async (deps: SignupContext, ctx: Ctx, db: TenantDb, exam: ExamRow) => {
  const verified = await verifiedAccount(deps, ctx, db)
  const message = verified && documentNotTaken(verified, toWireDay(ctx.arrivedAt), exam)
  return message && { canSubmit: false, reason: ctx.say(message) }
}

/** What an opened form keeps, submitted or not, as far as it is judged. */
interface KeptForm {
  readonly content: Record<string, unknown>
  readonly files: readonly SignupFileRef[]
  readonly code: string | null
  readonly code2: string | null
  readonly region: RegionLevels
}

const because = 'a form is known by a stamp that candidates do not read; nothing of other people is looked at'

/** The kept form against the conditions of both choices: a candidate is told from the first step on, and not at the end. */
const judge = async (deps: SignupContext, ctx: Ctx, db: TenantDb, exam: ExamRow, kept: KeptForm) => {
  const today = toWireDay(ctx.arrivedAt)
  const verified = await verifiedAccount(deps, ctx, db)
  const answers = withDerived({ ...kept.content, ...(verified ? answersOfAccount(verified) : {}) }, today)
  const code2 = exam.allowSecond ? kept.code2 : null
  const [form, posts, schools, stored] = await Promise.all([
    knownForm(deps.forms, db, exam.id, answers),
    findPosts(
      db,
      exam.id,
      [kept.code, code2].flatMap(code => code || []),
    ),
    deps.school.findNamed(db, schoolNamesIn(answers)),
    deps.file.findChecks(
      db,
      kept.files.map(file => file.fileId),
    ),
  ])
  const judged = judgeForm({
    ...{ form, today, judging: judgingOf(exam, ctx.arrivedAt) },
    content: normalizeContent(form.items, answers),
    document: verified && documentOf(verified, today),
    ...{ files: kept.files, stored },
    post: posts.find(post => post.code === kept.code),
    post2: posts.find(post => post.code === code2),
    householdRegion: householdRegionOf(exam, form.items, kept.region),
    schools: schoolNames(schools),
  })
  return presentJudged(ctx.say, judged)
}

const keptIn = (row: SavedForm): KeptForm => ({
  content: { ...row.content },
  files: row.files,
  code: row.code,
  code2: row.code2,
  region: { province: row.province ?? '', city: row.city ?? '', area: row.area ?? '' },
})

/** What a kept form is told from the first step on; a form of which nothing is kept is told nothing. */
export const judgeKept = (deps: SignupContext, ctx: Ctx, exam: ExamRow, kept: SavedForm | undefined) =>
  kept ? ctx.asSystem(because, db => judge(deps, ctx, db, exam, keptIn(kept))) : Promise.resolve({ autoCheck: [], told: [], demanded: [] })
