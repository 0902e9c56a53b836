-- Table of the noun site-room.
-- lock: none (new table); compatible: yes

create table site_room (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  room_code varchar(6) not null,
  room_name varchar(60),
  floor int not null default 1,
  rows int not null default 6,
  cols int not null default 5,
  layout varchar(1) not null default 'S',
  spare int not null default 0,
  accessible boolean not null default false,
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id)
);
create unique index site_room_room_code_uq on site_room (tenant_id, room_code) where not is_deleted;
select secure_table('site_room');

-- verify: select 1 / (select count(*) from pg_class where relname = 'site_room' and relforcerowsecurity)
