import { refuseField } from '#contract/kernel/errors.ts'
import { isRefusal } from '#contract/kernel/refusal.ts'
import { picturesOf } from '#contract/kernel/rich-text.ts'
import type { CrudSeams } from '#kernel/crud/crud.ts'
import type { NewsKit } from '../deps.ts'
import { keepFileIds, keepText, tieFiles } from './kept-files.ts'
import { filled, refuseKept, refuseUnlessDraft } from './save-notice.ts'

export const newsRules = (kit: NewsKit): CrudSeams => ({
  prepare: async ({ ctx, db, input, before }) => {
    const ownerId = before && String(before['id'])
    const problem = before && refuseUnlessDraft(before)
    if (problem) return problem
    const given = filled(input, { isTop: 0 })
    const cover = await keepFileIds(kit, ctx, db, { input: given, field: 'coverId', ownerKind: 'news', ownerId })
    if (isRefusal(cover)) return cover
    const pictures = (await kit.file.findMany(db, cover)).filter(({ ext }) => ext === 'jpg' || ext === 'png')
    if (pictures.length < cover.length)
      return refuseField('coverId', { zh: '封面须为 jpg、png 图片', en: 'The cover must be a jpg or png picture' })
    if (given['content'] === undefined) return given
    const content = await keepText(kit, ctx, db, { content: String(given['content']), ownerKind: 'news', ownerId })
    return isRefusal(content) ? content : { ...given, content }
  },
  refuseRemove: async ({ rows }) => refuseKept(rows),
  afterWrite: async ({ ctx, db, after }) => {
    if (!after) return
    const cover = after['coverId']
    const ids = [...picturesOf(String(after['content'])), ...(cover === null || cover === undefined ? [] : [String(cover)])]
    tieFiles(kit, ctx, db, ids, 'news', String(after['id']))
  },
})
