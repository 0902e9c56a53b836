import { refuse } from '#contract/kernel/errors.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import { refuseNews } from '#contract/news/news.errors.ts'
import { notice } from '#contract/news/notice.resource.ts'
import { noticeMachine } from '#contract/news/notice.state.ts'
import { stateWords } from '#contract/news/words.ts'
import type { CrudSeams } from '#kernel/crud/crud.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { rowScopeOf } from '#kernel/http/row-scope.ts'
import { lockNotice, ofReachedNotice } from '../data/notice.repo.ts'
import type { NewsKit } from '../deps.ts'
import { keepFileIds, tieFiles } from './kept-files.ts'

/** Files are part of what was published: they change with the draft only. */
const refuseUnlessOfDraft = async (ctx: Ctx, db: TenantDb, noticeId: string): Promise<Refusal | undefined> => {
  const row = await lockNotice(db, noticeId, rowScopeOf(ctx.session, notice))
  if (!row) return refuse('kernel/not-found', {})
  return row.state === noticeMachine.wire.draft
    ? undefined
    : refuseNews('news/not-draft', { title: row.title, state: stateWords[row.state] ?? '' })
}

export const fileRules = (kit: NewsKit): CrudSeams => ({
  visible: () => ofReachedNotice,
  prepare: async ({ ctx, db, input, before }) => {
    const noticeId = String(before?.['noticeId'] ?? input['noticeId'])
    const problem = await refuseUnlessOfDraft(ctx, db, noticeId)
    if (problem) return problem
    const { sort: sent, name: typed, ...rest } = input
    const sort = sent === null ? {} : { sort: sent ?? undefined }
    const name = typed === null || typed === '' ? {} : { name: typed ?? undefined }
    if (before) return { ...rest, ...sort, ...name }
    const ids = await keepFileIds(kit, ctx, db, { input, field: 'fileId', ownerKind: 'notice', ownerId: undefined })
    if (isRefusal(ids)) return ids
    const [file] = await kit.file.findMany(db, ids)
    if (!file) return refuse('kernel/not-found', {})
    return { ...rest, ...sort, name: file.name, ...(typed ? { name: typed } : {}), size: Number(file.sizeBytes) }
  },
  refuseRemove: async ({ ctx, db, rows }) => {
    for (const row of rows) {
      const problem = await refuseUnlessOfDraft(ctx, db, String(row['noticeId']))
      if (problem) return problem
    }
    return undefined
  },
  afterWrite: async ({ ctx, db, before, after }) => {
    if (after && !before) tieFiles(kit, ctx, db, [String(after['fileId'])], 'notice', String(after['noticeId']))
  },
})
