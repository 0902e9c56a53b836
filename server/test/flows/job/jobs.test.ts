import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { sealFor } from '../../support/login.ts'
import { doWork } from '../../support/own-work.ts'
import { type FakePowerJob, startFakePowerJob } from '../../support/powerjob.ts'

let t: TestApp
let four: FakePowerJob
let five: FakePowerJob
let tenant: TestTenant
let admin: Person
const tryOne: Processor = {
  name: 'try.one',
  label: { zh: '试', en: 'Try' },
  help: { zh: '试', en: 'Try' },
  scope: 'tenant',
  run: async () => '',
}
beforeAll(async () => {
  ;[four, five] = [await startFakePowerJob(4), await startFakePowerJob(5)]
  t = await startTestApp({ jobServers: `${four.origin},${five.origin}` })
  t.app.modules.job.bind([...t.app.modules.processors, tryOne])
})
afterAll(async () => {
  await t.close()
  await four.close()
  await five.close()
})
beforeEach(async () => {
  tenant = await t.tenant()
  admin = await tenant.staff('admin')
  for (const fake of [four, five]) {
    fake.jobs.clear()
    fake.mode = 'well'
    fake.password = 'secret-1'
  }
})
/** An application belongs to one tenant: the next test has another. */
afterEach(() =>
  t.app.services.scopes.asPlatform('a test ends', t.clock.now(), db =>
    db.run(sql`update job_server set is_deleted = true where job_server_url <> ''`),
  ),
)

const builtIn = async (of = tenant): Promise<string> =>
  (await of.rows(sql<{ id: string }>`select id::text as id from job_server where job_server_url = ''`))[0]?.id ?? ''
const form = {
  jobName: '对账',
  enable: 1,
  timeExpressionType: 2,
  timeExpression: '0 0 3 * * ?',
  executeType: 1,
  processorType: 1,
  processorInfo: 'try.one',
  dispatchStrategy: 1,
}
const addServer = (fake: FakePowerJob, more: object = {}, by = admin) =>
  by.post('/blade-job/job-server/submit', {
    json: { jobServerName: '任务中心', jobServerUrl: fake.origin, jobAppName: 'kaopu', jobAppPassword: sealFor(t, 'secret-1'), ...more },
  })
const save = (json: object, by = admin, language: 'zh' | 'en' = 'zh') => by.post('/blade-job/job-info/submit', { json, language })
const fieldsOf = (answer: { body: { data: { fields: { field: string; msg: string }[] } } }) =>
  answer.body.data.fields.map(({ field, msg }) => [field, msg])

describe('[S3.02] job info', () => {
  test('[S5.03][S5.04][S5.05][S5.06][S5.07][S5.08][S5.09][S5.10] each required field has its message', async () => {
    expect(fieldsOf(await save({}))).toEqual([
      ['jobName', '请输入任务名称'],
      ['enable', '请选择是否开启'],
      ['timeExpressionType', '请选择定时信息'],
      ['jobServerId', '请选择任务应用'],
      ['executeType', '请选择执行器类型'],
      ['processorType', '请选择处理器类型'],
      ['processorInfo', '请输入处理器参数'],
      ['dispatchStrategy', '请选择运行时配置'],
    ])
    expect(fieldsOf(await save({}, admin, 'en'))).toEqual([
      ['jobName', 'Please enter the name of the job'],
      ['enable', 'Please choose whether it is enabled'],
      ['timeExpressionType', 'Please choose the timing'],
      ['jobServerId', 'Please choose the application'],
      ['executeType', 'Please choose the kind of execution'],
      ['processorType', 'Please choose the kind of processor'],
      ['processorInfo', 'Please enter the processor'],
      ['dispatchStrategy', 'Please choose the dispatch'],
    ])
  })

  test('[S9.08] what is left empty has its default, and every field comes back', async () => {
    const { id } = (await save({ ...form, jobServerId: await builtIn() })).body.data
    const row = (await admin.get('/blade-job/job-info/detail', { query: { id } })).body.data
    expect(row).toMatchObject({
      ...form,
      id,
      jobId: '',
      concurrency: 5,
      logType: 1,
      logLevel: 2,
      missedPolicy: 1,
      minCpuCores: '0.00',
      lifecycle: '',
      isOwn: 0,
      nextTime: expect.stringMatching(/ 03:00:00$/),
      lastTime: '',
    })
    for (const name of [
      'maxInstanceNum',
      'instanceTimeLimit',
      'instanceRetryNum',
      'taskRetryNum',
      'maxWorkerCount',
      'alertThreshold',
      'statisticWindowLen',
      'silenceWindowLen',
    ])
      expect([name, row[name]]).toEqual([name, 0])
    const change = await save({ id, version: row.version, jobName: '每日对账' })
    expect(change.body.data).toEqual({ id })
    expect((await admin.get('/blade-job/job-info/detail', { query: { id } })).body.data).toMatchObject({
      ...form,
      jobName: '每日对账',
      version: 1,
    })
    expect((await save({ id, version: row.version, jobName: '晚了' })).body).toMatchObject({ code: 2002 })
    expect((await admin.post('/blade-job/job-info/remove', { query: { ids: id } })).body.data).toEqual({ removed: 1 })
    expect(
      await tenant.rows(sql<object>`select action, after_value->>'jobName' as name from audit_log where entity = 'job-info' order by id`),
    ).toEqual([
      { action: 'job-info.added', name: '对账' },
      { action: 'job-info.updated', name: '每日对账' },
      { action: 'job-info.removed', name: null },
    ])
  })

  test.each<[string, object, string, RegExp]>([
    ['an impossible cron', { timeExpression: '0 0 0 31 2 ?' }, 'timeExpression', /没有任何执行时间/],
    ['a cron that is none', { timeExpression: '* * *' }, 'timeExpression', /6 或 7 段/],
    ['a cron that is missing', { timeExpression: '' }, 'timeExpression', /^请输入时间表达式$/],
    ['a cron of every second', { timeExpression: '* * * * * ?' }, 'timeExpression', /不能短于 60 秒/],
    ['a rate of a millisecond', { timeExpressionType: 3, timeExpression: '1' }, 'timeExpression', /60000–120000/],
    ['a life that ends before it begins', { lifecycle: '2027-02-01 00:00:00,2027-01-01 00:00:00' }, 'lifecycle', /晚于开始时间/],
    ['a shell command', { processorInfo: 'sh -c id' }, 'processorInfo', /没有名为“sh -c id”的处理器/],
    ['a shell processor', { processorType: 2 }, 'processorType', /没有 2 这个选项/],
    ['a name of the platform’s work', { processorInfo: 'log.purge' }, 'processorInfo', /没有名为/],
    ['an execution that there is not', { executeType: 7 }, 'executeType', /没有 7 这个选项/],
    ['a map over what is one piece', { executeType: 3 }, 'executeType', /不能拆分执行/],
    ['half an alarm', { alertThreshold: 3 }, 'alertThreshold', /全部填写/],
    ['an alarm to a stranger', { notifyUserIds: '999' }, 'notifyUserIds', /须是本机构的工作人员/],
    ['an alarm to no id', { notifyUserIds: 'admin' }, 'notifyUserIds', /须是本机构的工作人员/],
  ])('[S5.11] %s is refused at its field, and nothing is kept', async (_, wrong, field, text) => {
    const answer = await save({ ...form, jobServerId: await builtIn(), ...wrong })
    expect(answer.status).toBe(400)
    expect(fieldsOf(answer)).toEqual([[field, expect.stringMatching(text)]])
    expect(await tenant.rows(sql`select 1 from job_info`)).toEqual([])
  })

  test('[S5.11] the next five times of an expression, or what is wrong with it', async () => {
    const next = async (query: Record<string, string>, language: 'zh' | 'en' = 'zh') =>
      (await admin.get('/blade-job/job-info/next-times', { query: { timeExpressionType: '2', ...query }, language })).body.data
    expect((await next({ timeExpression: '0 30 3 1 * ?' })).times).toEqual(
      ['04', '05', '06', '07', '08'].map(month => expect.stringMatching(new RegExp(`^2026-\\d\\d-01 03:30:00$|${month}`))),
    )
    expect(await next({ timeExpression: '61 * * * * ?' }, 'en')).toEqual({
      times: [],
      problem: 'The second part of the cron expression says “61”; it takes 0–59',
      field: 'timeExpression',
      note: '',
    })
    // A PowerJob server takes any period, and it is said how often it looks.
    const jobServerId = (await addServer(four)).body.data.id
    const fast = { timeExpression: '0/10 * * * * ?', jobServerId }
    expect(await next(fast)).toMatchObject({
      times: { length: 5 },
      problem: '',
      note: expect.stringMatching(/^PowerJob 约每 15 秒收集一次/),
    })
    expect(await next(fast, 'en')).toMatchObject({ note: expect.stringMatching(/^PowerJob collects what is due about every 15 seconds/) })
    expect(await next({ ...fast, timeExpression: '0/15 * * * * ?' })).toMatchObject({ problem: '', note: '' })
    expect(await next({ timeExpressionType: '3', timeExpression: '1000', jobServerId })).toMatchObject({ problem: '', note: '' })
    expect(await next({ ...fast, jobServerId: await builtIn() })).toMatchObject({
      problem: '执行间隔不能短于 60 秒，请调整“秒”或“分”一段',
      note: '',
    })
  })

  test('of a thousand runs at once a hundred are taken and run, and the others are refused', async () => {
    const { id } = (await save({ ...form, jobServerId: await builtIn(), enable: 0 })).body.data
    const codes: number[] = []
    for (let begun = 0; begun < 1_000; begun += 50) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => admin.post('/blade-job/job-info/run', { query: { id } })))
      codes.push(...answers.map(answer => answer.body.code))
    }
    expect([200, 2001].map(code => codes.filter(one => one === code).length)).toEqual([100, 900])
    expect((await admin.post('/blade-job/job-info/run', { query: { id } })).body.msg).toBe(
      '“对账”已有 100 次执行在等待或进行，请等其结束后再试',
    )
    await t.app.modules.job.scheduler.settle()
    expect(await tenant.rows(sql`select state, count(*)::int as n from job_instance group by state`)).toEqual([{ state: 5, n: 100 }])
    expect((await admin.post('/blade-job/job-info/run', { query: { id } })).body.code).toBe(200)
  })

  test('a copy is switched off; a tenant has a hundred jobs at most', async () => {
    const { id } = (await save({ ...form, jobServerId: await builtIn(), jobParams: '{"a":1}' })).body.data
    const copy = (await admin.post('/blade-job/job-info/copy', { query: { id } })).body.data.id
    expect((await admin.get('/blade-job/job-info/detail', { query: { id: copy } })).body.data).toMatchObject({
      ...form,
      jobName: '对账 copy',
      jobParams: '{"a":1}',
      enable: 0,
      nextTime: '',
    })
    await tenant.rows(sql`insert into job_info (tenant_id, job_server_id, job_name, processor_info)
      select tenant_id, job_server_id, 'x' || n, 'try.one' from job_info cross join generate_series(1, 98) n where id = ${id}`)
    expect((await admin.post('/blade-job/job-info/copy', { query: { id } })).body.msg).toBe('定时任务最多 100 个')
  })

  test('jobs, servers and runs of another tenant are not there', async () => {
    const { id } = (await save({ ...form, jobServerId: await builtIn() })).body.data
    const run = (await admin.post('/blade-job/job-info/run', { query: { id } })).body.data.instanceId
    const other = await t.tenant()
    const stranger = await other.staff('admin')
    const post = async (path: string, query: Record<string, string>) => (await stranger.post(path, { query })).status
    expect(await post('/blade-job/job-info/run', { id })).toBe(404)
    expect(await post('/blade-job/job-info/change', { id, enable: '0' })).toBe(404)
    expect(await post('/blade-job/job-info/remove', { ids: id })).toBe(404)
    expect(await post('/blade-job/job-info/copy', { id })).toBe(404)
    expect(await post('/blade-job/job-instance/stop', { id: run })).toBe(404)
    expect(await post('/blade-job/job-instance/retry', { id: run })).toBe(404)
    expect((await stranger.get('/blade-job/job-instance/detail', { query: { id: run } })).status).toBe(404)
    expect((await stranger.get('/blade-job/job-instance/list', { query: { jobInfoId: id } })).body.data.records).toEqual([])
    expect(fieldsOf(await save({ ...form, jobServerId: await builtIn() }, stranger))).toEqual([
      ['jobServerId', '任务应用不存在，请重新选择'],
    ])
    expect((await addServer(four)).body.code).toBe(200)
    expect((await addServer(four, {}, stranger)).body.msg).toBe('该地址上的应用“kaopu”已由其他机构使用')
  })
})

describe('the program’s own work (domain 13.3)', () => {
  test('stands among the platform’s jobs, is run by its times, may be paused where that is safe, and is run now', async () => {
    const operator = await t.platform().staff('administrator')
    await t.app.modules.job.ensureOwn()
    await t.app.modules.job.ensureOwn()
    const list = async () => (await operator.get('/blade-job/job-info/list', { query: { size: 100 } })).body.data.records
    const own = (await list()).filter((row: { isOwn: number }) => row.isOwn === 1)
    expect(own.map((row: { processorInfo: string; timeExpression: string }) => [row.processorInfo, row.timeExpression]).sort()).toEqual([
      ['auth.purge', '0 5 * * * ?'],
      ['file.sweep', '0 35 3 * * ?'],
      ['installation.check-invariants', '0 10 * * * ?'],
      ['job.purge-runs', '0 40 2 * * ?'],
      ['job.watch-remote', '0 */2 * * * ?'],
      ['log.purge', '0 25 * * * ?'],
      ['message.receipts', '30 * * * * ?'],
      ['message.recharge', '0 */10 * * * ?'],
      ['message.validity', '0 10 0 * * ?'],
      ['news.address', '0 20 * * * ?'],
      ['pay.bills', '0 30 10-23 * * ?'],
      ['pay.check-ledger', '0 0 2 * * ?'],
      ['pay.remind', '0 10 * * * ?'],
      ['pay.sweep', '0 */10 * * * ?'],
      ['person.close-accounts', '0 15 * * * ?'],
      ['reduction.close', '0 * * * * ?'],
      ['report.purge-runs', '0 50 2 * * ?'],
      ['report.send-due', '0 * * * * ?'],
      ['result.release-due', '0 * * * * ?'],
      ['selection.deadlines', '0 * * * * ?'],
      ['selection.remind', '0 5 * * * ?'],
      ['signup.check-tallies', '0 25 3 * * ?'],
      ['signup.count-places', '0 */5 * * * ?'],
      ['signup.erase', '0 30 0 * * ?'],
      ['signup.gather-tallies', '40 * * * * ?'],
      ['signup.overdue-reviews', '0 20 8-21 * * ?'],
      ['signup.remind', '0 0 * * * ?'],
      ['tenancy.gather-counts', '0 35 * * * ?'],
      ['ticket.erase-health', '0 40 0 * * ?'],
      ['ticket.remind', '0 15 * * * ?'],
    ])
    const idOf = (name: string) => own.find((row: { processorInfo: string }) => row.processorInfo === name).id
    const change = (id: string, enable: string) => operator.post('/blade-job/job-info/change', { query: { id, enable } })
    expect((await change(idOf('pay.sweep'), '0')).body.msg).toBe('“支付补查”暂停后会影响业务正确性，不能暂停')
    expect((await change(idOf('log.purge'), '0')).body.data).toEqual({ id: idOf('log.purge'), enable: 0 })
    expect((await operator.post('/blade-job/job-info/remove', { query: { ids: idOf('log.purge') } })).body.code).toBe(2001)
    expect((await save({ id: idOf('log.purge'), processorInfo: 'try.one' }, operator)).body.code).toBe(2001)
    expect((await save({ id: idOf('log.purge'), enable: 1, timeExpression: '0 25 4 * * ?' }, operator)).body.code).toBe(200)
    const run = (await operator.post('/blade-job/job-info/run', { query: { id: idOf('auth.purge') } })).body.data.instanceId
    await t.app.modules.job.scheduler.settle()
    expect((await operator.get('/blade-job/job-instance/detail', { query: { id: run } })).body.data).toMatchObject({ state: 5, kind: 2 })
  })
})

describe('work on all tenants', () => {
  test('is not of an administrator of the first tenant: neither seen nor run, switched, changed or named; their own jobs are', async () => {
    await t.app.modules.job.ensureOwn()
    const platform = t.platform()
    const [operator, merely] = [await platform.staff('administrator'), await platform.staff('admin')]
    const all = (await operator.get('/blade-job/job-info/list', { query: { size: 100 } })).body.data.records
    const { id, version } = all.find((row: { processorInfo: string }) => row.processorInfo === 'auth.purge')
    const run = (await operator.post('/blade-job/job-info/run', { query: { id } })).body.data.instanceId
    await t.app.modules.job.scheduler.settle()
    const answers = [
      merely.get('/blade-job/job-info/detail', { query: { id } }),
      merely.post('/blade-job/job-info/run', { query: { id } }),
      merely.post('/blade-job/job-info/change', { query: { id, enable: '0' } }),
      save({ id, version, timeExpression: '0 6 * * * ?' }, merely),
      merely.post('/blade-job/job-info/remove', { query: { ids: id } }),
      merely.get('/blade-job/job-instance/list', { query: { jobInfoId: id } }),
      merely.get('/blade-job/job-instance/chart', { query: { jobInfoId: id } }),
      merely.get('/blade-job/job-instance/detail', { query: { id: run } }),
      merely.post('/blade-job/job-instance/retry', { query: { id: run } }),
    ]
    expect((await Promise.all(answers)).map(answer => answer.status)).toEqual(answers.map(() => 404))
    const named = (await merely.get('/blade-job/job-info/processors')).body.data.map((one: { processor: string }) => one.processor)
    expect([named.includes('try.one'), named.includes('auth.purge')]).toEqual([true, false])
    const refused = await save({ ...form, jobServerId: await builtIn(platform), processorInfo: 'auth.purge' }, merely)
    expect([refused.status, fieldsOf(refused).map(([field]) => field)]).toEqual([400, ['processorInfo']])
    const own = (await save({ ...form, jobServerId: await builtIn(platform) }, merely)).body.data.id
    await merely.post('/blade-job/job-info/run', { query: { id: own } })
    const list = (await merely.get('/blade-job/job-info/list', { query: { size: 100 } })).body.data
    expect([list.total, list.records.map((row: { id: string }) => row.id)]).toEqual([1, [own]])
    const runs = (await merely.get('/blade-job/job-instance/list')).body.data
    expect([runs.total, runs.records.map((row: { jobInfoId: string }) => row.jobInfoId)]).toEqual([1, [own]])
    expect((await merely.post('/blade-job/job-info/remove', { query: { ids: own } })).body.data).toEqual({ removed: 1 })
  })
})

describe('[S3.03] job servers', () => {
  test('[S5.20] each required field has its message', async () => {
    expect(fieldsOf(await admin.post('/blade-job/job-server/submit', { json: {} }))).toEqual([
      ['jobServerName', '请输入任务服务名称'],
      ['jobServerUrl', '请输入任务服务地址'],
      ['jobAppName', '请输入任务应用名称'],
      ['jobAppPassword', '请输入任务应用密码'],
    ])
    expect(fieldsOf(await admin.post('/blade-job/job-server/submit', { json: {}, language: 'en' }))).toEqual([
      ['jobServerName', 'Please enter the name of the job server'],
      ['jobServerUrl', 'Please enter the address of the job server'],
      ['jobAppName', 'Please enter the name of the application'],
      ['jobAppPassword', 'Please enter the password of the application'],
    ])
    const one = await admin.post('/blade-job/job-server/submit', {
      json: { jobServerName: '任务中心', jobServerUrl: '', jobAppName: ' ', jobAppPassword: sealFor(t, 'secret-1') },
    })
    expect(fieldsOf(one)).toEqual([
      ['jobServerUrl', '请输入任务服务地址'],
      ['jobAppName', '请输入任务应用名称'],
    ])
    expect(await tenant.rows(sql`select 1 from job_server where job_server_url <> ''`)).toEqual([])
  })

  test('the password goes in sealed and never comes out; the built-in scheduler stays', async () => {
    const { id } = (await addServer(four)).body.data
    const [stored] = await tenant.rows(sql<{ row: string }>`select job_server::text as row from job_server where id = ${id}`)
    expect(stored?.row).not.toContain('secret-1')
    const seen = JSON.stringify([
      (await admin.get('/blade-job/job-server/detail', { query: { id } })).body,
      (await admin.get('/blade-job/job-server/list')).body,
      (await admin.get('/blade-job/job-server/select')).body,
      await tenant.rows(sql`select before_value, after_value from audit_log where entity = 'job-server'`),
    ])
    expect(seen).not.toContain('secret-1')
    expect((await admin.get('/blade-job/job-server/detail', { query: { id } })).body.data.jobAppPassword).toBe('')
    expect((await admin.get('/blade-job/job-server/select')).body.data.map((row: { jobAppName: string }) => row.jobAppName)).toEqual([
      'kaopu',
      'kaopu',
    ])
    // A change without a password keeps it.
    await admin.post('/blade-job/job-server/submit', { json: { id, jobRemark: '备注', jobAppPassword: '' } })
    expect((await admin.get('/blade-job/job-server/detail', { query: { id } })).body.data).toMatchObject({ state: 1, jobRemark: '备注' })
    const own = await builtIn()
    expect((await admin.post('/blade-job/job-server/remove', { query: { ids: own } })).body.msg).toBe('内置调度随系统提供，不能修改或删除')
    expect((await admin.post('/blade-job/job-server/submit', { json: { id: own, jobRemark: 'x' } })).body.code).toBe(2001)
  })

  test.each([
    'http://127.0.0.1:1',
    'http://169.254.169.254',
    'http://2130706433:7700',
    'http://0x7f.1:7700',
    'http://[::1]:7700',
    'http://user:pass@127.0.0.1:7700',
    'file:///etc/passwd',
    'gopher://127.0.0.1:7700',
    ' ,,',
  ])('an address that the operator has not allowed goes nowhere: %s', async address => {
    const before = [...four.asked]
    const answer = await addServer(four, { jobServerUrl: address })
    expect(answer.status).toBe(400)
    expect(four.asked).toEqual(before)
    expect(await tenant.rows(sql`select 1 from job_server where job_server_url <> ''`)).toEqual([])
  })

  test('an allowed address with a path, a redirect or somebody else behind it is not believed', async () => {
    expect((await addServer(four, { jobServerUrl: `${four.origin}/openApi/../x` })).status).toBe(400)
    const { id } = (await addServer(four)).body.data
    const check = async () => (await admin.post('/blade-job/job-server/check', { query: { id } })).body.data
    four.mode = 'redirect'
    expect(await check()).toMatchObject({ state: 2, text: '连接“任务中心”失败：应答为跳转，已拒绝' })
    four.mode = 'html'
    expect(await check()).toMatchObject({ state: 2, text: '连接“任务中心”失败：应答不是 PowerJob 的格式（HTTP 200）' })
    four.mode = 'well'
    four.password = 'changed'
    expect(await check()).toMatchObject({ state: 2, text: expect.stringContaining('password error') })
  })

  test('version and openness are found: 4.x always is open, 5.x where its check of tokens is off', async () => {
    const loose = await startFakePowerJob(5, { takesNoToken: true })
    const found = async (fake: FakePowerJob, name: string) => {
      const { id } = (await addServer(fake, { jobServerName: name })).body.data
      const { state, serverVersion, isOpen } = (await admin.get('/blade-job/job-server/detail', { query: { id } })).body.data
      return { state, serverVersion, isOpen }
    }
    expect(await found(four, 'a')).toEqual({ state: 1, serverVersion: '4.x', isOpen: 1 })
    expect(await found(five, 'b')).toEqual({ state: 1, serverVersion: '5.x', isOpen: 0 })
    expect((await addServer(loose, { jobServerName: 'c' })).status).toBe(400)
    await loose.close()
  })
})

describe.each([
  ['4.x', () => four],
  ['5.x', () => five],
] as const)('a PowerJob server of %s', (_, fakeOf) => {
  let fake: FakePowerJob
  let serverId: string
  beforeEach(async () => {
    fake = fakeOf()
    fake.now = t.clock.now().getTime()
    serverId = (await addServer(fake)).body.data.id
  })
  const add = async (more: object = {}) => (await save({ ...form, jobServerId: serverId, processorInfo: 'com.example.Job', ...more })).body
  const remote = (id: number) => fake.jobs.get(id)
  const detail = async (id: string) => (await admin.get('/blade-job/job-info/detail', { query: { id } })).body.data

  test('a job is added, changed, switched, run and removed there as it is here', async () => {
    const { id } = (await add({ notifyUserIds: '12', lifecycle: '2026-01-01 00:00:00,2027-01-01 00:00:00' })).data
    expect(await detail(id)).toMatchObject({ jobId: '1', nextTime: '' })
    expect(remote(1)).toMatchObject({
      jobName: '对账',
      timeExpressionType: 2,
      executeType: 1,
      status: 1,
      notifyUserIds: '12',
      lifecycle: '{"start":1767196800000,"end":1798732800000}',
    })
    Object.assign(remote(1) ?? {}, { tag: 'kept', advancedRuntimeConfig: { taskTrackerBehavior: 11 } })
    await save({ id, jobName: '新名' })
    expect(remote(1)).toMatchObject({
      jobName: '新名',
      tag: 'kept',
      advancedRuntimeConfig: { taskTrackerBehavior: 11 },
      notifyUserIds: '12',
    })
    await admin.post('/blade-job/job-info/change', { query: { id, enable: 0 } })
    expect(remote(1)?.status).toBe(2)
    const run = await admin.post('/blade-job/job-info/run', { query: { id, instanceParams: 'p' } })
    const { instanceId } = run.body.data
    expect(instanceId).toMatch(/^10058941105459692\d\d$/)
    expect(fake.instances.get(instanceId)).toMatchObject({ instanceParams: 'p' })
    const [row] = (await admin.get('/blade-job/job-instance/list', { query: { jobInfoId: id } })).body.data.records
    expect(row).toMatchObject({ instanceId, state: 3, kind: 2 })
    expect((await admin.get('/blade-job/job-instance/detail', { query: { id: row.id } })).body.data).toMatchObject({
      instanceId,
      state: 3,
      host: '10.0.0.9:27777',
    })
    expect((await admin.post('/blade-job/job-instance/stop', { query: { id: row.id } })).body.data).toEqual({ id: row.id, state: 10 })
    expect(await detail(id)).toMatchObject({ lastState: 10 })
    expect((await admin.post('/blade-job/job-info/remove', { query: { ids: id } })).body.data).toEqual({ removed: 1 })
    expect(remote(1)?.status).toBe(99)
  })

  test('the lists know how runs go on there, by asking for one job and by the job that asks for all; silence changes nothing', async () => {
    const { id } = (await add()).data
    const run = async () => (await admin.post('/blade-job/job-info/run', { query: { id } })).body.data.instanceId
    const [first, second] = [await run(), await run()]
    const list = async () =>
      (await admin.get('/blade-job/job-instance/list', { query: { jobInfoId: id } })).body.data.records.map(
        (row: { instanceId: string; state: number; result: string }) => [row.instanceId, row.state, row.result],
      )
    expect(await list()).toEqual([
      [second, 3, ''],
      [first, 3, ''],
    ])
    Object.assign(fake.instances.get(first) ?? {}, { status: 5, result: 'OK', finishedTime: fake.now + 1_000 })
    expect(await list()).toEqual([
      [second, 3, ''],
      [first, 5, 'OK'],
    ])
    expect(await detail(id)).toMatchObject({ lastState: 5 })
    Object.assign(fake.instances.get(second) ?? {}, { status: 4, result: 'no worker available', finishedTime: fake.now + 1_000 })
    fake.mode = 'html'
    expect((await list())[0]).toEqual([second, 3, ''])
    const asked = await doWork(t, 'job.watch-remote')
    expect(asked.result).toEqual({ zh: '查询 0 次执行，其中 0 次已结束', en: '0 runs asked about, 0 have ended' })
    expect(asked.log).toMatchObject([{ zh: expect.stringContaining('应答不是 PowerJob 的格式') }])
    fake.mode = 'well'
    expect((await doWork(t, 'job.watch-remote')).result).toEqual({
      zh: '查询 1 次执行，其中 1 次已结束',
      en: '1 runs asked about, 1 have ended',
    })
    expect(await detail(id)).toMatchObject({ lastState: 4 })
    expect((await list())[0]).toEqual([second, 4, 'no worker available'])
  })

  test('a run that has ended is repeated there under its number; one that goes on is not', async () => {
    const { id } = (await add()).data
    const instanceId = (await admin.post('/blade-job/job-info/run', { query: { id, instanceParams: 'p' } })).body.data.instanceId
    const row = async () => (await admin.get('/blade-job/job-instance/list', { query: { jobInfoId: id } })).body.data.records[0]
    const retry = async () => (await admin.post('/blade-job/job-instance/retry', { query: { id: (await row()).id } })).body
    expect(await retry()).toMatchObject({ code: 2201, msg: '该次执行尚未结束，不能重试' })
    Object.assign(fake.instances.get(instanceId) ?? {}, { status: 4, result: 'no worker available', finishedTime: fake.now })
    expect(await row()).toMatchObject({ state: 4, result: 'no worker available' })
    // Somebody there was first.
    Object.assign(fake.instances.get(instanceId) ?? {}, { status: 3 })
    expect(await retry()).toMatchObject({
      code: 2001,
      msg: '任务服务“任务中心”未能完成操作：PowerJobException: Only stopped instance can be retry!',
    })
    Object.assign(fake.instances.get(instanceId) ?? {}, { status: 4 })
    expect((await retry()).data).toEqual({ instanceId })
    expect(fake.instances.size).toBeGreaterThan(0)
    expect(fake.instances.get(instanceId)).toMatchObject({ status: 1, result: null, instanceParams: 'p' })
    expect(await row()).toMatchObject({ instanceId, state: 1, kind: 3, result: '', startTime: null, endTime: null, params: 'p' })
    expect(
      await tenant.rows(sql`select action, after_value->>'instanceId' as id from audit_log where action = 'job-info.repeated'`),
    ).toEqual([{ action: 'job-info.repeated', id: instanceId }])
  })

  test('what it declines, or its silence, is said in its words, and nothing is changed here', async () => {
    const { id } = (await add()).data
    fake.mode = 'html'
    expect((await save({ id, jobName: '新名' })).body.msg).toBe('任务服务“任务中心”未能完成操作：应答不是 PowerJob 的格式（HTTP 200）')
    expect((await add({ jobName: '第二' })).code).toBe(2001)
    expect((await admin.post('/blade-job/job-info/remove', { query: { ids: id } })).body.code).toBe(2001)
    expect((await detail(id)).jobName).toBe('对账')
    expect(await tenant.rows(sql<object>`select job_name from job_info where not is_deleted`)).toEqual([{ job_name: '对账' }])
  })

  test('both ways: what is there comes, what is here goes, of what differs the newer is taken, and what we do not know survives', async () => {
    const { id } = (await add()).data
    const { id: second } = (await add({ jobName: '第二' })).data
    const third = (await add({ jobName: '第三' })).data.id
    // Changed there.
    t.clock.advance(60_000)
    fake.now = t.clock.now().getTime()
    Object.assign(remote(1) ?? {}, { jobName: '那边改的', gmtModified: fake.now })
    // Added there, with numbers that we have no words for.
    fake.jobs.set(50, {
      ...structuredClone(remote(2) as never as object),
      id: 50,
      jobName: '外来',
      executeType: 4,
      dispatchStrategy: 11,
      tag: 'x',
      gmtModified: fake.now,
      status: 1,
    } as never)
    // Deleted there, by somebody who was not asked here.
    Object.assign(remote(3) ?? {}, { status: 99 })
    // Changed here, beside the server.
    await tenant.rows(sql`update job_info set job_name = '这边改的', updated_at = app_now() where id = ${second}`)
    const counts = (await admin.post('/blade-job/job-server/sync')).body.data
    expect(counts).toEqual({ created: 1, updated: 1, pushed: 2, failed: 0, problems: [] })
    expect((await detail(id)).jobName).toBe('那边改的')
    expect(remote(2)?.jobName).toBe('这边改的')
    expect((await detail(third)).jobId).not.toBe('3')
    const foreign = (await admin.get('/blade-job/job-info/list', { query: { jobName: '外来' } })).body.data.records[0]
    expect(foreign).toMatchObject({ jobId: '50', executeType: 4 })
    await save({ id: foreign.id, jobName: '外来的' })
    expect(remote(50)).toMatchObject({ jobName: '外来的', executeType: 4, dispatchStrategy: 11, tag: 'x' })
    expect((await admin.post('/blade-job/job-info/sync')).body.data).toMatchObject({ created: 0, updated: 0, failed: 0 })
    fake.mode = 'html'
    expect((await admin.post('/blade-job/job-server/sync')).body.data).toMatchObject({
      failed: 1,
      problems: [expect.stringContaining('任务中心')],
    })
  })

  test('a job there with numbers that nobody knows comes as it is, is shown, runs and is switched; only what would lose them is refused', async () => {
    await add()
    fake.jobs.set(60, {
      ...structuredClone(remote(1) as never as object),
      ...{ id: 60, jobName: '将来的', executeType: 9, processorType: 77, tag: 'x', gmtModified: fake.now, status: 1 },
    } as never)
    expect((await admin.post('/blade-job/job-server/sync')).body.data).toEqual({
      created: 1,
      updated: 0,
      pushed: 0,
      failed: 0,
      problems: [],
    })
    const [row] = (await admin.get('/blade-job/job-info/list', { query: { jobName: '将来的' } })).body.data.records
    expect(row).toMatchObject({ jobId: '60', executeType: 9, processorType: 77, enable: 1 })
    const refused = await save({ id: row.id, jobName: '改名' })
    expect(fieldsOf(refused)).toEqual([['executeType', '执行类型的值 9 只能在任务服务上修改']])
    expect(fieldsOf(await save({ id: row.id, jobName: '改名' }, admin, 'en'))).toEqual([
      ['executeType', 'The value 9 of Execution can be changed at the job server only'],
    ])
    expect(remote(60)).toMatchObject({ jobName: '将来的', executeType: 9, processorType: 77, tag: 'x' })
    expect((await admin.post('/blade-job/job-info/change', { query: { id: row.id, enable: 0 } })).body.code).toBe(200)
    expect((await admin.post('/blade-job/job-info/run', { query: { id: row.id } })).body.code).toBe(200)
    expect(remote(60)).toMatchObject({ status: 2, executeType: 9, processorType: 77, tag: 'x' })
    // Changed here beside the server: it is named, and the others go on.
    t.clock.advance(60_000)
    await tenant.rows(sql`update job_info set job_name = '这边', updated_at = app_now() where id = ${row.id}`)
    expect((await admin.post('/blade-job/job-info/sync')).body.data).toMatchObject({
      pushed: 0,
      failed: 1,
      problems: ['这边: 执行类型的值只能在任务服务上修改'],
    })
    expect(await detail(row.id)).toMatchObject({ jobName: '这边', syncProblem: '执行类型的值只能在任务服务上修改' })
  })

  test('a server that has forgotten its tokens is asked again once', async () => {
    const { id } = (await add()).data
    fake.forgetTokens()
    expect((await save({ id, jobName: '新名' })).body.code).toBe(200)
    expect(remote(1)?.jobName).toBe('新名')
  })
})
