-- Sign-ups that staff or a school handed in for people, and who handed them in (domain 5.9 T2).
-- lock: none (new table); compatible: yes

create table group_signup (
  tenant_id varchar(12) not null references tenant,
  signup_id bigint not null,
  exam_id bigint not null,
  user_id bigint not null,
  -- Code of the school that handed it in; empty: the office itself
  group_code varchar(20) not null default '',
  import_id bigint not null,
  -- The person was told by a text message.
  told_at timestamptz,
  created_by bigint, created_at timestamptz not null default app_now(),
  primary key (tenant_id, signup_id),
  foreign key (tenant_id, signup_id) references signup (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id)
);
create index group_signup_list_ix on group_signup (tenant_id, exam_id, group_code, signup_id desc);
create index group_signup_untold_ix on group_signup (tenant_id, import_id, signup_id) where told_at is null;
select secure_table('group_signup');
select narrow_with_exam('group_signup');

-- verify: select 1 / (select count(*) from pg_class where relname = 'group_signup' and relforcerowsecurity)
