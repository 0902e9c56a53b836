import { refuse } from '#contract/kernel/errors.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import type { Ctx, FileAnswer, Session } from '#kernel/http/context.ts'
import type { StoredFileRow } from '#modules/file/index.ts'
import { countDownload, findNoticeFile } from '../data/file.repo.ts'
import { maySeeNews } from '../data/news.repo.ts'
import { maySee } from '../data/notice.repo.ts'
import type { NewsKit } from '../deps.ts'
import { callerOf, readerOf } from '../reader.ts'

const isPicture = ({ ext }: StoredFileRow): boolean => ext === 'jpg' || ext === 'png'
/** A page that shows it asks for it once in a while. */
const pictureSeconds = 600

/** Who reads a notice or news reads what stands in it; a picture that nothing has taken yet is its owner's. */
const mayOpen = async (db: TenantDb, caller: Session | undefined, file: StoredFileRow): Promise<boolean> => {
  const ownerId = file.ownerId ?? '0'
  const worksOn = (right: string) => caller?.userType === 1 && caller.permissions.has(right)
  if (file.ownerKind === 'notice') return maySee(db, readerOf(caller), ownerId, worksOn('notice_view'))
  if (file.ownerKind === 'news') return maySeeNews(db, ownerId, worksOn('news_view'))
  return file.ownerKind === null && caller !== undefined && file.userId === caller.userId
}

const answerOf = async (kit: NewsKit, file: StoredFileRow, name = file.name): Promise<FileAnswer> => ({
  body: await kit.file.open(file),
  mime: file.mime,
  name,
  sizeBytes: Number(file.sizeBytes),
  inline: isPicture(file) || file.ext === 'pdf',
})

/** Looks as the system of the caller's tenant: what may be seen is decided here. */
const looking = async <T>(kit: NewsKit, ctx: Ctx, work: (db: TenantDb, caller: Session | undefined) => Promise<T>): Promise<T> => {
  const caller = await callerOf(kit, ctx)
  return kit.services.scopes.tx(systemOf(caller?.tenantId ?? ctx.tenantId), ctx.arrivedAt, db => work(db, caller))
}

export const openPicture = async (kit: NewsKit, ctx: Ctx, id: string): Promise<FileAnswer | Refusal> => {
  const file = await looking(kit, ctx, async (db, caller) => {
    const found = await kit.file.find(db, id)
    return found && isPicture(found) && (await mayOpen(db, caller, found)) ? found : undefined
  })
  if (!file) return refuse('kernel/not-found', {})
  ctx.reply('Cache-Control', `private, max-age=${pictureSeconds}`)
  return answerOf(kit, file)
}

export const openNoticeFile = async (kit: NewsKit, ctx: Ctx, id: string): Promise<FileAnswer | Refusal> => {
  const found = await looking(kit, ctx, async (db, caller) => {
    const line = await findNoticeFile(db, id)
    const file = line && (await kit.file.find(db, line.fileId))
    if (!line || !file) return undefined
    const may = await maySee(db, readerOf(caller), line.noticeId, caller?.userType === 1 && caller.permissions.has('notice_view'))
    if (!may) return undefined
    await countDownload(db, id)
    return { file, name: line.name }
  })
  return found ? answerOf(kit, found.file, found.name) : refuse('kernel/not-found', {})
}
