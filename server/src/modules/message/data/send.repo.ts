import type { Audience, LeftOut } from '#contract/message/send.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'

/** Somebody whom a task may be sent to. */
export interface AudienceRow {
  readonly userId: string
  readonly name: string
  readonly phone: Buffer | null
  readonly phoneIndex: string | null
  readonly phoneMask: string
  readonly signNo: string
  readonly post: string
  readonly exam: string
  readonly deadline: Date | null
}
/** Whose sign-ups somebody may reach: all of them, or of some units; and what rules by row leave. */
export interface AudienceReach {
  readonly units: readonly string[] | undefined
  readonly rows: RawBuilder<unknown> | undefined
}

const conditionOf: Readonly<Record<Exclude<Audience, 'workbook'>, RawBuilder<unknown>>> = {
  all: sql`s.examine not in ('draft', 'withdrawn')`,
  passed: sql`s.examine = 'passed'`,
  unpaid: sql`s.examine = 'passed' and s.pay_state = 'due'`,
  notDownloaded: sql`s.examine = 'passed' and exists (
    select 1 from ticket t where t.tenant_id = s.tenant_id and t.signup_id = s.id and t.ticket_state = 'released' and not t.is_deleted)`,
  shortlisted: sql`s.examine = 'passed' and exists (
    select 1 from score_total r where r.tenant_id = s.tenant_id and r.signup_id = s.id and r.released and r.shortlist in (1, 2))`,
}
const within = (examId: string, audience: Exclude<Audience, 'workbook'>, reach: AudienceReach): RawBuilder<unknown> =>
  allOf([
    sql`s.exam_id = ${examId}`,
    sql`not s.is_deleted`,
    conditionOf[audience],
    reach.units && sql`s.unit = any(${[...reach.units]}::text[])`,
    reach.rows && sql`s.id in (select id from signup where exam_id = ${examId} and ${reach.rows})`,
  ])

export const listAudience = (
  db: TenantDb,
  examId: string,
  audience: Exclude<Audience, 'workbook'>,
  reach: AudienceReach,
  limit: number,
): Promise<AudienceRow[]> =>
  db.all(sql<AudienceRow>`
    select s.user_id::text as "userId", coalesce(s.name, a.real_name, '') as name, a.phone_sealed as phone, a.phone_index as "phoneIndex",
      coalesce(a.phone_mask, '') as "phoneMask", coalesce(s.sign_no, '') as "signNo", coalesce(c.code_name, '') as post, e.exam_name as exam, e.pay_end as deadline
    from signup s
    join examination e on e.tenant_id = s.tenant_id and e.id = s.exam_id
    join account a on a.tenant_id = s.tenant_id and a.id = s.user_id
    left join type_code c on c.tenant_id = s.tenant_id and c.exam_id = s.exam_id and c.code = s.code and not c.is_deleted
    where ${within(examId, audience, reach)} and not a.is_deleted and a.status <> 5
    order by s.id limit ${limit}`)

export const countAudience = async (
  db: TenantDb,
  examId: string,
  audience: Exclude<Audience, 'workbook'>,
  reach: AudienceReach,
): Promise<number> => (await db.one(sql<{ n: number }>`select count(*)::int as n from signup s where ${within(examId, audience, reach)}`)).n

export interface TemplateShown {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly title: string
  readonly content: string
  readonly titleEn: string
  readonly contentEn: string
  readonly templateId: string
  readonly signName: string
}
const templateColumns = sql`
  id::text as id, code, name, coalesce(title, '') as title, content, coalesce(title_en, '') as "titleEn", coalesce(content_en, '') as "contentEn",
  coalesce(template_id, '') as "templateId", coalesce(sign_name, '') as "signName"`
export const listTemplates = (db: TenantDb, scene: string): Promise<TemplateShown[]> =>
  db.all(
    sql<TemplateShown>`select ${templateColumns} from send_template where scene = ${scene} and status = 1 and not is_deleted order by id`,
  )
export const findTemplate = (db: TenantDb, id: string): Promise<TemplateShown | undefined> =>
  db.maybe(
    sql<TemplateShown>`select ${templateColumns} from send_template where id = ${id} and scene = 'batch' and status = 1 and not is_deleted`,
  )

export interface TaskRow {
  readonly id: string
  readonly examId: string | null
  readonly examName: string
  readonly title: string
  readonly templateId: string
  readonly templateName: string
  readonly channel: number
  readonly audience: string
  readonly params: Readonly<Record<string, string>>
  readonly state: number
  readonly total: number
  readonly parts: number
  readonly waiting: number
  readonly taken: number
  readonly delivered: number
  readonly failed: number
  readonly cancelled: number
  readonly leftOut: Readonly<Partial<Record<LeftOut, number>>>
  readonly isRepeat: boolean
  readonly needsApproval: boolean
  readonly scheduleTime: Date | null
  readonly waitReason: string | null
  readonly problem: string | null
  readonly rejectReason: string | null
  readonly createdBy: string
  readonly createName: string
  readonly approveName: string
  readonly createdAt: Date
  readonly endedAt: Date | null
}
const taskSelect = sql`
  select t.id::text as id, t.exam_id::text as "examId", coalesce(e.exam_name, '') as "examName", t.title, t.template_id::text as "templateId",
    p.name as "templateName", t.channel, t.audience, t.params, t.state, t.total, t.parts, m.waiting, m.taken, m.delivered, m.failed, m.cancelled, t.left_out as "leftOut",
    t.is_repeat as "isRepeat", t.needs_approval as "needsApproval", t.schedule_time as "scheduleTime", t.wait_reason as "waitReason",
    case when t.wait_reason = 'problem' then (
      select b.fail_reason from sms_message b where b.tenant_id = t.tenant_id and b.send_id = t.id and b.state = 3 and b.fail_kind in ('ours', 'account')
      order by b.sent_at desc, b.id limit 1) end as problem,
    t.reject_reason as "rejectReason", t.created_by::text as "createdBy", coalesce(a.real_name, '') as "createName", coalesce(b.real_name, '') as "approveName",
    t.created_at as "createdAt", t.ended_at as "endedAt"
  from send_task t
  join send_template p on p.tenant_id = t.tenant_id and p.id = t.template_id
  left join examination e on e.tenant_id = t.tenant_id and e.id = t.exam_id
  left join account a on a.tenant_id = t.tenant_id and a.id = t.created_by
  left join account b on b.tenant_id = t.tenant_id and b.id = t.approve_user
  cross join lateral (
    select count(*) filter (where m.state = 0)::int as waiting, count(*) filter (where m.state = 1)::int as taken,
      count(*) filter (where m.state = 2)::int as delivered, count(*) filter (where m.state = 3)::int as failed,
      count(*) filter (where m.state = 4)::int as cancelled
    from sms_message m where m.tenant_id = t.tenant_id and m.send_id = t.id) m`

export const findTask = (db: TenantDb, id: string): Promise<TaskRow | undefined> =>
  db.maybe(sql<TaskRow>`${taskSelect} where t.id = ${id} and not t.is_deleted`)
/** Tasks of the tenant, or of one of its people. */
export const pageTasks = async (
  db: TenantDb,
  of: { readonly examId: string | undefined; readonly state: number | undefined; readonly createdBy: string | undefined },
  size: number,
  offset: number,
): Promise<{ rows: TaskRow[]; total: number }> => {
  const where = allOf([
    sql`not t.is_deleted`,
    of.examId !== undefined && sql`t.exam_id = ${of.examId}`,
    of.state !== undefined && sql`t.state = ${of.state}`,
    of.createdBy !== undefined && sql`t.created_by = ${of.createdBy}`,
  ])
  const rows = await db.all(sql<TaskRow>`${taskSelect} where ${where} order by t.id desc limit ${size} offset ${offset}`)
  const { total } = await db.one(sql<{ total: number }>`select count(*)::int as total from send_task t where ${where}`)
  return { rows, total }
}

/** What a command decides on, held until the transaction ends. */
export interface LockedTask {
  readonly id: string
  readonly state: number
  readonly channel: number
  readonly createdBy: string
  readonly isRepeat: boolean
  readonly needsApproval: boolean
  readonly scheduleTime: Date | null
  readonly waitReason: string | null
  /** Who brought its people or handed it in. */
  readonly tookPart: readonly string[]
}
export const lockTask = (db: TenantDb, id: string): Promise<LockedTask | undefined> =>
  db.maybe(sql<LockedTask>`
    select id::text as id, state, channel, created_by::text as "createdBy", is_repeat as "isRepeat", needs_approval as "needsApproval",
      schedule_time as "scheduleTime", wait_reason as "waitReason", took_part::text[] as "tookPart"
    from send_task where id = ${id} and not is_deleted for update`)

export const insertTask = async (
  db: TenantDb,
  task: {
    readonly id: string
    readonly examId: string | null
    readonly title: string
    readonly templateId: string
    readonly channel: number
    readonly audience: string
    readonly params: Readonly<Record<string, string>>
    readonly isRepeat: boolean
    readonly needsApproval: boolean
    readonly leftOut: Readonly<Partial<Record<LeftOut, number>>>
  },
): Promise<void> => {
  await db.run(sql`
    insert into send_task (tenant_id, id, exam_id, title, template_id, channel, audience, params, is_repeat, needs_approval, left_out, created_by, updated_by)
    values (${db.actor.tenantId}, ${task.id}, ${task.examId}, ${task.title}, ${task.templateId}, ${task.channel}, ${task.audience}, ${JSON.stringify(task.params)},
      ${task.isRepeat}, ${task.needsApproval}, ${JSON.stringify(task.leftOut)}, ${db.actor.userId}, ${db.actor.userId})`)
}

/** A message of a task before it is written; numbers and sealed values as text. */
export interface NewMessage {
  readonly id: string
  readonly userId: string | null
  readonly name: string
  /** Hex of the sealed number; null of an in-app message. */
  readonly phone: string | null
  readonly phoneIndex: string | null
  readonly phoneMask: string
  readonly channel: number
  readonly content: string
  readonly title: string
  readonly titleEn: string
  readonly contentEn: string
  readonly params: Readonly<Record<string, string>>
  readonly segments: number
  readonly sentKey: string
}
export const insertMessages = async (
  db: TenantDb,
  of: { readonly sendId: string; readonly examId: string | null; readonly template: string; readonly templateId: string },
  rows: readonly NewMessage[],
): Promise<void> => {
  await db.run(sql`
    insert into sms_message (tenant_id, id, send_id, exam_id, template, template_id, user_id, name, phone_sealed, phone_index, phone_mask, channel, content, title,
      title_en, content_en, params, segments, sent_key)
    select ${db.actor.tenantId}, r.id, ${of.sendId}::bigint, ${of.examId}::bigint, ${of.template}, ${of.templateId}, r."userId", r.name, decode(r.phone, 'hex'), r."phoneIndex",
      r."phoneMask", r.channel, r.content, r.title, r."titleEn", r."contentEn", r.params, r.segments, r."sentKey"
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(id bigint, "userId" bigint, name text, phone text, "phoneIndex" text, "phoneMask" text, channel int,
      content text, title text, "titleEn" text, "contentEn" text, params json, segments int, "sentKey" text)`)
}
/** Counts people and parts of a task anew from its rows. @returns both */
export const countRows = (db: TenantDb, id: string): Promise<{ total: number; parts: number }> =>
  db.one(sql<{ total: number; parts: number }>`
    update send_task t set total = m.total, parts = m.parts, updated_at = app_now()
    from (select count(*)::int as total, coalesce(sum(segments), 0)::int as parts from sms_message where send_id = ${id}) m
    where t.id = ${id} returning t.total, t.parts`)
/** The caller has a part in the task: somebody else approves it. */
export const notePart = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(
    sql`update send_task set took_part = array_append(array_remove(took_part, ${db.actor.userId}::bigint), ${db.actor.userId}::bigint) where id = ${id}`,
  )
}
export const setNeedsApproval = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(sql`update send_task set needs_approval = true where id = ${id}`)
}
export const addLeftOut = async (db: TenantDb, id: string, leftOut: Readonly<Partial<Record<LeftOut, number>>>): Promise<void> => {
  await db.run(sql`update send_task set left_out = ${JSON.stringify(leftOut)} where id = ${id}`)
}

export const setTask = async (
  db: TenantDb,
  id: string,
  set: {
    readonly state: number
    readonly scheduleTime?: Date | null
    readonly waitReason?: string | null
    readonly approveUser?: string
    readonly rejectReason?: string | null
    readonly isEnded?: boolean
  },
): Promise<void> => {
  const { scheduleTime, waitReason = null, approveUser, rejectReason = null, isEnded = false } = set
  await db.run(sql`
    update send_task set state = ${set.state}, wait_reason = ${waitReason}, reject_reason = ${rejectReason},
      ${scheduleTime === undefined ? sql`` : sql`schedule_time = ${scheduleTime},`}
      ${approveUser === undefined ? sql`` : sql`approve_user = ${approveUser}, approve_time = app_now(),`}
      started_at = case when ${set.state} = 2 then coalesce(started_at, app_now()) else started_at end,
      ended_at = ${isEnded ? sql`app_now()` : sql`null`}, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
    where id = ${id}`)
}
export const setWaitReason = async (db: TenantDb, id: string, reason: string | null): Promise<void> => {
  await db.run(sql`update send_task set wait_reason = ${reason} where id = ${id} and wait_reason is distinct from ${reason}`)
}
/** Ends a task that has nothing left to send: done, or failed where nothing at all went out. @returns whether it ended now */
export const finishTask = async (db: TenantDb, id: string): Promise<boolean> =>
  (await db.run(sql`
    update send_task t set state = case when exists (select 1 from sms_message m where m.send_id = t.id and m.state in (1, 2)) then 3 else 4 end,
      wait_reason = null, ended_at = app_now(), updated_at = app_now(), version = version + 1
    where t.id = ${id} and t.state = 2 and not exists (select 1 from sms_message m where m.send_id = t.id and m.state = 0)`)) === 1

export const removeTask = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(sql`update send_task set is_deleted = true, updated_at = app_now(), version = version + 1 where id = ${id}`)
}
export const deleteRows = (db: TenantDb, sendId: string): Promise<number> =>
  db.run(sql`delete from sms_message where send_id = ${sendId} and state in (0, 3, 4)`)
/** The tasks of messages; of a message without one there is no row. */
export const tasksOfMessages = (db: TenantDb, ids: readonly string[]): Promise<{ id: string; sendId: string }[]> =>
  db.all(sql<{ id: string; sendId: string }>`
    select id::text as id, send_id::text as "sendId" from sms_message where id = any(${[...ids]}::bigint[]) and send_id is not null`)
/** Those of tasks that are drafts, and failed ones. */
export const deleteRowsById = (db: TenantDb, ids: readonly string[]): Promise<{ sendId: string }[]> =>
  db.all(sql<{ sendId: string }>`
    delete from sms_message m using send_task t
    where m.id = any(${[...ids]}::bigint[]) and t.tenant_id = m.tenant_id and t.id = m.send_id and ((t.state = 0 and m.state = 0) or m.state in (3, 4))
    returning m.send_id::text as "sendId"`)

export interface MessageShown {
  readonly id: string
  readonly name: string
  readonly phoneMask: string
  readonly content: string
  readonly state: number
  readonly failReason: string | null
  readonly sendTime: Date | null
  readonly segs: number
}
export const pageMessages = async (
  db: TenantDb,
  sendId: string,
  state: number | undefined,
  size: number,
  offset: number,
): Promise<{ rows: MessageShown[]; total: number }> => {
  const where = allOf([sql`send_id = ${sendId}`, state !== undefined && sql`state = ${state}`])
  const rows = await db.all(sql<MessageShown>`
    select id::text as id, coalesce(name, '') as name, phone_mask as "phoneMask", content, state, fail_reason as "failReason", sent_at as "sendTime", segments as segs
    from sms_message where ${where} order by id limit ${size} offset ${offset}`)
  const { total } = await db.one(sql<{ total: number }>`select count(*)::int as total from sms_message where ${where}`)
  return { rows, total }
}
/** The first messages of a task in both languages, as their readers will have them. */
export const previewRows = (
  db: TenantDb,
  sendId: string,
): Promise<{ name: string; phoneMask: string; content: string; contentEn: string; segs: number }[]> =>
  db.all(sql<{ name: string; phoneMask: string; content: string; contentEn: string; segs: number }>`
    select coalesce(name, '') as name, phone_mask as "phoneMask", content, coalesce(content_en, '') as "contentEn", segments as segs
    from sms_message where send_id = ${sendId} order by id limit 3`)

/** Keys of what was sent within a day, or is on its way. */
export const listRecent = async (db: TenantDb, keys: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await db.all(sql<{ key: string }>`
        select distinct m.sent_key as key from sms_message m join send_task t on t.tenant_id = m.tenant_id and t.id = m.send_id
        where m.sent_key = any(${[...keys]}::text[]) and (
          (m.state in (1, 2) and m.sent_at > app_now() - interval '24 hours') or (m.state = 0 and t.state in (1, 2)))`)
    ).map(row => row.key),
  )

export interface WaitingRow {
  readonly id: string
  readonly userId: string | null
  readonly phone: Buffer | null
  readonly channel: number
  readonly content: string
  readonly contentEn: string
  readonly title: string
  readonly titleEn: string
  readonly params: Readonly<Record<string, string>>
  readonly templateId: string
  readonly segments: number
  readonly isCounted: boolean
  readonly sentKey: string
}
/** Rows of a task that nobody has taken yet, held until the transaction ends; another process takes others. */
export const takeWaiting = (db: TenantDb, sendId: string, limit: number): Promise<WaitingRow[]> =>
  db.all(sql<WaitingRow>`
    select id::text as id, user_id::text as "userId", phone_sealed as phone, channel, content, coalesce(content_en, '') as "contentEn", coalesce(title, '') as title,
      coalesce(title_en, '') as "titleEn", params, coalesce(template_id, '') as "templateId", segments, is_counted as "isCounted", sent_key as "sentKey"
    from sms_message where send_id = ${sendId} and state = 0 and provider is null order by id limit ${limit} for update skip locked`)
/** Rows that a run has taken and not told the end of. */
export const listClaimed = (db: TenantDb, sendId: string): Promise<{ id: string }[]> =>
  db.all(
    sql<{
      id: string
    }>`select id::text as id from sms_message where send_id = ${sendId} and state = 0 and provider is not null order by id`,
  )
export const hasWaiting = async (db: TenantDb, sendId: string): Promise<boolean> =>
  (await db.maybe(sql`select 1 from sms_message where send_id = ${sendId} and state = 0 and provider is null limit 1`)) !== undefined
/** Of those, whom had the same within a day from another task. */
export const listRepeated = async (db: TenantDb, sendId: string, keys: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await db.all(sql<{ key: string }>`
        select distinct sent_key as key from sms_message
        where sent_key = any(${[...keys]}::text[]) and send_id <> ${sendId} and state in (1, 2) and sent_at > app_now() - interval '24 hours'`)
    ).map(row => row.key),
  )
export const claimRows = async (db: TenantDb, ids: readonly string[], provider: string, rowId: string | null): Promise<void> => {
  await db.run(sql`
    update sms_message set provider = ${provider}, provider_row_id = ${rowId}, claimed_at = app_now(), ask_at = app_now() + interval '2 minutes',
      is_counted = true, fail_kind = null, fail_reason = null
    where id = any(${[...ids]}::bigint[])`)
}
/** In-app messages of rows, one each; with them the row is delivered where it has no text message. */
export const deliverInApp = async (db: TenantDb, sendId: string, ids: readonly string[]): Promise<void> => {
  await db.run(sql`
    insert into notify (tenant_id, user_id, exam_id, kind, title_zh, title_en, content_zh, content_en, link, need_sure, event_key)
    select tenant_id, user_id, exam_id, 7, title, coalesce(nullif(title_en, ''), title), regexp_replace(content, '^【[^】]+】', ''),
      coalesce(nullif(content_en, ''), regexp_replace(content, '^【[^】]+】', '')), '', false, 'send:' || id
    from sms_message where send_id = ${sendId} and id = any(${[...ids]}::bigint[]) and channel in (2, 3) and user_id is not null
    on conflict (tenant_id, user_id, event_key) do nothing`)
  await db.run(sql`
    update sms_message set state = 2, sent_at = app_now(), is_settled = true, provider = 'inapp' where id = any(${[...ids]}::bigint[]) and channel = 2 and state = 0`)
}
export interface RowOutcome {
  readonly id: string
  readonly state: number
  readonly providerId: string | null
  readonly failKind: string | null
  readonly failReason: string | null
  readonly askAt: Date | null
  /** Given back, to be taken once more. */
  readonly isFreed: boolean
}
export const noteOutcomes = async (db: TenantDb, outcomes: readonly RowOutcome[]): Promise<void> => {
  await db.run(sql`
    update sms_message m set state = r.state, provider_id = r."providerId", fail_kind = r."failKind", fail_reason = left(r."failReason", 200),
      ask_at = r."askAt", sent_at = case when r.state = 0 then m.sent_at else app_now() end,
      provider = case when r."isFreed" then null else m.provider end, claimed_at = case when r."isFreed" then null else m.claimed_at end,
      ask_count = case when r."isFreed" then m.ask_count + 1 else 0 end
    from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) as r(id bigint, state int, "providerId" text, "failKind" text, "failReason" text, "askAt" timestamptz, "isFreed" boolean)
    where m.id = r.id and m.state = 0`)
}
export const failRows = async (db: TenantDb, ids: readonly string[], kind: string, reason: string): Promise<void> => {
  await db.run(sql`
    update sms_message set state = 3, fail_kind = ${kind}, fail_reason = ${reason}, sent_at = app_now(), ask_at = null where id = any(${[...ids]}::bigint[]) and state = 0`)
}
/** Cancels all that nobody has taken yet. @returns their ids */
export const cancelWaiting = async (db: TenantDb, sendId: string): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      update sms_message set state = 4 where send_id = ${sendId} and state = 0 and provider is null returning id::text as id`)
  ).map(row => row.id)
/** Puts failed rows back to be sent. @returns how many, with their parts */
export const renewFailed = (db: TenantDb, sendId: string): Promise<{ n: number; parts: number }> =>
  db.one(sql<{ n: number; parts: number }>`
    with renewed as (
      update sms_message set state = 0, provider = null, provider_row_id = null, provider_id = null, claimed_at = null, ask_at = null, ask_count = 0,
        fail_kind = null, fail_reason = null, sent_at = null, is_settled = false, is_counted = false
      where send_id = ${sendId} and state = 3 returning segments)
    select count(*)::int as n, coalesce(sum(segments), 0)::int as parts from renewed`)
/** Puts another signature before the texts of what nobody has been given yet. */
export const signWaiting = async (db: TenantDb, sendId: string, sign: string): Promise<void> => {
  await db.run(sql`
    update sms_message set content = left(regexp_replace(content, '^【[^】]*】', ${`【${sign}】`}), 500)
    where send_id = ${sendId} and state = 0 and provider is null and channel <> 2`)
}
export const waitingParts = async (db: TenantDb, sendId: string): Promise<number> =>
  (
    await db.one(
      sql<{ parts: number }>`select coalesce(sum(segments), 0)::int as parts from sms_message where send_id = ${sendId} and state = 0`,
    )
  ).parts

/** Accounts of candidates by the index of their numbers. */
export const findByPhone = (db: TenantDb, indexes: readonly string[]): Promise<{ index: string; userId: string; name: string }[]> =>
  db.all(sql<{ index: string; userId: string; name: string }>`
    select phone_index as index, id::text as "userId", coalesce(real_name, '') as name from account
    where phone_index = any(${[...indexes]}::text[]) and user_type = 2 and not is_deleted`)
export const takeMessageIds = (db: TenantDb, count: number): Promise<string[]> =>
  db.all(sql<{ id: string }>`select next_id()::text as id from generate_series(1, ${count})`).then(rows => rows.map(row => row.id))
export const examOf = (db: TenantDb, id: string): Promise<{ name: string; payEnd: Date | null } | undefined> =>
  db.maybe(sql<{ name: string; payEnd: Date | null }>`
    select exam_name as name, pay_end as "payEnd" from examination where id = ${id} and not is_deleted`)
export const listRoleHolders = async (db: TenantDb, aliases: readonly string[]): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select distinct a.user_id::text as id from account_role a join role r on r.tenant_id = a.tenant_id and r.id = a.role_id
        join account u on u.tenant_id = a.tenant_id and u.id = a.user_id
      where r.role_alias = any(${[...aliases]}::text[]) and not r.is_deleted and not u.is_deleted and u.status = 1`)
  ).map(row => row.id)
export const countToday = async (db: TenantDb): Promise<number> =>
  (await db.maybe(sql<{ used: number }>`select used from sms_day where day = (app_now() at time zone 'Asia/Shanghai')::date`))?.used ?? 0

/** Messages of tasks that somebody has made. */
export const ofOwnTasks = (userId: string): RawBuilder<unknown> => sql`send_id in (select id from send_task where created_by = ${userId})`
