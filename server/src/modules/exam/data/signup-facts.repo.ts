import { isSealedAnswer } from '#contract/signup/answer-text.ts'
import { signupFigures } from '#contract/signup/figures.ts'
import { answersOfFacts, type Facts, factsInAnswers } from '#contract/signup/fit.ts'
import { talliedIn } from '#kernel/db/figures.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** What an examination needs to know of its sign-ups: numbers and the caller's own answers, nothing of anybody else. */

/** Whether anybody ever submitted: a sign-up number was handed out. */
export const hasSubmitted = async (db: TenantDb, examId: string): Promise<boolean> =>
  (await db.maybe(sql`
    select 1 where exists (select 1 from exam_counter where exam_id = ${examId} and sign_seq > 0)
      or exists (select 1 from signup where exam_id = ${examId} and examine <> 'draft' and not is_deleted)`)) !== undefined

export const hasAnySignup = async (db: TenantDb, examId: string): Promise<boolean> =>
  (await db.maybe(sql`select 1 from signup where exam_id = ${examId} and not is_deleted limit 1`)) !== undefined

export const refersToPost = async (db: TenantDb, examId: string, code: string): Promise<boolean> =>
  (await db.maybe(sql`
    select 1 from signup where exam_id = ${examId} and (code = ${code} or code2 = ${code}) and not is_deleted limit 1`)) !== undefined

export interface ExamCounts {
  readonly examId: string
  readonly signCount: number
  readonly passCount: number
  readonly paidCount: number
  readonly hasReview: boolean
  readonly hasPublicity: boolean
}
export const countsByExam = (db: TenantDb, examIds: readonly string[]): Promise<ExamCounts[]> =>
  db.all(sql<ExamCounts>`
    select t.exam_id::text as "examId", ${talliedIn(signupFigures.signedUp, 't')} as "signCount",
      ${talliedIn(signupFigures.passed, 't')} as "passCount", ${talliedIn(signupFigures.paid, 't')} as "paidCount",
      exists (select 1 from signup s where s.exam_id = t.exam_id and s.stage = 3 and not s.is_deleted) as "hasReview",
      exists (select 1 from signup s where s.exam_id = t.exam_id and s.stage in (5, 6, 7) and not s.is_deleted) as "hasPublicity"
    from signup_tally t where t.exam_id = any(${[...examIds]}::bigint[]) group by t.exam_id`)

export interface PostCounts {
  readonly code: string
  readonly signCount: number
  readonly passCount: number
}
const countsOfPost = sql`${talliedIn(signupFigures.signedUp, 't')} as "signCount", ${talliedIn(signupFigures.passed, 't')} as "passCount"`
export const countsByPost = (db: TenantDb, examId: string, codes: readonly string[]): Promise<PostCounts[]> =>
  db.all(sql<PostCounts>`
    select t.code, ${countsOfPost}
    from signup_tally t where t.exam_id = ${examId} and t.code = any(${[...codes]}) group by t.code`)

/** The same of all posts. */
export const allCounts = (db: TenantDb, examId: string): Promise<PostCounts[]> =>
  db.all(sql<PostCounts>`
    select t.code, ${countsOfPost} from signup_tally t where t.exam_id = ${examId} and t.code <> '' group by t.code`)

/** What is known of a person: the account's own, what they have said to find posts, and their newest form, of this examination before any other. */
const knownOf = async (db: TenantDb, examId: string, userId: string) => {
  const row = await db.maybe(sql<{
    content: Record<string, unknown> | null
    isHandedIn: boolean | null
    birthday: string | null
    sex: number | null
    facts: Facts | null
  }>`
    select s.content, s.sign_no is not null as "isHandedIn", a.birthday::text as birthday, a.sex, f.facts from account a
    left join person_fact f on f.tenant_id = a.tenant_id and f.user_id = a.id
    left join lateral (
      select content, sign_no from signup where user_id = a.id and not is_deleted order by (exam_id = ${examId}) desc, updated_at desc limit 1
    ) s on true
    where a.id = ${userId}`)
  if (!row) return undefined
  const own = {
    ...(row.birthday ? { birthday: row.birthday } : {}),
    ...(row.sex ? { sex: row.sex === 1 ? ('1' as const) : ('2' as const) } : {}),
  }
  // What is sealed says nothing here; it is judged when the form is handed in.
  const plain = Object.fromEntries(Object.entries(row.content ?? {}).filter(([, value]) => !isSealedAnswer(value)))
  return { own, plain, facts: row.facts ?? {}, isHandedIn: row.isHandedIn === true }
}

/** The person's newest answers; birthday and sex of the account when there are none. */
export const answersOf = async (db: TenantDb, examId: string, userId: string): Promise<Readonly<Record<string, unknown>> | undefined> => {
  const known = await knownOf(db, examId, userId)
  // What was handed in stands above what the account has verified, and that above what somebody says.
  const answers = known && { ...answersOfFacts(known.facts), ...known.own, ...known.plain }
  return answers && Object.keys(answers).length > 0 ? answers : undefined
}

/**
 * The same as answers to the questions, which is what their result is made of: what was handed in, the account's own, what somebody has said,
 * and what stands in a form that is not finished, the first of these that says something.
 */
export const factsKnown = async (db: TenantDb, examId: string, userId: string, onDay: string): Promise<Facts> => {
  const known = await knownOf(db, examId, userId)
  if (!known) return {}
  const { own, plain, facts, isHandedIn } = known
  const written = factsInAnswers(plain, onDay, isHandedIn)
  return isHandedIn ? { ...facts, ...own, ...written } : { ...written, ...facts, ...own }
}
