-- Somebody says that an id number or a phone is theirs: begun by a refusal or by a lost phone, sent with proofs, decided by staff (domain 4.10, 8.5).
-- lock: none (new table); compatible: yes

create table identity_appeal (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  appeal_no varchar(20) not null,
  kind varchar(12) not null check (kind in ('account', 'phone', 'number', 'lostPhone')),
  -- who appeals while logged in
  user_id bigint,
  name varchar(60) not null default '',
  id_card_sealed bytea not null, id_card_index char(64) not null, id_card_mask varchar(24) not null,
  phone_sealed bytea not null, phone_index char(64) not null, phone_mask varchar(20) not null,
  reason varchar(500) not null default '',
  proof_file_ids jsonb not null default '[]',
  state varchar(10) not null default 'begun' check (state in ('begun', 'waiting', 'upheld', 'refused')),
  check_user_id bigint,
  check_time timestamptz,
  remark varchar(200) not null default '',
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references account (tenant_id, id)
);
create unique index identity_appeal_no_uq on identity_appeal (tenant_id, appeal_no);
-- The same person about the same thing goes on with the appeal there is.
create unique index identity_appeal_open_uq on identity_appeal (tenant_id, kind, id_card_index, phone_index) where state in ('begun', 'waiting');
create index identity_appeal_list_ix on identity_appeal (tenant_id, state, id);
create index identity_appeal_user_ix on identity_appeal (tenant_id, user_id);
select secure_table('identity_appeal');

-- verify: select 1 / (select count(*) from pg_class where relname = 'identity_appeal' and relforcerowsecurity)
