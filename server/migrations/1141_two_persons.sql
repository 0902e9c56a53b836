-- Acts that one person alone may not bring about: who began, who agreed, when it takes effect, and how it ended.
-- lock: none (a new table)
-- compatible: the release before keeps running

create table public.two_person_act (
  tenant_id varchar(12) not null references public.tenant,
  id bigint not null default public.next_id(),
  kind varchar(40) not null,
  entity_id bigint not null,
  -- What was begun, without personal data: the second person agrees to the same.
  args jsonb not null default '{}',
  -- What the person showed to both, who then need not wait.
  document varchar(200),
  reason varchar(500),
  -- begun: the first person's word; agreed: the second's, waits for its time; done; ended: dropped, refused or objected to
  state varchar(10) not null default 'begun' check (state in ('begun', 'agreed', 'done', 'ended')),
  began_by bigint not null, began_name varchar(60) not null, began_at timestamptz not null default public.app_now(),
  second_by bigint, second_name varchar(60), second_at timestamptz,
  apply_at timestamptz,
  ended_at timestamptz, end_reason varchar(200),
  created_at timestamptz not null default public.app_now(),
  primary key (tenant_id, id),
  check (second_by is distinct from began_by),
  check ((state in ('agreed', 'done')) = (second_by is not null) or state = 'ended')
);
create unique index two_person_act_live_uq on public.two_person_act (tenant_id, kind, entity_id) where state in ('begun', 'agreed');
select public.secure_table('public.two_person_act');

-- verify: select 1 / (select count(*) from pg_class where relname = 'two_person_act' and relforcerowsecurity)
