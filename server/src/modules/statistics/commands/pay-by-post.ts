import type { InputOf, OutputOf } from '#contract/kernel/route.ts'
import { examPay } from '#contract/pay/pay.resources.ts'
import type { payByPost, payByPostPage } from '#contract/statistics/statistics.routes.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { rowScopeOf } from '#kernel/http/row-scope.ts'
import { countCross, fewestPeople, hidesFew } from '#modules/report/index.ts'
import { duesByPost, listPostHeads, type PostDues, type Units } from '../data/statistics.repo.ts'
import { opensWith, ratioText } from '../domain/ratio.ts'

type PostPay = OutputOf<typeof payByPost>[number]

/** Whether the dues of a post, by its code, must not be told to this reader: few people are in them, or they would tell of few. */
const hiddenPosts = async (db: TenantDb, ctx: Ctx, examId: string): Promise<(code: string) => boolean> => {
  if (!hidesFew(ctx, 'dues')) return () => false
  const { cells, isApart, isLeftOut } = await countCross(db, ctx, {
    dataSet: 'dues',
    dimensions: ['post', 'state'],
    filters: [{ dimension: 'exam', values: [examId] }],
    timeoutMs: 20_000,
  })
  const hidden = new Set(cells.flatMap(({ keys: [post], isHidden }) => (isHidden && typeof post === 'string' ? [post] : [])))
  return code => isLeftOut || hidden.has(`${examId}|${code}`) || !isApart('post', `${examId}|${code}`)
}

/** One or two people, who must not be told of by a number or by what it leaves. */
const isFew = (people: number): boolean => people > 0 && people < fewestPeople
/** Whether the dues of one paper of a post tell of few people, or the dues of its other papers do. */
const tellsOfFew = (all: PostDues | undefined, part: PostDues | undefined): boolean => {
  const [paid, should] = [part?.paid ?? 0, part?.should ?? 0]
  const [otherPaid, other] = [(all?.paid ?? 0) - paid, (all?.should ?? 0) - should]
  return [paid, should - paid, should, otherPaid, other - otherPaid, other].some(isFew)
}

/** Dues of every post of an examination, in the order of the post table. */
export const postDues = async (
  db: TenantDb,
  ctx: Ctx,
  units: Units,
  input: Pick<InputOf<typeof payByPostPage>, 'examId' | 'itemId' | 'unit'>,
): Promise<PostPay[]> => {
  const posts = await listPostHeads(db, input.examId, units)
  const countBy = async (itemId: string | undefined): Promise<ReadonlyMap<string, PostDues>> => {
    const rows = await duesByPost(db, { examId: input.examId, itemId, units, dues: rowScopeOf(ctx.session, examPay) })
    return new Map(rows.map(row => [row.code, row]))
  }
  const dues = await countBy(input.itemId)
  const isPart = input.itemId !== undefined && hidesFew(ctx, 'dues')
  const all = isPart ? await countBy(undefined) : dues
  const hidden = await hiddenPosts(db, ctx, input.examId)
  return posts
    .filter(post => input.unit === undefined || input.unit === '' || post.unit === input.unit)
    .map(({ unit, unitName, code, codeName, planNum, curNum, openRatio }) => {
      const row = dues.get(code)
      const [should, paid] = [row?.should ?? 0, row?.paid ?? 0]
      const isHidden = hidden(code) || (isPart && tellsOfFew(all.get(code), row))
      return {
        ...{ unit, unitName, code, codeName, planNum },
        should: isHidden ? null : should,
        paid: isHidden ? null : paid,
        amount: isHidden ? null : Number(row?.amountFen ?? 0),
        ratio: isHidden ? '*' : (ratioText(paid, curNum) ?? '-'),
        below: !isHidden && !opensWith(paid, curNum, openRatio),
      }
    })
}

/** The twenty posts with most people who owe or paid. */
export const topPosts = (all: readonly PostPay[]): PostPay[] =>
  [...all].sort((a, b) => (b.should ?? -1) - (a.should ?? -1) || (a.code < b.code ? -1 : 1)).slice(0, 20)
