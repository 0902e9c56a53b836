import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface StoredFileRow {
  readonly id: string
  readonly userId: string
  readonly purpose: string
  readonly name: string
  readonly ext: string
  readonly mime: string
  readonly sizeBytes: string
  /** As it came: stored pictures are encoded anew. Null for what the program made, and for what came before this was noted. */
  readonly receivedBytes: string | null
  readonly sha256: string
  /** Of the bytes that came, before a picture was encoded anew; null for what the program made, and for what came before this was noted. */
  readonly sentSha256: string | null
  readonly storageKey: string
  readonly checks: unknown
  /** What it belongs to; null for an upload that nothing has taken yet. */
  readonly ownerKind: string | null
  readonly ownerId: string | null
  readonly createdAt: Date
}

const fileColumns = sql`
  id::text as id, user_id::text as "userId", purpose, name, ext, mime, size_bytes::text as "sizeBytes", received_bytes::text as "receivedBytes", sha256, sent_sha256 as "sentSha256", storage_key as "storageKey", checks, owner_kind as "ownerKind", owner_id::text as "ownerId", created_at as "createdAt"`

export const findFile = (db: TenantDb, id: string): Promise<StoredFileRow | undefined> =>
  db.maybe(sql<StoredFileRow>`select ${fileColumns} from stored_file where id = ${id}`)

export const findFiles = (db: TenantDb, ids: readonly string[]): Promise<StoredFileRow[]> =>
  db.all(sql<StoredFileRow>`select ${fileColumns} from stored_file where id = any(${[...ids]}::bigint[])`)

/** What was found about pictures when they came in. */
export const findChecks = (db: TenantDb, ids: readonly string[]): Promise<Pick<StoredFileRow, 'id' | 'checks'>[]> =>
  db.all(sql<Pick<StoredFileRow, 'id' | 'checks'>>`select id::text as id, checks from stored_file where id = any(${[...ids]}::bigint[])`)

export interface NewFile {
  readonly userId: string
  readonly purpose: string
  readonly name: string
  readonly kind: string
  readonly mime: string
  readonly sizeBytes: number
  readonly receivedBytes: number | null
  readonly sha256: string
  readonly sentSha256: string | null
  readonly storageKey: string
  readonly checks: object | null
  readonly ownerKind: string | null
  readonly ownerId: string | null
}
export const insertFile = (db: TenantDb, file: NewFile): Promise<StoredFileRow> =>
  db.one(sql<StoredFileRow>`
    insert into stored_file (tenant_id, user_id, purpose, name, ext, mime, size_bytes, received_bytes, sha256, sent_sha256, storage_key, checks, owner_kind, owner_id)
    values (${db.actor.tenantId}, ${file.userId}, ${file.purpose}, ${file.name.slice(-255)}, ${file.kind}, ${file.mime}, ${file.sizeBytes}, ${file.receivedBytes}, ${file.sha256}, ${file.sentSha256}, ${file.storageKey},
      ${file.checks === null ? null : JSON.stringify(file.checks)}, ${file.ownerKind}, ${file.ownerId})
    returning ${fileColumns}`)

/** Bytes a person has stored. */
export const sumOf = async (db: TenantDb, userId: string): Promise<number> => {
  const { total } = await db.one(
    sql<{ total: string }>`select coalesce(sum(size_bytes), 0)::text as total from stored_file where user_id = ${userId}`,
  )
  return Number(total)
}

/** Ties the person's own files to what they belong to; what something else has taken stays there. @returns how many that were */
export const attachFiles = (
  db: TenantDb,
  fileIds: readonly string[],
  userId: string,
  ownerKind: string,
  ownerId: string,
): Promise<number> =>
  db.run(sql`
    update stored_file set owner_kind = ${ownerKind}, owner_id = ${ownerId} where id = any(${[...fileIds]}::bigint[]) and user_id = ${userId}
      and (owner_kind is null or owner_kind = ${ownerKind})`)

/** The same where nobody asks how many: it goes with the statement behind it. */
export const keepFiles = (...[db, ...files]: Parameters<typeof attachFiles>): void => db.leave(attachFiles(db, ...files))

export type AccountFileColumn = 'avatar_file_id' | 'card_front_file_id' | 'card_back_file_id'
export const setAccountFile = async (db: TenantDb, userId: string, column: AccountFileColumn, fileId: string): Promise<void> => {
  await db.run(sql`update account set ${sql.ref(column)} = ${fileId} where id = ${userId}`)
}

/** @returns false when the person has no such picture */
export const tieAvatar = async (db: TenantDb, userId: string, fileId: string | null): Promise<boolean> =>
  (await db.run(sql`
    update stored_file set owner_kind = 'account', owner_id = ${userId} where id = ${fileId} and user_id = ${userId} and ext in ('jpg', 'png') and purpose in ('avatar', 'image')
      and (owner_kind is null or (owner_kind = 'account' and purpose = 'avatar'))`)) > 0
/** Lets go of the person's avatars but this one. */
export const untieAvatars = async (db: TenantDb, userId: string, except: string | null): Promise<void> => {
  await db.run(sql`
    update stored_file set owner_kind = null, owner_id = null
    where owner_kind = 'account' and owner_id = ${userId} and purpose = 'avatar' and id is distinct from ${except}::bigint`)
}

/** @returns where its bytes are; undefined when there is no such file */
export const removeFile = async (db: TenantDb, id: string): Promise<string | undefined> =>
  (await db.maybe(sql<{ key: string }>`delete from stored_file where id = ${id} returning storage_key as key`))?.key

/** Files that belong to one of these. */
export const listFilesOf = async (db: TenantDb, ownerKind: string, ownerIds: readonly string[]): Promise<string[]> =>
  (
    await db.all(
      sql<{
        id: string
      }>`select id::text as id from stored_file where owner_kind = ${ownerKind} and owner_id = any(${[...ownerIds]}::bigint[]) order by id`,
    )
  ).map(({ id }) => id)

/** @returns where their bytes are */
export const removeFiles = async (db: TenantDb, ids: readonly string[]): Promise<string[]> =>
  (await db.all(sql<{ key: string }>`delete from stored_file where id = any(${[...ids]}::bigint[]) returning storage_key as key`)).map(
    ({ key }) => key,
  )

/** Uploads of candidates that nothing has taken, by the time they came. The pictures of an account are taken by its own columns. */
export const listUntaken = async (
  db: TenantDb,
  { from, before, after, count }: { readonly from: Date; readonly before: Date; readonly after: string; readonly count: number },
): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select f.id::text as id from stored_file f join account a on a.tenant_id = f.tenant_id and a.id = f.user_id
      where f.tenant_id = ${db.actor.tenantId} and f.owner_kind is null and f.created_at >= ${from} and f.created_at < ${before} and f.id > ${after}
        and a.user_type = 2 and f.id not in (coalesce(a.avatar_file_id, 0), coalesce(a.card_front_file_id, 0), coalesce(a.card_back_file_id, 0))
      order by f.id limit ${count}`)
  ).map(({ id }) => id)
export const tenantsWithUntaken = (db: PlatformDb, from: Date, before: Date): Promise<{ tenantId: string }[]> =>
  db.all(sql<{ tenantId: string }>`
    select distinct tenant_id as "tenantId" from stored_file
    where owner_kind is null and created_at >= ${from} and created_at < ${before} order by 1`)
