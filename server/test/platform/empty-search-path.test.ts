import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { buildExam } from '../support/factories.ts'

// A dump is restored, and since PostgreSQL 17 maintenance is done, with an empty search path: what names a table or a function without its schema finds nothing there.
let t: TestApp
let owner: pg.Client
beforeAll(async () => {
  t = await startTestApp()
  await buildExam(await t.tenant(), {})
  owner = await t.owner()
  await owner.query(`set search_path = ''; set app.now = '2026-03-10T02:00:00Z'`)
})
afterAll(() => t?.close())

const texts = async (statement: string): Promise<string[]> => (await owner.query<{ text: string }>(statement)).rows.map(row => row.text)
/** What PostgreSQL answers to each statement that fails; every one of them is taken back. */
const failures = async (statements: readonly (readonly [name: string, text: string])[]): Promise<string[]> => {
  const failed: string[] = []
  for (const [name, text] of statements) {
    await owner.query('begin')
    await owner.query(text).catch((error: Error) => failed.push(`${name}: ${error.message}`))
    await owner.query('rollback')
  }
  return failed
}
const ours = `'public'::pg_catalog.regnamespace`

test('every function written in SQL is made again', async () => {
  const functions = await owner.query<{ name: string; text: string }>(
    `select p.oid::regprocedure::text as name, pg_get_functiondef(p.oid) as text from pg_proc p join pg_language l on l.oid = p.prolang
     where pronamespace = ${ours} and lanname = 'sql'`,
  )

  expect(functions.rows.length).toBeGreaterThan(25)
  expect(await failures(functions.rows.map(({ name, text }) => [name, text]))).toEqual([])
})

/** Words, and whole strings and comments, of a text in SQL. */
const word = /'(?:[^']|'')*'|--[^\n]*|[a-z_][a-z0-9_.]*|[^\s]/gi
/** Names of ours without a schema in what PostgreSQL does not read before it runs it: bodies in PL/pgSQL and the statements that they put together. */
const unqualified = (body: string, relations: ReadonlySet<string>, functions: ReadonlySet<string>): string[] => {
  const words = [...body.matchAll(word)].map(([one]) => one).filter(one => !one.startsWith('--'))
  const declared = body.split(/\bbegin\b/i)[0] ?? ''
  return [
    ...words.filter((one, at) => functions.has(one) && words[at + 1] === '(' && words[at - 1] !== 'into'),
    ...words.filter((one, at) => relations.has(one) && /^(from|join|update|into|table|only)$/i.test(words[at - 1] ?? '')),
    ...[...declared.matchAll(/\b\w+ (\w+)(?:%rowtype)?\s*(?::=|;)/g)].map(([, type = '']) => type).filter(type => relations.has(type)),
    ...words.filter(one => one.startsWith("'")).flatMap(text => unqualified(text.slice(1, -1).replaceAll("''", "'"), relations, functions)),
  ]
}

test('every function written in PL/pgSQL names the schema of what it uses', async () => {
  const relations = new Set(
    await texts(`select relname as text from pg_class where relnamespace = ${ours} and relkind in ('r', 'v', 'S', 'p', 'm')`),
  )
  const functions = new Set(await texts(`select proname as text from pg_proc where pronamespace = ${ours}`))
  const bodies = await owner.query<{ name: string; text: string }>(
    `select p.oid::regprocedure::text as name, prosrc as text from pg_proc p join pg_language l on l.oid = p.prolang
     where pronamespace = ${ours} and lanname = 'plpgsql' and not coalesce(proconfig::text like '%search_path%', false)`,
  )

  expect(bodies.rows.length).toBeGreaterThan(40)
  expect(bodies.rows.flatMap(({ name, text }) => unqualified(text, relations, functions).map(what => `${name}: ${what}`))).toEqual([])
  // What the rule finds.
  expect(
    unqualified(
      `declare line account; begin perform app_now(); insert into signup select from public.role, search_key('x');
        execute 'delete from result where ' || format('x = next_id()'); end`,
      relations,
      functions,
    ),
  ).toEqual(['app_now', 'search_key', 'signup', 'account', 'result', 'next_id'])
})

test('every table is made and filled again with its generated columns, checks and indexes, and has the same rows', async () => {
  const tables = await owner.query<{ name: string; written: string }>(
    `select c.oid::regclass::text as name, string_agg(quote_ident(attname), ', ') filter (where attgenerated = '') as written
     from pg_class c join pg_attribute a on a.attrelid = c.oid and attnum > 0 and not attisdropped
     where relnamespace = ${ours} and relkind in ('r', 'p') group by c.oid`,
  )
  const filled: string[] = []
  const failed = await failures(
    tables.rows.map(({ name, written }) => [
      name,
      `create table public.made_again (like ${name} including all);
       insert into public.made_again (${written}) overriding system value select ${written} from ${name};
       do $$ begin
         if exists (select t::text from ${name} t except select m::text from public.made_again m) then raise exception 'the rows differ'; end if;
       end $$`,
    ]),
  )
  for (const { name } of tables.rows) {
    const [count] = await texts(`select count(*)::text as text from ${name}`)
    if (count !== '0') filled.push(name)
  }

  expect(failed).toEqual([])
  // With generated columns, or nothing of this is proved.
  expect(['public.type_code', 'public.school'].filter(name => !filled.includes(name))).toEqual([])
})

test('every default, view and policy works', async () => {
  const views = await owner.query<{ name: string; text: string }>(
    `select c.oid::regclass::text as name, format('select * from %s', c.oid::regclass) as text from pg_class c where relnamespace = ${ours} and relkind in ('v', 'm')`,
  )
  const defaults = await owner.query<{ name: string; text: string }>(
    `select format('%s.%s', adrelid::regclass, attname) as name, 'select ' || pg_get_expr(adbin, adrelid) as text
     from pg_attrdef d join pg_attribute a on attrelid = adrelid and attnum = adnum join pg_class c on c.oid = adrelid
     where relnamespace = ${ours} and attgenerated = ''`,
  )
  const read = await owner.query<{ name: string; text: string }>(
    `select format('%s as %s', c.oid::regclass, r.rolname) as name,
       format('set local role %I; set local app.tenant_id = ''000000''; set local app.user_id = ''1''; set local app.departments = ''{1}''; select * from %s', r.rolname, c.oid::regclass) as text
     from pg_class c join pg_roles r on has_table_privilege(r.oid, c.oid, 'select') and not r.rolsuper and r.rolcanlogin
     where relnamespace = ${ours} and relkind = 'r' and exists (select from pg_policy where polrelid = c.oid and polroles && array[r.oid])`,
  )

  expect([views.rows.length > 10, defaults.rows.length > 500, read.rows.length > 500]).toEqual([true, true, true])
  expect(await failures([...views.rows, ...defaults.rows, ...read.rows].map(({ name, text }) => [name, text]))).toEqual([])
})
