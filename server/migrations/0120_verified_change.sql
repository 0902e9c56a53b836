-- Candidates ask to change what was verified when they registered: name, id card number, mobile number (domain 3.17).
-- lock: none (new table); compatible: yes

create table verified_change (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  user_id bigint not null,
  field varchar(10) not null check (field in ('name', 'idCard', 'phone')),
  -- names whole, numbers with their middle hidden
  old_mask varchar(60) not null,
  new_mask varchar(60) not null,
  -- emptied once it is decided: the account then holds what counts
  new_sealed bytea,
  reason varchar(200) not null,
  proof_file_ids jsonb not null,
  state varchar(10) not null default 'waiting' check (state in ('waiting', 'passed', 'refused')),
  check_user_id bigint,
  check_time timestamptz,
  remark varchar(200) not null default '',
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references account (tenant_id, id)
);
create unique index verified_change_waiting_uq on verified_change (tenant_id, user_id, field) where state = 'waiting' and not is_deleted;
create index verified_change_list_ix on verified_change (tenant_id, state, id) where not is_deleted;
select secure_table('verified_change', 'own-read');

-- verify: select 1 / (select count(*) from pg_class where relname = 'verified_change' and relforcerowsecurity)
