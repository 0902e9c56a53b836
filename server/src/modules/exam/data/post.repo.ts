import type { PostConditions } from '#contract/signup/conditions.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { keyHolds } from '#kernel/db/search.ts'
import { allOf, frozen, type RawBuilder, sql } from '#kernel/db/sql.ts'
import { selectCamel } from './exam.repo.ts'

/** A post of an examination (`typeCode`, domain 3.5), with the conditions `checkConditions` compares. */
export interface PostRow extends PostConditions {
  readonly id: string
  readonly examId: string
  readonly unit: string
  readonly unitName: string
  readonly type: string
  readonly typeName: string
  readonly code: string
  readonly codeName: string
  readonly competentDept: string | null
  readonly postLevel: string | null
  readonly planNum: number
  /** The plan after reductions. */
  readonly curNum: number
  /** Null: the examination's ratio. */
  readonly openRatio: number | null
  /** 0: no cap. */
  readonly maxSign: number
  readonly usedSign: number
  /** 0 open, 1 reduced, 2 cancelled, 3 receiving transfers, 4 paused. */
  readonly postState: 0 | 1 | 2 | 3 | 4
  readonly ageText: string | null
  readonly otherText: string | null
  /** Papers sat; empty = all. */
  readonly itemCodes: readonly string[]
  /** For feeMode 3. */
  readonly feeFen: number
  readonly phone: string | null
  readonly sort: number
  readonly remark: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly version: number
}

const plain = [
  'unit',
  'unitName',
  'type',
  'typeName',
  'code',
  'codeName',
  'competentDept',
  'postLevel',
  'planNum',
  'curNum',
  'openRatio',
  'maxSign',
  'usedSign',
  'postState',
  'ageText',
  'sex',
  'educations',
  'degrees',
  'fresh',
  'hukou',
  'title',
  'minWorkYears',
  'otherText',
  'itemCodes',
  'feeFen',
  'phone',
  'sort',
  'remark',
  'createdAt',
  'updatedAt',
  'version',
] as const satisfies readonly (keyof PostRow)[]

const postColumns = frozen(
  sql.join([
    selectCamel('p', plain, ['id', 'examId', 'bornFrom', 'bornTo']),
    // An absent list means "any", as an empty one does.
    sql`coalesce(p.majors, '[]') as majors`,
    sql`coalesce(p.political, '[]') as political`,
    sql`coalesce(p.cert, '[]') as cert`,
    sql`coalesce(p.major_text, '') as "majorText"`,
  ]),
)

const selectPosts = (db: TenantDb, condition: RawBuilder<unknown>): Promise<PostRow[]> =>
  db.all(sql<PostRow>`select ${postColumns} from type_code p where not p.is_deleted and ${condition} order by p.sort, p.code`)

export const listPosts = (db: TenantDb, examId: string): Promise<PostRow[]> => selectPosts(db, sql`p.exam_id = ${examId}`)

/** A post with the folded key that searches look into. */
export interface SearchedPost extends PostRow {
  readonly searchKey: string
}
export const listPostsToSearch = (db: TenantDb, examId: string): Promise<SearchedPost[]> =>
  db.all(sql<SearchedPost>`
    select ${postColumns}, p.search_key as "searchKey" from type_code p where not p.is_deleted and p.exam_id = ${examId} order by p.sort, p.code`)

export const findPost = async (db: TenantDb, examId: string, code: string): Promise<PostRow | undefined> =>
  (await selectPosts(db, sql`p.exam_id = ${examId} and p.code = ${code}`))[0]

export const findPosts = (db: TenantDb, examId: string, codes: readonly string[]): Promise<PostRow[]> =>
  selectPosts(db, sql`p.exam_id = ${examId} and p.code = any(${[...codes]})`)

const shown = [
  'code',
  'codeName',
  'unit',
  'unitName',
  'type',
  'typeName',
  'planNum',
  'curNum',
  'postState',
  'ageText',
  'otherText',
  'feeFen',
] as const satisfies readonly (keyof PostRow)[]
/** A post as it is shown beside a sign-up for it. */
export type PostShown = Pick<PostRow, (typeof shown)[number] | 'majorText'>
const shownColumns = frozen(sql.join([selectCamel('p', shown), sql`coalesce(p.major_text, '') as "majorText"`]))

export const findPostsShown = (db: TenantDb, examId: string, codes: readonly string[]): Promise<PostShown[]> =>
  db.all(
    sql<PostShown>`select ${shownColumns} from type_code p where not p.is_deleted and p.exam_id = ${examId} and p.code = any(${[...codes]})`,
  )

/**
 * Counts one more live sign-up of a post; false when the cap is reached (2106) or there is no such post. One guarded statement: two
 * callers at once cannot both take the last seat (domain 4.10). Not for the candidate's role, which may not write posts.
 */
export const takeSeat = async (db: TenantDb, examId: string, code: string): Promise<boolean> =>
  (await db.run(sql`
    update type_code set used_sign = used_sign + 1
    where exam_id = ${examId} and code = ${code} and not is_deleted and (max_sign = 0 or used_sign < max_sign)`)) === 1

export const freeSeat = async (db: TenantDb, examId: string, code: string): Promise<void> => {
  await db.run(sql`
    update type_code set used_sign = used_sign - 1 where exam_id = ${examId} and code = ${code} and not is_deleted and used_sign > 0`)
}

export interface PostFilter {
  readonly examId: string
  /** Units whose posts are seen; undefined = all. */
  readonly units?: readonly string[] | undefined
  readonly unit?: string | undefined
  readonly type?: string | undefined
  readonly keyword?: string | undefined
}
const within = ({ examId, units, unit, type, keyword }: PostFilter): RawBuilder<unknown> =>
  allOf([
    sql`p.exam_id = ${examId}`,
    units && sql`p.unit = any(${[...units]})`,
    unit ? sql`p.unit = ${unit}` : undefined,
    type ? sql`p.type = ${type}` : undefined,
    keyword ? keyHolds(sql`p.search_key`, keyword) : undefined,
  ])

export const pageOfPosts = async (
  db: TenantDb,
  filter: PostFilter,
  size: number,
  offset: number,
): Promise<{ total: number; posts: PostRow[] }> => {
  const condition = within(filter)
  const { total } = await db.one(
    sql<{ total: number }>`select count(*)::int as total from type_code p where not p.is_deleted and ${condition}`,
  )
  const posts = await db.all(
    sql<PostRow>`select ${postColumns} from type_code p where not p.is_deleted and ${condition} order by p.sort, p.code, p.id limit ${size} offset ${offset}`,
  )
  return { total, posts }
}

export interface PostsOfExam {
  readonly examId: string
  readonly postCount: number
  readonly planTotal: number
}
/** How many posts examinations have, and for how many people; one without posts is left out. */
export const countPosts = (db: TenantDb, examIds: readonly string[]): Promise<PostsOfExam[]> =>
  db.all(sql<PostsOfExam>`
    select exam_id::text as "examId", count(*)::int as "postCount", sum(cur_num)::int as "planTotal"
    from type_code where exam_id = any(${[...examIds]}::bigint[]) and not is_deleted group by exam_id`)

/** Changes with every post that is added, changed or removed. */
export const postsVersion = async (db: TenantDb, examId: string): Promise<{ tag: string; lastModified: Date | undefined }> => {
  const row = await db.one(sql<{ count: number; versions: string; last: string; lastModified: Date | null }>`
    select count(*) filter (where not is_deleted)::int as count, coalesce(sum(version), 0)::text as versions,
      coalesce(max(extract(epoch from updated_at)), 0)::text as last, max(updated_at) as "lastModified"
    from type_code where exam_id = ${examId}`)
  return { tag: `${examId}-${row.count}-${row.versions}-${row.last}`, lastModified: row.lastModified ?? undefined }
}
