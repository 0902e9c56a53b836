-- A ciphertext of a password or phone is good once in the whole installation: its key is the installation's, so what was used in one tenant could be sent
-- again to another.
-- lock: used_cipher is closed to writers for a moment; compatible: yes

delete from used_cipher a using used_cipher b where a.digest = b.digest and (a.created_at, a.tenant_id) > (b.created_at, b.tenant_id);
create unique index used_cipher_digest_uq on used_cipher (digest);

-- verify: select 1 / (select count(*)::int from pg_indexes where indexname = 'used_cipher_digest_uq')
