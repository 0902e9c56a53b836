-- One draft is typed on several devices: of each field is kept which save last changed it and when, so that what one device has changed does not
-- undo what another one has, and a field both have changed is asked about.
-- lock: signup is closed for an instant, the new column has a constant default; compatible: yes

alter table signup add column draft_marks jsonb not null default '{"v": 0, "keys": {}}';

-- verify: select draft_marks from signup limit 0
