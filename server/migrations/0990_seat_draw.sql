-- The draws of seats: what went in and what came out of each, kept so that anybody authorised can draw again, and its digest for everybody.
-- lock: none (new table); compatible: yes (a process of before keeps no record of its draws)

create table seat_draw (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  -- the first of the papers that were drawn together
  item_id bigint not null,
  -- the version of the plan that the draw made: a plan that is cleared and drawn again is the next one
  allot_version int not null,
  people int not null check (people > 0),
  -- SHA-256 of the seed it was drawn with
  seed_commit char(64) not null,
  -- SHA-256 of the record
  digest char(64) not null,
  -- the record, compressed and sealed: it says who needs an accessible room
  record_sealed bytea not null,
  created_by bigint not null,
  created_at timestamptz not null default app_now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id),
  foreign key (tenant_id, item_id) references exam_item (tenant_id, id)
);
create index seat_draw_exam_ix on seat_draw (tenant_id, exam_id, id);
create index seat_draw_item_ix on seat_draw (tenant_id, item_id, id);
select secure_table('seat_draw', 'none', 'user_id', true);
select narrow_with_exam('seat_draw');

-- verify: select 1 / count(*) from pg_policies where tablename = 'seat_draw' and policyname = 'within_departments'
