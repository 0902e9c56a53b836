-- A challenge that a browser solves by itself, for people who cannot use the picture.
-- lock: short (a check is made anew, one column without rewriting); compatible: yes

alter table login_challenge drop constraint login_challenge_kind_check;
alter table login_challenge add constraint login_challenge_kind_check check (kind in ('captcha', 'sms', 'work'));
-- leading zero bits that its answer has to show
alter table login_challenge add column work_bits int check ((work_bits is not null) = (kind = 'work'));

-- verify: select 1 / (select count(*)::int from information_schema.columns where table_name = 'login_challenge' and column_name = 'work_bits')
