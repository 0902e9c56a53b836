import { nameWords } from '#contract/person/person-name.ts'
import type { IntegrityLevel, IntegrityState } from '#contract/signup/integrity.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { wordsLike } from '#kernel/db/search.ts'
import { allOf, sql } from '#kernel/db/sql.ts'
import { insistOnGate } from '#kernel/two-persons.ts'

export interface CaseRow {
  readonly id: string
  readonly examId: string
  readonly examName: string
  readonly signupId: string
  readonly userId: string
  readonly signNo: string
  readonly name: string
  readonly idCardMask: string
  readonly idCardIndex: string
  readonly nameMask: string
  readonly reason: string
  readonly proposedAt: Date
  readonly answerUntil: Date
  readonly toldAt: Date | null
  readonly statement: string | null
  readonly state: IntegrityState
  readonly level: IntegrityLevel | null
  readonly endDate: string | null
  readonly decision: string | null
  readonly decidedBy: string | null
  readonly decidedById: string | null
  /** Who noted the violation in the room; of one that came with the results, who released them. */
  readonly foundById: string | null
  readonly decidedAt: Date | null
  readonly listedId: string | null
  readonly version: number
}
/** Names the message by which the person was told. */
export const proposalKey = (id: string): string => `integrity-proposed:${id}`

const from = sql`
  from integrity_case c join examination e on e.id = c.exam_id join signup s on s.id = c.signup_id
  left join integrity_list l on l.id = c.listed_id left join account d on d.id = c.decided_by
  left join notify n on n.user_id = c.user_id and n.event_key = 'integrity-proposed:' || c.id`
const columns = sql`
  c.id::text as id, c.exam_id::text as "examId", e.exam_name as "examName", c.signup_id::text as "signupId", c.user_id::text as "userId",
  coalesce(s.sign_no, '') as "signNo", coalesce(s.name, '') as name, coalesce(s.id_card_mask, '') as "idCardMask", c.id_card_index as "idCardIndex",
  c.name_mask as "nameMask", c.reason, c.created_at as "proposedAt", c.answer_until as "answerUntil", n.sure_at as "toldAt", c.statement, c.state, c.level,
  l.end_date::text as "endDate", c.decision, d.real_name as "decidedBy", c.decided_by::text as "decidedById", c.created_by::text as "foundById", c.decided_at as "decidedAt", c.listed_id::text as "listedId", c.version`

export const pageCases = async (
  db: TenantDb,
  filter: { readonly examId: string | undefined; readonly state: IntegrityState | undefined; readonly keyword: string | undefined },
  page: { readonly size: number; readonly offset: number },
): Promise<{ rows: CaseRow[]; total: number }> => {
  const which = allOf([
    filter.examId !== undefined && sql`c.exam_id = ${filter.examId}`,
    filter.state !== undefined && sql`c.state = ${filter.state}`,
    filter.keyword !== undefined && sql`(s.sign_no = ${filter.keyword} or ${wordsLike(sql`s.name`, nameWords(filter.keyword))})`,
  ])
  return {
    total: (await db.one(sql<{ total: number }>`select count(*)::int as total ${from} where ${which}`)).total,
    rows: await db.all(sql<CaseRow>`
      select ${columns} ${from} where ${which} order by c.state <> 'proposed', c.id desc limit ${page.size} offset ${page.offset}`),
  }
}

/** Keeps the case from being changed until the transaction ends. */
export const lockCase = async (db: TenantDb, id: string): Promise<CaseRow | undefined> => {
  await db.run(sql`select 1 from integrity_case where id = ${id} for update`)
  return db.maybe(sql<CaseRow>`select ${columns} ${from} where c.id = ${id}`)
}

/** Proposes what was found of a sign-up; undefined where it was proposed already, or the sign-up has no id number. */
export const addCase = (
  db: TenantDb,
  of: {
    readonly signupId: string
    readonly source: 'violation' | 'result'
    readonly sourceId: string
    readonly reason: string
    readonly answerUntil: Date
  },
): Promise<{ id: string; examId: string; examName: string; userId: string } | undefined> =>
  db.maybe(sql<{ id: string; examId: string; examName: string; userId: string }>`
    with added as (
      insert into integrity_case (tenant_id, exam_id, signup_id, user_id, source, source_id, id_card_index, name_mask, reason, answer_until, created_by)
      select s.tenant_id, s.exam_id, s.id, s.user_id, ${of.source}, ${of.sourceId}, s.id_card_index, left(coalesce(s.name, ''), 1) || '*', ${of.reason},
        ${of.answerUntil}, ${db.actor.userId}
      from signup s where s.id = ${of.signupId} and s.id_card_index is not null
      on conflict (tenant_id, source, source_id) do nothing returning id, exam_id, user_id)
    select a.id::text as id, a.exam_id::text as "examId", e.exam_name as "examName", a.user_id::text as "userId" from added a join examination e on e.id = a.exam_id`)

/** Of these sign-ups, those of whom nothing is proposed yet. */
export const withoutCase = async (db: TenantDb, signupIds: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await db.all(sql<{ id: string }>`
        select g.id::text as id from unnest(${[...signupIds]}::bigint[]) as g(id)
        where not exists (select 1 from integrity_case c where c.signup_id = g.id)`)
    ).map(row => row.id),
  )

/** From the day on nobody with this number signs up, until the end. */
export const addToList = (
  db: TenantDb,
  of: {
    readonly case: CaseRow
    readonly level: IntegrityLevel
    readonly begin: string
    readonly end: string | null
    readonly reason: string
  },
): Promise<{ id: string }> => {
  insistOnGate(db, 'integrityRecord')
  return db.one(sql<{ id: string }>`
    insert into integrity_list (tenant_id, id_card_index, name_mask, reason, begin_date, end_date, source, created_by)
    values (${db.actor.tenantId}, ${of.case.idCardIndex}, ${of.case.nameMask}, left(${of.reason}, 200), ${of.begin}, ${of.end}, left(${of.case.examName}, 100),
      ${db.actor.userId})
    returning id::text as id`)
}

/** The entry ended the day before. */
export const endEntry = async (db: TenantDb, id: string, day: string): Promise<void> => {
  insistOnGate(db, 'integrityLift')
  await db.run(sql`update integrity_list set end_date = ${day}::date - 1 where id = ${id}`)
}

/** Cases about a person, the newest first. */
export const listOwnCases = (db: TenantDb, userId: string): Promise<CaseRow[]> =>
  db.all(sql<CaseRow>`select ${columns} ${from} where c.user_id = ${userId} order by c.id desc`)
