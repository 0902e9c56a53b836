import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { TicketType } from './ticket.repo.ts'

export interface RenderRow {
  readonly id: string
  readonly examId: string
  readonly type: TicketType
  readonly itemIds: readonly string[]
  readonly total: number
  readonly done: number
  readonly failed: number
  readonly problems: readonly { readonly signUpId: string; readonly name: string; readonly reason: string }[]
  /** 0 running, 1 done, 2 cancelled. */
  readonly state: number
  /** Null: the release is called for again; otherwise it follows by itself, with or without text messages. */
  readonly releaseSms: boolean | null
  readonly orderedBy: string | null
}
const columns = sql`id::text as id, exam_id::text as "examId", type, item_ids as "itemIds", total, done, failed, problems, state, release_sms as "releaseSms", created_by::text as "orderedBy"`

export const latestRender = (db: TenantDb, examId: string, type: TicketType): Promise<RenderRow | undefined> =>
  db.maybe(sql<RenderRow>`select ${columns} from ticket_render where exam_id = ${examId} and type = ${type} order by id desc limit 1`)

export const insertRender = (
  db: TenantDb,
  render: {
    readonly examId: string
    readonly type: TicketType
    readonly itemIds: readonly string[]
    readonly total: number
    readonly releaseSms: boolean | null
  },
): Promise<RenderRow> =>
  db.one(sql<RenderRow>`
    insert into ticket_render (tenant_id, exam_id, type, item_ids, total, release_sms, created_by)
    values (${db.actor.tenantId}, ${render.examId}, ${render.type}, ${JSON.stringify(render.itemIds)}, ${render.total}, ${render.releaseSms}, ${db.actor.userId}) returning ${columns}`)

export const isRenderRunning = async (db: TenantDb, id: string): Promise<boolean> =>
  (await db.maybe(sql`select 1 from ticket_render where id = ${id} and state = 0`)) !== undefined

/** @returns the rendering as it is then; undefined where there is none */
export const countRender = async (
  db: TenantDb,
  id: string,
  done: number,
  problems: readonly { readonly signUpId: string; readonly name: string; readonly reason: string }[],
): Promise<RenderRow | undefined> => {
  const row = await db.maybe(sql<RenderRow>`select ${columns} from ticket_render where id = ${id} for update`)
  if (!row) return undefined
  const fresh = problems.filter(problem => !row.problems.some(known => known.signUpId === problem.signUpId))
  return db.one(sql<RenderRow>`
    update ticket_render set done = least(total, done + ${done}), failed = failed + ${fresh.length}, problems = problems || ${JSON.stringify(fresh)}::jsonb,
      state = case when state = 0 and done + ${done} + failed + ${fresh.length} >= total then 1 else state end, updated_at = app_now()
    where id = ${id} returning ${columns}`)
}

export const cancelRunning = (db: TenantDb, id: string): Promise<number> =>
  db.run(sql`update ticket_render set state = 2, updated_at = app_now() where id = ${id} and state = 0`)

export const stateOfRender = async (db: TenantDb, id: string): Promise<number | undefined> =>
  (await db.maybe(sql<{ state: number }>`select state from ticket_render where id = ${id}`))?.state

export interface PersonToRelease {
  readonly signupId: string
  readonly name: string
  readonly isRendered: boolean
}
/** Everybody with a made ticket among the papers. */
export const peopleToRelease = (db: TenantDb, examId: string, itemIds: readonly string[]): Promise<PersonToRelease[]> =>
  db.all(sql<PersonToRelease>`
    select t.signup_id::text as "signupId", coalesce(s.name, '') as name, bool_and(t.pdf_file_id is not null) as "isRendered"
    from ticket t join signup s on s.id = t.signup_id
    where t.exam_id = ${examId} and t.item_id = any(${[...itemIds]}::bigint[]) and t.ticket_state = 'made' and not t.is_deleted
    group by t.signup_id, s.name order by min(t.site_code || t.room_no || t.seat_no)`)

/** How many tickets of the papers wait for their release. */
export const countMade = async (db: TenantDb, examId: string, itemIds: readonly string[]): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::int as count from ticket
      where exam_id = ${examId} and item_id = any(${[...itemIds]}::bigint[]) and ticket_state = 'made' and not is_deleted`)
  ).count

/** People of the examination whose post was cut and whose choice is open (1) or not checked yet (2). */
export const countReductions = async (db: TenantDb, examId: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::int as count from signup where exam_id = ${examId} and reduction_state in (1, 2) and not is_deleted`)
  ).count

/** Of these people, who has a live ticket (of the papers, or released before) without a file. */
export const unrendered = async (
  db: TenantDb,
  signupIds: readonly string[],
  type: TicketType,
  itemIds: readonly string[],
): Promise<string[]> =>
  (
    await db.all(sql<{ signupId: string }>`
      select distinct signup_id::text as "signupId" from ticket
      where signup_id = any(${[...signupIds]}::bigint[]) and type = ${type} and pdf_file_id is null and ticket_state <> 'void' and not is_deleted
        and (item_id = any(${[...itemIds]}::bigint[]) or ticket_state in ('released', 'downloaded'))`)
  ).map(row => row.signupId)

export const releaseRows = (
  db: TenantDb,
  examId: string,
  itemIds: readonly string[],
  blocked: readonly string[],
): Promise<{ signupId: string }[]> =>
  db.all(sql<{ signupId: string }>`
    update ticket set ticket_state = 'released', released_at = app_now(), updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
    where exam_id = ${examId} and item_id = any(${[...itemIds]}::bigint[]) and ticket_state = 'made' and not is_deleted
      and signup_id <> all(${[...blocked]}::bigint[])
    returning signup_id::text as "signupId"`)

/** Papers released before get the file that shows the new ones too. */
export const shareFiles = (db: TenantDb, examId: string, itemIds: readonly string[]): Promise<number> =>
  db.run(sql`
    update ticket old set pdf_file_id = fresh.pdf_file_id, pdf_sha256 = fresh.pdf_sha256, updated_at = app_now()
    from ticket fresh
    where fresh.exam_id = ${examId} and fresh.item_id = any(${[...itemIds]}::bigint[]) and fresh.ticket_state = 'released' and not fresh.is_deleted
      and old.exam_id = fresh.exam_id and old.signup_id = fresh.signup_id and old.type = fresh.type and old.item_id <> all(${[...itemIds]}::bigint[])
      and old.ticket_state in ('released', 'downloaded') and not old.is_deleted and old.pdf_file_id is distinct from fresh.pdf_file_id`)

/** Takes a release back: rows nobody has downloaded are made again, downloaded ones become void and get a successor on the same seat. */
export const withdrawRows = async (
  db: TenantDb,
  examId: string,
  itemIds: readonly string[],
  type: TicketType,
  newToken: () => string,
): Promise<{ readonly changed: number; readonly holders: readonly string[]; readonly others: readonly string[] }> => {
  const scope = sql`exam_id = ${examId} and item_id = any(${[...itemIds]}::bigint[]) and not is_deleted`
  const voided = await db.all(sql<{ id: string; signupId: string }>`
    update ticket set ticket_state = 'void', updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
    where ${scope} and ticket_state = 'downloaded' returning id::text as id, signup_id::text as "signupId"`)
  await db.run(sql`
    insert into ticket (tenant_id, exam_id, item_id, signup_id, user_id, type, ticket_no, site_code, site_name, site_address, room_no, room_name, floor, seat_no,
      group_no, wait_room, draw_no, report_time, start_time, end_time, allot_version, pdf_version, qr_token, source, remark, created_by)
    select tenant_id, exam_id, item_id, signup_id, user_id, type, ticket_no, site_code, site_name, site_address, room_no, room_name, floor, seat_no,
      group_no, wait_room, draw_no, report_time, start_time, end_time, allot_version, pdf_version + 1, qr_token, source, remark, ${db.actor.userId}
    from ticket where id = any(${voided.map(row => row.id)}::bigint[])`)
  const made = await db.run(sql`
    update ticket set ticket_state = 'made', released_at = null, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
    where ${scope} and ticket_state = 'released'`)
  const holders = [...new Set(voided.map(row => row.signupId))]
  // The paper in somebody's hand must stop being valid, so all that is live gets another code.
  await db.run(sql`
    update ticket set qr_token = fresh.token, pdf_file_id = null, pdf_sha256 = null
    from unnest(${holders}::bigint[], ${holders.map(() => newToken())}::text[]) as fresh(signup_id, token)
    where ticket.exam_id = ${examId} and ticket.signup_id = fresh.signup_id and ticket.ticket_state <> 'void' and not ticket.is_deleted
      and ticket.type = ${type}`)
  const others = await db.all(sql<{ signupId: string }>`
    update ticket set pdf_file_id = null, pdf_sha256 = null
    where exam_id = ${examId} and item_id <> all(${[...itemIds]}::bigint[]) and ticket_state in ('released', 'downloaded') and not is_deleted
      and signup_id in (select signup_id from ticket where ${scope} and ticket_state = 'made') returning signup_id::text as "signupId"`)
  return { changed: voided.length + made, holders, others: [...new Set(others.map(row => row.signupId))] }
}

/** A rendering that came to its end and is to be followed by the release. */
export const renderToRelease = (db: TenantDb, id: string): Promise<RenderRow | undefined> =>
  db.maybe(sql<RenderRow>`select ${columns} from ticket_render where id = ${id} and state = 1 and release_sms is not null`)
