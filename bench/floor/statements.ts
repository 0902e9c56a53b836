// The same questions as the product's, asked bare: one prepared statement each, as the owner of the tables, with the tenant as a plain condition.

/** The columns a line of the review list shows. */
const line = `s.id::text as id, s.exam_id::text as exam_id, s.code, s.type, s.unit, s.code2, s.type2, s.unit2, s.examine, s.examine_remark, s.examine_time, s.name, s.name_rare,
  s.id_card_mask, s.phone_mask, s.sex, s.education, s.major, s.sign_no, s.sign_version, s.submit_time, s.examine_level, s.pay_state, s.auto_result,
  t.unit_name, t.type_name, t.code_name,
  (select a.reviewer_name from examine_allot a where a.tenant_id = s.tenant_id and a.signup_id = s.id and a.state = 1 and a.lock_until > now() order by a.id desc limit 1) as locked_by`
const from = `from signup s left join type_code t on t.tenant_id = s.tenant_id and t.exam_id = s.exam_id and t.code = s.code and not t.is_deleted`
const paged = (condition: string, order = 's.submit_time, s.id') => ({
  rows: `select ${line} ${from} where s.tenant_id = $1 and s.exam_id = $2 and not s.is_deleted and ${condition} order by ${order} limit 10`,
  count: `select count(*)::int as total from signup s where s.tenant_id = $1 and s.exam_id = $2 and not s.is_deleted and ${condition}`,
})

export const lists = {
  /** Filter by state, order, exact total. */
  state: paged('s.examine = $3'),
  unit: paged(`s.examine = 'waiting' and s.unit = $3`),
  // All states: whoever waits comes first.
  name: paged(`s.examine <> 'draft' and s.name like $3`, `(s.examine not in ('waiting', 'second')), s.submit_time, s.id`),
} as const
export const deep = {
  rows: `${lists.state.rows} offset $4`,
  count: lists.state.count,
}

export const detail = {
  signup: `select s.id::text as id, s.exam_id::text as exam_id, s.user_id::text as user_id, s.province, s.city, s.area, s.code, s.type, s.unit, s.code2, s.content, s.files, s.examine,
    s.examine_remark, s.examine_time, s.name, s.name_rare, s.id_card_mask, s.phone_mask, s.sex, s.education, s.major, s.sign_no, s.sign_version, s.submit_time, s.adjust, s.examine_level,
    s.pay_state, s.auto_check, s.auto_result, s.photo_state, s.advisements, t.unit_name, t.type_name, t.code_name, t.plan_num, t.cur_num, t.post_state, t.age_text, t.major_text,
    t.other_text, t.fee_fen ${from} where s.tenant_id = $1 and s.id = $2 and not s.is_deleted`,
  records: `select id::text as id, level, result, remark, advisements, before_state, after_state, examiner_name, duration_ms, sign_version, created_at from examine_record
    where tenant_id = $1 and signup_id = $2 order by id`,
  files: `select id::text as id, checks from stored_file where tenant_id = $1 and id = any($2)`,
  items: `select item_key, item_label, item_label_en, dict_code, visible_when, sensitive from sign_item where tenant_id = $1 and exam_id = $2 and not is_deleted order by sort, id`,
  required: `select file_key, file_label, file_label_en from sign_file where tenant_id = $1 and exam_id = $2 and not is_deleted order by sort, id`,
  labels: `select code, dict_key, dict_value, dict_value_en from dict_biz where tenant_id = $1 and code = any($2) and dict_key <> '-1' and not is_deleted order by code, sort`,
  audit: `insert into audit_log (tenant_id, user_id, actor_kind, action, entity, entity_id, ip, user_agent, trace_id, created_at)
    values ($1, $2, 'staff', 'signup.read', 'signup', $3, '127.0.0.1', 'bench', 'bench', now())`,
} as const

export const create = {
  signup: `insert into signup (tenant_id, exam_id, user_id, code, type, unit, content, files, examine, name, id_card_type, id_card_sealed, id_card_index, id_card_mask, phone_sealed,
    phone_index, phone_mask, sex, birthday, nation, education, degree, major, school, photo_file_id, sign_no, sign_version, submit_time, first_submit_time, promise_hash, promise_time,
    promise_ip, auto_check, auto_result, created_by, updated_by, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, 'waiting', $9, '1', $10, $11, '3301**********0000', $12, $13, '160****0000', 2, '1990-01-01', '01', '20', '3', '护理学', '新疆医科大学', $14, $15,
    1, now(), now(), $16, now(), '127.0.0.1', '[]', 'ok', $3, $3, now(), now()) returning id::text as id`,
  number: `update exam_counter set sign_seq = sign_seq + 1 where tenant_id = $1 and exam_id = $2 returning sign_seq`,
  place: `update type_code set used_sign = used_sign + 1 where tenant_id = $1 and exam_id = $2 and code = $3 and not is_deleted and (max_sign = 0 or used_sign < max_sign)`,
  history: `insert into signup_history (tenant_id, signup_id, user_id, sign_version, code, content, files, auto_check, created_by, created_at) values ($1, $2, $3, 1, $4, $5, $6, '[]', $3, now())`,
  attach: `update stored_file set owner_kind = 'signup', owner_id = $3 where tenant_id = $1 and id = any($2)`,
  audit: `insert into audit_log (tenant_id, user_id, actor_kind, action, entity, entity_id, before_value, after_value, ip, user_agent, trace_id, created_at)
    values ($1, $2, 'system', 'signup.submitted', 'signup', $3, '{"examine": "draft"}', $4, '127.0.0.1', 'bench', 'bench', now())`,
  notice: `insert into notify (tenant_id, user_id, exam_id, kind, title_zh, title_en, content_zh, content_en, link, event_key, created_at)
    values ($1, $2, $3, 1, '报名已提交', 'Sign-up submitted', $4, $4, '/signup/myExam', $5, now())`,
  answer: `insert into idempotency (tenant_id, user_id, key, route, digest, status, answer, created_at) values ($1, $2, $3, '/blade-signup/signup/submit', $4, 200, $5, now())`,
} as const

export const score = {
  results: `select r.item_id::text as item_id, i.item_name, r.score, i.full_score, r.result_state from signup s join result r on r.tenant_id = s.tenant_id and r.signup_id = s.id
    join exam_item i on i.tenant_id = r.tenant_id and i.id = r.item_id where s.tenant_id = $1 and s.exam_id = $2 and s.user_id = $3 and not s.is_deleted and r.released and not r.is_deleted order by i.sort`,
  total: `select t.written_total, t.interview_total, t.total, t.bonus, t.rank_in_post, t.post_count, t.line, t.shortlist, t.show_rank, t.show_line, e.score_scale
    from signup s join score_total t on t.tenant_id = s.tenant_id and t.signup_id = s.id join examination e on e.tenant_id = t.tenant_id and e.id = t.exam_id
    where s.tenant_id = $1 and s.exam_id = $2 and s.user_id = $3 and not s.is_deleted and t.released`,
} as const

export const login = {
  account: `select id::text as id, password_hash, user_type, real_name from account where tenant_id = $1 and account_key = $2 and not is_deleted`,
  session: `insert into session (tenant_id, user_id, user_type, client_id, access_hash, access_until, refresh_hash, refresh_until, fingerprint, created_at, active_at)
    values ($1, $2, 1, 'kaopu-web', $3, now() + interval '1 hour', $4, now() + interval '12 hours', $5, now(), now())`,
} as const

export const counts = {
  /** Events per day, as the line chart shows them. */
  timeline: `with mine as (select s.id, s.examine, s.first_submit_time, s.examine_time from signup s where s.tenant_id = $1 and s.exam_id = $2
      and s.examine = any('{waiting,second,returned,refused,passed,disqualified}') and not s.is_deleted),
    event as (
      select date_trunc('day', first_submit_time at time zone 'Asia/Shanghai') as at, 1 as submitted, 0 as passed, 0 as paid from mine where first_submit_time >= $3 and first_submit_time < $4
      union all select date_trunc('day', examine_time at time zone 'Asia/Shanghai'), 0, 1, 0 from mine where examine = 'passed' and examine_time >= $3 and examine_time < $4
      union all select date_trunc('day', paid_time at time zone 'Asia/Shanghai'), 0, 0, 1 from (select min(p.paid_time) as paid_time from exam_pay p join mine m on m.id = p.signup_id
        where p.tenant_id = $1 and p.exam_id = $2 and p.state = 'paid' and not p.is_deleted group by p.signup_id) first where paid_time >= $3 and paid_time < $4)
    select to_char(at, 'YYYY-MM-DD HH24:MI:SS') as at, sum(submitted)::int as submitted, sum(passed)::int as passed, sum(paid)::int as paid from event group by at order by at`,
  bounds: `select least(min(s.first_submit_time), min(p.paid_time)) as first, greatest(max(s.first_submit_time), max(s.examine_time), max(p.paid_time)) as last
    from signup s left join exam_pay p on p.tenant_id = s.tenant_id and p.signup_id = s.id and p.state = 'paid' and not p.is_deleted
    where s.tenant_id = $1 and s.exam_id = $2 and s.examine = any('{waiting,second,returned,refused,passed,disqualified}') and not s.is_deleted`,
} as const

/** System administration, as the bare program would ask it. */
export const admin = {
  depts: `select id::text as id, parent_id::text as "parentId", dept_name as title, sort from dept where tenant_id = $1 and not is_deleted order by sort, id`,
  menus: `select distinct m.id::text as id, m.parent_id::text as "parentId", m.code, m.name, m.path, m.sort from account_role a
    join role_menu h on h.tenant_id = a.tenant_id and h.role_id = a.role_id join menu m on m.tenant_id = h.tenant_id and m.id = h.menu_id
    where a.tenant_id = $1 and a.user_id = $2 and m.category = $3 and not m.is_deleted`,
  users: `select id::text as id, account, user_type, real_name, phone_mask, status, created_at from account where tenant_id = $1 and not is_deleted order by id desc limit 10`,
  usersCount: `select count(*)::int as total from account where tenant_id = $1 and not is_deleted`,
  params: `select id::text as id, param_key, param_name, param_value, is_own, remark, created_at, updated_at from param where tenant_id = $1 and not is_deleted order by id desc limit 10`,
  paramsCount: `select count(*)::int as total from param where tenant_id = $1 and not is_deleted`,
  post: `insert into post (tenant_id, category, post_code, post_name, sort, created_by, created_at, updated_at) values ($1, '1', $2, '测试职务', 1, $3, now(), now()) returning id::text as id`,
  postAudit: `insert into audit_log (tenant_id, user_id, actor_kind, action, entity, entity_id, after_value, ip, user_agent, trace_id, created_at)
    values ($1, $2, 'staff', 'post.added', 'post', $3, $4, '127.0.0.1', 'bench', 'bench', now())`,
} as const

/** A task of a process is done, and the next one opened for somebody, or the process ended. */
export const complete = {
  task: `select t.instance_id::text as instance_id, t.node, t.token, i.title, i.start_user::text as start_user, i.flow_key,
    (select max(h.seq) from flow_history h where h.tenant_id = t.tenant_id and h.instance_id = t.instance_id) as seq
    from flow_task t join flow_instance i on i.tenant_id = t.tenant_id and i.id = t.instance_id where t.tenant_id = $1 and t.id = $2 and t.state = 'open' and t.assignee = $3 for update of i`,
  done: `update flow_task set state = 'done', outcome = 'ok', comment = $4, ended_at = now(), ended_by = $3::bigint, updated_at = now(), updated_by = $3::bigint, version = version + 1
    where tenant_id = $1 and id = $2 and state = 'open'`,
  next: `insert into flow_task (tenant_id, instance_id, node, name, token, assignee, share, claimed_at, created_at, updated_at, updated_by)
    values ($1, $2, $3, $4, $5, $6, 100, now(), now(), now(), $7) returning id::text as id`,
  history: `insert into flow_history (tenant_id, instance_id, seq, node, name, type, action, task_id, actor, assignee, comment, started_at, ended_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now(), now())`,
  instance: `update flow_instance set state = $3::text, vars = $4, place = $5, passed = $6, reason = $7, decided_by = coalesce(decided_by, $8::bigint), ended_at = case when $3::text = 'finished' then now() end,
    updated_at = now(), updated_by = $8::bigint, version = version + 1 where tenant_id = $1 and id = $2`,
  audit: `insert into audit_log (tenant_id, user_id, actor_kind, action, entity, entity_id, after_value, reason, ip, user_agent, trace_id, created_at)
    values ($1, $2, 'system', $3, $4, $5, $6, $7, '127.0.0.1', 'bench', 'bench', now())`,
  notice: `insert into notify (tenant_id, user_id, kind, title_zh, title_en, content_zh, content_en, link, event_key, created_at) values ($1, $2, 7, $3::text, $3::text, $4::text, $4::text, '/work/todo', $5, now())`,
} as const
