import { nameWords } from '#contract/person/person-name.ts'
import type { TransferChoice, TransferState } from '#contract/reduction/reduction.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { wordsLike } from '#kernel/db/search.ts'
import { allOf, sql } from '#kernel/db/sql.ts'

/** Somebody on the list of a cancelled post. */
export interface NameRow {
  readonly id: string
  readonly examId: string
  readonly reductionId: string
  readonly signupId: string
  readonly userId: string
  readonly fromCode: string
  readonly choice: TransferChoice
  readonly state: TransferState
  readonly toCode: string | null
  readonly choiceTime: Date | null
}
const columns = sql`
  n.id::text as id, n.exam_id::text as "examId", n.reduction_id::text as "reductionId", n.signup_id::text as "signupId", n.user_id::text as "userId",
  n.from_code as "fromCode", n.choice, n.state, n.to_code as "toCode", n.choice_time as "choiceTime"`

/** The newest line of a sign-up that was not taken off. */
export const findName = (db: TenantDb, signupId: string): Promise<NameRow | undefined> =>
  db.maybe(sql<NameRow>`
    select ${columns} from reduction_name n where n.signup_id = ${signupId} and n.state <> 'removed' and not n.is_deleted order by n.id desc limit 1`)
/** The same, locked. Lock the sign-up first. */
export const lockName = (db: TenantDb, signupId: string): Promise<NameRow | undefined> =>
  db.maybe(sql<NameRow>`
    select ${columns} from reduction_name n where n.signup_id = ${signupId} and n.state <> 'removed' and not n.is_deleted order by n.id desc limit 1 for update`)

/** Puts sign-ups on a list; one that is on a list already stays where it is. @returns ids of those that are new */
export const addNames = async (
  db: TenantDb,
  to: { readonly examId: string; readonly reductionId: string; readonly code: string; readonly joinWay: 1 | 2 },
  signups: readonly { readonly id: string; readonly userId: string }[],
): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      insert into reduction_name (tenant_id, exam_id, reduction_id, signup_id, user_id, from_code, join_way, created_by, updated_by)
      select ${db.actor.tenantId}, ${to.examId}, ${to.reductionId}, s.id, s.user_id, ${to.code}, ${to.joinWay}, ${db.actor.userId}, ${db.actor.userId}
      from unnest(${signups.map(one => one.id)}::bigint[], ${signups.map(one => one.userId)}::bigint[]) as s(id, user_id)
      on conflict (tenant_id, signup_id) where state in ('open', 'review') and not is_deleted do nothing
      returning signup_id::text as id`)
  ).map(row => row.id)

/** Moves a line and writes what was chosen. @returns false when it was moved meanwhile */
export const moveName = async (
  db: TenantDb,
  id: string,
  from: TransferState,
  to: TransferState,
  set: {
    readonly choice?: TransferChoice
    readonly post?: { readonly code: string; readonly type: string; readonly unit: string } | null
    readonly choiceTime?: Date
  } = {},
): Promise<boolean> =>
  (await db.run(sql`
    update reduction_name set state = ${to}, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
      ${set.choice === undefined ? sql`` : sql`, choice = ${set.choice}`}
      ${set.choiceTime === undefined ? sql`` : sql`, choice_time = ${set.choiceTime}`}
      ${set.post === undefined ? sql`` : sql`, to_code = ${set.post?.code ?? null}, to_type = ${set.post?.type ?? null}, to_unit = ${set.post?.unit ?? null}`}
    where id = ${id} and state = ${from}`)) === 1

/** Until when people on lists have to choose. */
export const choiceEndsOf = async (db: TenantDb, signupIds: readonly string[]): Promise<ReadonlyMap<string, Date>> => {
  const rows = await db.all(sql<{ id: string; until: Date }>`
    select n.signup_id::text as id, r.choice_end as until from reduction_name n join post_reduction r on r.tenant_id = n.tenant_id and r.id = n.reduction_id
    where n.signup_id = any(${[...signupIds]}::bigint[]) and n.state = 'open' and not n.is_deleted`)
  return new Map(rows.map(row => [row.id, row.until]))
}

/** Lines whose money has gone back. @returns their ids */
export const closeRefunded = async (db: TenantDb, signupId: string): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      update reduction_name set state = 'done', updated_at = app_now(), version = version + 1
      where signup_id = ${signupId} and state = 'refunding' and not is_deleted returning id::text as id`)
  ).map(row => row.id)

/**
 * People who have not chosen in time: a while after the end, so that whoever chose in its last moment is heard. Whose new post was returned for
 * corrections that they did not make in time is one of them.
 */
export const listLapsed = (db: TenantDb, graceSeconds: number, most: number): Promise<string[]> =>
  db
    .all(sql<{ id: string }>`
      select n.signup_id::text as id from reduction_name n
      join post_reduction r on r.tenant_id = n.tenant_id and r.id = n.reduction_id
      join signup s on s.tenant_id = n.tenant_id and s.id = n.signup_id
      join examination e on e.tenant_id = n.tenant_id and e.id = n.exam_id
      where not n.is_deleted and e.state in ('released', 'closed') and r.choice_end + make_interval(secs => ${graceSeconds}) <= app_now()
        and (n.state = 'open' or (n.state = 'review' and s.examine = 'returned' and coalesce(greatest(e.modify_end, s.extend_until), e.sign_end) <= app_now()))
      order by n.id limit ${most}`)
    .then(rows => rows.map(row => row.id))

export interface ListedName extends NameRow {
  readonly signNo: string | null
  readonly name: string
  readonly fromName: string | null
  readonly unitName: string | null
  readonly joinWay: number
  readonly toName: string | null
  readonly toUnitName: string | null
  readonly payState: string
  readonly sureAt: Date | null
  readonly choiceEnd: Date
}
export interface NameFilter {
  readonly examId: string
  readonly code?: string | undefined
  readonly choice?: TransferChoice | undefined
  readonly state?: TransferState | undefined
  readonly keyword?: string | undefined
  /** Units of the cancelled posts that the reader is narrowed to. */
  readonly units?: readonly string[] | undefined
}
export const noticeKey = (reductionId: string): string => `reduction:${reductionId}`

export const pageNames = async (
  db: TenantDb,
  { examId, code, choice, state, keyword, units }: NameFilter,
  size: number,
  offset: number,
): Promise<{ rows: ListedName[]; total: number }> => {
  const isNumber = keyword !== undefined && /^\d{6,}$/.test(keyword)
  const where = allOf([
    sql`n.exam_id = ${examId} and not n.is_deleted`,
    code !== undefined && sql`n.from_code = ${code}`,
    choice !== undefined && sql`n.choice = ${choice}`,
    state !== undefined && sql`n.state = ${state}`,
    units && sql`r.unit = any(${[...units]})`,
    keyword !== undefined && (isNumber ? sql`s.sign_no = ${keyword}` : wordsLike(sql`s.name`, nameWords(keyword))),
  ])
  const tables = sql`reduction_name n
    join post_reduction r on r.tenant_id = n.tenant_id and r.id = n.reduction_id
    join signup s on s.tenant_id = n.tenant_id and s.id = n.signup_id`
  const rows = await db.all(sql<ListedName>`
    select ${columns}, s.sign_no as "signNo", coalesce(s.name, '') as name, f.code_name as "fromName", f.unit_name as "unitName", n.join_way as "joinWay",
      t.code_name as "toName", t.unit_name as "toUnitName", s.pay_state as "payState", r.choice_end as "choiceEnd",
      (select m.sure_at from notify m where m.user_id = n.user_id and m.event_key = 'reduction:' || r.id) as "sureAt"
    from ${tables}
    left join type_code f on f.tenant_id = n.tenant_id and f.exam_id = n.exam_id and f.code = n.from_code and not f.is_deleted
    left join type_code t on t.tenant_id = n.tenant_id and t.exam_id = n.exam_id and t.code = n.to_code and not t.is_deleted
    where ${where} order by n.id desc limit ${size} offset ${offset}`)
  const { total } = await db.one(sql<{ total: number }>`select count(*)::int as total from ${tables} where ${where}`)
  return { rows, total }
}

/** People of a decision with the accounts that are told by text message: those on its list, or all of a post that is only smaller. */
export const listToTell = (
  db: TenantDb,
  of: { readonly reductionId: string; readonly examId: string; readonly code: string; readonly moves: boolean },
): Promise<string[]> =>
  db
    .all(
      of.moves
        ? sql<{ id: string }>`
            select n.user_id::text as id from reduction_name n where n.reduction_id = ${of.reductionId} and n.state <> 'removed' and not n.is_deleted order by n.id`
        : sql<{ id: string }>`
            select s.user_id::text as id from signup s
            where s.exam_id = ${of.examId} and s.code = ${of.code} and takes_part(s.examine, s.pay_state, s.reduction_state) and not s.is_deleted order by s.id`,
    )
    .then(rows => rows.map(row => row.id))
