-- What a form says to people who read English: its groups, its help and the columns of its tables, beside the labels that had it before.
-- lock: short (four tables of forms: columns without a default, some hundred rows of built-in help); compatible: yes

alter table item add column help_en varchar(400);
alter table sign_item add column help_en varchar(400), add column group_name_en varchar(40);
alter table file_kind add column help_en varchar(600);
alter table sign_file add column help_en varchar(600);

-- Forms made of the built-in library say in English what it says since now; what an office has worded itself stays without.
create temp table said (zh text primary key, en text not null) on commit drop;
insert into said values
  ('与身份证一致，少数民族姓名间隔号用“·”', 'As on the identity card, with “·” between the parts of a minority name'),
  ('由证件号码得出', 'Taken from the id card number'),
  ('按毕业证书填写', 'As on your diploma'),
  ('近期免冠正面照，白色或蓝色背景，头部约占三分之二', 'A recent front view without a hat, on white or blue, the head filling about two thirds'),
  ('起始年月', 'From (month)'),
  ('结束年月', 'To (month)'),
  ('单位(学校)', 'Employer or school'),
  ('职务(专业)', 'Position or major'),
  ('入学年月', 'Entered (month)'),
  ('毕业年月', 'Graduated (month)'),
  ('院校', 'School'),
  ('专业', 'Major'),
  ('单位', 'Employer'),
  ('岗位', 'Position'),
  ('关系', 'Relation'),
  ('姓名', 'Name'),
  ('工作单位及职务', 'Employer and position'),
  ('所在单位', 'Employer');
update item set help_en = en from said where help = zh;
update sign_item set help_en = en from said where help = zh;
update file_kind set help_en = en from said where help = zh;
update sign_file set help_en = en from said where help = zh;
create function pg_temp.columns_said(columns jsonb) returns jsonb language sql stable as $$
  select jsonb_agg(case when en is null then one else one || jsonb_build_object('labelEn', en) end order by at)
  from jsonb_array_elements(columns) with ordinality as part(one, at) left join said on zh = one ->> 'label'
$$;
update item set columns = pg_temp.columns_said(columns) where jsonb_typeof(columns) = 'array' and columns <> '[]';
update sign_item set columns = pg_temp.columns_said(columns) where jsonb_typeof(columns) = 'array' and columns <> '[]';

-- Eight parties had one English name, and two entries none.
update dict_biz set dict_value_en = named.en
from (values
  ('political', '04', 'Revolutionary Committee of the Kuomintang, member'),
  ('political', '05', 'China Democratic League, member'),
  ('political', '06', 'China National Democratic Construction Association, member'),
  ('political', '07', 'China Association for Promoting Democracy, member'),
  ('political', '08', 'Chinese Peasants’ and Workers’ Democratic Party, member'),
  ('political', '09', 'China Zhi Gong Party, member'),
  ('political', '10', 'Jiusan Society, member'),
  ('political', '11', 'Taiwan Democratic Self-Government League, member'),
  ('nation', '97', 'Other'),
  ('nation', '98', 'Chinese citizen of foreign descent')
) as named(code, key, en)
where dict_biz.code = named.code and dict_key = named.key and dict_value_en in ('Member of a democratic party', dict_value);

-- verify: select 1 / (select count(*)::int from pg_attribute where attrelid = 'sign_item'::regclass and attname = 'group_name_en')
