import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { sealFor } from '../../support/login.ts'
import { noRealPowerJob, type RealPowerJob, startRealPowerJob } from '../../support/real-powerjob.ts'

/** Needs Java, and the first time Maven; part of `npm run test:long`. */
const missing = noRealPowerJob()
if (missing !== undefined) console.warn(`\n!!! The real PowerJob server was NOT tried: ${missing}.\n`)

describe.runIf(missing === undefined)('a real PowerJob server 4.3.9', () => {
  let real: RealPowerJob
  let t: TestApp
  let tenant: TestTenant
  let admin: Person
  let serverId: string
  const ran: string[] = []
  let isPatient = false
  beforeAll(async () => {
    real = await startRealPowerJob()
    await real.register('kaopu-test', 'secret-1')
    t = await startTestApp({ jobServers: real.origin })
    // The server judges life cycles and changes by its own clock, which is the machine's.
    t.clock.set(new Date(Date.now()))
    tenant = await t.tenant()
    admin = await tenant.staff('admin')
  }, 300_000)
  afterAll(async () => {
    await t?.close()
    await real?.close()
  })
  const post = async (path: string, json: object) => (await admin.post(path, { json })).body
  const detail = async (id: string) => (await admin.get('/blade-job/job-info/detail', { query: { id } })).body.data
  const runDetail = async (id: string) => (await admin.get('/blade-job/job-instance/detail', { query: { id } })).body.data
  const form = {
    jobName: '对账',
    enable: 1,
    timeExpressionType: 2,
    timeExpression: '0 0 3 * * ?',
    executeType: 1,
    processorType: 1,
    processorInfo: 'com.example.Job',
    dispatchStrategy: 1,
  }
  const ask = async (path: string, body: Record<string, string>) => {
    const answer = await fetch(`${real.origin}/openApi${path}`, { method: 'POST', body: new URLSearchParams({ appId: '1', ...body }) })
    return JSON.parse(await answer.text())
  }
  const pass = () => t.clock.set(new Date(Date.now()))

  test('the connection is found with its version and its openness; a wrong password is said', async () => {
    const wrong = await post('/blade-job/job-server/submit', {
      jobServerName: '任务中心',
      jobServerUrl: real.origin,
      jobAppName: 'kaopu-test',
      jobAppPassword: sealFor(t, 'wrong'),
    })
    serverId = wrong.data.id
    const server = async () => (await admin.get('/blade-job/job-server/detail', { query: { id: serverId } })).body.data
    expect(await server()).toMatchObject({ state: 2, problem: expect.stringContaining('password error') })
    await post('/blade-job/job-server/submit', { id: serverId, jobAppPassword: sealFor(t, 'secret-1') })
    expect(await server()).toMatchObject({ state: 1, serverVersion: '4.x', isOpen: 1, problem: '' })
  })

  test('a job is added, changed, disabled, run, stopped and deleted there, and ids beyond 2^53 stay whole', async () => {
    const { id } = (
      await post('/blade-job/job-info/submit', {
        ...form,
        jobServerId: serverId,
        lifecycle: '2026-01-01 00:00:00,2090-01-01 00:00:00',
        notifyUserIds: '7',
        ...{ alertThreshold: 3, statisticWindowLen: 60, silenceWindowLen: 30, minCpuCores: '0.5' },
      })
    ).data
    const { jobId } = await detail(id)
    expect(jobId).toMatch(/^\d+$/)
    const there = async () => (await ask('/fetchJob', { jobId })).data
    expect(await there()).toMatchObject({
      ...{ jobName: '对账', timeExpressionType: 2, executeType: 1, status: 1, notifyUserIds: '7', minCpuCores: 0.5 },
      alarmConfig: { alertThreshold: 3, statisticWindowLen: 60, silenceWindowLen: 30 },
    })
    expect((await post('/blade-job/job-info/submit', { id, jobName: '每日对账', enable: 0 })).code).toBe(200)
    expect(await there()).toMatchObject({ jobName: '每日对账', status: 2, notifyUserIds: '7' })
    await admin.post('/blade-job/job-info/change', { query: { id, enable: 1 } })
    expect((await there()).status).toBe(1)
    await admin.post('/blade-job/job-info/change', { query: { id, enable: 0 } })
    const worker = await real.work('kaopu-test', (processor, params) => {
      ran.push(`${processor} ${params}`)
      return isPatient ? '' : 'done by the worker'
    })
    try {
      const run = (await admin.post('/blade-job/job-info/run', { query: { id, instanceParams: 'p1' } })).body.data.instanceId
      expect(BigInt(run) > 2n ** 53n).toBe(true)
      const [row] = (await admin.get('/blade-job/job-instance/list', { query: { jobInfoId: id } })).body.data.records
      expect(row.instanceId).toBe(run)
      await expect.poll(async () => (await runDetail(row.id)).state, { timeout: 30_000 }).toBe(5)
      expect(await runDetail(row.id)).toMatchObject({
        instanceId: run,
        state: 5,
        result: 'done by the worker',
        startedBy: expect.stringMatching(/^staff/),
      })
      expect(ran).toEqual(['com.example.Job p1'])
      expect((await admin.post('/blade-job/job-instance/retry', { query: { id: row.id } })).body.data).toEqual({ instanceId: run })
      await expect.poll(() => ran.length, { timeout: 30_000 }).toBe(2)
      const listed = async () => (await admin.get('/blade-job/job-instance/list', { query: { jobInfoId: id } })).body.data.records
      await expect.poll(async () => (await listed())[0]?.state, { timeout: 30_000 }).toBe(5)
      expect(await listed()).toMatchObject([{ instanceId: run, kind: 3, result: 'done by the worker' }])
      expect(ran).toEqual(['com.example.Job p1', 'com.example.Job p1'])
      isPatient = true
      await admin.post('/blade-job/job-info/run', { query: { id, instanceParams: 'p2' } })
      const [second] = (await admin.get('/blade-job/job-instance/list', { query: { jobInfoId: id } })).body.data.records
      await expect.poll(async () => (await runDetail(second.id)).state, { timeout: 30_000 }).toBe(3)
      expect(await ask('/retryInstance', { instanceId: second.instanceId })).toMatchObject({
        success: false,
        message: expect.stringContaining('Only stopped instance can be retry!'),
      })
      expect((await admin.post('/blade-job/job-instance/stop', { query: { id: second.id } })).body.data).toEqual({
        id: second.id,
        state: 10,
      })
    } finally {
      worker.close()
    }
    expect((await admin.post('/blade-job/job-info/remove', { query: { ids: id } })).body.data).toEqual({ removed: 1 })
    expect((await there()).status).toBe(99)
  })

  test('what it declines is the refusal, and nothing is kept', async () => {
    const answer = await post('/blade-job/job-info/submit', {
      ...form,
      jobServerId: serverId,
      jobName: '坏',
      timeExpressionType: 3,
      timeExpression: '120000',
      processorInfo: ' ',
    })
    expect(answer.code).not.toBe(200)
    expect(await tenant.rows(sql`select 1 from job_info where job_name = '坏'`)).toEqual([])
  })

  test('both ways with conflicts: the newer side is taken, and what we do not know survives', async () => {
    pass()
    const { id } = (await post('/blade-job/job-info/submit', { ...form, jobServerId: serverId })).data
    const { jobId } = await detail(id)
    const base = (await ask('/exportJob', { jobId })).data
    const saveThere = async (more: object) =>
      JSON.parse(
        await (
          await fetch(`${real.origin}/openApi/saveJob`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ ...base, appId: 1, enable: true, ...more }),
          })
        ).text(),
      )
    // Somebody changes it there, with a tag and a logger that we have no words for.
    await new Promise(next => setTimeout(next, 1_100))
    expect(
      await saveThere({ id: Number(jobId), jobName: '那边改的', tag: 'theirs', logConfig: { type: 1, level: 2, loggerName: 'theirs' } }),
    ).toMatchObject({ success: true })
    expect(await saveThere({ id: null, jobName: '外来', executeType: 'MAP' })).toMatchObject({ success: true })
    pass()
    expect((await admin.post('/blade-job/job-server/sync')).body.data).toEqual({
      created: 1,
      updated: 1,
      pushed: 0,
      failed: 0,
      problems: [],
    })
    expect((await detail(id)).jobName).toBe('那边改的')
    const [foreign] = (await admin.get('/blade-job/job-info/list', { query: { jobName: '外来' } })).body.data.records
    expect(foreign).toMatchObject({ executeType: 4 })
    await new Promise(next => setTimeout(next, 1_100))
    pass()
    // Both sides change: here last.
    await saveThere({ id: Number(jobId), jobName: '先', tag: 'theirs', logConfig: { type: 1, level: 2, loggerName: 'theirs' } })
    await new Promise(next => setTimeout(next, 1_100))
    pass()
    await tenant.rows(sql`update job_info set job_name = '后', updated_at = app_now() where id = ${id}`)
    expect((await admin.post('/blade-job/job-server/sync')).body.data).toMatchObject({ created: 0, updated: 0, pushed: 1, failed: 0 })
    expect((await ask('/fetchJob', { jobId })).data).toMatchObject({ jobName: '后', tag: 'theirs', logConfig: { loggerName: 'theirs' } })
    expect((await post('/blade-job/job-info/submit', { id: foreign.id, jobDescription: 'x' })).code).toBe(200)
    expect((await ask('/fetchJob', { jobId: foreign.jobId })).data).toMatchObject({ executeType: 4, jobDescription: 'x' })
    pass()
    expect((await admin.post('/blade-job/job-info/sync')).body.data).toEqual({ created: 0, updated: 0, pushed: 0, failed: 0, problems: [] })
  })

  test('a server that is gone is said, and nothing is changed here', async () => {
    const before = await tenant.rows(sql<object>`select id::text as id, job_name from job_info where not is_deleted order by id`)
    real.kill()
    await expect
      .poll(async () => (await post('/blade-job/job-info/submit', { ...form, jobServerId: serverId, jobName: '晚' })).msg, {
        timeout: 20_000,
      })
      .toMatch(/未能完成操作：(连接不上|连接中断)/)
    expect(await tenant.rows(sql<object>`select id::text as id, job_name from job_info where not is_deleted order by id`)).toEqual(before)
  })
})
