-- Since which hour sign-ups have been paid for, kept like the other hours (migration 1050): statistics no longer read the dues of everybody.
-- lock: signup and exam_pay are closed to writers while they are counted (some seconds for a million rows); compatible: yes

alter table signup_hour drop constraint signup_hour_event_check,
  add constraint signup_hour_event_check check (event in ('submitted', 'waiting', 'passed', 'paid'));

-- What of a sign-up stands in the sums: that it has paid dues, since the first of them. Drafts, withdrawn and removed ones are not counted.
create table signup_paid (
  tenant_id varchar(12) not null,
  exam_id bigint not null,
  signup_id bigint not null,
  unit varchar(20) not null,
  at timestamptz not null,
  primary key (tenant_id, signup_id)
);
create index signup_paid_exam_ix on signup_paid (tenant_id, exam_id);

create function first_paid(of_tenant varchar, of_signup bigint) returns timestamptz language sql stable as
$$ select min(paid_time) from exam_pay where tenant_id = of_tenant and signup_id = of_signup and state = 'paid' and not is_deleted $$;

-- Sets right what stands of one sign-up. It may be called as often as anything changes, in any order: it looks at what is there.
-- Two payments of one sign-up wait for each other here; the mirror of the due on the sign-up, which each of them writes, would let them wait too.
create function tally_paid(of_tenant varchar, of_signup bigint) returns void language plpgsql as
$$ declare
  s record;
  was record;
  since timestamptz;
begin
  select exam_id, coalesce(unit, '') as unit, examine not in ('draft', 'withdrawn') and not is_deleted as counts into s
    from signup where tenant_id = of_tenant and id = of_signup for no key update;
  if found and s.counts then since := hour_of(first_paid(of_tenant, of_signup)); end if;
  select exam_id, unit, at into was from signup_paid where tenant_id = of_tenant and signup_id = of_signup;
  if since is not distinct from was.at and (since is null or s.unit = was.unit) then return; end if;
  if was.at is not null then
    delete from signup_paid where tenant_id = of_tenant and signup_id = of_signup;
    insert into signup_hour (tenant_id, exam_id, event, unit, at, n) values (of_tenant, was.exam_id, 'paid', was.unit, was.at, -1);
  end if;
  if since is not null then
    insert into signup_paid (tenant_id, exam_id, signup_id, unit, at) values (of_tenant, s.exam_id, of_signup, s.unit, since);
    insert into signup_hour (tenant_id, exam_id, event, unit, at, n) values (of_tenant, s.exam_id, 'paid', s.unit, since, 1);
  end if;
end $$;

create function keep_paid_of_due() returns trigger language plpgsql as
$$ begin
  if tg_op <> 'INSERT' then perform tally_paid(old.tenant_id, old.signup_id); end if;
  if tg_op <> 'DELETE' and (tg_op = 'INSERT' or new.signup_id <> old.signup_id) then perform tally_paid(new.tenant_id, new.signup_id); end if;
  return null;
end $$;
create trigger keep_paid_new after insert on exam_pay for each row when (new.state = 'paid') execute function keep_paid_of_due();
create trigger keep_paid after update on exam_pay for each row
  when ((old.state = 'paid' or new.state = 'paid') and (old.state, old.paid_time, old.is_deleted, old.signup_id) is distinct from
    (new.state, new.paid_time, new.is_deleted, new.signup_id))
  execute function keep_paid_of_due();
create trigger keep_paid_gone after delete on exam_pay for each row when (old.state = 'paid') execute function keep_paid_of_due();

-- Most sign-ups move before anybody pays: then there is nothing to set right.
create function keep_paid_of_signup() returns trigger language plpgsql as
$$ begin
  if exists (select from exam_pay where tenant_id = old.tenant_id and signup_id = old.id and state = 'paid') then perform tally_paid(old.tenant_id, old.id); end if;
  return null;
end $$;
create trigger keep_paid after update on signup for each row
  when ((old.unit, old.examine in ('draft', 'withdrawn'), old.is_deleted) is distinct from (new.unit, new.examine in ('draft', 'withdrawn'), new.is_deleted))
  execute function keep_paid_of_signup();

create or replace function mend_signup_tallies(of_tenant varchar, of_exam bigint) returns int language sql as
$$
  with found as (
    select s.examine, coalesce(s.unit, '') as unit, coalesce(s.code, '') as code, coalesce(s.type, '') as type, s.pay_state, hour_of(s.first_submit_time) as submitted,
      hour_of(s.submit_time) as waiting, hour_of(s.examine_time) as passed, count(*) as n
    from signup s where s.tenant_id = of_tenant and s.exam_id = of_exam and s.examine <> 'draft' and not s.is_deleted group by 1, 2, 3, 4, 5, 6, 7, 8),
  payer as (
    select s.id, coalesce(s.unit, '') as unit, hour_of(p.at) as at
    from (select signup_id, min(paid_time) as at from exam_pay
      where tenant_id = of_tenant and exam_id = of_exam and state = 'paid' and not is_deleted group by signup_id) p
    join signup s on s.tenant_id = of_tenant and s.id = p.signup_id
    where s.exam_id = of_exam and s.examine not in ('draft', 'withdrawn') and not s.is_deleted and p.at is not null),
  gone as (
    delete from signup_paid k where tenant_id = of_tenant and exam_id = of_exam and not exists (select from payer p where p.id = k.signup_id)),
  put as (
    insert into signup_paid (tenant_id, exam_id, signup_id, unit, at) select of_tenant, of_exam, id, unit, at from payer
    on conflict (tenant_id, signup_id) do update set unit = excluded.unit, at = excluded.at where (signup_paid.unit, signup_paid.at) <> (excluded.unit, excluded.at)),
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
      union all select 'paid', unit, at, 1 from payer
      union all select event, unit, at, -n from signup_hour where tenant_id = of_tenant and exam_id = of_exam) d
    group by event, unit, at having sum(n) <> 0 returning 1)
  select (select count(*)::int from tally) + (select count(*)::int from hours)
$$;

-- Before the walls stand: they bind an owner who is no superuser too.
select count(mend_signup_tallies(tenant_id, id)) from examination;

select secure_table('signup_paid');
select narrow_with_exam('signup_paid');

-- verify: select 1 / (select (count(*) = 2)::int from pg_trigger where tgname = 'keep_paid')
-- verify: select 1 / (select count(*) from pg_policies where tablename = 'signup_paid' and policyname = 'within_departments')
