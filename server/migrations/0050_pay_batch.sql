-- Batches of imported dues and payments with their rows (domain 3.13 payrecordmain, payrecord).
-- lock: none (new tables); compatible: yes

create table pay_record_main (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  -- 0 = the examination as a whole
  item_id bigint not null default 0,
  batch_name varchar(100) not null,
  -- 1 dues, 2 payments that came by another way
  kind int not null check (kind between 1 and 2),
  import_id bigint not null,
  total int not null check (total >= 0),
  amount_fen bigint not null check (amount_fen >= 0),
  -- 1 in force, 2 taken back
  state int not null default 1 check (state between 1 and 2),
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id)
);
create index pay_record_main_exam_ix on pay_record_main (tenant_id, exam_id, id);
select secure_table('pay_record_main');

create table pay_record (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  main_id bigint not null,
  pay_id bigint not null,
  row_no int not null check (row_no >= 2),
  amount_fen int not null check (amount_fen >= 1),
  pay_time timestamptz,
  pay_way varchar(14) check (pay_way in ('bankTransfer', 'cash', 'unit')),
  voucher_no varchar(64),
  created_at timestamptz not null default app_now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, main_id) references pay_record_main (tenant_id, id),
  foreign key (tenant_id, pay_id) references exam_pay (tenant_id, id)
);
create index pay_record_main_ix on pay_record (tenant_id, main_id);
select secure_table('pay_record', 'none', 'user_id', true);

-- verify: select 1 / (select count(*) / 2 from pg_class where relname in ('pay_record_main', 'pay_record') and relforcerowsecurity)
