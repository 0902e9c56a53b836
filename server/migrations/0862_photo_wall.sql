-- Photos are looked at hundreds at a time: what is wrong with one is kept with its mark until it is sent back, and who marked it.
-- lock: signup is closed for an instant, the columns have no default; compatible: yes

alter table signup
  add column photo_advice varchar(200),
  add column photo_by bigint,
  add column photo_at timestamptz;

-- verify: select photo_advice, photo_by, photo_at from signup limit 0
