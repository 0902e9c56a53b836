import { sliceOf, toPage } from '#contract/kernel/page.ts'
import { conditionLabels, evaluateConditions } from '#contract/signup/conditions.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { type PostFilter, type PostRow, pageOfPosts } from '../data/post.repo.ts'
import { answersOf, countsByPost, type PostCounts } from '../data/signup-facts.repo.ts'
import { type Dictionary, inOrderOf, matchOf } from '../domain/post-view.ts'
import { judgingOf } from '../judging.ts'
import { examForReading, isOffice } from './exam-guard.ts'
import { dictionaryLabels } from './labels.ts'
import { presentPost } from './present-post.ts'

export interface PostSearch {
  readonly examId: string
  readonly current?: number
  readonly size?: number
  readonly unit?: string
  readonly type?: string
  readonly keyword?: string
  readonly fit?: number
  readonly onlyFit?: number
}

/** A unit's own people see its posts only (domain 2.1). */
const ownUnits = (ctx: Ctx): readonly string[] | undefined =>
  ctx.session?.userType === 1 && ctx.session.roleAliases.has('unit_hr') && !isOffice(ctx) ? ctx.session.userCodes : undefined

/** More posts than any examination has. */
const allPosts = 100_000

/** One page of the posts with what is compared for each; conditions are judged here and not in SQL, so that all are read where some are left out. */
const pageJudged = async (db: TenantDb, filter: PostFilter, judge: Judge | undefined, isOnlyFit: boolean, slice: Slice) => {
  const judged = (post: PostRow) => ({ post, checks: judge?.(post) })
  if (!isOnlyFit || judge === undefined) {
    const { total, posts } = await pageOfPosts(db, filter, slice.size, slice.offset)
    return { total, rows: posts.map(judged) }
  }
  const { posts } = await pageOfPosts(db, filter, allPosts, 0)
  const rows = posts.map(judged).filter(({ checks }) => checks === undefined || matchOf(checks) !== 'no')
  return { total: rows.length, rows: rows.slice(slice.offset, slice.offset + slice.size) }
}
const nobody = { signCount: 0, passCount: 0 }
type Judge = (post: PostRow) => ReturnType<typeof evaluateConditions>
type Slice = Pick<ReturnType<typeof sliceOf>, 'size' | 'offset'>

/**
 * The posts of an examination for whoever is signed in, with numbers and, on request, how the caller's answers fit. `onlyFit` leaves out those
 * that the answers bar; whoever has answered nothing gets all.
 */
export const postsFor = async (ctx: Ctx, input: PostSearch) => {
  const { current, size, offset } = sliceOf(input)
  const page = await ctx.tx(async db => {
    const exam = await examForReading(ctx, db, input.examId)
    const filter = { examId: exam.id, units: ownUnits(ctx), unit: input.unit, type: input.type, keyword: input.keyword }
    const { labelOf } = await dictionaryLabels(db)
    const compares = input.fit === 1 || input.onlyFit === 1
    const answers = compares && ctx.session ? await answersOf(db, exam.id, ctx.session.userId) : undefined
    const context = { ...judgingOf(exam, ctx.arrivedAt), labelOf }
    const judge = answers && ((post: PostRow) => evaluateConditions(post, answers, context))
    const { total, rows } = await pageJudged(db, filter, judge, input.onlyFit === 1, { size, offset })
    const isCandidate = ctx.session?.userType === 2
    const hidden = isCandidate && exam.hideCounts && (exam.signEnd === null || ctx.arrivedAt < exam.signEnd)
    const counts = isCandidate
      ? undefined
      : await countsByPost(
          db,
          exam.id,
          rows.map(({ post }) => post.code),
        )
    return { exam, total, rows, hidden, counts, labelOf }
  })
  const { exam, rows, hidden, labelOf } = page
  // Row-level security shows candidates their own sign-up only; the numbers of all are public.
  const counts: readonly PostCounts[] | undefined = hidden
    ? undefined
    : (page.counts ??
      (await ctx.asSystem('numbers of sign-ups per post are public', db =>
        countsByPost(
          db,
          exam.id,
          rows.map(({ post }) => post.code),
        ),
      )))
  const countOf = (code: string) => counts?.find(row => row.code === code)
  const records = rows.map(({ post, checks }) => {
    return {
      ...presentPost(ctx.say, exam, post, labelOf, hidden ? null : (countOf(post.code) ?? nobody)),
      match: checks ? matchOf(checks) : null,
      reasons: (checks ?? [])
        .filter(check => check.result !== 'ok')
        .map(check =>
          ctx.say({
            zh: `${conditionLabels[check.rule].zh}：要求 ${check.need.zh}，${check.got.zh}`,
            en: `${conditionLabels[check.rule].en}: ${check.need.en} wanted, ${check.got.en}`,
          }),
        ),
    }
  })
  return toPage(records, page.total, current, size)
}

/** Units and posts as the cascader of the form takes them, in the order of the post table; categories in the order of their dictionary. */
export const treeOf = (posts: readonly PostRow[], dictionary: Dictionary) => {
  const units = new Map<string, { value: string; label: string; types: Map<string, { value: string; label: string; posts: PostRow[] }> }>()
  for (const post of posts) {
    const unit = units.get(post.unit) ?? { value: post.unit, label: post.unitName, types: new Map() }
    units.set(post.unit, unit)
    const type = unit.types.get(post.type) ?? { value: post.type, label: post.typeName, posts: [] }
    unit.types.set(post.type, type)
    type.posts.push(post)
  }
  return [...units.values()].map(({ value, label, types }) => ({
    value,
    label,
    children: inOrderOf(dictionary, 'post_type', [...types.values()], type => type.value).map(type => ({
      value: type.value,
      label: type.label,
      children: type.posts.map(post => ({
        value: post.code,
        label: `${post.code} ${post.codeName}`,
        planNum: post.planNum,
        curNum: post.curNum,
        postState: post.postState,
      })),
    })),
  }))
}
