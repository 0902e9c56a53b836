import { sql } from '#kernel/db/sql.ts'
import type { Invariant } from '#kernel/invariant.ts'

/** What is kept of text messages beside their ledger and rows. */
export const messageInvariants: readonly Invariant[] = [
  {
    name: 'message.balance',
    label: { zh: '短信余额与流水一致', en: 'Balance of text messages' },
    means: { zh: '机构已付费的短信少了，或送出了没付费的。', en: 'The organisation has fewer text messages than it paid for, or more.' },
    watches: ['send_account.balance', 'send_account.frozen'],
    page: '/send/balance',
    by: 'tenant',
    broken: () => sql`
      select coalesce(a.tenant_id, l.tenant_id) as id, coalesce(a.tenant_id, l.tenant_id) as name,
        coalesce(a.balance, 0) || ' / ' || coalesce(a.frozen, 0) as found, coalesce(l.balance, 0) || ' / ' || coalesce(l.frozen, 0) as expected
      from send_account a full join (
        select tenant_id, sum(case kind when 'recharge' then parts when 'settle' then -parts when 'expire' then -parts else 0 end) as balance,
          sum(case kind when 'freeze' then parts when 'settle' then -parts when 'release' then -parts else 0 end) as frozen
        from send_ledger group by 1) l on l.tenant_id = a.tenant_id
      where coalesce(a.balance, 0) <> coalesce(l.balance, 0) or coalesce(a.frozen, 0) <> coalesce(l.frozen, 0)`,
    healer: {
      label: { zh: '按流水重新计算', en: 'Add the ledger up anew' },
      heal: async (db, id) => {
        await db.run(sql`insert into send_account (tenant_id, balance) values (${id}, 0) on conflict do nothing`)
        await db.run(sql`select 1 from send_account where tenant_id = ${id} for update`)
        await db.run(sql`
          update send_account a set balance = l.balance, frozen = l.frozen from (
            select coalesce(sum(case kind when 'recharge' then parts when 'settle' then -parts when 'expire' then -parts else 0 end), 0) as balance,
              coalesce(sum(case kind when 'freeze' then parts when 'settle' then -parts when 'release' then -parts else 0 end), 0) as frozen
            from send_ledger where tenant_id = ${id}) l
          where a.tenant_id = ${id}`)
      },
    },
  },
  {
    name: 'message.validity',
    label: { zh: '有效期短信不超过余额', en: 'Purchases that run out stay within the balance' },
    means: { zh: '到期会扣掉比余额更多的短信。', en: 'More text messages would run out than there are.' },
    watches: ['send_pay.left_parts'],
    page: '/send/balance',
    by: 'tenant',
    broken: () => sql`
      select p.tenant_id as id, p.tenant_id as name, sum(p.left_parts) as found, '≤ ' || coalesce(max(a.balance), 0) as expected
      from send_pay p left join send_account a on a.tenant_id = p.tenant_id where p.left_parts > 0 and not p.is_deleted
      group by p.tenant_id having sum(p.left_parts) > coalesce(max(a.balance), 0)`,
  },
  {
    name: 'message.day',
    label: { zh: '当日短信用量', en: 'Text messages used on a day' },
    means: { zh: '当日额度少算，可能超发。', en: 'The budget of the day counts too few: more may be sent than allowed.' },
    watches: ['sms_day.used'],
    page: '/send/record',
    by: 'tenant',
    broken: ({ now }) => sql`
      with days as (select d.tenant_id, d.day, d.used, d.day::timestamp at time zone 'Asia/Shanghai' as since from sms_day d where d.day > (${now}::timestamptz - interval '2 days')::date)
      select d.day::text as id, d.day::text as name, d.used as found, '≥ ' || m.parts as expected
      from days d cross join lateral (
        select coalesce(sum(m.segments), 0) as parts from sms_message m
        where m.is_counted and m.created_at >= d.since and m.claimed_at >= d.since and m.claimed_at < d.since + interval '1 day') m
      where m.parts > d.used`,
    healer: {
      label: { zh: '按发送记录重新计数', en: 'Count the messages anew' },
      heal: async (db, id) =>
        void (await db.run(sql`
          update sms_day d set used = greatest(d.used, (select coalesce(sum(m.segments), 0) from sms_message m
            where m.is_counted and m.created_at >= ${id}::timestamp at time zone 'Asia/Shanghai' and m.claimed_at >= ${id}::timestamp at time zone 'Asia/Shanghai'
              and m.claimed_at < ${id}::timestamp at time zone 'Asia/Shanghai' + interval '1 day'))
          where d.day = ${id}::date`)),
    },
  },
]
