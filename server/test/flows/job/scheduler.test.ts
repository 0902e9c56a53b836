import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import type { Processor, ProcessorCall } from '#kernel/queue/processor.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'

let t: TestApp
let other: TestApp
let tenant: TestTenant
let admin: Person
/** What the processors of this file were called with, in order. */
let calls: { at: string; process: string; tenantId: string; params: string; item: string | undefined }[]
let behave: (call: ProcessorCall) => Promise<string>

const processors = (process: string): readonly Processor[] => {
  const words = { label: { zh: '试', en: 'Try' }, help: { zh: '试', en: 'Try' }, scope: 'tenant' } as const
  const run = async (call: ProcessorCall): Promise<string> => {
    calls.push({ at: call.now.toISOString(), process, tenantId: call.tenantId, params: call.params, item: call.item })
    return behave(call)
  }
  return [
    { ...words, name: 'try.one', run },
    { ...words, name: 'try.many', run, split: async ({ params }) => params.split(' ') },
    { ...words, name: 'try.platform', scope: 'platform', run },
  ]
}
beforeAll(async () => {
  t = await startTestApp()
  other = await t.beside()
  t.app.modules.job.bind(processors('first'))
  other.app.modules.job.bind(processors('second'))
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set('2026-03-02T09:00:00+08:00')
  other.clock.set('2026-03-02T09:00:00+08:00')
  // Jobs of the tests before are no business of this one.
  await t.app.services.scopes.asPlatform('a test begins with nothing', t.clock.now(), db =>
    db.run(sql`update job_info set is_deleted = true`),
  )
  tenant = await t.tenant()
  admin = await tenant.staff('admin')
  calls = []
  behave = async () => 'done'
})

const serverOf = async (of: TestTenant): Promise<string> =>
  (await of.rows(sql<{ id: string }>`select id::text as id from job_server where job_server_url = ''`))[0]?.id ?? ''
const body = async (more: object = {}, of = tenant) => ({
  jobServerId: await serverOf(of),
  jobName: '每分钟',
  enable: 1,
  timeExpressionType: 2,
  timeExpression: '0 * * * * ?',
  executeType: 1,
  processorType: 1,
  processorInfo: 'try.one',
  dispatchStrategy: 1,
  ...more,
})
const addJob = async (more: object = {}, by = admin, of = tenant): Promise<string> => {
  const answer = await by.post('/blade-job/job-info/submit', { json: await body(more, of) })
  expect(answer.body).toMatchObject({ code: 200 })
  return answer.body.data.id
}
const settle = async (...apps: readonly TestApp[]) => {
  for (const app of apps.length === 0 ? [t] : apps) await app.app.modules.job.scheduler.settle()
}
const set = (at: string) => {
  for (const app of [t, other]) app.clock.set(`2026-03-${at}+08:00`)
}
const runs = (job: string) =>
  tenant.rows(
    sql<{ state: number; due: string; attempt: number; result: string }>`
      select state, to_char(due_at at time zone 'Asia/Shanghai', 'DD HH24:MI:SS') as due, attempt, coalesce(result, '') as result
      from job_instance where job_info_id = ${job} and parent_id is null order by due_at, id`,
  )
const dueOf = async (job: string) => (await runs(job)).map(run => [run.due, run.state])

describe('times', () => {
  test('[S4.01][S9.09] each due time is run once by one of two processes, and a paused job never', async () => {
    const job = await addJob()
    const paused = await addJob({ jobName: '停', enable: 0 })
    for (const minute of ['01', '02', '03']) {
      set(`02T09:${minute}:00`)
      await Promise.all([settle(t), settle(other)])
      await settle(other, t)
    }
    expect(await dueOf(job)).toEqual([
      ['02 09:01:00', 5],
      ['02 09:02:00', 5],
      ['02 09:03:00', 5],
    ])
    expect(calls.map(call => [call.tenantId, call.params])).toEqual(calls.map(() => [tenant.tenantId, '']))
    expect(calls).toHaveLength(3)
    expect(await runs(paused)).toEqual([])
    const [row] = (await admin.get('/blade-job/job-info/list', { query: { jobName: '每分钟' } })).body.data.records
    expect(row).toMatchObject({ id: job, nextTime: '2026-03-02 09:04:00', lastTime: '2026-03-02 09:03:00', lastState: 5, enable: 1 })
  })

  test.each([
    [1, [['02 09:01:00', 5]]],
    [2, []],
    [
      3,
      [
        ['02 09:01:00', 5],
        ['02 09:02:00', 5],
        ['02 09:03:00', 5],
      ],
    ],
  ])('missed times follow the policy %i', async (missedPolicy, expected) => {
    const job = await addJob({ missedPolicy, timeExpression: '0 1-3 9 * * ?' })
    set('02T10:00:00')
    await settle(t, other)
    expect(await dueOf(job)).toEqual(expected)
    set('03T09:01:00')
    await settle()
    expect(await dueOf(job)).toEqual([...expected, ['03 09:01:00', 5]])
  })

  test('a clock that goes back runs no time again, and goes on from where it is', async () => {
    const job = await addJob()
    set('02T09:05:00')
    await settle()
    set('02T09:02:30')
    await settle()
    expect((await tenant.rows(sql<{ at: Date }>`select next_time as at from job_info where id = ${job}`))[0]?.at).toEqual(
      new Date('2026-03-02T09:03:00+08:00'),
    )
    for (const minute of ['03', '04', '05', '06']) {
      set(`02T09:${minute}:00`)
      await settle()
    }
    expect(await dueOf(job)).toEqual([
      ['02 09:03:00', 5],
      ['02 09:04:00', 5],
      ['02 09:05:00', 5],
      ['02 09:06:00', 5],
    ])
  })

  test('a rate counts from time to time, a delay from the end of the run; API and workflow never start by the clock', async () => {
    const rate = await addJob({ jobName: '频率', timeExpressionType: 3, timeExpression: '60000' })
    const delay = await addJob({ jobName: '延迟', timeExpressionType: 4, timeExpression: '60000' })
    const api = await addJob({ jobName: 'API', timeExpressionType: 1, timeExpression: '' })
    const flow = await addJob({ jobName: '流', timeExpressionType: 5, timeExpression: '' })
    set('02T09:01:10')
    await settle()
    set('02T09:02:05')
    await settle()
    set('02T09:02:10')
    await settle()
    expect(await dueOf(rate)).toEqual([
      ['02 09:01:00', 5],
      ['02 09:02:00', 5],
    ])
    expect(await dueOf(delay)).toEqual([
      ['02 09:01:00', 5],
      ['02 09:02:10', 5],
    ])
    expect([await runs(api), await runs(flow)]).toEqual([[], []])
  })

  test('a job lives from its start to its end', async () => {
    const job = await addJob({ lifecycle: '2026-03-02 09:02:00,2026-03-02 09:04:00' })
    for (const minute of ['01', '02', '03', '04', '05']) {
      set(`02T09:${minute}:00`)
      await settle()
    }
    expect(await dueOf(job)).toEqual([
      ['02 09:02:00', 5],
      ['02 09:03:00', 5],
    ])
  })
})

describe('runs', () => {
  test('a failure is tried again with growing pauses, its log says why, and the last one stands', async () => {
    behave = async call => {
      call.log(1, 'not asked for')
      call.log(2, `try ${call.attempt}`)
      throw new Error('没有文件')
    }
    const job = await addJob({ instanceRetryNum: 2 })
    set('02T09:01:00')
    await settle()
    expect(await runs(job)).toMatchObject([{ state: 1, attempt: 1 }])
    set('02T09:01:05')
    await settle()
    set('02T09:01:14')
    await settle()
    expect(calls).toHaveLength(2)
    set('02T09:01:15')
    await settle()
    expect(await runs(job)).toEqual([{ state: 4, due: '02 09:01:00', attempt: 3, result: '@failed' }])
    const [run] = (await admin.get('/blade-job/job-instance/list', { query: { jobInfoId: job } })).body.data.records
    expect(run).toMatchObject({ state: 4, kind: 1, attempt: 3, result: '执行出错，详见日志', startedBy: '', jobName: '每分钟' })
    const detail = (await admin.get('/blade-job/job-instance/detail', { query: { id: run.id }, language: 'en' })).body.data
    expect(detail.result).toBe('It failed; the log says more')
    expect(detail.logs.map((line: { level: number; text: string }) => [line.level, line.text])).toEqual([
      [2, 'try 1'],
      [4, 'It failed: 没有文件'],
      [2, 'try 2'],
      [4, 'It failed: 没有文件'],
      [2, 'try 3'],
      [4, 'It failed: 没有文件'],
    ])
  })

  test('a run that takes longer than it may is broken off, and is not tried again', async () => {
    behave = () => new Promise(() => {})
    const job = await addJob({ instanceTimeLimit: 1, instanceRetryNum: 3 })
    set('02T09:01:00')
    await settle()
    expect(await runs(job)).toEqual([{ state: 4, due: '02 09:01:00', attempt: 1, result: '@time' }])
  })

  test('more runs at a time than a job allows are not run, and say so', async () => {
    let open = (): void => {}
    behave = () => new Promise(resolve => (open = () => resolve('')))
    const job = await addJob({ maxInstanceNum: 1 })
    set('02T09:01:00')
    await t.app.modules.job.scheduler.tick()
    set('02T09:02:00')
    await t.app.modules.job.scheduler.tick()
    open()
    await settle()
    expect((await runs(job)).map(run => [run.due, run.state, run.result])).toEqual([
      ['02 09:01:00', 5, ''],
      ['02 09:02:00', 9, '@earlier'],
    ])
  })

  test('somebody stops a run that goes on and one that waits; a run that has ended is neither stopped nor forgotten', async () => {
    behave = () => new Promise(() => {})
    const job = await addJob()
    set('02T09:01:00')
    await t.app.modules.job.scheduler.tick()
    const [going] = (await admin.get('/blade-job/job-instance/list', { query: { jobInfoId: job } })).body.data.records
    expect((await admin.post('/blade-job/job-instance/stop', { query: { id: going.id } })).body.data).toEqual({ id: going.id, state: 3 })
    await settle()
    const waiting = (await admin.post('/blade-job/job-info/run', { query: { id: job } })).body.data.instanceId
    expect((await admin.post('/blade-job/job-instance/stop', { query: { id: waiting } })).body.data).toEqual({ id: waiting, state: 10 })
    expect((await runs(job)).map(run => [run.state, run.result])).toEqual([
      [10, '@stopped'],
      [10, '@stopped'],
    ])
    expect((await admin.post('/blade-job/job-instance/stop', { query: { id: waiting } })).body).toMatchObject({ code: 2201 })
    behave = async () => 'again'
    const retried = (await admin.post('/blade-job/job-instance/retry', { query: { id: waiting } })).body.data.instanceId
    await settle()
    const detail = (await admin.get('/blade-job/job-instance/detail', { query: { id: retried } })).body.data
    expect(detail).toMatchObject({ state: 5, kind: 3, result: 'again' })
    expect(detail.startedBy).toMatch(/^staff/)
  })

  test('[S9.10] a broadcast is run by every process; parts of a map are run once each, by whoever is free', async () => {
    const all = await addJob({ jobName: '广播', executeType: 2 })
    await settle(t, other)
    set('02T09:01:00')
    await settle(t)
    await settle(other)
    await settle(t)
    expect(calls.map(call => call.process)).toEqual(['first', 'second'])
    expect(await runs(all)).toEqual([{ state: 5, due: '02 09:01:00', attempt: 1, result: '@parts 2/2' }])
    await admin.post('/blade-job/job-info/change', { query: { id: all, enable: 0 } })
    calls = []
    behave = async call => {
      if (call.item === 'c') throw new Error('c')
      return ''
    }
    const map = await addJob({ jobName: '拆分', executeType: 3, processorInfo: 'try.many', jobParams: 'a b c d e', concurrency: 2 })
    set('02T09:02:00')
    await t.app.modules.job.scheduler.tick()
    await Promise.all([settle(t), settle(other)])
    await settle(t, other)
    expect(calls.map(call => call.item).sort()).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(await runs(map)).toEqual([{ state: 4, due: '02 09:02:00', attempt: 1, result: '@parts 4/5' }])
    const [run] = (await admin.get('/blade-job/job-instance/list', { query: { jobInfoId: map } })).body.data.records
    expect(run).toMatchObject({ parts: 5, partsDone: 5, result: '5 个部分中 4 个成功' })
    const parts = (await admin.get('/blade-job/job-instance/list', { query: { parentId: run.id } })).body.data.records
    expect(parts.map((one: { state: number }) => one.state).sort()).toEqual([4, 5, 5, 5, 5])
  })
})

describe('processes that are killed', () => {
  const dead = '123456789012345678'
  const holdByDead = (job: string) =>
    t.app.services.scopes.asPlatform('a process that is no more', t.clock.now(), async db => {
      await db.run(sql`insert into job_runner (runner, host) values (${dead}, 'gone') on conflict do nothing`)
      await db.run(
        sql`update job_instance set state = 3, runner = ${dead}, attempt = 1, fence = fence + 1, started_at = app_now() where job_info_id = ${job} and state = 1`,
      )
    })

  test.each([
    [1, [{ state: 5, attempt: 2, result: 'done' }]],
    [0, [{ state: 4, attempt: 1, result: '@killed' }]],
  ])(
    'what a killed process held is taken over while the job may be tried again (%i), and marked otherwise',
    async (instanceRetryNum, expected) => {
      const job = await addJob({ instanceRetryNum, timeExpressionType: 1, timeExpression: '' })
      await admin.post('/blade-job/job-info/run', { query: { id: job } })
      await holdByDead(job)
      await settle(other)
      expect((await runs(job)).map(({ due: _, ...run }) => run)).toEqual(expected)
      expect(calls.length).toBe(instanceRetryNum)
    },
  )

  test('who was taken for dead and was not cannot end the run any more', async () => {
    let open = (): void => {}
    behave = () => new Promise(resolve => (open = () => resolve('too late')))
    const job = await addJob({ instanceRetryNum: 1, timeExpressionType: 1, timeExpression: '' })
    await admin.post('/blade-job/job-info/run', { query: { id: job } })
    await t.app.modules.job.scheduler.tick()
    await t.app.services.scopes.asPlatform('taken over', t.clock.now(), db =>
      db.run(sql`update job_instance set state = 1, fence = fence + 1, runner = null where job_info_id = ${job}`),
    )
    const late = open
    behave = async () => 'in time'
    await settle(other)
    late()
    await settle(t)
    expect((await runs(job)).map(({ due: _, ...run }) => run)).toEqual([{ state: 5, attempt: 2, result: 'in time' }])
  })
})

describe('alarms', () => {
  test('[S3.02] go to the people named when enough runs failed within the window, and are silent after', async () => {
    behave = async () => {
      throw new Error('no')
    }
    const told = await tenant.staff('exam_admin')
    const job = await addJob({ notifyUserIds: told.userId, alertThreshold: 2, statisticWindowLen: 600, silenceWindowLen: 240 })
    const notices = () =>
      tenant.rows(sql<{ at: string; title: string }>`
        select to_char(created_at at time zone 'Asia/Shanghai', 'HH24:MI') as at, title_zh as title from notify where user_id = ${told.userId} order by id`)
    for (const minute of ['01', '02', '03', '04', '05', '06']) {
      set(`02T09:${minute}:00`)
      await settle()
    }
    expect(await notices()).toEqual([
      { at: '09:02', title: '任务失败：每分钟' },
      { at: '09:06', title: '任务失败：每分钟' },
    ])
    expect((await runs(job)).map(run => run.state)).toEqual([4, 4, 4, 4, 4, 4])
    expect((await admin.get('/blade-job/job-instance/chart', { query: { jobInfoId: job } })).body.data).toMatchObject([
      { at: '2026-03-02 09:01:00', state: 4, durationMs: 0 },
      ...['02', '03', '04', '05', '06'].map(minute => ({ at: `2026-03-02 09:${minute}:00`, state: 4 })),
    ])
  })
})
