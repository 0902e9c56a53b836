import { refuse } from '#contract/kernel/errors.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { Resource } from '#contract/kernel/resource.ts'
import { news } from '#contract/news/news.resource.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import type { Ctx, FileAnswer, Session } from '#kernel/http/context.ts'
import { actorOf } from '#kernel/http/mount.ts'
import { rowScopeOf } from '#kernel/http/row-scope.ts'
import type { StoredFileRow } from '#modules/file/index.ts'
import { countDownload, findNoticeFile } from '../data/file.repo.ts'
import { isNewsOut } from '../data/news.repo.ts'
import { isShown, isThere } from '../data/notice.repo.ts'
import type { NewsKit } from '../deps.ts'
import { callerOf, readerOf } from '../reader.ts'
import { noticesWithin } from './save-notice.ts'

const isPicture = ({ ext }: StoredFileRow): boolean => ext === 'jpg' || ext === 'png'
/** A page that shows it asks for it once in a while. */
const pictureSeconds = 600

/** What a file stands in. */
interface Owner {
  readonly kind: 'notice' | 'news'
  readonly id: string
}
const ownerOf = ({ ownerKind, ownerId }: StoredFileRow): Owner | undefined =>
  ownerId !== null && (ownerKind === 'notice' || ownerKind === 'news') ? { kind: ownerKind, id: ownerId } : undefined

const isShownTo = (db: TenantDb, caller: Session | undefined, { kind, id }: Owner): Promise<boolean> =>
  kind === 'notice' ? isShown(db, readerOf(caller), id) : isNewsOut(db, id)

/** Whoever works on notices or news opens what stands in those that their own pages show them: as far as their departments and rules reach. */
const worksOn = async (kit: NewsKit, ctx: Ctx, caller: Session | undefined, { kind, id }: Owner): Promise<boolean> => {
  if (caller?.userType !== 1 || !caller.permissions.has(`${kind}_view`)) return false
  return kit.services.scopes.tx(actorOf(caller), ctx.arrivedAt, db =>
    kind === 'notice' ? isThere(db, 'notice', id, noticesWithin(caller)) : isThere(db, 'news', id, rowScopeOf(caller, news as Resource)),
  )
}

const answerOf = async (kit: NewsKit, file: StoredFileRow, name = file.name): Promise<FileAnswer> => ({
  body: await kit.file.open(file),
  mime: file.mime,
  name,
  sizeBytes: Number(file.sizeBytes),
  inline: isPicture(file) || file.ext === 'pdf',
})

/** Looks as the system of the caller's tenant: what may be seen is decided here. */
const asSystem = <T>(kit: NewsKit, ctx: Ctx, caller: Session | undefined, work: (db: TenantDb) => Promise<T>): Promise<T> =>
  kit.services.scopes.tx(systemOf(caller?.tenantId ?? ctx.tenantId), ctx.arrivedAt, work)

/** Who reads a notice or news reads what stands in it; a picture that nothing has taken yet is its owner's. */
export const openPicture = async (kit: NewsKit, ctx: Ctx, id: string): Promise<FileAnswer | Refusal> => {
  const caller = await callerOf(kit, ctx)
  const found = await asSystem(kit, ctx, caller, async db => {
    const file = await kit.file.find(db, id)
    if (!file || !isPicture(file)) return undefined
    const owner = ownerOf(file)
    const isOwn = file.ownerKind === null && caller !== undefined && file.userId === caller.userId
    return { file, owner, may: owner ? await isShownTo(db, caller, owner) : isOwn }
  })
  if (!found) return refuse('kernel/not-found', {})
  const { file, owner, may } = found
  if (!may && !(owner && (await worksOn(kit, ctx, caller, owner)))) return refuse('kernel/not-found', {})
  ctx.reply('Cache-Control', `private, max-age=${pictureSeconds}`)
  return answerOf(kit, file)
}

export const openNoticeFile = async (kit: NewsKit, ctx: Ctx, id: string): Promise<FileAnswer | Refusal> => {
  const caller = await callerOf(kit, ctx)
  const found = await asSystem(kit, ctx, caller, async db => {
    const line = await findNoticeFile(db, id)
    const file = line && (await kit.file.find(db, line.fileId))
    if (!line || !file) return undefined
    const owner: Owner = { kind: 'notice', id: line.noticeId }
    return { file, name: line.name, owner, may: await isShownTo(db, caller, owner) }
  })
  if (!found || !(found.may || (await worksOn(kit, ctx, caller, found.owner)))) return refuse('kernel/not-found', {})
  await asSystem(kit, ctx, caller, db => countDownload(db, id))
  return answerOf(kit, found.file, found.name)
}
