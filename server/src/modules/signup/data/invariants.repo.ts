import { holdsPlace } from '#contract/signup/signup.state.ts'
import { sql } from '#kernel/db/sql.ts'
import type { Invariant } from '#kernel/invariant.ts'
import { countHeld, lockPlaces, storePlaces } from './places.repo.ts'
import { mendTallies } from './tally.repo.ts'

const holding = Object.entries(holdsPlace).flatMap(([state, holds]) => (holds ? [state] : []))
const queue = '/exam/examination/{exam}/signups'
const recount = { zh: '按报名记录重新计数', en: 'Count the sign-ups anew' }

/** What is kept of sign-ups beside them. */
export const signupInvariants: readonly Invariant[] = [
  {
    name: 'signup.places',
    label: { zh: '岗位已报人数', en: 'Places taken of a post' },
    means: {
      zh: '计数偏大时考生会被误拒（“名额已满”），偏小时会超额报名。',
      en: 'Too high a counter turns candidates away from free places, too low a one lets in more than there are.',
    },
    watches: ['type_code.used_sign'],
    page: '/exam/examination/{exam}/setup',
    by: 'exam',
    broken: ({ examId }) => sql`
      select p.id, p.code as name, p.used_sign as found, t.kept as expected
      from type_code p cross join lateral (
        select case when p.max_sign > 0 then least(count(s.id), p.max_sign) else count(s.id) end as kept from signup s
        where s.tenant_id = p.tenant_id and s.exam_id = p.exam_id and s.code = p.code and s.examine = any(${holding}) and s.examine <> 'draft' and not s.is_deleted) t
      where p.exam_id = ${examId} and not p.is_deleted and p.used_sign <> t.kept`,
    healer: {
      label: recount,
      heal: async (db, id) => {
        const post = await lockPlaces(db, id)
        if (!post) return
        const held = await countHeld(db, id)
        const used = post.maxSign > 0 ? Math.min(held, post.maxSign) : held
        if (used !== post.used) await storePlaces(db, id, used)
      },
    },
  },
  {
    name: 'signup.over-places',
    label: { zh: '岗位报名不超过上限', en: 'No more sign-ups than places' },
    means: {
      zh: '该岗位的有效报名多于允许人数，须由考务决定谁留下。',
      en: 'More people hold places of the post than it has: the examination office has to decide.',
    },
    watches: ['type_code.max_sign'],
    page: '/exam/examination/{exam}/setup',
    by: 'exam',
    broken: ({ examId }) => sql`
      select p.id, p.code as name, t.held as found, '≤ ' || p.max_sign as expected
      from type_code p cross join lateral (
        select count(*) as held from signup s where s.tenant_id = p.tenant_id and s.exam_id = p.exam_id and s.code = p.code and s.examine = any(${holding})
          and s.examine <> 'draft' and not s.is_deleted) t
      where p.exam_id = ${examId} and not p.is_deleted and p.max_sign > 0 and t.held > p.max_sign`,
  },
  {
    name: 'signup.tallies',
    label: { zh: '报名统计合计', en: 'Sums of sign-ups' },
    means: {
      zh: '首页、统计和待审核列表的总数与报名记录不符。',
      en: 'Totals of the home page, the statistics and the review lists differ from the sign-ups.',
    },
    watches: ['signup_tally', 'signup_hour', 'signup_paid'],
    page: '/exam/examination/{id}/statistics',
    by: 'exam',
    broken: ({ examId }) => sql`
      with found as (
        select s.examine, coalesce(s.unit, '') as unit, coalesce(s.code, '') as code, coalesce(s.type, '') as type, s.pay_state,
          hour_of(s.first_submit_time) as submitted, hour_of(s.submit_time) as waiting, hour_of(s.examine_time) as passed, count(*) as n
        from signup s where s.exam_id = ${examId} and s.examine <> 'draft' and not s.is_deleted group by 1, 2, 3, 4, 5, 6, 7, 8),
      payer as (
        select s.id, coalesce(s.unit, '') as unit, hour_of(p.at) as at
        from (select signup_id, min(paid_time) as at from exam_pay where exam_id = ${examId} and state = 'paid' and not is_deleted group by signup_id) p
        join signup s on s.id = p.signup_id where s.exam_id = ${examId} and s.examine not in ('draft', 'withdrawn') and not s.is_deleted and p.at is not null),
      cells as (
        select 1 from (
          select examine, unit, code, type, pay_state, n from found
          union all select examine, unit, code, type, pay_state, -n from signup_tally where exam_id = ${examId}) d
        group by examine, unit, code, type, pay_state having sum(n) <> 0),
      hours as (
        select 1 from (
          select 'submitted' as event, unit, submitted as at, n from found where examine <> 'withdrawn' and submitted is not null
          union all select 'waiting', unit, waiting, n from found where examine in ('waiting', 'second') and waiting is not null
          union all select 'passed', unit, passed, n from found where examine = 'passed' and passed is not null
          union all select 'paid', unit, at, 1 from payer
          union all select event, unit, at, -n from signup_hour where exam_id = ${examId}) d
        group by event, unit, at having sum(n) <> 0),
      payers as (
        select 1 from payer p full join (select * from signup_paid where exam_id = ${examId}) k on k.signup_id = p.id
        where (p.unit, p.at) is distinct from (k.unit, k.at)),
      wrong as (select (select count(*) from cells) + (select count(*) from hours) + (select count(*) from payers) as n)
      select e.id, e.exam_code as name, wrong.n as found, 0 as expected from examination e, wrong where e.id = ${examId} and wrong.n > 0`,
    healer: { label: recount, heal: async (db, id) => void (await mendTallies(db, id)) },
  },
  {
    name: 'signup.name-parts',
    label: { zh: '按姓名查找报名', en: 'Finding sign-ups by name' },
    means: {
      zh: '报名列表按姓名查不到人，或查到已变化的旧状态。',
      en: 'A search by name misses people, or finds them in a state they have left.',
    },
    watches: ['signup_name_part'],
    page: '/exam/examination/{exam}/signups',
    by: 'exam',
    broken: ({ examId }) => sql`
      with kept as (
        select signup_id, count(*) as n, min(is_over::int) as least, max(is_over::int) as most, min(submit_time) as since, max(submit_time) as until
        from signup_name_part where exam_id = ${examId} group by signup_id),
      due as (
        select id, sign_no, length(name) as letters, examine not in ('waiting', 'second') as is_over, coalesce(submit_time, 'infinity') as at
        from signup where exam_id = ${examId} and examine <> 'draft' and not is_deleted and name <> '')
      select coalesce(d.id, k.signup_id) as id, coalesce(d.sign_no, coalesce(d.id, k.signup_id)::text) as name, coalesce(k.n, 0) as found,
        case when d.id is null then '0' else '1–' || 2 * d.letters end as expected
      from due d full join kept k on k.signup_id = d.id
      where d.id is null or k.signup_id is null or k.n > 2 * d.letters or k.least <> d.is_over::int or k.most <> d.is_over::int or k.since <> d.at or k.until <> d.at`,
    healer: {
      label: { zh: '重建查找条目', en: 'Write the entries anew' },
      heal: async (db, id) => {
        await db.run(sql`select 1 from signup where id = ${id} for update`)
        await db.run(sql`delete from signup_name_part where signup_id = ${id}`)
        await db.run(sql`
          insert into signup_name_part (tenant_id, exam_id, part, is_over, submit_time, signup_id)
          select s.tenant_id, s.exam_id, n, s.examine not in ('waiting', 'second'), coalesce(s.submit_time, 'infinity'), s.id
          from signup s, name_parts(s.name) n where s.id = ${id} and s.examine <> 'draft' and not s.is_deleted`)
      },
    },
  },
  {
    name: 'signup.numbers',
    label: { zh: '报名序号', en: 'Numbers of sign-ups' },
    means: {
      zh: '计数器落后于已发序号时，下一位考生提交会失败。',
      en: 'A counter behind the numbers that were given out fails the next candidate’s submission.',
    },
    watches: ['exam_counter.sign_seq'],
    page: queue,
    by: 'exam',
    broken: ({ examId }) => sql`
      select e.id, e.exam_code as name, coalesce(c.sign_seq, 0) as found, '≥ ' || m.most as expected
      from examination e left join exam_counter c on c.tenant_id = e.tenant_id and c.exam_id = e.id
      cross join lateral (select max(right(s.sign_no, 8)::bigint) as most from signup s where s.tenant_id = e.tenant_id and s.exam_id = e.id and s.sign_no ~ '^[0-9]{14}$') m
      where e.id = ${examId} and m.most > coalesce(c.sign_seq, 0)`,
    healer: {
      label: { zh: '把计数器提到最大序号', en: 'Raise the counter to the highest number' },
      heal: async (db, id) =>
        void (await db.run(sql`
          insert into exam_counter (tenant_id, exam_id, sign_seq)
          select tenant_id, exam_id, max(right(sign_no, 8)::bigint) from signup where exam_id = ${id} and sign_no ~ '^[0-9]{14}$' group by 1, 2
          on conflict (tenant_id, exam_id) do update set sign_seq = greatest(exam_counter.sign_seq, excluded.sign_seq)`)),
    },
  },
  {
    name: 'signup.states',
    label: { zh: '报名状态与内容一致', en: 'Sign-ups in states that can be' },
    means: {
      zh: '状态与其应有的内容不符，流程会在下一步停住：已提交而无序号或提交时间，通过或退回而无审核时间。',
      en: 'A state without what leads to it stops at the next step: submitted without number or time, decided without a time of decision.',
    },
    watches: ['signup.examine'],
    page: queue,
    by: 'exam',
    broken: ({ examId }) => sql`
      select id, coalesce(sign_no, id::text) as name, examine as found,
        case when sign_no is null then 'sign_no' when submit_time is null then 'submit_time' else 'examine_time' end as expected
      from signup where exam_id = ${examId} and not is_deleted
        and (examine in ('waiting', 'second', 'passed', 'returned', 'refused') and (sign_no is null or submit_time is null)
          or examine in ('passed', 'returned', 'refused') and examine_time is null)`,
  },
  {
    name: 'signup.allotments',
    label: { zh: '审核分配对应待审报名', en: 'Allotments of sign-ups that wait' },
    means: { zh: '审核员的待办里有已不待审的报名。', en: 'Reviewers have sign-ups among their tasks that no longer wait for them.' },
    watches: ['examine_allot.state'],
    page: '/exam/examination/{exam}/review',
    by: 'exam',
    broken: ({ examId }) => sql`
      select a.signup_id as id, coalesce(s.sign_no, a.signup_id::text) as name, 'level ' || a.level as found, coalesce(s.examine, '') as expected
      from examine_allot a left join signup s on s.tenant_id = a.tenant_id and s.id = a.signup_id
      where a.exam_id = ${examId} and a.state < 2 and a.level in (1, 2)
        and (s.id is null or s.is_deleted or s.examine not in ('waiting', 'second'))`,
  },
]
