-- Radicals U+2E81 to U+2EF3 are searched as the characters that they look like, as those of U+2F00 to U+2FD5 are (Unicode's Equivalent_Unified_Ideograph).
-- lock: rows that hold such a radical are written anew; hardly any does
-- compatible: the release before keeps running

create or replace function public.search_fold(word text) returns text language sql immutable parallel safe as
$$ select regexp_replace(lower(normalize(case when word ~ U&'[\2E81-\2EF3]' then translate(word,
  U&'\2E81\2E82\2E83\2E84\2E85\2E86\2E87\2E88\2E89\2E8A\2E8B\2E8C\2E8D\2E8E\2E8F\2E90\2E91\2E92\2E93\2E94\2E95\2E96\2E97\2E98\2E99\2E9B\2E9C\2E9D\2E9E\2E9F\2EA0\2EA1\2EA2\2EA3\2EA4\2EA5\2EA6\2EA7\2EA8\2EA9\2EAA\2EAB\2EAC\2EAD\2EAE\2EAF\2EB0\2EB1\2EB2\2EB3\2EB4\2EB5\2EB6\2EB7\2EB8\2EB9\2EBA\2EBB\2EBC\2EBD\2EBE\2EBF\2EC0\2EC1\2EC2\2EC3\2EC4\2EC5\2EC6\2EC7\2EC8\2EC9\2ECA\2ECB\2ECC\2ECD\2ECE\2ECF\2ED0\2ED1\2ED2\2ED3\2ED4\2ED5\2ED6\2ED7\2ED8\2ED9\2EDA\2EDB\2EDC\2EDD\2EDE\2EDF\2EE0\2EE1\2EE2\2EE3\2EE4\2EE5\2EE6\2EE7\2EE8\2EE9\2EEA\2EEB\2EEC\2EED\2EEE\2EEF\2EF0\2EF1\2EF2\2EF3',
  U&'\5382\4E5B\4E5A\4E59\4EBB\5182\+020628\5200\5202\535C\353E\5C0F\5C0F\5140\5C23\5C22\+021BC2\5DF3\5E7A\5F51\5F50\5FC4\5FC3\624C\6535\65E1\65E5\6708\6B7A\6BCD\6C11\6C35\6C3A\706C\722B\722B\4E2C\725B\72AD\738B\+024D14\76EE\793A\793B\+025AD7\7CF9\7E9F\7F53\7F52\34C1\5197\+02626B\7F8A\+02634C\+02634B\8002\8080\807F\8089\+026951\8279\8279\8279\864E\8864\8980\897F\89C1\89D2\+0278B2\8BA0\8D1D\+027FB7\8F66\8FB6\8FB6\8FB6\9091\9485\9577\9578\957F\95E8\+028E0F\961D\96E8\9752\97E6\9875\98CE\98DE\98DF\+02967F\98E0\9963\+029810\9A6C\9AA8\9B3C\9C7C\9E1F\5364\9EA6\9EC4\9EFE\6589\9F50\6B6F\9F7F\7ADC\9F99\9F9C\4E80\9F9F') else word end, NFKC)),
  U&'[''\0009-\000D\0020\002E\0060\0085\00AD\00B7\02BC\1680\180B-\180F\200B-\200F\2010-\2015\2018-\2019\2022\2027\2028-\2029\202A-\202E\2060-\2064\2066-\2069\2212\2219\22C5\30FB\FE00-\FE0F\FEFF\+0E0100-\+0E01EF-]', '', 'g') $$;

update public.type_code set code_name = code_name, unit_name = unit_name, major_text = major_text
  where concat(code_name, unit_name, major_text) ~ U&'[\2E81-\2EF3]';
update public.school set school_name = school_name, aliases = aliases where concat(school_name, aliases) ~ U&'[\2E81-\2EF3]';

create temporary table folded_anew on commit drop as
  select a.tenant_id, w.field, w.word, w.shortest, a.id from public.account a,
    lateral (values ('an', a.real_name, 1), ('sn', case when a.user_type = 1 then a.real_name end, 0)) w(field, word, shortest)
    where not a.is_deleted and w.word ~ U&'[\2E81-\2EF3]'
  union all select m.tenant_id, w.field, w.word, w.shortest, m.id from public.menu m,
    lateral (values ('mn', m.name, 0), ('me', m.name_en, 1)) w(field, word, shortest) where not m.is_deleted and not m.is_system and w.word ~ U&'[\2E81-\2EF3]'
  union all select d.tenant_id, w.field, w.word, w.shortest, d.id from public.dept d,
    lateral (values ('dn', d.dept_name, 0), ('df', d.full_name, 0)) w(field, word, shortest) where not d.is_deleted and w.word ~ U&'[\2E81-\2EF3]';
delete from public.search_part s using folded_anew f where s.tenant_id = f.tenant_id and s.field = f.field and s.row_id = f.id;
insert into public.search_part (tenant_id, field, part, row_id)
  select f.tenant_id, f.field, p, f.id from folded_anew f, public.search_parts(f.word, f.shortest) p on conflict do nothing;

-- verify: select 1 / (public.search_fold(U&'\2EE9\2F26\FF65') = U&'\9EC4\5B50')::int
