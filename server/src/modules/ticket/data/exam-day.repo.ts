import { type DayMark, markKinds } from '#contract/ticket/exam-day.ts'
import type { ViolationState } from '#contract/ticket/violation.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'
import type { TicketScope } from './ticket.repo.ts'

const within = (scope: TicketScope): RawBuilder<unknown> | undefined =>
  scope === undefined ? undefined : 'units' in scope ? sql`s.unit = any(${[...scope.units]})` : sql`t.site_code = any(${[...scope.sites]})`

export interface DayRoom {
  readonly examId: string
  readonly examName: string
  readonly itemId: string
  readonly itemName: string
  readonly startTime: Date
  readonly endTime: Date
  readonly siteCode: string
  readonly siteName: string
  readonly roomNo: string
  readonly roomName: string
  readonly seated: number
  readonly present: number
  readonly late: number
  readonly absent: number
  readonly violations: number
  /** Of those present or absent, how many nobody marked in the room: their result says so. */
  readonly byResult: number
  readonly notes: number
  readonly closed: boolean
}
/** Rooms with released tickets whose paper begins in a span of time, or of one examination. */
export const listDayRooms = (
  db: TenantDb,
  of: { readonly examId?: string | undefined; readonly from?: Date; readonly to?: Date; readonly scope: TicketScope },
): Promise<DayRoom[]> => {
  const which = allOf([
    sql`not t.is_deleted and t.ticket_state in ('released', 'downloaded')`,
    of.examId !== undefined && sql`t.exam_id = ${of.examId}`,
    of.from !== undefined && sql`i.start_time >= ${of.from}`,
    of.to !== undefined && sql`i.start_time < ${of.to}`,
    within(of.scope),
  ])
  return db.all(sql<DayRoom>`
    select e.id::text as "examId", e.exam_name as "examName", i.id::text as "itemId", i.item_name as "itemName", i.start_time as "startTime",
      i.end_time as "endTime", i.score_state <> 'none' as closed, r.*
    from (
      select t.exam_id, t.item_id, t.site_code as "siteCode", min(t.site_name) as "siteName", t.room_no as "roomNo", min(t.room_name) as "roomName",
        count(*)::int as seated, count(*) filter (where a.state = 1)::int as present, count(*) filter (where a.state = 2)::int as late,
        count(*) filter (where a.state = 3)::int as absent, coalesce(sum(v.filed), 0)::int as violations,
        count(*) filter (where a.state > 0 and coalesce(d.state, 0) = 0)::int as "byResult",
        coalesce(sum(n.notes), 0)::int as notes
      from ticket t join exam_item i on i.id = t.item_id join signup s on s.id = t.signup_id
      left join exam_day_state d on d.ticket_id = t.id
      left join result x on x.item_id = t.item_id and x.signup_id = t.signup_id and x.exam_id = t.exam_id and not x.is_deleted
      -- Whoever was not marked in the room is known by the result: absent (2), or there, which an exemption (5) does not tell.
      cross join lateral (select case when d.state > 0 then d.state when x.result_state = 2 then 3 when x.result_state in (1, 3, 4) then 1 else 0 end as state) a
      left join lateral (select count(*) as filed from exam_violation x where x.ticket_id = t.id and x.state <> 'dismissed') v on true
      left join lateral (select count(*) as notes from exam_day_mark m where m.ticket_id = t.id and m.kind = ${markKinds.note}) n on true
      where ${which} group by t.exam_id, t.item_id, t.site_code, t.room_no) r
    join exam_item i on i.id = r.item_id join examination e on e.id = r.exam_id
    order by i.start_time, i.sort, i.item_code, r."siteCode", r."roomNo" limit 5000`)
}

/** When the next paper begins that somebody looks after; its tickets are released. */
export const nextStart = async (db: TenantDb, of: { readonly from: Date; readonly scope: TicketScope }): Promise<Date | undefined> =>
  (
    await db.one(sql<{ at: Date | null }>`
      select min(i.start_time) as at from ticket t join exam_item i on i.id = t.item_id join signup s on s.id = t.signup_id
      where ${allOf([
        sql`not t.is_deleted and t.ticket_state in ('released', 'downloaded') and i.start_time >= ${of.from}`,
        within(of.scope),
      ])}`)
  ).at ?? undefined

export interface DayMarkRow extends DayMark {
  readonly device: string
  readonly by: string
  readonly madeAt: Date
  readonly receivedAt: Date
  /** What the clock of the device said, where that was not on the paper's day. */
  readonly saidAt: Date | null
}
const markColumns = sql`
  m.mark_id::text as "markId", m.ticket_id::text as "ticketId", m.kind, m.note, (extract(epoch from m.made_at) * 1000)::float8 as at,
  m.replaces::text[] as replaces, m.device, coalesce(a.real_name, '') as by, m.made_at as "madeAt", m.created_at as "receivedAt", m.said_at as "saidAt"`

export const listMarks = (db: TenantDb, ticketIds: readonly string[]): Promise<DayMarkRow[]> =>
  db.all(sql<DayMarkRow>`
    select ${markColumns} from exam_day_mark m left join account a on a.id = m.created_by
    where m.ticket_id = any(${[...ticketIds]}::bigint[]) order by m.id`)

/** Marks that are here already, by the numbers that devices have given them. */
export const listMarksById = (db: TenantDb, markIds: readonly string[]): Promise<DayMarkRow[]> =>
  db.all(sql<DayMarkRow>`
    select ${markColumns} from exam_day_mark m left join account a on a.id = m.created_by where m.mark_id = any(${[...markIds]}::uuid[])`)

export interface NoteRow {
  readonly id: string
  readonly itemName: string
  readonly siteName: string
  readonly roomNo: string
  readonly seatNo: string
  readonly ticketNo: string
  readonly name: string
  readonly note: string
  readonly state: number
  readonly by: string
  readonly madeAt: Date
}
/** Notes of the rooms, the latest first; of tickets that became void too: what was seen was seen. */
export const pageNotes = async (
  db: TenantDb,
  of: { readonly examId: string; readonly itemId?: string | undefined; readonly scope: TicketScope },
  { size, offset }: { readonly size: number; readonly offset: number },
): Promise<{ rows: NoteRow[]; total: number }> => {
  const source = sql`
    from exam_day_mark m join ticket t on t.id = m.ticket_id join signup s on s.id = t.signup_id join exam_item i on i.id = m.item_id
    left join exam_day_state d on d.ticket_id = t.id left join account a on a.id = m.created_by
    where ${allOf([
      sql`m.kind = ${markKinds.note} and m.exam_id = ${of.examId}`,
      of.itemId !== undefined && sql`m.item_id = ${of.itemId}`,
      within(of.scope),
    ])}`
  return {
    total: (await db.one(sql<{ total: number }>`select count(*)::int as total ${source}`)).total,
    rows: await db.all(sql<NoteRow>`
      select m.id::text as id, i.item_name as "itemName", t.site_name as "siteName", t.room_no as "roomNo", t.seat_no as "seatNo",
        t.ticket_no as "ticketNo", coalesce(s.name, '') as name, m.note, coalesce(d.state, 0) as state, coalesce(a.real_name, '') as by,
        m.made_at as "madeAt"
      ${source} order by m.made_at desc, m.id desc limit ${size} offset ${offset}`),
  }
}

export interface NewMark extends DayMark {
  readonly examId: string
  readonly itemId: string
  readonly madeAt: Date
  readonly saidAt: Date | null
}
/** Adds marks; those that are here already are left out. */
export const addMarks = (db: TenantDb, device: string, marks: readonly NewMark[]): Promise<number> =>
  db.run(sql`
    insert into exam_day_mark (tenant_id, mark_id, exam_id, item_id, ticket_id, kind, note, replaces, made_at, said_at, device, created_by)
    select ${db.actor.tenantId}, g.mark_id, g.exam_id, g.item_id, g.ticket_id, g.kind, g.note, g.replaces, g.made_at, g.said_at, ${device}, ${db.actor.userId}
    from jsonb_to_recordset(${JSON.stringify(
      marks.map(one => ({
        mark_id: one.markId,
        exam_id: one.examId,
        item_id: one.itemId,
        ticket_id: one.ticketId,
        kind: one.kind,
        note: one.note,
        replaces: one.replaces,
        made_at: one.madeAt,
        said_at: one.saidAt,
      })),
    )}::jsonb) as g(mark_id uuid, exam_id bigint, item_id bigint, ticket_id bigint, kind int, note text, replaces uuid[], made_at timestamptz, said_at timestamptz)
    on conflict (tenant_id, mark_id) do nothing`)

export const writeStates = (
  db: TenantDb,
  rows: readonly { readonly ticketId: string; readonly examId: string; readonly itemId: string; readonly state: number }[],
): Promise<number> =>
  db.run(sql`
    insert into exam_day_state (tenant_id, ticket_id, exam_id, item_id, state)
    select ${db.actor.tenantId}, g.* from unnest(${rows.map(r => r.ticketId)}::bigint[], ${rows.map(r => r.examId)}::bigint[],
      ${rows.map(r => r.itemId)}::bigint[], ${rows.map(r => r.state)}::int[]) as g
    on conflict (tenant_id, ticket_id) do update set state = excluded.state`)

/** What the day left behind for the results of a paper, by sign-up: 1 present, 2 late, 3 absent, and whether a violation was confirmed. */
export const listAttendance = (
  db: TenantDb,
  examId: string,
  itemId: string,
): Promise<{ signupId: string; state: number; isViolation: boolean }[]> =>
  db.all(sql<{ signupId: string; state: number; isViolation: boolean }>`
    select t.signup_id::text as "signupId", coalesce(d.state, 0) as state,
      exists (select 1 from exam_violation v where v.ticket_id = t.id and v.state = 'confirmed') as "isViolation"
    from ticket t left join exam_day_state d on d.ticket_id = t.id
    where t.exam_id = ${examId} and t.item_id = ${itemId} and t.ticket_state <> 'void' and not t.is_deleted
      and (d.state > 0 or exists (select 1 from exam_violation v where v.ticket_id = t.id and v.state = 'confirmed'))`)

export interface ViolationRow {
  readonly id: string
  readonly examId: string
  readonly ticketId: string
  readonly itemName: string
  readonly siteName: string
  readonly roomNo: string
  readonly seatNo: string
  readonly ticketNo: string
  readonly name: string
  readonly clause: string
  readonly facts: string
  readonly happenedAt: Date
  readonly firstSigner: string
  readonly secondSigner: string
  readonly firstSignature: string
  readonly secondSignature: string
  readonly evidence: readonly string[]
  readonly filedBy: string
  readonly filedById: string
  readonly filedAt: Date
  readonly state: ViolationState
  readonly decision: string | null
  readonly decidedBy: string | null
  readonly decidedAt: Date | null
  readonly version: number
}
const violationRows = sql`
  from exam_violation v join ticket t on t.id = v.ticket_id join signup s on s.id = t.signup_id join exam_item i on i.id = v.item_id
  left join account f on f.id = v.created_by left join account d on d.id = v.decided_by`
const violationColumns = sql`
  v.id::text as id, v.exam_id::text as "examId", v.ticket_id::text as "ticketId", i.item_name as "itemName", t.site_name as "siteName",
  t.room_no as "roomNo", t.seat_no as "seatNo", t.ticket_no as "ticketNo", coalesce(s.name, '') as name, v.clause, v.facts,
  v.happened_at as "happenedAt", v.first_signer as "firstSigner", v.second_signer as "secondSigner",
  v.first_signature_file_id::text as "firstSignature", v.second_signature_file_id::text as "secondSignature",
  v.evidence_file_ids::text[] as evidence, coalesce(f.real_name, '') as "filedBy", v.created_by::text as "filedById", v.created_at as "filedAt",
  v.state, v.decision, d.real_name as "decidedBy", v.decided_at as "decidedAt", v.version`

export interface ViolationFilter {
  readonly examId?: string | undefined
  readonly itemId?: string | undefined
  readonly state?: ViolationState | undefined
  readonly id?: string
  readonly scope: TicketScope
}
const whichViolations = (filter: ViolationFilter) =>
  allOf([
    filter.examId !== undefined && sql`v.exam_id = ${filter.examId}`,
    filter.itemId !== undefined && sql`v.item_id = ${filter.itemId}`,
    filter.state !== undefined && sql`v.state = ${filter.state}`,
    filter.id !== undefined && sql`v.id = ${filter.id}`,
    within(filter.scope),
  ])
export const pageViolations = async (db: TenantDb, filter: ViolationFilter, size: number, offset: number) => ({
  total: (await db.one(sql<{ total: number }>`select count(*)::int as total ${violationRows} where ${whichViolations(filter)}`)).total,
  rows: await db.all(sql<ViolationRow>`
    select ${violationColumns} ${violationRows} where ${whichViolations(filter)} order by v.state <> 'filed', v.id desc limit ${size} offset ${offset}`),
})
export const findViolation = (db: TenantDb, id: string, scope: TicketScope): Promise<ViolationRow | undefined> =>
  db.maybe(sql<ViolationRow>`select ${violationColumns} ${violationRows} where ${whichViolations({ id, scope })}`)
export const lockViolation = (db: TenantDb, id: string): Promise<unknown> =>
  db.maybe(sql`select 1 from exam_violation where id = ${id} for update`)

/** The form that a device filed under its own number, if it arrived before. */
export const filedBefore = (db: TenantDb, violationId: string): Promise<{ id: string } | undefined> =>
  db.maybe(sql<{ id: string }>`select id::text as id from exam_violation where violation_id = ${violationId}`)

export const addViolation = (
  db: TenantDb,
  of: {
    readonly violationId: string
    readonly examId: string
    readonly itemId: string
    readonly ticketId: string
    readonly clause: string
    readonly facts: string
    readonly happenedAt: Date
    readonly firstSigner: string
    readonly secondSigner: string
    readonly firstSignature: string
    readonly secondSignature: string
    readonly evidence: readonly string[]
    readonly device: string
  },
): Promise<{ id: string }> =>
  db.one(sql<{ id: string }>`
    insert into exam_violation (tenant_id, violation_id, exam_id, item_id, ticket_id, clause, facts, happened_at, first_signer, second_signer,
      first_signature_file_id, second_signature_file_id, evidence_file_ids, device, created_by)
    values (${db.actor.tenantId}, ${of.violationId}, ${of.examId}, ${of.itemId}, ${of.ticketId}, ${of.clause}, ${of.facts}, ${of.happenedAt},
      ${of.firstSigner}, ${of.secondSigner}, ${of.firstSignature}, ${of.secondSignature}, ${[...of.evidence]}::bigint[], ${of.device}, ${db.actor.userId})
    returning id::text as id`)
