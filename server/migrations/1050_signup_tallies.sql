-- How many sign-ups stand in each state of each post, paid for or not, and how many were submitted, wait or passed since each hour: as sums of what came and went, as in row_count.
-- Whoever changes a sign-up adds lines and changes none, so nobody waits for anybody; the sum that a transaction sees belongs to the rows that it sees.
-- lock: signup is closed to writers while it is counted (some seconds for a million rows); compatible: yes

-- Drafts and removed sign-ups are not counted. What a sign-up does not have is ''. Triggers write the lines, so nothing refers to anything.
create table signup_tally (
  tenant_id varchar(12) not null,
  exam_id bigint not null,
  examine varchar(12) not null,
  unit varchar(20) not null,
  code varchar(20) not null,
  type varchar(20) not null,
  pay_state varchar(10) not null,
  -- 0: the sum of the lines that were gathered
  id bigint not null default next_id(),
  n int not null,
  primary key (tenant_id, exam_id, examine, unit, code, type, pay_state, id)
);
create index signup_tally_line_ix on signup_tally (tenant_id, id) where id <> 0;

-- By the hour in which it happened. submitted: first submitted, of all that are neither drafts nor withdrawn; waiting: submitted last, of those that wait for a review;
-- passed: decided, of those that passed.
create table signup_hour (
  tenant_id varchar(12) not null,
  exam_id bigint not null,
  event varchar(9) not null check (event in ('submitted', 'waiting', 'passed')),
  unit varchar(20) not null,
  at timestamptz not null,
  id bigint not null default next_id(),
  n int not null,
  primary key (tenant_id, exam_id, event, unit, at, id)
);
create index signup_hour_line_ix on signup_hour (tenant_id, id) where id <> 0;

create function hour_of(at timestamptz) returns timestamptz language sql immutable parallel safe as
$$ select date_bin('1 hour', at, timestamptz '2000-01-01 00:00:00+08') $$;

-- One statement for each table, and none where nothing moves: statements are what it costs.
create function keep_signup_tallies() returns trigger language plpgsql as
$$ declare
  was boolean := tg_op <> 'INSERT' and old.examine <> 'draft' and not old.is_deleted;
  counts boolean := tg_op <> 'DELETE' and new.examine <> 'draft' and not new.is_deleted;
  moves boolean := was <> counts or (old.exam_id, old.unit) is distinct from (new.exam_id, new.unit);
  submitted_was timestamptz := case when was and old.examine <> 'withdrawn' then hour_of(old.first_submit_time) end;
  submitted_is timestamptz := case when counts and new.examine <> 'withdrawn' then hour_of(new.first_submit_time) end;
  waiting_was timestamptz := case when was and old.examine in ('waiting', 'second') then hour_of(old.submit_time) end;
  waiting_is timestamptz := case when counts and new.examine in ('waiting', 'second') then hour_of(new.submit_time) end;
  passed_was timestamptz := case when was and old.examine = 'passed' then hour_of(old.examine_time) end;
  passed_is timestamptz := case when counts and new.examine = 'passed' then hour_of(new.examine_time) end;
  submitted boolean := moves or submitted_was is distinct from submitted_is;
  waiting boolean := moves or waiting_was is distinct from waiting_is;
  passed boolean := moves or passed_was is distinct from passed_is;
begin
  if moves or (old.examine, old.code, old.type, old.pay_state) is distinct from (new.examine, new.code, new.type, new.pay_state) then
    insert into signup_tally (tenant_id, exam_id, examine, unit, code, type, pay_state, n)
      select v.tenant_id, v.exam_id, v.examine, coalesce(v.unit, ''), coalesce(v.code, ''), coalesce(v.type, ''), v.pay_state, v.n
      from (values (was, old.tenant_id, old.exam_id, old.examine, old.unit, old.code, old.type, old.pay_state, -1),
        (counts, new.tenant_id, new.exam_id, new.examine, new.unit, new.code, new.type, new.pay_state, 1))
        v(counts, tenant_id, exam_id, examine, unit, code, type, pay_state, n)
      where v.counts;
  end if;
  if submitted or waiting or passed then
    insert into signup_hour (tenant_id, exam_id, event, unit, at, n)
      select v.tenant_id, v.exam_id, v.event, coalesce(v.unit, ''), v.at, v.n
      from (values (submitted, old.tenant_id, old.exam_id, 'submitted', old.unit, submitted_was, -1),
        (submitted, new.tenant_id, new.exam_id, 'submitted', new.unit, submitted_is, 1),
        (waiting, old.tenant_id, old.exam_id, 'waiting', old.unit, waiting_was, -1),
        (waiting, new.tenant_id, new.exam_id, 'waiting', new.unit, waiting_is, 1),
        (passed, old.tenant_id, old.exam_id, 'passed', old.unit, passed_was, -1),
        (passed, new.tenant_id, new.exam_id, 'passed', new.unit, passed_is, 1)) v(differs, tenant_id, exam_id, event, unit, at, n)
      where v.differs and v.at is not null;
  end if;
  return null;
end $$;
create trigger keep_tallies_new after insert on signup for each row when (new.examine <> 'draft' and not new.is_deleted) execute function keep_signup_tallies();
create trigger keep_tallies after update on signup for each row
  when ((old.examine <> 'draft' or new.examine <> 'draft') and (old.exam_id, old.examine, old.unit, old.code, old.type, old.pay_state, old.is_deleted, old.submit_time,
    old.first_submit_time, old.examine_time) is distinct from (new.exam_id, new.examine, new.unit, new.code, new.type, new.pay_state, new.is_deleted, new.submit_time,
    new.first_submit_time, new.examine_time))
  execute function keep_signup_tallies();
create trigger keep_tallies_gone after delete on signup for each row when (old.examine <> 'draft' and not old.is_deleted) execute function keep_signup_tallies();

-- Adds what the sums lack to the sign-ups of an examination, and tells how many cells that were. One statement: what is counted and what is summed belong together.
create function mend_signup_tallies(of_tenant varchar, of_exam bigint) returns int language sql as
$$
  with found as (
    select s.examine, coalesce(s.unit, '') as unit, coalesce(s.code, '') as code, coalesce(s.type, '') as type, s.pay_state, hour_of(s.first_submit_time) as submitted,
      hour_of(s.submit_time) as waiting, hour_of(s.examine_time) as passed, count(*) as n
    from signup s where s.tenant_id = of_tenant and s.exam_id = of_exam and s.examine <> 'draft' and not s.is_deleted group by 1, 2, 3, 4, 5, 6, 7, 8),
  tally as (
    insert into signup_tally (tenant_id, exam_id, examine, unit, code, type, pay_state, n)
    select of_tenant, of_exam, examine, unit, code, type, pay_state, sum(n) from (
      select examine, unit, code, type, pay_state, n from found
      union all select examine, unit, code, type, pay_state, -n from signup_tally where tenant_id = of_tenant and exam_id = of_exam) d
    group by examine, unit, code, type, pay_state having sum(n) <> 0 returning 1),
  hours as (
    insert into signup_hour (tenant_id, exam_id, event, unit, at, n)
    select of_tenant, of_exam, event, unit, at, sum(n) from (
      select 'submitted' as event, unit, submitted as at, n from found where examine <> 'withdrawn' and submitted is not null
      union all select 'waiting', unit, waiting, n from found where examine in ('waiting', 'second') and waiting is not null
      union all select 'passed', unit, passed, n from found where examine = 'passed' and passed is not null
      union all select event, unit, at, -n from signup_hour where tenant_id = of_tenant and exam_id = of_exam) d
    group by event, unit, at having sum(n) <> 0 returning 1)
  select (select count(*)::int from tally) + (select count(*)::int from hours)
$$;

-- Before the walls stand: they bind an owner who is no superuser too.
select count(mend_signup_tallies(tenant_id, id)) from examination;

select secure_table('signup_tally');
select narrow_with_exam('signup_tally');
select secure_table('signup_hour');
select narrow_with_exam('signup_hour');

-- verify: select 1 / (select (count(*) = 3)::int from pg_trigger where tgname in ('keep_tallies_new', 'keep_tallies', 'keep_tallies_gone'))
-- verify: select 1 / (count(*) / 2) from pg_policies where tablename in ('signup_tally', 'signup_hour') and policyname = 'within_departments'
