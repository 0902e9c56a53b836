import { refuse } from '#contract/kernel/errors.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import { refuseResult } from '#contract/result/result.errors.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { countResults, listByPaper, lockPapers, removeRows } from '../data/result.repo.ts'

/**
 * Deletes imported results of one paper, all of them where no ids are given; a paper without any is "not imported" again.
 * Refusals: kernel/not-found, result/released-delete.
 */
export const removeResultsOf = async (
  db: TenantDb,
  ctx: Ctx,
  { examId, itemId, ids }: { readonly examId: string; readonly itemId: string; readonly ids?: readonly string[] | undefined },
): Promise<{ removed: number } | Refusal> => {
  const [paper] = await lockPapers(db, examId, [itemId])
  if (!paper) return refuse('kernel/not-found', {})
  if (paper.scoreState === 'released') return refuseResult('result/released-delete', {})
  const removed = await removeRows(db, itemId, ids)
  // One id that is no result of this paper: nothing is done (decision 3.4).
  if (ids !== undefined && removed !== new Set(ids).size) return refuse('kernel/not-found', {})
  if (paper.scoreState === 'imported' && (await countResults(db, itemId)) === 0)
    await transition(
      db,
      'exam_item',
      itemId,
      { from: 'imported', to: 'none', column: 'score_state' },
      { score_import_by: null, score_import_at: null, score_lines: null },
    )
  await audit(db, ctx, { action: 'result.deleted', entity: 'examitem', entityId: itemId, before: { paper: paper.itemCode, removed } })
  return { removed }
}

/** The same by ids alone, whichever papers they are of: all of them or none. */
export const removeResultsById = async (db: TenantDb, ctx: Ctx, ids: readonly string[]): Promise<{ removed: number } | Refusal> => {
  const papers = await listByPaper(db, ids)
  if (papers.reduce((sum, paper) => sum + paper.ids.length, 0) !== ids.length) return refuse('kernel/not-found', {})
  for (const paper of papers) {
    const done = await removeResultsOf(db, ctx, paper)
    if (isRefusal(done)) return done
  }
  return { removed: ids.length }
}
