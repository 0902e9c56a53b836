-- What somebody has read or confirmed is one version of a text: a corrected one is unread and unconfirmed, and the former marks stay with their version (ADR 0301).
-- lock: notice, for an instant; compatible: the release before keeps running, and asks those again who had confirmed the former text

-- text_is_out: the present text has been published, so the next change of it makes another version.
alter table public.notice add column text_version int not null default 1 check (text_version >= 1), add column text_is_out boolean not null default false;
update public.notice set text_is_out = true where state <> 0 or withdrawn_time is not null;

create table public.notice_read_former (
  tenant_id varchar(12) not null references public.tenant,
  id bigint not null,
  notice_id bigint not null,
  text_version int not null,
  -- that the text had
  title varchar(200) not null,
  user_id bigint not null,
  read_at timestamptz not null,
  sure_at timestamptz,
  created_at timestamptz not null default public.app_now(),
  primary key (tenant_id, notice_id, text_version, id),
  foreign key (tenant_id, notice_id) references public.notice (tenant_id, id),
  foreign key (tenant_id, user_id) references public.account (tenant_id, id)
);
create index notice_read_former_user_ix on public.notice_read_former (tenant_id, user_id);
select public.secure_table('public.notice_read_former', 'none', 'user_id', true);

create function public.notice_text_version() returns trigger language plpgsql as $$ begin
  if tg_op = 'INSERT' then
    new.text_is_out := new.state = 1;
    return new;
  end if;
  if old.text_is_out and new.text_version = old.text_version and (new.title, new.content) is distinct from (old.title, old.content) then
    new.text_version := old.text_version + 1;
  end if;
  if new.text_version <> old.text_version then
    new.text_is_out := new.state = 1;
    -- Those who were reminded of the former text may be reminded of this one.
    new.reminded_time := null;
  else
    new.text_is_out := old.text_is_out or new.state = 1;
  end if;
  return new;
end $$;
create trigger text_version before insert or update on public.notice for each row execute function public.notice_text_version();

create function public.notice_text_unread() returns trigger language plpgsql as $$ begin
  insert into public.notice_read_former (tenant_id, id, notice_id, text_version, title, user_id, read_at, sure_at)
    select r.tenant_id, r.id, r.notice_id, old.text_version, old.title, r.user_id, r.read_at, r.sure_at
    from public.notice_read r where r.tenant_id = old.tenant_id and r.notice_id = old.id and r.read_at is not null;
  update public.notice_read r set read_at = null, sure_at = null where r.tenant_id = old.tenant_id and r.notice_id = old.id and r.read_at is not null;
  return null;
end $$;
create trigger text_unread after update on public.notice for each row when (old.text_version <> new.text_version) execute function public.notice_text_unread();

-- Files are part of the text; their order and how often they were downloaded are not.
create function public.notice_file_changed() returns trigger language plpgsql as $$ begin
  if tg_op = 'UPDATE' and (new.notice_id, new.file_id, new.name, new.is_deleted) is not distinct from (old.notice_id, old.file_id, old.name, old.is_deleted) then
    return null;
  end if;
  update public.notice n set text_version = n.text_version + 1
    where n.text_is_out and n.tenant_id = coalesce(new.tenant_id, old.tenant_id) and n.id in (new.notice_id, old.notice_id);
  return null;
end $$;
create trigger text_version after insert or update or delete on public.notice_file for each row execute function public.notice_file_changed();

-- verify: select 1 / (select count(*) / 3 from pg_trigger where tgname in ('text_version', 'text_unread') and tgrelid in ('public.notice'::regclass, 'public.notice_file'::regclass))
