import { nameWords } from '#contract/person/person-name.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { wordsLike } from '#kernel/db/search.ts'
import { allOf, sql } from '#kernel/db/sql.ts'
import type { SignupFile } from './signup.repo.ts'

/** An account of a candidate, or a sign-up of the examination, that a number of a file belongs to. */
export interface KnownPerson {
  readonly userId: string
  readonly name: string
  readonly idCardIndex: string | null
  readonly phoneIndex: string | null
  readonly status: number
}
export const findPeople = (db: TenantDb, idCards: readonly string[], phones: readonly string[]): Promise<KnownPerson[]> =>
  db.all(sql<KnownPerson>`
    select a.id::text as "userId", a.real_name as name, a.id_card_index as "idCardIndex", a.phone_index as "phoneIndex", a.status from account a
    where a.user_type = 2 and not a.is_deleted and a.status <> 3 and (a.id_card_index = any(${[...idCards]}::bpchar[]) or a.phone_index = any(${[...phones]}::bpchar[]))`)

export interface KnownSignup {
  readonly userId: string
  readonly idCardIndex: string | null
  readonly examine: string
}
export const findSignupsOf = (
  db: TenantDb,
  examId: string,
  idCards: readonly string[],
  userIds: readonly string[],
): Promise<KnownSignup[]> =>
  db.all(sql<KnownSignup>`
    select user_id::text as "userId", id_card_index as "idCardIndex", examine from signup
    where exam_id = ${examId} and not is_deleted and (id_card_index = any(${[...idCards]}::bpchar[]) or user_id = any(${[...userIds]}::bigint[]))`)

/** What a group has handed in for the examination under these id numbers. */
export const findHandedIn = (
  db: TenantDb,
  examId: string,
  groupCode: string,
  idCards: readonly string[],
): Promise<{ idCardIndex: string; examine: string }[]> =>
  db.all(sql<{ idCardIndex: string; examine: string }>`
    select s.id_card_index as "idCardIndex", s.examine from group_signup g join signup s on s.tenant_id = g.tenant_id and s.id = g.signup_id
    where g.exam_id = ${examId} and g.group_code = ${groupCode} and not s.is_deleted and s.id_card_index = any(${[...idCards]}::bpchar[])`)

/** Numbers of people who may not sign up on this day. */
export const findListed = async (db: TenantDb, idCards: readonly string[], day: string): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await db.all(sql<{ index: string }>`
        select id_card_index as index from integrity_list
        where id_card_index = any(${[...idCards]}::bpchar[]) and begin_date <= ${day} and (end_date is null or end_date >= ${day})`)
    ).map(row => row.index),
  )

export const newIds = async (db: TenantDb, count: number): Promise<string[]> =>
  (await db.all(sql<{ id: string }>`select next_id()::text as id from generate_series(1, ${count})`)).map(row => row.id)

/** The first of so many running numbers of an examination. */
export const takeSignSequence = async (db: TenantDb, examId: string, count: number): Promise<number> => {
  const { n } = await db.one(sql<{ n: number }>`
    insert into exam_counter (tenant_id, exam_id, sign_seq) values (${db.actor.tenantId}, ${examId}, ${count})
    on conflict (tenant_id, exam_id) do update set sign_seq = exam_counter.sign_seq + ${count} returning sign_seq as n`)
  return n - count + 1
}

/** Counts so many places of a post at once. @returns false when fewer are left */
export const takePlaces = async (db: TenantDb, examId: string, code: string, count: number): Promise<boolean> =>
  (await db.run(sql`
    update type_code set used_sign = used_sign + ${count}
    where exam_id = ${examId} and code = ${code} and not is_deleted and (max_sign = 0 or used_sign + ${count} <= max_sign)`)) === 1

/** A person without an account, sealed for it. Bytes are in base64: they travel within JSON. */
export interface AccountToAdd {
  readonly id: string
  readonly name: string
  readonly phone: string
  /** Null: the account stands in for somebody whom a school invites, and holds no number. */
  readonly phoneIndex: string | null
  readonly phoneMask: string
  readonly idCard: string
  readonly idCardIndex: string | null
  readonly idCardMask: string
  readonly idCardType: string
  readonly sex: number
  readonly birthday: string
}
/**
 * Accounts of candidates who log in by a text message and choose a password then; their number is the name of the account. Call under the lock
 * `candidate-number`.
 */
export const addAccounts = async (db: TenantDb, rows: readonly AccountToAdd[]): Promise<void> => {
  await db.run(sql`
    with first as (
      select coalesce((select substr(user_code, 2)::bigint from account where user_type = 2 and user_code ~ '^K[0-9]{10}$' order by user_code desc limit 1), 0) as n),
    given as (
      select g.*, 'K' || lpad((first.n + row_number() over (order by g.id))::text, 10, '0') as number
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g(id bigint, name text, phone text, "phoneIndex" text, "phoneMask" text, "idCard" text, "idCardIndex" text,
        "idCardMask" text, "idCardType" text, sex int, birthday date), first)
    insert into account (tenant_id, id, account, account_key, user_type, nick_name, real_name, user_code, phone_sealed, phone_index, phone_mask, id_card_sealed, id_card_index,
      id_card_mask, id_card_type, sex, birthday, status)
    select ${db.actor.tenantId}, id, number, lower(number), 2, name, name, number, decode(phone, 'base64'), "phoneIndex", "phoneMask", decode("idCard", 'base64'), "idCardIndex",
      "idCardMask", "idCardType", sex, birthday, 1
    from given`)
  await db.run(sql`
    insert into account_role (tenant_id, user_id, role_id)
    select ${db.actor.tenantId}, u, r.id from unnest(${rows.map(row => row.id)}::bigint[]) u
    cross join (select id from role where role_alias = 'candidate' and not is_deleted) r`)
}

/**
 * Lets the connection plan anew what it has planned, the checks of foreign keys among it: planned while a table held a handful of rows, they look through all rows of
 * the tenant (a millisecond for each row where 5,000 are, ten where 50,000 are).
 */
export const forgetPlans = async (db: TenantDb): Promise<void> => {
  await db.run(sql`discard plans`)
}

/** A sign-up as a group hands it in. */
export interface SignupToAdd {
  readonly id: string
  readonly userId: string
  /** Of a draft the person has everything before them: the number, the first version and the place come with their own submit. */
  readonly examine: 'draft' | 'passed'
  readonly signNo: string | null
  readonly source: 2 | 3
  readonly code: string
  readonly type: string
  readonly unit: string
  readonly code2: string | null
  readonly type2: string | null
  readonly unit2: string | null
  readonly province: string | null
  readonly city: string | null
  readonly area: string | null
  readonly content: Readonly<Record<string, unknown>>
  readonly adjust: boolean
  readonly name: string
  readonly nameRare: boolean
  readonly idCardType: string
  readonly idCard: string
  readonly idCardIndex: string
  readonly idCardMask: string
  readonly phone: string
  readonly phoneIndex: string
  readonly phoneMask: string
  readonly sex: number
  readonly birthday: string
  readonly nation: string | null
  readonly education: string | null
  readonly degree: string | null
  readonly major: string | null
  readonly school: string | null
  readonly autoCheck: readonly object[]
  readonly autoResult: string
}
/** Writes sign-ups with who handed them in, those that passed with their first version. */
export const addSignups = async (
  db: TenantDb,
  of: { readonly examId: string; readonly importId: string; readonly groupCode: string },
  rows: readonly SignupToAdd[],
): Promise<void> => {
  const { tenantId, userId } = db.actor
  await db.run(sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g(id bigint, "userId" bigint, examine text, "signNo" text, source int, code text, type text, unit text, code2 text, type2 text,
        unit2 text, province text, city text, area text, content jsonb, adjust boolean, name text, "nameRare" boolean, "idCardType" text, "idCard" text, "idCardIndex" text, "idCardMask" text,
        phone text, "phoneIndex" text, "phoneMask" text, sex int, birthday date, nation text, education text, degree text, major text, school text, "autoCheck" jsonb, "autoResult" text))
    insert into signup (tenant_id, id, exam_id, user_id, examine, sign_no, source, code, type, unit, code2, type2, unit2, province, city, area, content, adjust, name, name_rare, id_card_type,
        id_card_sealed, id_card_index, id_card_mask, phone_sealed, phone_index, phone_mask, sex, birthday, nation, education, degree, major, school, auto_check, auto_result, sign_version,
        submit_time, first_submit_time, created_by, updated_by)
      select ${tenantId}, id, ${of.examId}, "userId", examine, "signNo", source, code, type, unit, code2, type2, unit2, province, city, area, content, adjust, name, "nameRare", "idCardType",
        decode("idCard", 'base64'), "idCardIndex", "idCardMask", decode(phone, 'base64'), "phoneIndex", "phoneMask", sex, birthday, nation, education, degree, major, school, "autoCheck",
        "autoResult", (examine = 'passed')::int, case when examine = 'passed' then app_now() end, case when examine = 'passed' then app_now() end, ${userId}, ${userId} from given`)
  // A statement of its own: whoever is narrowed reaches the version of a sign-up only once that is there. Read from the rows that were handed in: the planner
  // does not know yet how many sign-ups there are, and would look through all of them.
  await db.run(sql`
    insert into signup_history (tenant_id, signup_id, user_id, sign_version, code, code2, content, files, auto_check, created_by)
    select ${tenantId}, id, "userId", 1, code, code2, content, '[]', "autoCheck", ${userId}
    from jsonb_to_recordset(${JSON.stringify(rows.filter(row => row.examine === 'passed'))}::jsonb)
      as g(id bigint, "userId" bigint, code text, code2 text, content jsonb, "autoCheck" jsonb)`)
  await db.run(sql`
    insert into group_signup (tenant_id, signup_id, exam_id, user_id, group_code, import_id, created_by)
    select ${tenantId}, s, ${of.examId}, u, ${of.groupCode}, ${of.importId}, ${userId}
    from unnest(${rows.map(row => row.id)}::bigint[], ${rows.map(row => row.userId)}::bigint[]) as g(s, u)`)
}

/** Some people of an import whom nobody has told by a text message, marked as told. */
export const takeUntold = (
  db: TenantDb,
  importId: string,
  most: number,
): Promise<{ userId: string; examId: string; groupCode: string }[]> =>
  db.all(sql<{ userId: string; examId: string; groupCode: string }>`
    update group_signup g set told_at = app_now()
    where g.signup_id in (select signup_id from group_signup where import_id = ${importId} and told_at is null order by signup_id limit ${most} for update skip locked)
    returning g.user_id::text as "userId", g.exam_id::text as "examId", g.group_code as "groupCode"`)

export interface GroupFilter {
  readonly examId: string
  /** Codes of the schools the reader is narrowed to. */
  readonly groups: readonly string[] | undefined
}
const mine = ({ examId, groups }: GroupFilter) => allOf([sql`g.exam_id = ${examId}`, groups && sql`g.group_code = any(${[...groups]})`])

export interface PhotoPlace {
  readonly signupId: string
  readonly userId: string
  readonly examine: string
  readonly files: readonly SignupFile[]
}
/** The sign-up of a group that an id number belongs to, locked. */
export const lockByNumber = (db: TenantDb, filter: GroupFilter, idCardIndexes: readonly string[]): Promise<PhotoPlace | undefined> =>
  db.maybe(sql<PhotoPlace>`
    select s.id::text as "signupId", s.user_id::text as "userId", s.examine, s.files from group_signup g join signup s on s.tenant_id = g.tenant_id and s.id = g.signup_id
    where ${mine(filter)} and s.id_card_index = any(${[...idCardIndexes]}::bpchar[]) and not s.is_deleted for update of s`)
export const countWithoutPhoto = async (db: TenantDb, filter: GroupFilter): Promise<number> =>
  (
    await db.one(sql<{ n: number }>`
      select count(*)::int as n from group_signup g join signup s on s.tenant_id = g.tenant_id and s.id = g.signup_id
      where ${mine(filter)} and s.photo_file_id is null and s.examine not in ('withdrawn', 'disqualified')`)
  ).n
export interface GroupRow {
  readonly signupId: string
  readonly signNo: string | null
  readonly name: string | null
  readonly idCardMask: string | null
  readonly phoneMask: string | null
  readonly code: string | null
  readonly codeName: string | null
  readonly unitName: string | null
  readonly examine: string
  readonly payState: string
  readonly groupCode: string
  readonly groupName: string | null
  readonly importedAt: Date
  readonly told: boolean
  readonly fileKeys: readonly string[]
  readonly answered: readonly string[]
  readonly hasPromised: boolean
  readonly hasPassword: boolean
}
export const isOpenOfGroup = sql`(s.examine in ('draft', 'returned') or (s.examine in ('waiting', 'second') and s.promise_time is null) or (s.examine = 'passed' and s.pay_state = 'due'))`
export const pageGroup = async (
  db: TenantDb,
  filter: GroupFilter & { readonly keyword?: string | undefined; readonly open: boolean },
  size: number,
  offset: number,
): Promise<{ rows: GroupRow[]; total: number }> => {
  const where = allOf([
    mine(filter),
    sql`not s.is_deleted`,
    filter.open && isOpenOfGroup,
    filter.keyword !== undefined &&
      (/^\d{6,}$/.test(filter.keyword) ? sql`s.sign_no = ${filter.keyword}` : wordsLike(sql`s.name`, nameWords(filter.keyword))),
  ])
  const tables = sql`group_signup g join signup s on s.tenant_id = g.tenant_id and s.id = g.signup_id`
  const rows = await db.all(sql<GroupRow>`
    select s.id::text as "signupId", s.sign_no as "signNo", s.name, s.id_card_mask as "idCardMask", s.phone_mask as "phoneMask", s.code, t.code_name as "codeName", t.unit_name as "unitName",
      s.examine, s.pay_state as "payState", g.group_code as "groupCode", c.school_name as "groupName", g.created_at as "importedAt", g.told_at is not null as told,
      array(select f->>'fileKey' from jsonb_array_elements(s.files) f) as "fileKeys", array(select k from jsonb_each(s.content) e(k, v) where v not in ('null', '""', '[]')) as answered,
      s.promise_time is not null as "hasPromised", a.password_changed_at is not null as "hasPassword"
    from ${tables}
    join account a on a.tenant_id = g.tenant_id and a.id = g.user_id
    left join type_code t on t.tenant_id = s.tenant_id and t.exam_id = s.exam_id and t.code = s.code and not t.is_deleted
    left join school c on c.tenant_id = g.tenant_id and c.school_code = g.group_code and not c.is_deleted
    where ${where} order by g.signup_id desc limit ${size} offset ${offset}`)
  const { total } = await db.one(sql<{ total: number }>`select count(*)::int as total from ${tables} where ${where}`)
  return { rows, total }
}

/** Of these sign-ups of the group, those with something to do that were not reminded under these keys yet. */
export const listToRemind = (
  db: TenantDb,
  filter: GroupFilter,
  signupIds: readonly string[],
  day: string,
): Promise<{ signupId: string; userId: string; eventKey: string }[]> =>
  db.all(sql<{ signupId: string; userId: string; eventKey: string }>`
    select s.id::text as "signupId", s.user_id::text as "userId", 'signup.group-remind:' || s.id || ':' || ${day}::text as "eventKey"
    from group_signup g join signup s on s.tenant_id = g.tenant_id and s.id = g.signup_id
    where ${mine(filter)} and s.id = any(${[...signupIds]}::bigint[]) and not s.is_deleted and ${isOpenOfGroup}
      and not exists (select 1 from notify n where n.user_id = s.user_id and n.event_key = 'signup.group-remind:' || s.id || ':' || ${day}::text)
    order by s.id`)

export const countGroups = (
  db: TenantDb,
  examId: string,
  codes: readonly string[],
): Promise<{ groupCode: string; groupName: string | null; total: number; unfinished: number }[]> =>
  db.all(sql<{ groupCode: string; groupName: string | null; total: number; unfinished: number }>`
    select k.code as "groupCode", c.school_name as "groupName", count(s.id)::int as total, count(s.id) filter (where ${isOpenOfGroup})::int as unfinished
    from unnest(${[...codes]}::text[]) as k(code) left join school c on c.school_code = k.code and not c.is_deleted
      left join group_signup g on g.exam_id = ${examId} and g.group_code = k.code
      left join signup s on s.tenant_id = g.tenant_id and s.id = g.signup_id and not s.is_deleted
    group by k.code, c.school_name order by k.code`)
