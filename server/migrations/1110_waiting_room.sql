-- What the instances of an installation share of a rush: whether there is one, how far its queue has come, what each of them can bear, and how many
-- tickets each has drawn in each second. Who is in the queue stands nowhere.
-- lock: none (new tables); compatible: yes

create table waiting_room (
  id int primary key check (id = 1),
  -- Second since 1970 from which tickets are counted; null: nobody has to wait.
  first_second bigint,
  front double precision not null default 0
);
insert into waiting_room (id) values (1);

create table waiting_room_instance (
  instance varchar(20) primary key,
  seen_at timestamptz not null,
  rate double precision not null,
  is_calm boolean not null
);

create table waiting_room_count (
  second bigint not null,
  instance varchar(20) not null,
  count int not null,
  primary key (second, instance)
);

-- A place lets one account in. `owner` is a digest of the account.
create table waiting_room_claim (
  place_id varchar(24) primary key,
  owner varchar(20) not null,
  claimed_at timestamptz not null
);
create index waiting_room_claim_at on waiting_room_claim (claimed_at);

grant select, update on waiting_room to kaopu_platform;
grant select, insert, update, delete on waiting_room_instance, waiting_room_count, waiting_room_claim to kaopu_platform;

-- verify: select 1 / (select (count(*) = 1)::int from waiting_room where first_second is null)
