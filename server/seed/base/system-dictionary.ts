import type { PlatformDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { DictionarySeed } from './dictionaries.ts'

const fixed = (code: string, zh: string, en: string, entries: DictionarySeed['entries']): DictionarySeed => ({
  code,
  zh,
  en,
  entries,
})

/** Remarks of entries: that of a category of processes is the route of its forms (framework-contract 6.2). */
const remarks: Readonly<Record<string, string>> = { 'flow 1': 'leave', 'flow 2': 'general', 'flow 3': 'userupdate' }

/** Words of the platform that no tenant changes (framework-contract 3.7). */
const seeds: readonly DictionarySeed[] = [
  fixed('datasource_kind', '数据库类型', 'Kind of database', [
    ['postgresql', 'PostgreSQL', 'PostgreSQL'],
    ['mysql', 'MySQL', 'MySQL'],
    ['oracle', 'Oracle', 'Oracle'],
    ['sqlserver', 'SQL Server', 'SQL Server'],
    ['dameng', '达梦', 'Dameng'],
    ['kingbase', '人大金仓', 'Kingbase'],
  ]),
  fixed('region', '行政区划级别', 'Level of a region', [
    ['0', '国家', 'Country'],
    ['1', '省级', 'Province'],
    ['2', '地级', 'City'],
    ['3', '县级', 'County'],
    ['4', '乡级', 'Town'],
    ['5', '村级', 'Village'],
  ]),
  fixed('flow', '流程分类', 'Category of processes', [
    ['1', '请假流程', 'Leave'],
    ['2', '通用审批', 'General approval'],
    ['3', '信息变更审核', 'Verified data change'],
  ]),
  fixed('yes_no', '是否', 'Yes or no', [
    ['1', '否', 'No'],
    ['2', '是', 'Yes'],
  ]),
]

/** The system dictionary of the installation. What an administrator has removed is not brought back by the next start. */
export const seedSystemDictionary = async (db: PlatformDb): Promise<void> => {
  const rows = seeds.flatMap((seed, at) => [
    { code: seed.code, key: '-1', zh: seed.zh, en: seed.en, sort: at + 1 },
    ...seed.entries.map(([key, zh, en], index) => ({ code: seed.code, key, zh, en, sort: index + 1 })),
  ])
  await db.run(sql`
    insert into dict (code, dict_key, dict_value, dict_value_en, sort, remark)
    select s.* from unnest(${rows.map(row => row.code)}::text[], ${rows.map(row => row.key)}::text[], ${rows.map(row => row.zh)}::text[], ${rows.map(row => row.en)}::text[],
      ${rows.map(row => row.sort)}::int[], ${rows.map(row => remarks[`${row.code} ${row.key}`] ?? '')}::text[])
      as s(code, dict_key, dict_value, dict_value_en, sort, remark)
    where not exists (select 1 from dict x where x.code = s.code and x.dict_key = s.dict_key)`)
  await db.run(
    sql`update dict c set parent_id = g.id from dict g where g.code = c.code and g.dict_key = '-1' and c.dict_key <> '-1' and c.parent_id = 0`,
  )
}
