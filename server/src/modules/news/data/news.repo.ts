import type { TenantDb } from '#kernel/db/scope.ts'
import { textHolds } from '#kernel/db/search.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'

export interface NewsLine {
  readonly id: string
  readonly title: string
  readonly summary: string | null
  readonly coverId: string | null
  readonly source: string | null
  readonly author: string | null
  readonly releaseTime: Date
  readonly isTop: boolean
  /** Begin of the text. */
  readonly head: string
}
const columns = sql`
  id::text as id, title, summary, cover_id::text as "coverId", source, author, release_time as "releaseTime", is_top as "isTop", left(content, 1500) as head`
const isOut = sql`not is_deleted and state = 1 and release_time <= app_now()`

export const pageNews = async (
  db: TenantDb,
  keyword: string | undefined,
  size: number,
  offset: number,
): Promise<{ rows: NewsLine[]; total: number }> => {
  const where = allOf([isOut, keyword !== undefined && keyword !== '' && textHolds(sql`title`, keyword)])
  const rows = await db.all(sql<NewsLine>`
    select ${columns} from news where ${where} order by is_top desc, release_time desc, id desc limit ${size} offset ${offset}`)
  const { total } = await db.one(sql<{ total: number }>`select count(*)::int as total from news where ${where}`)
  return { rows, total }
}

/** What is public, with what will be. */
export const listPublicNews = (db: TenantDb, most: number): Promise<NewsLine[]> =>
  db.all(sql<NewsLine>`
    select ${columns} from news where not is_deleted and state = 1 order by is_top desc, release_time desc, id desc limit ${most}`)

export const findNews = (db: TenantDb, id: string): Promise<(NewsLine & { readonly content: string }) | undefined> =>
  db.maybe(sql<NewsLine & { content: string }>`select ${columns}, content from news where id = ${id} and ${isOut}`)

export const findWithdrawnNews = (db: TenantDb, id: string): Promise<{ readonly title: string; readonly at: Date } | undefined> =>
  db.maybe(sql<{ title: string; at: Date }>`
    select title, withdrawn_time as at from news where id = ${id} and state <> 1 and withdrawn_time is not null and not is_deleted`)

export const isNewsOut = async (db: TenantDb, id: string): Promise<boolean> =>
  (await db.maybe(sql`select 1 from news where id = ${id} and ${isOut}`)) !== undefined

export const countRead = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(sql`update news set read_count = read_count + 1 where id = ${id}`)
}

export interface NewsFacts {
  readonly id: string
  readonly title: string
  readonly state: number
  readonly releaseTime: Date | null
  /** Set where it had been out. */
  readonly withdrawnAt: Date | null
  readonly version: number
}
/** @param scope - the rows that the caller's data scopes leave; undefined = all */
export const lockNews = (db: TenantDb, id: string, scope: RawBuilder<unknown> | undefined): Promise<NewsFacts | undefined> =>
  db.maybe(sql<NewsFacts>`
    select id::text as id, title, state, release_time as "releaseTime", withdrawn_time as "withdrawnAt", version from news where id = ${id} and not is_deleted and ${scope ?? sql`true`} for update`)
