-- Wrong passwords for names that nobody has: they lock exactly like accounts, so that no answer tells the two apart.
create table login_try (
  tenant_id varchar(12) not null references tenant,
  account_key varchar(60) not null,
  fail_count int not null default 0,
  fail_since timestamptz,
  locked_until timestamptz,
  lock_level int not null default 0,
  primary key (tenant_id, account_key)
);
select secure_table('login_try');
