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
const emulated = ['pay_account', 'pay_alipay', 'pay_nontax']
/** Tables that a GET may write beside these, and why it is no change of what people work with. */
const excused: Readonly<Record<string, readonly string[]>> = {
  // A question that is asked once, and its answer.
  '/blade-auth/captcha': ['login_challenge'],
  '/blade-auth/oauth/captcha': ['login_challenge'],
  // Outside of production a tenant gets the emulators' accounts when they are first asked for; production has no emulators.
  '/blade-exam/examination/getPayAccount': emulated,
  '/blade-system/setup/list': emulated,
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
/** The framework logs out by GET: whoever had called it first would be answered by nothing after it. */
const endsSession = ({ path }: Route): boolean => path.endsWith('/logout')
const gets = sweptRoutes.filter(one => one.method === 'GET').sort((a, b) => Number(endsSession(a)) - Number(endsSession(b)))
const isLong = process.env['KAOPU_LONG'] !== undefined
const statuses: number[] = []
/** The calls that answered somebody: one that refuses everybody proves nothing. */
const answered = new Set<string>()
const noted = async (): Promise<readonly string[]> => {
  const { rows } = await owner.query<{ name: string }>(
    'with noted as (delete from public.swept_write returning name) select distinct name from noted order by 1',
  )
  return rows.map(({ name }) => name)
}
const writesOf = async (caller: Pick<Person, 'get'>): Promise<readonly string[]> => {
  const found: string[] = []
  for (const route of gets) {
    for (const path of [route.path, ...(route.also ?? []).flatMap(also => (also.startsWith('GET ') ? [also.slice(4)] : []))]) {
      const { status } = await caller.get(path, { query: inputFor(route) })
      statuses.push(status)
      if (status === 200) answered.add(path)
      const wrote = (await noted()).filter(name => !excused[path]?.includes(name))
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
  await noted()
  for (const caller of [everything, platform, w.candidate, ...(isLong ? [w.r1, keeper, t.anonymous(w.tenant.tenantId)] : [])])
    found.push(...(await writesOf(caller)))
  expect([...new Set(found)].sort()).toEqual([])
  // Enough of them were answered for the sweep to mean something.
  expect(statuses.filter(one => one === 429)).toEqual([])
  if (isWhole) expect(answered.size).toBeGreaterThanOrEqual(340)
  if (isWhole) expect([...answered]).toContain('/blade-signup/examine/getExamineInfo')
  if (isWhole) expect(sweptRoutes.filter(one => one.method === 'GET').length).toBeGreaterThan(250)
})

test('the sweep sees what is written', async () => {
  await noted()
  await w.officer.post('/blade-exam/examination/saveCheck', {
    json: { examId: w.exam.examId, list: [{ userId: w.r1.userId, level: 1, quota: 7 }] },
  })
  expect(await noted()).toContain('exam_user')
})
