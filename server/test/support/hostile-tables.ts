/** A table that a noun is generated of. */
export interface HostileTable {
  /** As PostgreSQL has it. */
  readonly name: string
  /** What the noun is called, where none follows from the table. */
  readonly noun?: string
  readonly columns: string
  /** Of the table; columns have theirs in `notes`. */
  readonly comment?: string
  readonly notes?: Readonly<Record<string, string>>
}

/** Each ends a text, a comment or a statement of some language, if somebody lets it. */
export const hostileTexts: readonly string[] = [
  "'); globalThis.pwned = 1; ('",
  '"); globalThis.pwned = 1; ("',
  '*/ globalThis.pwned = 1 /*',
  '${globalThis.pwned = 1} `+(globalThis.pwned=1)+`',
  "'; drop table tenant; --",
  '$$; drop table tenant; $$',
  "\\'); globalThis.pwned = 1; //",
  '\u2028globalThis.pwned = 1\u2029\n-- verify: select 1/0\n',
  '<script>globalThis.pwned = 1</script>',
  '``` \n# 用法\n<!-- -->',
]

const id = 'id bigserial primary key'
const name = 'name varchar(40) not null'
const notesOf = (columns: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(columns.map((column, at) => [column, hostileTexts[at % hostileTexts.length] ?? '']))

/** The first three are the ones that every run tries. */
export const hostileTables: readonly HostileTable[] = [
  {
    name: 'examSite Rooms',
    columns: `"roomNo" int not null, "siteCode" varchar(20) not null unique, "ORDER" int, "__proto__" varchar(10), "constructor" text, "姓名" varchar(30),
      "a""b'c" varchar(20), "select" varchar(20), "createTime" timestamptz, primary key ("roomNo", "siteCode")`,
    comment: hostileTexts[0] ?? '',
    notes: notesOf(['roomNo', 'siteCode', 'ORDER', '__proto__', 'constructor', '姓名', 'select']),
  },
  {
    name: 'every_type',
    columns: `${id}, c_char char(5), c_varchar varchar(600), c_plain varchar, c_text text, c_int2 smallint, c_int4 int not null, c_int8 bigint not null,
      c_numeric numeric(12, 2), c_wide numeric(38, 10), c_any numeric, c_real real, c_double double precision, c_money money, c_bool boolean, c_date date not null,
      c_time time, c_timetz timetz, c_stamp timestamp, c_stamptz timestamptz(3) not null, c_interval interval, c_uuid uuid, c_inet inet, c_mac macaddr,
      c_json json, c_jsonb jsonb, c_xml xml, c_bytes bytea, c_array int[], c_bit bit(8), c_flag bit(1), c_mood mood, c_short short_text, c_point point,
      c_range int4range, c_vector tsvector, c_oid oid, c_twice int generated always as (1 + 1) stored`,
    comment: hostileTexts[1] ?? '',
  },
  {
    name: '门诊科室',
    noun: 'clinic-unit',
    columns: '"名称" varchar(20) not null, "编号" int, "启用" boolean not null',
    comment: '门诊科室',
  },
  { name: 'order', columns: `${id}, ${name}`, comment: hostileTexts[2] ?? '' },
  { name: 'user', columns: `${id}, ${name}, "user" varchar(10), "group" int` },
  { name: 'class', columns: `${id}, ${name}, "new" varchar(10), "delete" boolean`, comment: hostileTexts[3] ?? '' },
  { name: 'default', columns: `${id}, ${name}`, comment: hostileTexts[4] ?? '' },
  { name: 'toString', columns: `${id}, "valueOf" int, "hasOwnProperty" varchar(10)`, comment: hostileTexts[5] ?? '' },
  { name: 'CamelCaseTable', columns: `${id}, "firstName" varchar(10), "lastName" varchar(10), "URL" varchar(100), "isXMLFile" boolean` },
  { name: 'SHOUTED_TABLE', columns: '"ID" int primary key, "FULL_NAME" varchar(20), "Full_Name" varchar(20), full_name varchar(20)' },
  { name: '2fast', noun: 'fast-row', columns: `${id}, "1st" varchar(10), "2nd" int, "3" date` },
  {
    name: 'quo"te',
    columns: `${id}, "do""uble" varchar(10), "sin'gle" varchar(10), "back\`tick" int, "semi;colon" int`,
    comment: hostileTexts[6] ?? '',
  },
  { name: "drop'table", columns: `${id}, ${name}`, comment: hostileTexts[7] ?? '' },
  { name: 'with-hyphen', columns: `${id}, "a-b" int, "a_b" int, "a b" int, "aB" int` },
  { name: 'no_key', columns: 'amount numeric(10, 2) not null, at date' },
  { name: 'two_keys', columns: 'left_code varchar(10), right_code varchar(10), note text, primary key (left_code, right_code)' },
  { name: 'natural_key', columns: 'code varchar(12) primary key, title varchar(50) not null' },
  { name: 'uuid_key', columns: 'id uuid primary key, title varchar(50)' },
  { name: 'only_numbers', columns: `${id}, a int not null, b bigint, c numeric(5, 1)` },
  { name: 'only_flags', columns: `${id}, on_duty boolean not null, is_open bit(1)` },
  { name: 'only_times', columns: `${id}, began timestamptz not null, ended timestamp, day date` },
  {
    name: 'audited',
    columns: `${id}, ${name}, create_user bigint, create_time timestamp, update_time timestamp, is_deleted int, tenant_id varchar(12), version int`,
  },
  {
    name: 'taken_names',
    columns: `row_id serial primary key, ids int, size int, "current" varchar(9), ascs varchar(9), xmin2 int, "createdAt" timestamp, "tenantId" varchar(9)`,
  },
  {
    name: 'long_names',
    columns: `${id}, a_column_whose_name_is_as_long_as_postgresql_lets_a_name_be_63 varchar(10), a_column_whose_name_is_as_long_as_postgresql_lets_a_name_be_64 varchar(10)`,
  },
  { name: 'unique_ones', columns: `${id}, code varchar(20) unique, no int unique, big bigint unique, amount numeric(8, 2) unique` },
  { name: 'wide_text', columns: `${id}, html text, body varchar(2000), huge varchar(1000000)`, comment: hostileTexts[8] ?? '' },
  { name: 'pointing', columns: `${id}, owner_id bigint references every_type, ${name}`, comment: hostileTexts[9] ?? '' },
  { name: 'defaulted', columns: `${id}, state int not null default 3, made date not null default current_date, ${name}` },
  { name: 'text', columns: `${id}, "text" varchar(10), int_value int, "ref" varchar(10), "dict" varchar(10)` },
  {
    name: 'émigré',
    columns: `${id}, "naïve" varchar(10), "日期" date, "金额" numeric(10, 2)`,
    notes: { 日期: '报名日期（含当天）', 金额: "金额'元'" },
  },
]
export const hostileTypes = `
  create type mood as enum ('sad', 'it''s ok');
  create domain short_text as varchar(12) check (length(value) > 0);
`

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
export const createStatements = ({ name: table, columns, comment, notes = {} }: HostileTable): string =>
  [
    `create table ${quoted(table)} (${columns})`,
    ...(comment === undefined ? [] : [`comment on table ${quoted(table)} is ${literal(comment)}`]),
    ...Object.entries(notes).map(([column, note]) => `comment on column ${quoted(table)}.${quoted(column)} is ${literal(note)}`),
  ].join(';\n')
