import type { AccessAction } from '#contract/person/person.routes.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface AccessRow {
  readonly time: Date
  readonly role: string
  readonly unit: string
  readonly action: AccessAction
  /** Of a whole number that was shown. */
  readonly purpose: number | null
}

/**
 * Lines of the audit log about one person's things, written by others; each kind is found by its index. What concerns a room concerns everybody who
 * has a seat in it; marks of attendance are a trail of their own.
 */
const touched = (userId: string) => sql`
  with mine as (select id::text as id, exam_id::text as exam_id, unit from signup where user_id = ${userId}),
  seats as (select t.id::text as id, t.exam_id::text as exam_id, t.item_id::text as item_id, t.type::text as type, t.site_code, t.room_no, s.unit
    from ticket t join signup s on s.tenant_id = t.tenant_id and s.id = t.signup_id where t.user_id = ${userId})
  select a.user_id, a.created_at, a.entity_id, case a.action when 'signup.read' then 'read' when 'signup.opened-for-review' then 'review' else 'decide' end as action,
    null::int as purpose
    from audit_log a where a.entity = 'signup' and a.entity_id in (select id from mine)
      and a.action in ('signup.read', 'signup.opened-for-review', 'signup.examined', 'signup.examine-undone')
  union all select a.user_id, a.created_at, a.entity_id, 'export', null from audit_log a
    where a.entity = 'examination' and a.action = 'signup.exported'
      and exists (select 1 from mine where exam_id = a.entity_id and (coalesce(jsonb_typeof(a.after_value->'units'), 'null') <> 'array' or a.after_value->'units' ? unit))
      and a.entity_id in (select exam_id from mine)
  union all select a.user_id, a.created_at, a.entity_id, 'ticket', null from audit_log a
    where a.entity = 'ticket' and a.action in ('ticket.checked', 'ticket.printed', 'ticket.read') and a.entity_id in (select id::text from ticket where user_id = ${userId})
  union all select a.user_id, a.created_at, a.entity_id, case a.after_value->>'layout' when 'ticket' then 'ticket' else 'roomSheet' end, null from audit_log a
    where a.entity = 'examination' and a.action = 'ticket.printed' and a.entity_id in (select exam_id from seats)
      and exists (select 1 from seats t where t.exam_id = a.entity_id
        and coalesce(a.after_value->>'type', t.type) = t.type
        and coalesce(a.after_value->>'roomNo', t.room_no) = t.room_no
        and coalesce(a.after_value->>'siteCode', t.site_code) = t.site_code
        and (a.after_value->>'itemId' is null or a.after_value->>'itemId' = t.item_id
          or (a.after_value->'itemIds' ? t.item_id and a.after_value->'rooms' ? (t.site_code || '-' || t.room_no)))
        and (coalesce(jsonb_typeof(a.after_value->'ids'), 'null') <> 'array' or a.after_value->'ids' ? t.id)
        and (coalesce(jsonb_typeof(a.after_value->'sites'), 'null') <> 'array' or a.after_value->'sites' ? t.site_code)
        and (coalesce(jsonb_typeof(a.after_value->'units'), 'null') <> 'array' or a.after_value->'units' ? t.unit))
  union all select a.user_id, a.created_at, a.entity_id, 'room', null from audit_log a
    where a.entity = 'exam-item' and a.action = 'exam-day.pack-read' and a.entity_id in (select item_id from seats)
      and exists (select 1 from seats t where t.item_id = a.entity_id and t.site_code = a.after_value->>'siteCode' and t.room_no = a.after_value->>'roomNo')
  union all select m.created_by, m.created_at, m.ticket_id::text, 'attendance', null from exam_day_mark m
    where m.ticket_id in (select id::bigint from seats)
  union all select a.user_id, a.created_at, a.entity_id, 'file', null from audit_log a
    where a.entity = 'stored_file' and a.action = 'file.read' and a.entity_id in (select id::text from stored_file where user_id = ${userId})
  union all select a.user_id, a.created_at, a.entity_id, 'profile', null from audit_log a
    where a.entity = 'account' and a.action = 'account.read' and a.entity_id = ${userId}
  union all select r.viewer_id, r.created_at, r.signup_id::text, r.field, r.purpose from reveal_log r where r.owner_id = ${userId} and not r.is_blocked`

/** One line for what one person did to one thing within an hour. */
const lines = (userId: string) => sql`
  select min(created_at) as time, user_id, action, purpose from (${touched(userId)}) t
  where user_id <> 0 and user_id <> ${userId}::bigint group by user_id, action, purpose, entity_id, date_trunc('hour', created_at)`

export const pageAccess = async (
  db: TenantDb,
  userId: string,
  language: 'zh' | 'en',
  limit: number,
  offset: number,
): Promise<{ rows: AccessRow[]; total: number }> => {
  const rows = await db.all(sql<AccessRow>`
    select l.time, l.action, l.purpose,
      coalesce((select string_agg(case when ${language} = 'en' and r.role_name_en <> '' then r.role_name_en else r.role_name end, ', ' order by r.sort)
        from account_role ar join role r on r.tenant_id = ar.tenant_id and r.id = ar.role_id where ar.user_id = l.user_id and not r.is_deleted), '') as role,
      coalesce(u.name, t.tenant_name) as unit
    from (${lines(userId)} order by time desc, user_id, action, purpose limit ${limit} offset ${offset}) l
    join account a on a.id = l.user_id join tenant t on t.tenant_id = a.tenant_id
    left join user_code u on u.tenant_id = a.tenant_id and u.code = a.user_code and not u.is_deleted
    order by l.time desc, l.user_id, l.action, l.purpose`)
  const { total } = await db.one(sql<{ total: number }>`select count(*)::int as total from (${lines(userId)}) l`)
  return { rows, total }
}
