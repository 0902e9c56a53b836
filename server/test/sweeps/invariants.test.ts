import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storedStates, valuesOf } from '#modules/installation/data/states.repo.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { operateFolder } from '../support/operate-docs.ts'

// Whatever is kept beside its source can come to differ from it. A table that triggers fill, and a column that statements add to, is therefore
// proven by a check (`watches` of an Invariant), or stands here with the reason why nothing can be compared with it.
const notDerived: Readonly<Record<string, string>> = {
  audit_log: 'the source itself; whether lines are gone says audit.chain',
  audit_pending: 'a queue; audit.heads says when it does not empty',
  login_try: 'the source: nothing else remembers wrong tries',
  notify: 'the source: notices are written by triggers too',
  account_role: 'the source; a trigger drops the roles of a removed account',
  form_stamp: 'a number that only has to change',
  notice: 'the version of a text only has to grow when the text changes',
  notice_read: 'the source: nothing else remembers who has read what',
  notice_read_former: 'the source: what was confirmed of former texts lies nowhere else',
  watch_pending: 'a queue of what is still to be counted',
  watch_tally: 'kept for three weeks, its logs for another time: they cannot be compared',
  account_hand: 'the source: the trail says the same in words and is kept for a shorter time',
  result: 'the source; a trigger fills in whose it is, which its key to the sign-up proves',
  session: 'the source',
  examination: 'the source; a trigger notes whether the form has a field',
  'job_instance.attempt': 'the source: nothing else counts tries',
  'job_instance.fence': 'a number that only has to grow',
  'audit_sealer.fence': 'a number that only has to grow',
  'account.lock_level': 'the source',
  'device_try.lock_level': 'the source',
  'login_try.lock_level': 'the source',
  'login_challenge.tries': 'the source: nothing else counts tries',
  'pay_order.query_count': 'the source: questions leave no rows',
  'pay_refund.query_count': 'the source: questions leave no rows',
  'pay_order.notify_count': 'notices of the provider are kept for a shorter time than orders',
  'send_order.notify_count': 'notices of the provider are kept for a shorter time than orders',
  'pay_notice.received_count': 'the source: repeats leave no rows',
  'sms_message.ask_count': 'the source: questions leave no rows',
  'notice_file.down_count': 'the source: public downloads leave no rows',
  'news.read_count': 'the source: readers of public news leave no rows',
  'examine_tip.use_count': 'the source: uses leave no rows',
  'file_move.moved': 'the progress of one run',
  'file_move.failed': 'the progress of one run',
  'file_move.bytes': 'the progress of one run',
  'signup.sign_version': 'a number that only has to grow',
  'signup.change_post_count': 'the source: moves before a submission leave no rows',
  'flow_model.revision': 'a number that only has to grow',
  'ticket.pdf_version': 'a number that only has to grow',
  'exam_item.start_time': 'a time that is moved',
  'exam_item.end_time': 'a time that is moved',
  'exam_item.report_time': 'a time that is moved',
  'ticket_render.failed': 'the progress of one run',
  'ticket.start_time': 'a time that is moved',
  'ticket.end_time': 'a time that is moved',
  'ticket.report_time': 'a time that is moved',
}

let t: TestApp
let owner: pg.Client
beforeAll(async () => {
  t = await startTestApp()
  owner = await t.owner()
})
afterAll(() => t.close())

const watched = (): ReadonlySet<string> => new Set(t.app.modules.invariants.flatMap(({ watches }) => watches))

test('every table that triggers write is proven by a check, or says why it cannot be', async () => {
  const { rows: functions } = await owner.query<{ name: string; body: string; isTrigger: boolean }>(
    `select p.proname as name, lower(p.prosrc) as body, p.prorettype = 'trigger'::regtype as "isTrigger"
     from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = 'public'`,
  )
  const bodies = new Map(functions.map(({ name, body }) => [name, body]))
  const written = new Set<string>()
  const visit = (name: string, seen: Set<string>): void => {
    const body = bodies.get(name)
    if (body === undefined || seen.has(name)) return
    seen.add(name)
    for (const [, table = ''] of body.matchAll(/(?:insert into|update|delete from)\s+(?:public\.)?([a-z_]+)/g)) written.add(table)
    for (const [, callee = ''] of body.matchAll(/([a-z_]+)\s*\(/g)) visit(callee, seen)
  }
  for (const { name, isTrigger } of functions) if (isTrigger) visit(name, new Set())
  const { rows: tables } = await owner.query<{ name: string }>(`select tablename as name from pg_tables where schemaname = 'public'`)
  const names = new Set(tables.map(({ name }) => name))
  const found = [...written].filter(name => names.has(name)).sort()
  // The sweep sees something.
  expect(found).toEqual(expect.arrayContaining(['account_dept', 'row_count', 'search_part', 'signup_hour', 'signup_tally']))
  expect(found.filter(name => !watched().has(name) && notDerived[name] === undefined)).toEqual([])
})

const statements = (): string =>
  readdirSync(join(import.meta.dirname, '..', '..', 'src'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.repo.ts'))
    .map(name => readFileSync(join(import.meta.dirname, '..', '..', 'src', name), 'utf8'))
    .join('\n')

test('every column that statements add to is proven by a check, or says why it cannot be', async () => {
  const { rows: columns } = await owner.query<{ at: string; column: string }>(
    `select c.table_name || '.' || c.column_name as at, c.column_name as column from information_schema.columns c
     join pg_tables t on t.tablename = c.table_name and t.schemaname = 'public' where c.table_schema = 'public'`,
  )
  const known = new Set(columns.map(({ at }) => at))
  const added = new Set<string>()
  // `update <table> … set … x = x + …`, and `on conflict … do update set x = <table>.x + …`.
  for (const [, table = '', sets = ''] of statements().matchAll(/update\s+([a-z_]+)(?:\s+[a-z])?\s+set\s+([\s\S]*?)(?:\swhere\s|`)/g))
    for (const [, column = ''] of sets.matchAll(/\b([a-z_]+)\s*=\s*(?:[a-z_]+\.)?\1\s*[+-]/g)) added.add(`${table}.${column}`)
  for (const [, table = '', column = ''] of statements().matchAll(/set[^`]*?\b([a-z_]+)\.([a-z_]+)\s*[+-]\s*(?:excluded|\$\{|1)/g))
    added.add(`${table}.${column}`)
  const found = [...added].filter(at => known.has(at) && !at.endsWith('.version')).sort()
  expect(found).toEqual(
    expect.arrayContaining(['exam_counter.sign_seq', 'send_account.balance', 'sms_day.used', 'ticket.down_count', 'type_code.used_sign']),
  )
  const covered = (at: string): boolean => watched().has(at) || watched().has(at.split('.')[0] ?? '') || notDerived[at] !== undefined
  expect(found.filter(at => !covered(at))).toEqual([])
})

test('what a check watches is there, and each has its section in the operator’s paper', async () => {
  const { rows } = await owner.query<{ at: string }>(
    `select tablename as at from pg_tables where schemaname = 'public'
     union all select table_name || '.' || column_name from information_schema.columns where table_schema = 'public'`,
  )
  const there = new Set(rows.map(({ at }) => at))
  expect([...watched()].filter(at => !there.has(at))).toEqual([])
  const paper = readFileSync(join(operateFolder, 'invariants.md'), 'utf8')
  const headings = [...paper.matchAll(/^### `([a-z.-]+)`/gm)].map(([, name]) => name)
  expect(headings.sort()).toEqual(t.app.modules.invariants.map(({ name }) => name).sort())
})

test('one name each, lasting words in both languages', () => {
  const all = t.app.modules.invariants
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  for (const { label, means, healer } of all)
    for (const words of [label, means, ...(healer ? [healer.label] : [])]) {
      expect(words.zh).toMatch(/[\u4e00-\u9fff]/)
      expect(words.en).toMatch(/^[A-Z]/)
    }
})

interface Declared {
  readonly wire: object
  readonly label: object
  readonly tone: object
}
const isDeclared = (value: unknown): value is Declared =>
  typeof value === 'object' && value !== null && 'wire' in value && 'label' in value && 'tone' in value

test('every set of states of the contract is checked where it is stored, and the database takes its values', async () => {
  const folder = join(import.meta.dirname, '..', '..', '..', 'contract', 'src')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.state.ts'))
  const declared = await Promise.all(
    files.map(async file =>
      Object.entries((await import(join(folder, file))) as Record<string, unknown>).flatMap(([name, value]) =>
        isDeclared(value) ? [{ at: `${file} ${name}`, value }] : [],
      ),
    ),
  )
  const checked = new Set<object>(storedStates.map(({ states }) => states))
  expect(declared.flat().length).toBeGreaterThan(30)
  expect(declared.flat().flatMap(({ at, value }) => (checked.has(value) ? [] : [at]))).toEqual([])

  // A constraint of the column that does not know a state, or knows another, differs from the contract.
  const { rows: constraints } = await owner.query<{ at: string; says: string }>(
    `select c.conrelid::regclass || '.' || a.attname as at, pg_get_constraintdef(c.oid) as says from pg_constraint c
     join pg_attribute a on a.attrelid = c.conrelid and c.conkey = array[a.attnum] where c.contype = 'c'`,
  )
  const named = (at: string): readonly string[] | undefined => {
    const says = constraints.find(one => one.at === at && one.says.includes('ANY'))?.says
    return says === undefined ? undefined : [...says.matchAll(/'([A-Za-z]+)'::/g)].map(([, value = '']) => value).sort()
  }
  const byName = storedStates.filter(({ by }) => by === 'name')
  expect(byName.map(of => [`${of.table}.${of.column}`, named(`${of.table}.${of.column}`)])).toEqual(
    byName.map(of => [`${of.table}.${of.column}`, valuesOf(of).toSorted()]),
  )
})
