/**
 * Sign-ups by the hundred thousand, made inside the database: one temporary table of people, then a statement per table. Row widths are
 * those of real rows; sealed values are random bytes of the right length, but for the sample that `seed.ts` seals properly.
 * Parameters of every statement are in the temporary tables `bench_setting`, `bench_family`, `bench_given` and `bench_post`.
 */
export const peopleSql = `
create temporary table bench_person as
select g as n, next_id() as id, next_id() as user_id,
  f.w || v.w as name, p.code, p.type, p.unit,
  case when g % 100 < 38 then 'waiting' when g % 100 < 42 then 'second' when g % 100 < 46 then 'returned'
    when g % 100 < 49 then 'refused' when g % 100 < 50 then 'draft' else 'passed' end as examine,
  s.began + (s.until - s.began) * (g::float8 / s.total) as submitted
from bench_setting s cross join generate_series(1, s.total) g
join bench_family f on f.i = (g::bigint * 7919) % (select count(*) from bench_family)
join bench_given v on v.i = (g::bigint * 104729 / 3) % (select count(*) from bench_given)
join bench_post p on p.i = case when g % (s.total / s.small) = 0 then -1 else (g::bigint * 15485863 / 7) % (select count(*) - 1 from bench_post) end`

export const accountSql = `
insert into account (tenant_id, id, account, account_key, user_type, nick_name, real_name, user_code, phone_sealed, phone_index, phone_mask,
  id_card_sealed, id_card_index, id_card_mask, id_card_type, sex, birthday)
select s.tenant_id, p.user_id, 'b' || p.n, 'b' || p.n, 2, p.name, p.name, 'K' || lpad(p.n::text, 10, '0'),
  decode(repeat(md5(p.n::text), 2), 'hex'), encode(sha256(('p' || p.n)::bytea), 'hex'), '160****' || lpad((p.n % 10000)::text, 4, '0'),
  decode(repeat(md5(p.n::text), 2), 'hex'), encode(sha256(('i' || p.n)::bytea), 'hex'), '3301**********' || lpad((p.n % 10000)::text, 4, '0'),
  '1', 1 + p.n % 2, date '1990-01-01' + (p.n % 5000)
from bench_person p cross join bench_setting s`

const content = `s.content || jsonb_build_object('name', p.name, 'idCard', jsonb_build_object('e', encode(sha256(('c' || p.n)::bytea), 'base64') || 'AAAAAAAAAAAAAAAAAAAA'),
  'phone', jsonb_build_object('e', encode(sha256(('q' || p.n)::bytea), 'base64') || 'AAAAAAAAAAAA'))`

export const signupSql = `
insert into signup (tenant_id, id, exam_id, user_id, province, city, area, code, type, unit, content, files, examine, examine_time, name, id_card_type,
  id_card_sealed, id_card_index, id_card_mask, phone_sealed, phone_index, phone_mask, sex, birthday, nation, education, degree, major, school,
  sign_no, sign_version, submit_time, first_submit_time, examine_level, reviewer1_id, reviewer1_time, promise_hash, promise_time, promise_ip, auto_check, auto_result)
select s.tenant_id, p.id, s.exam_id, p.user_id, '330000', '330100', '330106', p.code, p.type, p.unit, ${content}, s.files, p.examine,
  case when p.examine in ('passed', 'refused', 'returned', 'second') then p.submitted + interval '1 hour' end, p.name, '1',
  decode(repeat(md5(p.n::text), 2), 'hex'), encode(sha256(('i' || p.n)::bytea), 'hex'), '3301**********' || lpad((p.n % 10000)::text, 4, '0'),
  decode(repeat(md5(p.n::text), 2), 'hex'), encode(sha256(('p' || p.n)::bytea), 'hex'), '160****' || lpad((p.n % 10000)::text, 4, '0'),
  1 + p.n % 2, date '1990-01-01' + (p.n % 5000), '01', '20', '3', '护理学', '新疆医科大学',
  case when p.examine <> 'draft' then s.sign_prefix || lpad(p.n::text, 8, '0') end, case when p.examine <> 'draft' then 1 else 0 end,
  case when p.examine <> 'draft' then p.submitted end, case when p.examine <> 'draft' then p.submitted end, case when p.examine = 'second' then 2 else 1 end,
  case when p.examine in ('passed', 'refused', 'returned', 'second') then s.reviewer_id end,
  case when p.examine in ('passed', 'refused', 'returned', 'second') then p.submitted + interval '1 hour' end,
  md5(p.n::text) || md5(p.n::text), p.submitted, '10.0.0.1', s.checks, case when p.n % 5 = 0 then 'warn' else 'ok' end
from bench_person p cross join bench_setting s order by p.n`

export const afterSql: readonly string[] = [
  `insert into signup_history (tenant_id, signup_id, user_id, sign_version, code, content, files, auto_check, created_by)
   select s.tenant_id, p.id, p.user_id, 1, p.code, ${content}, s.files, s.checks, p.user_id from bench_person p cross join bench_setting s where p.examine <> 'draft'`,
  `insert into examine_record (tenant_id, signup_id, exam_id, user_id, sign_version, level, result, remark, before_state, after_state, examiner_id, examiner_name, duration_ms)
   select s.tenant_id, p.id, s.exam_id, p.user_id, 1, 1, case p.examine when 'refused' then 3 when 'returned' then 2 else 1 end, '材料齐全，符合岗位条件。', 'waiting',
     p.examine, s.reviewer_id, '审核员', 21000 from bench_person p cross join bench_setting s where p.examine in ('passed', 'refused', 'returned', 'second')`,
  `insert into audit_log (tenant_id, user_id, actor_kind, action, entity, entity_id, before_value, after_value, ip, user_agent, trace_id, created_at)
   select s.tenant_id, p.user_id, 'system', 'signup.submitted', 'signup', p.id::text, '{"examine": "draft"}', '{"examine": "waiting", "autoResult": "ok"}', '10.0.0.1',
     'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36', md5(p.n::text), p.submitted from bench_person p cross join bench_setting s where p.examine <> 'draft'`,
  `insert into notify (tenant_id, user_id, exam_id, kind, title_zh, title_en, content_zh, content_en, link, event_key)
   select s.tenant_id, p.user_id, s.exam_id, 1, '报名已提交', 'Sign-up submitted', '请等待审核。', 'Please wait for the review.', '/signup/myExam', 'signup.submitted:' || p.id || ':1'
   from bench_person p cross join bench_setting s where p.examine <> 'draft'`,
  `insert into ticket (tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, site_code, site_name, room_no, seat_no, start_time, end_time, ticket_state, qr_token)
   select s.tenant_id, s.exam_id, i.id, p.id, p.user_id, '2603' || lpad(p.n::text, 8, '0'), lpad((p.n / 30000)::text, 2, '0'), '第一考点', lpad((p.n / 30 % 1000)::text, 3, '0'), lpad((p.n % 30 + 1)::text, 2, '0'),
     i.start_time, i.end_time, 'released', 'bench' || lpad(p.n::text, 38, 'q')
   from bench_person p cross join bench_setting s join exam_item i on i.exam_id = s.exam_id where p.examine = 'passed'`,
  `insert into result (tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, name, score, result_state, final_score, released, release_time)
   select s.tenant_id, s.exam_id, i.id, p.id, p.user_id, '2603' || lpad(p.n::text, 8, '0'), p.name, 40 + p.n % 60, 1, 40 + p.n % 60, true, s.until
   from bench_person p cross join bench_setting s join exam_item i on i.exam_id = s.exam_id and i.item_code = '02' where p.examine = 'passed'`,
  `insert into score_total (tenant_id, signup_id, exam_id, user_id, code, written_total, total, rank_in_post, post_count, shortlist, released)
   select s.tenant_id, p.id, s.exam_id, p.user_id, p.code, 40 + p.n % 60, 40 + p.n % 60, 1 + p.n % 100, 100, case when p.n % 30 = 0 then 1 else 0 end, true
   from bench_person p cross join bench_setting s where p.examine = 'passed'`,
  // A day's keys of repetition: planned over none, whoever asks for a key would read all that come after.
  `insert into idempotency (tenant_id, user_id, key, route, digest, status, answer)
   select s.tenant_id, p.user_id, md5(p.n::text), '/blade-signup/signup/submit', md5(p.n::text) || md5(p.n::text), 200, '{"value": true}'
   from bench_person p cross join bench_setting s where p.n <= 20000`,
  `update exam_item set score_state = 'released', score_release_at = s.until from bench_setting s where exam_item.exam_id = s.exam_id and item_code = '02'`,
  `update exam_counter set sign_seq = s.total from bench_setting s where exam_counter.exam_id = s.exam_id`,
]
