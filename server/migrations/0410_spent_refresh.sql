-- Refresh tokens a session has used up before its last change (decision 3.7): whoever shows one of them has a copy, and the session ends.
-- lock: none (new table); compatible: yes

create table session_spent_refresh (
  tenant_id varchar(12) not null references tenant,
  refresh_hash char(64) not null,
  session_id bigint not null,
  primary key (tenant_id, refresh_hash),
  foreign key (tenant_id, session_id) references session (tenant_id, id) on delete cascade
);
create index session_spent_refresh_session_ix on session_spent_refresh (tenant_id, session_id);
select secure_table('session_spent_refresh');
revoke all on session_spent_refresh from kaopu_staff;

-- verify: select 1 / (select count(*)::int from pg_class where relname = 'session_spent_refresh' and relforcerowsecurity)
