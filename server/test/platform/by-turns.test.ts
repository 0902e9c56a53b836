import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import type { RoleAlias } from '../../seed/base/menus.ts'
import { type Answer, type CallOptions, startTestApp, type TestApp, type TestTenant, testCaptcha, testStart } from '../support/app.ts'
import { buildExam } from '../support/factories.ts'
import { type FakeS3, s3Keys, startFakeS3 } from '../support/fake-s3.ts'
import { sealFor, staffWithPassword, testPassword } from '../support/login.ts'
import { sheetCells } from '../support/sheet-text.ts'
import { insertSignups } from '../support/sign-up-rows.ts'

// Two instances behind a proxy that shares calls out one by one: everything that an instance remembers has to be known to the other by the next call. They
// have different data folders, as on two machines, and their files in a bucket.

let s3: FakeS3
let first: TestApp
let second: TestApp
let tenant: TestTenant
const ran: string[] = []
const processorOf = (name: string): Processor => ({
  name: 'try.one',
  label: { zh: '试', en: 'Try' },
  help: { zh: '试', en: 'Try' },
  scope: 'tenant',
  run: async () => {
    ran.push(name)
    return name
  },
})
beforeAll(async () => {
  s3 = await startFakeS3()
  s3.buckets.set('papers', new Map())
  first = await startTestApp({ storageServers: s3.origin })
  // The database knows neither of the two folders: whoever touches the disk is refused.
  const owner = await first.owner()
  await owner.query(
    `insert into installation_mark (kind, name, value) values ('identity', 'installation', gen_random_uuid()::text), ('identity', 'folder', gen_random_uuid()::text)`,
  )
  second = await first.beside()
  first.app.modules.job.bind([...first.app.modules.processors, processorOf('first')])
  second.app.modules.job.bind([...second.app.modules.processors, processorOf('second')])
})
afterAll(async () => {
  await first.close()
  await s3.close()
})

let turns = 0
/** The instance whose turn it is. */
const next = (): TestApp => (turns++ % 2 === 0 ? first : second)
/** Both have heard what the other has changed: a proxy's next call comes later than a notice of the database. */
const heard = () => Promise.all([first.app.catchUp(), second.app.catchUp()])
const call = async (method: 'get' | 'post', path: string, token?: string, options: CallOptions = {}): Promise<Answer> => {
  const headers = { ...options.headers, ...(token === undefined ? {} : { 'blade-auth': `bearer ${token}` }) }
  const answer = await next()
    .anonymous(tenant.tenantId)
    [method](path, { ...options, headers })
  await heard()
  return answer
}
const done = async (...of: Parameters<typeof call>): Promise<Answer['body']['data']> => {
  const answer = await call(...of)
  expect([of[1], answer.status, answer.body.msg]).toEqual([of[1], 200, expect.anything()])
  return answer.body.data
}
const at = (time: string): void => {
  for (const one of [first, second]) one.clock.set(time)
}
const as = async (role: RoleAlias, name?: string) => (await tenant.staff(role, name === undefined ? {} : { realName: name })).token

beforeEach(async () => {
  at(testStart)
  turns = 0
  tenant = await first.tenant()
  const admin = await as('admin')
  const { id } = await done('post', '/blade-resource/oss/submit', admin, {
    json: {
      ...{ category: '1', ossCode: 'minio', endpoint: s3.origin, bucketName: 'papers', region: s3Keys.region },
      ...{ accessKey: s3Keys.accessKey, secretKey: sealFor(first, s3Keys.secretKey) },
    },
  })
  await done('post', '/blade-resource/oss/enable', admin, { json: { id } })
})

const paper = (text: string): Buffer =>
  Buffer.from(`%PDF-1.7\n1 0 obj\n<<>>\nendobj\n% ${text}\ntrailer\n<</Root 1 0 R>>\n%%EOF\n`, 'latin1')

test('captcha and session: each step of a log-in and a log-out at the other instance', async () => {
  const person = await staffWithPassword(first, tenant, 'finance')
  const { key } = (await call('get', '/blade-auth/oauth/captcha')).body
  const login = await call('post', '/blade-auth/oauth/token', undefined, {
    form: { grant_type: 'captcha', username: person.account, password: sealFor(first, testPassword), key, code: testCaptcha },
  })
  expect(login.body.user_id).toBe(person.userId)
  const token: string = login.body.access_token
  const whoami = async () => (await call('get', '/blade-system/user/info', token)).status
  expect([await whoami(), await whoami()]).toEqual([200, 200])
  // The picture was good once, at either.
  const again = await call('post', '/blade-auth/oauth/token', undefined, {
    form: { grant_type: 'captcha', username: person.account, password: sealFor(first, testPassword), key, code: testCaptcha },
  })
  expect(again.body.error).toBe('invalid_captcha')
  expect((await call('get', '/blade-auth/oauth/logout', token)).status).toBe(200)
  expect([await whoami(), await whoami()]).toEqual([401, 401])
})

test('uploads and exports: stored by one and read by the other, with nothing on the disk of either', async () => {
  const candidate = (await tenant.candidate()).token
  for (const text of ['one', 'two']) {
    const { link } = await done('post', '/file/upload', candidate, {
      multipart: { fields: { purpose: 'document' }, files: [{ part: 'file', name: 'a.pdf', bytes: paper(text) }] },
    })
    expect((await call('get', link, candidate)).raw.equals(paper(text))).toBe(true)
    // And by the one that stored it.
    expect((await call('get', link, candidate)).raw.equals(paper(text))).toBe(true)
    turns += 1
  }
  const exam = await buildExam(tenant)
  await insertSignups(tenant, exam.examId, [
    { name: '张䶮', code: 'A001', type: 'A', unit: 'H01', examine: 'passed' },
    { name: '李四', code: 'A002', type: 'A', unit: 'H02', examine: 'waiting' },
  ])
  await tenant.rows(sql`update param set param_value = '1' where param_key = 'export.asyncRows'`)
  const office = await as('exam_admin')
  for (const worker of [first, second]) {
    const { id } = await done('post', '/blade-signup/signup/exportSignUp', office, { json: { examId: exam.examId } })
    await worker.runTasks()
    const { state, fileUrl } = await done('get', '/blade-exam/exportjob/detail', office, { query: { id } })
    expect(state).toBe(4)
    for (const book of [
      await call('get', '/blade-exam/exportjob/download', office, { query: { id } }),
      await call('get', '/blade-exam/exportjob/download', office, { query: { id } }),
      await call('get', fileUrl, office),
    ])
      expect((await sheetCells(book.raw)).slice(2).map(row => row[3])).toEqual(['张䶮', '李四'])
  }
  for (const { app } of [first, second]) {
    const all = await readdir(app.services.config.dataDir, { recursive: true, withFileTypes: true })
    expect(all.filter(entry => entry.isFile()).map(entry => entry.name)).toEqual([])
  }
  expect(s3.buckets.get('papers')?.size).toBe(4)
})

test('notices and field rules: a change at one is what the other shows in its next call', async () => {
  const office = await as('exam_admin')
  const titles = async () => {
    const seen = []
    for (const _ of [first, second])
      seen.push((await done('get', '/blade-exam/examination/getIndexNotice')).notice.map(({ title }: { title: string }) => title).join())
    return seen
  }
  expect(await titles()).toEqual(['', ''])
  const { id } = await done('post', '/blade-desk/notice/submit', office, { json: { title: '公告', noticeType: 2, content: '<p>文</p>' } })
  await done('post', '/blade-desk/notice/changeState', office, { json: { id, event: 'publish' } })
  expect(await titles()).toEqual(['公告', '公告'])
  turns += 1
  await done('post', '/blade-desk/notice/changeState', office, { json: { id, event: 'withdraw', reason: '完' } })
  expect(await titles()).toEqual(['', ''])

  const { examId } = await buildExam(tenant)
  await insertSignups(tenant, examId, [{ name: '金丝雀', code: 'A001', type: 'A', unit: 'H01', examine: 'waiting' }])
  const keeper = await as('secadmin')
  const [role] = await tenant.rows(sql<{ id: string }>`select id::text as id from role where role_alias = 'exam_admin'`)
  const rule = (rules: readonly object[]) => done('post', '/blade-system/field-rule/submit', keeper, { json: { roleId: role?.id, rules } })
  const names = async () => {
    const seen = []
    for (const _ of [first, second])
      seen.push((await done('get', '/blade-signup/examine/getExamineList', office, { query: { examId } })).records[0].name)
    return seen
  }
  expect(await names()).toEqual(['金丝雀', '金丝雀'])
  await rule([{ noun: 'signup', field: 'name', level: 'masked' }])
  expect(await names()).toEqual(['金**', '金**'])
  await rule([{ noun: 'signup', field: 'name', level: 'hidden' }])
  expect(await names()).toEqual([null, null])
})

test('jobs: added at one, run once by whichever looks first, changed and paused at the other', async () => {
  const admin = await as('admin')
  const [server] = await tenant.rows(sql<{ id: string }>`select id::text as id from job_server where job_server_url = ''`)
  const { id } = await done('post', '/blade-job/job-info/submit', admin, {
    json: {
      ...{ jobServerId: server?.id, jobName: '每分钟', enable: 1, timeExpressionType: 2, timeExpression: '0 * * * * ?' },
      ...{ executeType: 1, processorType: 1, processorInfo: 'try.one', dispatchStrategy: 1 },
    },
  })
  const settle = async (...instances: readonly TestApp[]) => {
    for (const { app } of instances) await app.modules.job.scheduler.settle()
  }
  for (const [minute, order] of [
    ['01', [first, second]],
    ['02', [second, first]],
    ['03', [first, second]],
  ] as const) {
    at(`2026-03-17T10:${minute}:00+08:00`)
    await settle(...order)
  }
  expect(ran).toEqual(['first', 'second', 'first'])
  const shown = async () => (await done('get', '/blade-job/job-info/detail', admin, { query: { id } })).lastTime
  expect([await shown(), await shown()]).toEqual(Array(2).fill('2026-03-17 10:03:00'))
  await done('post', '/blade-job/job-info/change', admin, { json: { id, enable: 0 } })
  at('2026-03-17T10:04:00+08:00')
  await settle(second, first)
  expect(ran).toHaveLength(3)
})
