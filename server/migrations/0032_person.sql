-- What a person may decide about themselves: closing the account, being told of new examinations.
-- lock: none (new tables); compatible: yes

-- One request per person; it waits until nothing of theirs is open (domain 4.9, P10).
create table account_closing (
  tenant_id varchar(12) not null references tenant,
  user_id bigint not null,
  state varchar(10) not null check (state in ('waiting', 'cancelled', 'done')),
  requested_at timestamptz not null,
  ended_at timestamptz,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references account (tenant_id, id)
);
create index account_closing_waiting_ix on account_closing (tenant_id, requested_at) where state = 'waiting';
select secure_table('account_closing', 'own');

-- Who wants to hear when an examination opens (domain 6.3).
create table exam_subscription (
  tenant_id varchar(12) not null references tenant,
  user_id bigint not null,
  created_at timestamptz not null default app_now(),
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references account (tenant_id, id)
);
select secure_table('exam_subscription', 'own');

-- verify: select 1 / (select count(*) from pg_class where relname = 'account_closing' and relforcerowsecurity)
