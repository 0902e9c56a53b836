-- The key that signs the audit chains can be replaced: each change is written down with how far the chains were, signed by both keys, so that who has the
-- old key adds nothing to a chain afterwards. Sealed answers of submitted versions are sealed anew when the root key is replaced.
-- lock: short (a column of one row); compatible: yes

create table public.audit_hand_over (
  id bigint generated always as identity primary key,
  from_print varchar(64) not null,
  to_print varchar(64) not null,
  heads jsonb not null,
  from_signature char(64) not null,
  to_signature char(64) not null,
  at timestamptz not null default clock_timestamp()
);
grant select, insert on public.audit_hand_over to kaopu_platform;
create trigger audit_hand_over_lock before update or delete or truncate on public.audit_hand_over for each statement execute function public.refuse_change();

-- Fingerprint of the key that seals now; null while it was never replaced.
alter table public.audit_sealer add column key_print varchar(64);

-- The key of look-ups changes together with what was made by it.
grant insert, update on public.installation_mark to kaopu_platform;

grant update (content) on public.signup_history to kaopu_platform;

-- verify: select 1 / (select count(*)::int from pg_trigger where tgname = 'audit_hand_over_lock' and tgenabled = 'O')
