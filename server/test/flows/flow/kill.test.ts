import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { freePort, type RunningServer, startServer } from '../../../../e2e/support/server.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { expr, straight } from '../../support/drawing.ts'

const completions = process.env['KAOPU_LONG'] ? 500 : 60

/** Prepares and looks; what works are two processes of their own. */
let t: TestApp
let tenant: TestTenant
let clerk: Person
let servers: readonly RunningServer[]
beforeAll(async () => {
  t = await startTestApp({ start: new Date().toISOString() })
  tenant = await t.tenant()
  clerk = await tenant.staff(['admin', 'exam_admin'])
  const start = async () => startServer({ dataDir: inject('dataDir'), port: await freePort(), env: { DATABASE_URL: t.databaseUrl } })
  servers = [await start(), await start()]
})
afterAll(async () => {
  for (const server of servers ?? []) await server.stop()
  await t?.close()
})

const tasks = (node: string) =>
  tenant.rows(sql<{ id: string; instanceId: string; state: string; lines: number; next: number }>`
    select t.id::text as id, t.instance_id::text as "instanceId", t.state,
      (select count(*)::int from flow_history h where h.instance_id = t.instance_id and h.task_id = t.id and h.action = 'ok') as lines,
      (select count(*)::int from flow_task n where n.instance_id = t.instance_id and n.node = 'b') as next
    from flow_task t where t.node = ${node} order by t.id`)
const complete = async (server: RunningServer | undefined, taskId: string): Promise<number | undefined> => {
  try {
    const answer = await fetch(`${server?.url.replace('localhost', '127.0.0.1')}/api/blade-flow/work/complete-task`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from('kaopu-web:kaopu-web').toString('base64')}`,
        'blade-auth': `bearer ${clerk.token}`,
        'content-type': 'application/json',
        'user-agent': 'kaopu-test',
      },
      body: JSON.stringify({ taskId, flag: 'ok', comment: '同意' }),
    })
    await answer.text()
    return answer.status
  } catch {
    return undefined
  }
}

test(`[S7.32] a process that is killed during ${completions} completions: what was acknowledged is kept, nothing is done twice`, async () => {
  const mine = `flowable:assignee="${expr('starter')}"`
  const xml = straight('killed', [
    ['a', mine],
    ['b', mine],
  ])
  const { id: modelId } = (await clerk.post('/blade-flow/model/submit', { json: { modelEditorXml: xml } })).body.data
  const [definition] = (await clerk.post('/blade-flow/model/deploy', { json: { modelId, category: 'flow_2' } })).body.data.definitions
  for (let at = 0; at < completions; at += 1)
    await clerk.post('/blade-flow/work/start-process', { json: { processDefinitionId: definition.id, title: `第 ${at} 件` } })
  const open = await tasks('a')
  expect(open).toHaveLength(completions)
  const answers = new Map<string, number | undefined>()
  let acknowledged = 0
  const waiting = [...open]
  const worker = async (at: number): Promise<void> => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const status = await complete(servers[at % 2], one.id)
      answers.set(one.id, status)
      if (status === 200) acknowledged += 1
      if (acknowledged === Math.floor(completions / 3)) void servers[0]?.kill()
    }
  }
  await Promise.all(Array.from({ length: 12 }, (_, at) => worker(at)))
  await servers[0]?.kill()
  const unanswered = [...answers].filter(([, status]) => status === undefined).map(([id]) => id)
  expect([...new Set(answers.values())].filter(status => status !== 200 && status !== undefined)).toEqual([])
  for (const task of await tasks('a')) {
    const isDone = task.state === 'done'
    expect([task.lines, task.next]).toEqual(isDone ? [1, 1] : [0, 0])
    if (answers.get(task.id) === 200) expect(isDone).toBe(true)
  }
  // Whoever got no answer asks again, of the process that is left: done now, or told that it is.
  for (const id of unanswered) expect([200, 409]).toContain(await complete(servers[1], id))
  expect((await tasks('a')).map(({ state, lines, next }) => [state, lines, next])).toEqual(open.map(() => ['done', 1, 1]))
})
