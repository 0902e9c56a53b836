import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogueLines, migrate, structureDigest, wordDigest } from '#kernel/db/migrate.ts'
import { openOwnerPool } from '#kernel/db/pool.ts'
import { createLog } from '#kernel/log.ts'
import { startTestApp, type TestApp } from '../support/app.ts'

const log = createLog('silent')
let t: TestApp
let owner: pg.Pool
beforeAll(async () => {
  t = await startTestApp()
  owner = openOwnerPool(t.databaseUrl, log)
})
afterAll(async () => {
  await owner?.end()
  await t?.close()
})

const texts = async (statement: string): Promise<string[]> => (await owner.query<{ text: string }>(statement)).rows.map(row => row.text)
/** Takes each apart and makes it again from what PostgreSQL says of it, as a dump and its restore do. */
const restore = async (): Promise<void> => {
  const statements = await texts(`
    select format('drop index %s; %s', i.indexrelid::regclass, pg_get_indexdef(i.indexrelid)) as text
      from pg_index i join pg_class c on c.oid = i.indrelid
      where c.relnamespace = 'public'::regnamespace and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
    union all select format('alter table %s drop constraint %I, add constraint %I %s', conrelid::regclass, conname, conname, pg_get_constraintdef(oid))
      from pg_constraint where connamespace = 'public'::regnamespace and contype = 'c' and conrelid <> 0
    union all select format('drop policy %I on %I; create policy %I on %I as %s for %s to %s', policyname, tablename, policyname, tablename, permissive, cmd,
        array_to_string(roles, ', ')) || coalesce(' using (' || qual || ')', '') || coalesce(' with check (' || with_check || ')', '')
      from pg_policies where schemaname = 'public'`)
  await owner.query(statements.join(';\n'))
}
const stored = async (): Promise<string | undefined> =>
  (await texts('select catalogue as text from schema_migration order by applied_at, name')).at(-1)

describe('a start compares the structure of the database with what the migrations made', () => {
  test('a restored dump writes conditions in other words, and starts', async () => {
    const before = await catalogueLines(owner)
    await restore()
    const after = await catalogueLines(owner)
    // Some forty conditions of ours are written otherwise; without any, this would prove nothing.
    expect(before.filter(line => !after.includes(line)).length).toBeGreaterThan(10)
    expect(await migrate(owner, log)).toBe(0)
  })

  test('what a release before wrote down word by word is taken, and replaced', async () => {
    const lines = await catalogueLines(owner)
    await owner.query('update schema_migration set catalogue = $1', [wordDigest(lines)])
    expect(await migrate(owner, log)).toBe(0)
    expect(await stored()).toBe(structureDigest(lines))
  })

  test('a run of migrations that broke off goes on, and its last one writes the structure down', async () => {
    await owner.query(`update schema_migration set catalogue = '' where name = (select max(name) from schema_migration)`)
    await expect(migrate(owner, log)).rejects.toThrow('The database structure differs from what the migrations made.')
    await owner.query(`delete from schema_migration where name = '1080_names_with_their_schema.sql'`)
    expect(await migrate(owner, log)).toBe(1)
    expect(await stored()).toBe(structureDigest(await catalogueLines(owner)))
    expect(await migrate(owner, log)).toBe(0)
  })

  test.each([
    ['an index', 'drop index signup_stage_ix', null],
    [
      'a condition of an index',
      'drop index signup_stage_ix; create index signup_stage_ix on signup (tenant_id, exam_id, stage) where stage between 3 and 8 and not is_deleted',
      null,
    ],
    ['a column', 'alter table signup add column extra text', 'alter table signup drop column extra'],
    ['a wall', 'alter table signup disable row level security', 'alter table signup enable row level security'],
    ['a policy', `create policy open on signup using (true)`, 'drop policy open on signup'],
  ] as const)('%s changed by hand stops it, with what to do', async (_what, change, back) => {
    await owner.query(change)
    await expect(migrate(owner, log)).rejects.toThrow(
      'The database structure differs from what the migrations made. Undo the manual change, then start again.',
    )
    await owner.query(
      back ??
        'drop index if exists signup_stage_ix; create index signup_stage_ix on signup (tenant_id, exam_id, stage) where stage between 3 and 7 and not is_deleted',
    )
    expect(await migrate(owner, log)).toBe(0)
  })

  test('tables that a restore lost are named, with the way to restore them', async () => {
    await owner.query('drop table type_code, school cascade')
    await expect(migrate(owner, log)).rejects.toThrow(
      'The database lacks tables that the migrations made: school, type_code. Restore the backup again into an empty database and mend the first error that it reports, then start again.',
    )
    // A dump of before: its functions named no schema.
    await owner.query(`delete from schema_migration where name > '1079'`)
    await expect(migrate(owner, log)).rejects.toThrow(
      /lacks tables that the migrations made: school, type_code\. A dump that was taken before the migration 1080 loses them when it is restored as it is[\s\S]*pg_restore --file=- DUMP \| sed /,
    )
  })
})
