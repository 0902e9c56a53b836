-- What a candidate can check about the own seat: the root of the tree over the seats of a draw, published with it, and what leads from each seat to it.
-- lock: none to speak of (a nullable column, new tables); compatible: yes (a process of before keeps no tree of its draws)

-- null: drawn before there were trees
alter table seat_draw add column seat_root char(64);

-- The hashes of the tree of a paper's last draw, 32 bytes each: level 0 are the leaves.
create table seat_level (
  tenant_id varchar(12) not null references tenant,
  exam_id bigint not null,
  -- the first of the papers that were drawn together
  item_id bigint not null,
  level int not null check (level >= 0),
  hashes bytea not null,
  primary key (tenant_id, item_id, level),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id),
  foreign key (tenant_id, item_id) references exam_item (tenant_id, id)
);
-- One hash is read out of millions of bytes: only what is stored as it is can be read in part.
alter table seat_level alter column hashes set storage external;
select secure_table('seat_level', 'read');
select narrow_with_exam('seat_level');

-- The seat that the last draw gave somebody, as the text that is hashed, and where in the tree it stands.
create table seat_leaf (
  tenant_id varchar(12) not null references tenant,
  exam_id bigint not null,
  item_id bigint not null,
  signup_id bigint not null,
  user_id bigint not null,
  allot_version int not null,
  place int not null check (place >= 0),
  leaf varchar(300) not null,
  primary key (tenant_id, item_id, signup_id),
  foreign key (tenant_id, item_id) references exam_item (tenant_id, id),
  foreign key (tenant_id, signup_id) references signup (tenant_id, id)
);
create index seat_leaf_signup_ix on seat_leaf (tenant_id, signup_id);
select secure_table('seat_leaf', 'own-read');
select narrow_with_exam('seat_leaf');

-- verify: select 1 / (count(*) / 2) from pg_policies where tablename in ('seat_level', 'seat_leaf') and policyname = 'within_departments'
