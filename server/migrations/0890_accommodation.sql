-- What somebody needs at the examination because of a disability or illness: asked with a proof, decided by the office (amendment A19). Seating reads it.
-- lock: none (new table); compatible: yes

create table accommodation (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  signup_id bigint not null,
  user_id bigint not null,
  -- room, time, print, helper
  kinds jsonb not null default '[]',
  reason varchar(300) not null,
  proof_file_id bigint,
  state varchar(10) not null default 'asked' check (state in ('asked', 'granted', 'refused', 'withdrawn')),
  extra_minutes int check (extra_minutes between 1 and 240),
  remark varchar(300),
  decided_by bigint, decided_at timestamptz,
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id),
  foreign key (tenant_id, signup_id) references signup (tenant_id, id)
);
create unique index accommodation_person_uq on accommodation (tenant_id, exam_id, signup_id) where not is_deleted;
create index accommodation_exam_ix on accommodation (tenant_id, exam_id, state);
-- Its owner reads it; what is asked is written by the server, so that nobody grants it to themselves.
select secure_table('accommodation', 'own-read');
select narrow_with_exam('accommodation');

-- verify: select 1 / (select count(*)::int from information_schema.tables where table_name = 'accommodation')
