import { refuse } from '#contract/kernel/errors.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { fromWireTime, toWireDay } from '#contract/kernel/when.ts'
import { refuseNews } from '#contract/news/news.errors.ts'
import { lastWorkingDay } from '#contract/news/periods.ts'
import { type PublicityList, publicityList, publicityNotice } from '#contract/news/publicity.ts'
import { noticeType } from '#contract/news/words.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { cleanRichText } from '#kernel/rich-text.ts'
import { readSite } from '#modules/tenancy/index.ts'
import { insertNotice } from '../data/notice.repo.ts'
import { findExamFacts, listPeople, listUnreleased } from '../data/publicity.repo.ts'
import type { NewsKit } from '../deps.ts'
import { readPolicy } from './policy.ts'

/** The draft of a list that is published for objections; an officer reads it and publishes it. */
export const makePublicity = async (
  kit: NewsKit,
  ctx: Ctx,
  db: TenantDb,
  of: { readonly examId: string; readonly list: PublicityList },
): Promise<{ id: string; title: string; people: number } | Refusal> => {
  const exam = await findExamFacts(db, of.examId)
  if (!exam) return refuse('kernel/not-found', {})
  const hire = of.list === publicityList.hire
  const waiting = await listUnreleased(db, of.examId, hire)
  if (waiting.length > 0) return refuseNews('news/results-not-released', { papers: waiting.join('、') })
  const chosen = hire ? await kit.hireList.people(db, of.examId) : undefined
  const people = await listPeople(db, of.examId, hire, chosen)
  if (people.length === 0) return refuseNews('news/empty-list', {})
  const policy = await readPolicy(kit, db)
  const until = lastWorkingDay(ctx.arrivedAt, policy.publicityDays, policy)
  const office = exam.organizer || (await ctx.asSystem('the office signs what it publishes', readSite)).name
  const made = publicityNotice({
    ...exam,
    list: of.list,
    office,
    department: exam.undertaker || office,
    days: policy.publicityDays,
    from: toWireDay(ctx.arrivedAt),
    until,
    people: people.map(({ signupId: _, written, interview, total, rank, ...row }) => ({
      ...row,
      written: written ?? '',
      interview: interview ?? '',
      total: total ?? '',
      rank: String(rank),
    })),
  })
  const title = [...made.title].slice(0, 200).join('')
  const id = await insertNotice(db, {
    title,
    content: cleanRichText(made.content, { pictures: true }),
    noticeType: noticeType.publicity,
    examId: of.examId,
    // The last day counts in full.
    endTime: fromWireTime(`${until} 24:00:00`) ?? null,
  })
  if (chosen)
    await kit.hireList.published(
      db,
      of.examId,
      id,
      people.map(({ signupId }) => signupId),
    )
  await audit(db, ctx, {
    action: 'notice.made-from-results',
    entity: 'notice',
    entityId: id,
    after: { title, examId: of.examId, list: of.list, people: people.length },
  })
  return { id, title, people: people.length }
}
