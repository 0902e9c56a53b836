-- What a decision about a sign-up rests on (answers, files, portrait, posts, facts of the person) changes with its version only: a reviewer who looked at the former
-- version is refused. Whoever writes such a column of a submitted sign-up and leaves the version as it was has it raised here. The owner of the database, who
-- seals the rows again, changes no meaning; nothing is decided any more about what is erased.
-- lock: share row exclusive on signup for an instant (a trigger)
-- compatible: the release before keeps running

create function public.signup_content_version() returns trigger language plpgsql set search_path = '' as $$
begin
  if old.examine in ('waiting', 'second', 'returned', 'passed') and old.stage <> 9 and not new.is_deleted and new.sign_version = old.sign_version
    and current_user <> (select pg_get_userbyid(relowner) from pg_catalog.pg_class where oid = tg_relid)
    and (old.province, old.city, old.area, old.code, old.type, old.unit, old.code2, old.type2, old.unit2, old.content, old.files, old.adjust, old.name, old.id_card_type,
        old.id_card_index, old.phone_index, old.sex, old.birthday, old.nationality, old.nation, old.education, old.degree, old.major, old.school, old.photo_file_id,
        old.signature_file_id, old.relatives)
      is distinct from
      (new.province, new.city, new.area, new.code, new.type, new.unit, new.code2, new.type2, new.unit2, new.content, new.files, new.adjust, new.name, new.id_card_type,
        new.id_card_index, new.phone_index, new.sex, new.birthday, new.nationality, new.nation, new.education, new.degree, new.major, new.school, new.photo_file_id,
        new.signature_file_id, new.relatives)
  then
    new.sign_version := old.sign_version + 1;
  end if;
  return new;
end $$;
create trigger signup_content_version before update on public.signup for each row execute function public.signup_content_version();

-- verify: select 1 / (select count(*) from pg_trigger where tgname = 'signup_content_version')
