import { sql } from '#kernel/db/sql.ts'
import type { Invariant } from '#kernel/invariant.ts'

const page = '/exam/examination/{exam}/tickets'
const live = sql`t.ticket_state <> 'void' and not t.is_deleted`

/** Seats and tickets. Whose seat it is decides an office: nothing here heals itself but a counter. */
export const ticketInvariants: readonly Invariant[] = [
  {
    name: 'ticket.one-seat',
    label: { zh: '一座一人、一人一座', en: 'One person a seat, one seat a person' },
    means: {
      zh: '同一时间同一座位有两人，或一人在两个考场。',
      en: 'Two people are sent to one seat at one time, or one person to two places.',
    },
    watches: ['ticket.seat_no'],
    page,
    by: 'exam',
    broken: ({ examId }) => sql`
      with t as (select * from ticket t where t.exam_id = ${examId} and ${live})
      select t.id, t.ticket_no as name, t.site_code || ' ' || t.room_no || ' ' || t.seat_no as found, o.ticket_no as expected
        from t join t o on o.site_code = t.site_code and o.room_no = t.room_no and o.seat_no = t.seat_no and o.id <> t.id
          and o.signup_id <> t.signup_id and o.start_time < t.end_time and t.start_time < o.end_time
      union all
      select t.id, t.ticket_no, t.site_code || ' ' || t.room_no, o.site_code || ' ' || o.room_no
        from t join t o on o.signup_id = t.signup_id and o.id <> t.id and o.start_time < t.end_time and t.start_time < o.end_time
          and (o.item_id = t.item_id or (o.site_code, o.room_no) is distinct from (t.site_code, t.room_no))`,
  },
  {
    name: 'ticket.capacity',
    label: { zh: '考场不超员', en: 'No room beyond its seats' },
    means: { zh: '安排进考场的人比座位多。', en: 'More people are sent to a room than it has seats.' },
    watches: ['ticket.room_no'],
    page,
    by: 'exam',
    broken: ({ examId }) => sql`
      select i.id, i.item_name || ' ' || r.site || ' ' || r.room as name, n.people as found, '≤ ' || r.seats as expected
      from exam_item i cross join lateral (
        select room ->> 'siteCode' as site, room ->> 'roomNo' as room,
          (room ->> 'rows')::int * (room ->> 'cols')::int - jsonb_array_length(coalesce(nullif(room -> 'disabled', 'null'), '[]')) as seats
        from jsonb_array_elements(i.rooms) room) r
      join (select t.item_id, t.site_code, t.room_no, count(*) as people from ticket t where t.exam_id = ${examId} and ${live} group by 1, 2, 3) n
        on n.item_id = i.id and n.site_code = r.site and n.room_no = r.room
      where i.exam_id = ${examId} and not i.is_deleted and n.people > r.seats`,
  },
  {
    name: 'ticket.right',
    label: { zh: '有座位者均有资格', en: 'No seat without a right to it' },
    means: {
      zh: '未通过、已退费或已退出的考生仍持有有效准考证。',
      en: 'Somebody who has not passed, was refunded or left holds a ticket that opens the door.',
    },
    watches: ['ticket.ticket_state'],
    page,
    by: 'exam',
    broken: ({ examId }) => sql`
      select t.id, t.ticket_no as name, t.ticket_state as found, s.examine || ' ' || s.pay_state as expected
      from ticket t join signup s on s.tenant_id = t.tenant_id and s.id = t.signup_id
      where t.exam_id = ${examId} and ${live} and t.end_time > app_now() and (s.is_deleted or not takes_part(s.examine, s.pay_state, s.reduction_state)
        or post_event(s.tenant_id, s.exam_id, s.id, s.code) = 'cancelled')`,
  },
  {
    name: 'ticket.downloads',
    label: { zh: '准考证下载次数', en: 'Downloads of tickets' },
    means: {
      zh: '催印名单会漏掉没下载的人，或打扰已下载的人。',
      en: 'Reminders miss people without their ticket, or go to those who have it.',
    },
    watches: ['ticket.down_count'],
    page,
    by: 'exam',
    broken: ({ examId }) => sql`
      select t.id, t.ticket_no as name, t.down_count as found, '≤ ' || coalesce(d.n, 0) as expected
      from ticket t left join (
        select item_id, signup_id, type, count(*) as n from ticket_down where exam_id = ${examId} group by 1, 2, 3) d
        on d.item_id = t.item_id and d.signup_id = t.signup_id and d.type = t.type
      where t.exam_id = ${examId} and ${live} and t.down_count > coalesce(d.n, 0)`,
    healer: {
      label: { zh: '按下载记录重新计数', en: 'Count the downloads anew' },
      heal: async (db, id) =>
        void (await db.run(sql`
          update ticket t set down_count = (select count(*) from ticket_down d
              where d.tenant_id = t.tenant_id and d.exam_id = t.exam_id and d.item_id = t.item_id and d.signup_id = t.signup_id and d.type = t.type),
            updated_at = app_now(), version = version + 1
          where t.id = ${id}`)),
    },
  },
]
