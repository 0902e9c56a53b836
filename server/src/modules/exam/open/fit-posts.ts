import { refuseExam } from '#contract/exam/exam.errors.ts'
import type { fitPosts } from '#contract/exam/open.routes.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { searchWords } from '#contract/kernel/search-fold.ts'
import { type ConditionCheck, conditionLabels, isUnsaid } from '#contract/signup/conditions.ts'
import { answersOfFacts, type Facts, type Fit, type FitGroup, factKeys, fitGroups, fitOf } from '#contract/signup/fit.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { presentPost } from '../commands/present-post.ts'
import type { SearchedPost } from '../data/post.repo.ts'
import { factsKnown } from '../data/signup-facts.repo.ts'
import { judgingOf } from '../judging.ts'
import type { OpenExam, OpenExams } from './board.ts'

export interface PostFilter {
  readonly unit?: string | undefined
  readonly type?: string | undefined
  readonly keyword?: string | undefined
}

/** Words in any order, in either case, pinyin initials too: the key of a post holds them all. */
export const filterPosts = ({ posts }: OpenExam, { unit, type, keyword }: PostFilter): readonly SearchedPost[] => {
  const words = keyword ? searchWords(keyword) : []
  // Something was typed of which nothing can be compared.
  if (keyword?.trim() && words.length === 0) return []
  return posts.filter(
    post => (!unit || post.unit === unit) && (!type || post.type === type) && words.every(word => post.searchKey.includes(word)),
  )
}

export interface FittedPost {
  readonly post: SearchedPost
  readonly fit: Fit
}

/** Every post of the filter against what is known of somebody. */
export const fitAll = (
  { exam, dictionary }: OpenExam,
  posts: readonly SearchedPost[],
  answers: Readonly<Record<string, unknown>>,
  now: Date,
): readonly FittedPost[] => {
  const context = { ...judgingOf(exam, now), labelOf: dictionary.labelOf }
  return posts.map(post => ({ post, fit: fitOf(post, answers, context) }))
}

export const countFits = (fitted: readonly FittedPost[]): Readonly<Record<FitGroup, number>> => {
  const counts = { can: 0, person: 0, cannot: 0 }
  for (const { fit } of fitted) counts[fit.group]++
  return counts
}

/** Numbers of sign-ups are told while they do not sway anybody (domain 3.1 `hideCounts`). */
export const countsShown = ({ exam, counts }: OpenExam, code: string, now: Date) =>
  exam.hideCounts && (exam.signEnd === null || now < exam.signEnd) ? null : (counts.get(code) ?? { signCount: 0, passCount: 0 })

const presentCheck =
  (ctx: Ctx) =>
  ({ rule, result, need, got }: ConditionCheck) => ({
    ...{ rule, result, label: ctx.say(conditionLabels[rule]), need: ctx.say(need), got: ctx.say(got), isSaid: !isUnsaid({ got }) },
  })

const asked = factKeys.filter(name => name !== 'birthday' && name !== 'sex')

/** What a call says of the caller, else what their account has kept; undefined for whoever has said nothing. */
const answersFor = async (ctx: Ctx, { exam }: OpenExam, facts: Facts | undefined) => {
  if (facts !== undefined) return Object.keys(facts).length === 0 ? undefined : answersOfFacts(facts)
  const { session } = ctx
  if (session?.userType !== 2) return undefined
  const { onDay } = judgingOf(exam, ctx.arrivedAt)
  const known = await ctx.tx(db => factsKnown(db, exam.id, session.userId, onDay))
  // Birth date and sex are known of every account. Sorted by them alone every post would be for a person to judge, which nobody has said.
  return asked.some(name => known[name] !== undefined) ? answersOfFacts(known) : undefined
}

export const fitFor = async (open: OpenExams, ctx: Ctx, input: InputOf<typeof fitPosts>) => {
  const found = await open.of(ctx.tenantId, input.examId)
  if (!found) throw new Refused(refuseExam('exam/no-exam', {}))
  const { current, size, offset } = sliceOf(input)
  const answers = await answersFor(ctx, found, input.facts)
  const now = ctx.arrivedAt
  const posts = filterPosts(found, input)
  const fitted = answers ? fitAll(found, posts, answers, now) : undefined
  const rows: readonly { post: SearchedPost; fit?: Fit }[] = fitted
    ? fitGroups.flatMap(group =>
        input.group === undefined || input.group === group ? fitted.filter(({ fit }) => fit.group === group) : [],
      )
    : posts.map(post => ({ post }))
  const records = rows.slice(offset, offset + size).map(({ post, fit }) => ({
    ...presentPost(ctx.say, found.exam, post, found.dictionary.labelOf, countsShown(found, post.code, now)),
    match: fit ? ({ can: 'ok', person: 'warn', cannot: 'no' } as const)[fit.group] : null,
    reasons: [],
    group: fit?.group ?? null,
    bar: fit?.bar ?? null,
    mayInsist: fit?.mayInsist ?? false,
    checks: (fit?.checks ?? []).map(presentCheck(ctx)),
  }))
  return { counts: fitted ? countFits(fitted) : null, ...toPage(records, rows.length, current, size) }
}
