-- Remarks that are printed on tickets and used again (domain 3.11).
-- lock: none (new table); compatible: yes

create table ticket_remark (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  title varchar(50) not null,
  content varchar(300) not null,
  exam_id bigint,
  sort int not null default 0,
  status int not null default 1 check (status in (0, 1)),
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id)
);
create index ticket_remark_exam_ix on ticket_remark (tenant_id, exam_id);
select secure_table('ticket_remark');
select narrow_with_exam('ticket_remark');

-- verify: select 1 / (select count(*) from pg_policies where tablename = 'ticket_remark' and policyname = 'within_departments')
