-- Regions are kept by the platform: towns and villages below the counties, order, remark.
-- lock: region is locked shortly, its codes are widened without rewriting; compatible: yes

alter table region alter column code type varchar(12), alter column parent_code type varchar(12), alter column full_name type varchar(200);
alter table region drop constraint region_level_check;
alter table region add constraint region_level_check check (level between 1 and 5);
alter table region
  add column sort int not null default 0,
  add column remark varchar(255) not null default '',
  add column updated_by bigint,
  add column updated_at timestamptz,
  add column version int not null default 0;

-- verify: select 1 / (select count(*) from information_schema.columns where table_name = 'region' and column_name = 'sort')
