-- A used ciphertext stays known as long as the key that opens it: the log-in key until it is replaced, the key of a session until that ends. What decides
-- is x of its point, C3 and C2; what releases before wrote down (a digest of the point) is found in a column of its own.
-- lock: short (columns without values; the rows are those of two days); compatible: yes, a release before goes on writing digests of points

alter table public.used_cipher
  add column former char(64),
  add column key_handle char(64);
update public.used_cipher set former = digest;
create unique index used_cipher_former_uq on public.used_cipher (former) where former is not null;
-- Rows lie in the order in which they came; a whole range of them goes when a key ends.
create index used_cipher_created_ix on public.used_cipher using brin (created_at);
create index used_cipher_handle_ix on public.used_cipher (key_handle) where key_handle is not null;

-- verify: select 1 / (select (count(*) = 2)::int from pg_attribute where attrelid = 'public.used_cipher'::regclass and attname in ('former', 'key_handle'))
