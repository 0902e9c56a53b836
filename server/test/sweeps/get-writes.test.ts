import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Route } from '#contract/kernel/route.ts'
import { type Person, startTestApp, type TestApp } from '../support/app.ts'
import { type ReviewWorld, reviewWorld } from '../support/reviewing.ts'
import { isWhole, sweptRoutes } from '../support/swept-routes.ts'

// What a browser fetches ahead, a proxy repeats or a link opens must change nothing. Every GET is called, and a trigger on every table says what it wrote.

/** What is written about a look itself: the trail, logs, the session's last use, and files that leave by a job that is recorded. */
const records = new Set([
  ...[
    'audit_log',
    'audit_pending',
    'audit_seal',
    'audit_sealer',
    'api_log',
    'error_log',
    'usual_log',
    'login_log',
    'session',
    'reveal_log',
  ],
  ...[
    'watch_mark',
    'watch_tally',
    'watch_pending',
    'schema_migration',
    'export_job',
    'outbox',
    'ticket_down',
    'ticket_notice_read',
    'notice_read',
  ],
])
/** Tables that a GET may write beside these, and why it is no change of what people work with. */
const excused: Readonly<Record<string, readonly string[]>> = {
  // A question that is asked once, and its answer.
  '/blade-auth/captcha': ['login_challenge'],
  '/blade-auth/oauth/captcha': ['login_challenge'],
  // A lock of some minutes on what is given to nobody else; what was handed to somebody stays theirs.
  '/blade-signup/examine/getExamineInfo': ['examine_allot'],
}

let t: TestApp
let owner: pg.Client
let w: ReviewWorld
beforeAll(async () => {
  t = await startTestApp()
  owner = await t.owner()
  w = await reviewWorld(t, { exam: { allot_mode: 3 } })
  await w.officer.post('/blade-exam/examination/saveCheck', { json: { examId: w.exam.examId, list: [{ userId: w.r1.userId, level: 1 }] } })
  await t.runTasks()
  await owner.query(`
    create table public.swept_write (name text);
    create function public.note_write() returns trigger language plpgsql security definer as $$ begin insert into public.swept_write values (tg_table_name); return null; end $$;
    grant all on public.swept_write to public`)
  const { rows } = await owner.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'swept_write'`,
  )
  for (const { name } of rows)
    if (!records.has(name))
      await owner.query(
        `create trigger swept_write after insert or update or delete on public."${name}" for each row execute function public.note_write()`,
      )
})
afterAll(() => t.close())

const known = (): Readonly<Record<string, string>> => ({
  ...{
    id: w.id,
    ids: w.id,
    signUpId: w.id,
    signupId: w.id,
    signUpIds: w.id,
    examId: w.exam.examId,
    userId: w.r1.userId,
    userIds: w.r1.userId,
  },
  ...{ current: '1', size: '20', level: '1', text: '王测', keyword: '王测', field: 'phone', purpose: '核对', reason: '核对' },
})
const inputFor = ({ input }: Route): Record<string, string> => {
  const { properties = {} } = input as { readonly properties?: Readonly<Record<string, unknown>> }
  return Object.fromEntries(Object.entries(known()).filter(([name]) => Object.hasOwn(properties, name)))
}
const statuses: number[] = []
const writesOf = async (caller: Pick<Person, 'get'>): Promise<readonly string[]> => {
  const found: string[] = []
  for (const route of sweptRoutes.filter(one => one.method === 'GET')) {
    for (const path of [route.path, ...(route.also ?? []).flatMap(also => (also.startsWith('GET ') ? [also.slice(4)] : []))]) {
      await owner.query('truncate public.swept_write')
      statuses.push((await caller.get(path, { query: inputFor(route) })).status)
      const { rows } = await owner.query<{ name: string }>('select distinct name from public.swept_write order by 1')
      const wrote = rows.map(({ name }) => name).filter(name => !excused[path]?.includes(name))
      if (wrote.length > 0) found.push(`${path}: ${wrote.join(', ')}`)
    }
  }
  return found
}

test('no GET changes anything, whoever calls it', async () => {
  const everything = await w.tenant.staff(['exam_admin', 'reviewer1', 'reviewer2', 'finance', 'recheck', 'unit_hr', 'site'], {
    realName: '全部角色',
  })
  const keeper = await w.tenant.staff('admin', { realName: '管理员' })
  const platform = await t.platform().staff('administrator')
  const found: string[] = []
  for (const caller of [everything, w.r1, keeper, platform, w.candidate, t.anonymous(w.tenant.tenantId)])
    found.push(...(await writesOf(caller)))
  expect([...new Set(found)].sort()).toEqual([])
  // Enough of them were answered for the sweep to mean something.
  if (isWhole) expect([statuses.filter(one => one === 200).length > 100, statuses.filter(one => one === 429)]).toEqual([true, []])
  if (isWhole) expect(sweptRoutes.filter(one => one.method === 'GET').length).toBeGreaterThan(250)
})

test('the sweep sees what is written', async () => {
  await owner.query('truncate public.swept_write')
  await w.officer.post('/blade-exam/examination/saveCheck', {
    json: { examId: w.exam.examId, list: [{ userId: w.r1.userId, level: 1, quota: 7 }] },
  })
  const { rows } = await owner.query<{ name: string }>('select distinct name from public.swept_write')
  expect(rows.map(({ name }) => name)).toContain('exam_user')
})
