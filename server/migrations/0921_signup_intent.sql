-- A sign-up that was confirmed before the end of its window may deliver its files a little later: what was confirmed, and what bytes of files were sent.
-- lock: short (a column without a default); compatible: yes

alter table stored_file add column sent_sha256 char(64);
create table signup_intent (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  user_id bigint not null,
  exam_id bigint not null,
  digest char(64) not null,
  created_at timestamptz not null default app_now(),
  primary key (tenant_id, id),
  unique (tenant_id, user_id, exam_id, digest),
  foreign key (tenant_id, user_id) references account (tenant_id, id) on delete cascade,
  foreign key (tenant_id, exam_id) references examination (tenant_id, id) on delete cascade
);
select secure_table('signup_intent', 'own', 'user_id', true);

-- verify: select 1 / (select count(*) from pg_class where relname = 'signup_intent' and relforcerowsecurity)
