-- A rendering that was ordered to release publishes by itself when all pages are there; whoever ordered it may have left.
-- lock: short; compatible: yes (null = nothing is released by itself, as before)

alter table ticket_render add column release_sms boolean;
comment on column ticket_render.release_sms is 'null: the release is called for again; otherwise it follows by itself, with (true) or without text messages';

-- verify: select 1 / (select count(*)::int from information_schema.columns where table_name = 'ticket_render' and column_name = 'release_sms')
