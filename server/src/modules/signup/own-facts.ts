import type { Label } from '#contract/kernel/label.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { changedParts } from '#contract/signup/draft-merge.ts'
import { reductionStates } from '#contract/signup/reduction-state.ts'
import { asksRegion } from '#contract/signup/region.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { findExams, listSignItems } from '#modules/exam/index.ts'
import { partsOfSaved, plainForm } from './commands/draft.ts'
import type { OwnState } from './data/exam-card.repo.ts'
import { lockedAmong } from './data/examine.repo.ts'
import { listLaterDrafts } from './data/signup.repo.ts'
import type { SignupContext } from './deps.ts'
import type { SelectionStep } from './domain/next-action.ts'
import { waitHints } from './wait-hint.ts'

/** What a candidate has changed beside what was handed in, and has not handed in. */
export interface Unsent {
  /** Item keys, `file:<fileKey>`, `signup.post`, `signup.post2` and `signup.region`. */
  readonly fields: readonly string[]
  readonly savedAt: Date
}

/** What is known of one's own sign-up beside its row. */
export interface OwnFacts {
  /** Of who waits: the place in the queue, or that it is being read. */
  readonly hint: string | undefined
  readonly unsent: Unsent | undefined
  /** A reviewer has it open at this moment: nothing can be changed or taken back. */
  readonly isOpenAtReviewer: boolean
  /** Until when another post or the money back has to be chosen. */
  readonly choiceUntil: Date | undefined
  /** What waits for them after the results. */
  readonly selection: SelectionStep | undefined
  /** Of one that was refused. */
  readonly refusal?: { readonly reason: Label | null; readonly appealUntil: Date | null }
}

/** Changes that were saved beside a submitted sign-up, by its id; a draft that says the same is none. */
export const unsentOf = async (
  deps: SignupContext,
  db: TenantDb,
  userId: string,
  rows: readonly Pick<OwnState, 'signupId' | 'examId'>[],
): Promise<ReadonlyMap<string, Unsent>> => {
  const drafts = await listLaterDrafts(
    db,
    userId,
    rows.map(row => row.signupId),
  )
  const found = new Map<string, Unsent>()
  for (const draft of drafts) {
    const examId = rows.find(row => row.signupId === draft.id)?.examId ?? '0'
    const [items, [exam]] = await Promise.all([listSignItems(db, examId), findExams(db, [examId])])
    const asks = asksRegion(exam?.regionLabel ?? '', items)
    const { tenantId } = db.actor
    const fields = changedParts(
      partsOfSaved(plainForm(deps, tenantId, 'signup', draft.id, draft), asks),
      partsOfSaved(plainForm(deps, tenantId, 'signup_draft', draft.id, draft.draft), asks),
    )
    if (fields.length > 0) found.set(draft.id, { fields, savedAt: draft.draftAt })
  }
  return found
}

/** Why nothing can be changed while a reviewer reads it, and until when: a reviewer who goes on reading keeps it open. */
const openHint = (ctx: Ctx, until: Date | undefined): string | undefined => {
  if (until === undefined) return undefined
  const time = toWireTime(until).slice(11, 16)
  return ctx.say({
    zh: `审核人员正在看您的报名，这时不能修改或撤回；如果没有给出结论，${time} 后可以再改`,
    en: `A reviewer is reading your sign-up: it cannot be changed or withdrawn now. Without a decision you can from ${time} on`,
  })
}

/** The facts of own sign-ups by id, found for a page of them at once. */
export const ownFacts = async (
  deps: SignupContext,
  ctx: Ctx,
  db: TenantDb,
  rows: readonly OwnState[],
): Promise<ReadonlyMap<string, OwnFacts>> => {
  const userId = ctx.session?.userId ?? '0'
  const waiting = rows.filter(row => row.state === 'waiting').map(row => row.signupId)
  const because = 'a lock decides whether the owner may change or take back'
  const hints = await waitHints(deps, ctx, rows)
  const locked = waiting.length === 0 ? new Map<string, Date>() : await ctx.asSystem(because, system => lockedAmong(system, waiting))
  const choosing = rows.filter(row => row.reductionState === reductionStates.choosing).map(row => row.signupId)
  const whyUntil = 'decisions about posts are not read by candidates; nothing but the end of their own choice is told'
  const until = choosing.length === 0 ? undefined : await ctx.asSystem(whyUntil, system => deps.choiceEnds(system, choosing))
  const judged = rows.filter(row => row.state === 'passed').map(row => row.signupId)
  const selections = judged.length === 0 ? undefined : await deps.selectionSteps(db, judged)
  const unsent = rows.some(row => row.state !== 'draft') ? await unsentOf(deps, db, userId, rows) : new Map<string, Unsent>()
  return new Map(
    rows.map(({ signupId }) => [
      signupId,
      {
        hint: openHint(ctx, locked.get(signupId)) ?? hints.get(signupId),
        unsent: unsent.get(signupId),
        isOpenAtReviewer: locked.has(signupId),
        choiceUntil: until?.get(signupId),
        selection: selections?.get(signupId),
      },
    ]),
  )
}
