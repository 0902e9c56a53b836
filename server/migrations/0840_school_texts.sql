-- Texts of the first list of schools are kept as forms keep them: on one line, with no spaces around. An export can be imported again as it is.
-- lock: two rows of each tenant; compatible: yes

update school set competent = nullif(btrim(regexp_replace(competent, '[\t\r\n]+', ' ', 'g')), '')
where competent is not null and (competent ~ '[\t\r\n]' or competent <> btrim(competent));

-- verify: select 1 / (select (count(*) = 0)::int from school where competent ~ '[\t\r\n]' or competent <> btrim(competent))
