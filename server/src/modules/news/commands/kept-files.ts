import { isFor } from '#contract/file/file-use.ts'
import { refuseField } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { isRichPicture, picturesOf } from '#contract/kernel/rich-text.ts'
import type { Row } from '#kernel/crud/rows.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, sessionOf } from '#kernel/http/context.ts'
import { cleanRichText } from '#kernel/rich-text.ts'
import type { NewsKit } from '../deps.ts'
import { plainText } from '../domain/plain-text.ts'

export type OwnerKind = 'notice' | 'news'

/** Which of these files somebody may put into a notice or into news: their own that nothing has taken yet, and those that are there. */
const strangers = async (
  kit: NewsKit,
  ctx: Ctx,
  db: TenantDb,
  of: { readonly ids: readonly string[]; readonly ownerKind: OwnerKind; readonly ownerId: string | undefined },
): Promise<string[]> => {
  if (of.ids.length === 0) return []
  const { userId } = sessionOf(ctx)
  const found = await kit.file.findMany(db, of.ids)
  return of.ids.filter(id => {
    const file = found.find(one => one.id === id)
    // What is there stays, whoever of the office has put it there.
    if (file?.ownerKind === of.ownerKind && file.ownerId === of.ownerId) return false
    return !isFor(of.ownerKind, file, { userId, ownerId: of.ownerId ?? '0' })
  })
}

/** The text as it is kept, or why it cannot be: nothing is left of it, or it shows a picture of somebody else's. */
export const keepText = async (
  kit: NewsKit,
  ctx: Ctx,
  db: TenantDb,
  of: { readonly content: string; readonly ownerKind: OwnerKind; readonly ownerId: string | undefined },
): Promise<string | Refusal> => {
  const content = cleanRichText(of.content, { pictures: true })
  const ids = picturesOf(content)
  if (plainText(content) === '' && ids.length === 0)
    return refuseField('content', {
      zh: '正文清理后没有内容，请填写文字或插入图片',
      en: 'Nothing is left of the text after it was cleaned: write some text or insert a picture',
    })
  if ((await strangers(kit, ctx, db, { ...of, ids })).length > 0)
    return refuseField('content', {
      zh: '正文中有图片不可用，请删除后重新插入',
      en: 'A picture of the text cannot be used: remove it and insert it again',
    })
  return content
}

/** Ids in a field of a form, where they may be taken; else why not. */
export const keepFileIds = async (
  kit: NewsKit,
  ctx: Ctx,
  db: TenantDb,
  of: { readonly input: Row; readonly field: string; readonly ownerKind: OwnerKind; readonly ownerId: string | undefined },
): Promise<readonly string[] | Refusal> => {
  const value = of.input[of.field]
  const ids = idsOf(typeof value === 'string' ? value.replace(/\s/g, '') : undefined)
  const malformed = ids.some(id => !isRichPicture(`/api/rich-text/picture/${id}`))
  if (malformed || (await strangers(kit, ctx, db, { ids, ownerKind: of.ownerKind, ownerId: of.ownerId })).length > 0)
    return refuseField(of.field, {
      zh: '文件不可用，请重新上传',
      en: 'This file cannot be used: upload it again',
    })
  return ids
}

/** Ties the pictures of a saved text to what it belongs to. */
export const tieFiles = (kit: NewsKit, ctx: Ctx, db: TenantDb, ids: readonly string[], ownerKind: OwnerKind, ownerId: string): void => {
  if (ids.length > 0) kit.file.keep(db, ids, sessionOf(ctx).userId, ownerKind, ownerId)
}
