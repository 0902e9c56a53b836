import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { ownFolder } from '../../support/own-folder.ts'

const children: ChildProcess[] = []
let t: TestApp | undefined
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await t?.close()
})

const processes = async (databaseUrl: string, name: string, manner: 'hold' | 'finish') => {
  const child = fork(fileURLToPath(new URL('runner.ts', import.meta.url)), [await ownFolder(), databaseUrl, name, manner], { execArgv: [] })
  children.push(child)
  const took: string[] = []
  await new Promise<void>((ready, failed) => {
    child.on('message', message => (message === 'ready' ? ready() : void took.push((message as { took: string }).took)))
    child.once('exit', code => failed(new Error(`the program ended with ${code}`)))
  })
  return { child, took }
}

test('[S7.23] kill -9 of the process that runs jobs: within 30 s another has taken each run over, or it is marked', async () => {
  t = await startTestApp()
  // The processes go by the machine's clock.
  t.clock.set(new Date(Date.now()))
  const tenant = await t.tenant()
  const admin = await tenant.staff('admin')
  const [server] = await tenant.rows(sql<{ id: string }>`select id::text as id from job_server where job_server_url = ''`)
  // Names are checked where a job is saved: this process knows what the others run.
  t.app.modules.job.bind([
    {
      name: 'try.hold',
      label: { zh: '试', en: 'Try' },
      help: { zh: '试', en: 'Try' },
      scope: 'tenant',
      split: async () => [],
      run: async () => '',
    },
  ])
  const run = async (jobName: string, more: object): Promise<string> => {
    const { id } = (
      await admin.post('/blade-job/job-info/submit', {
        json: {
          ...{ jobServerId: server?.id, jobName, enable: 0, timeExpressionType: 1, executeType: 1, processorType: 1 },
          ...{ processorInfo: 'try.hold', dispatchStrategy: 1, jobParams: jobName, ...more },
        },
      })
    ).body.data
    return (await admin.post('/blade-job/job-info/run', { query: { id } })).body.data.instanceId
  }
  const victim = await processes(t.databaseUrl, 'the first', 'hold')
  const again = await run('again', { instanceRetryNum: 1 })
  const once = await run('once', { instanceRetryNum: 0 })
  const parts = await run('a b', { executeType: 3, taskRetryNum: 1 })
  await expect.poll(() => [...victim.took].sort(), { timeout: 60_000 }).toEqual(['a', 'again', 'b', 'once'])
  const heir = await processes(t.databaseUrl, 'the second', 'finish')
  expect(heir.took).toEqual([])
  victim.child.kill('SIGKILL')
  const states = () =>
    tenant.rows(sql<{ id: string; state: number; attempt: number; result: string }>`
      select id::text as id, state, attempt, result from job_instance where parent_id is null order by id`)
  await expect.poll(async () => (await states()).map(row => row.state), { timeout: 30_000 }).toEqual([5, 4, 5])
  expect(await states()).toEqual([
    { id: again, state: 5, attempt: 2, result: 'done by the second' },
    { id: once, state: 4, attempt: 1, result: '@killed' },
    { id: parts, state: 5, attempt: 1, result: '@parts 2/2' },
  ])
  expect([...heir.took].sort()).toEqual(['a', 'again', 'b'])
  for (const id of [again, once])
    expect((await admin.get('/blade-job/job-instance/detail', { query: { id }, language: 'en' })).body.data.logs).toMatchObject([
      { level: 3, text: 'The process that ran it was killed' },
    ])
}, 180_000)
