import { platformTenant } from '../../server/seed/base/seed-base.ts'
import { expr, straight } from '../../server/test/support/drawing.ts'
import type { Cluster, Database } from '../cluster.ts'
import { createDatabase } from '../cluster.ts'
import { burst, type Call } from '../load.ts'
import { type Compared, compare, type Pace, type Subject, spread, subjectOf, type Variant } from '../measure.ts'
import { startFloor, startProduct } from '../programs.ts'
import { comparedFigure, type Figure, range } from '../report.ts'
import { createHolders, type Holder } from '../seed.ts'

const tenantId = platformTenant
const steps = ['a', 'b', 'c', 'd'] as const
const goalPerSecond = 400
const listGoal = 1.3

interface Stand {
  readonly database: Database
  readonly product: Subject
  /** Started everything, did a step of everything, has one to do and may claim one of everything. */
  readonly reader: Holder
  readonly clerk: Holder
  readonly deciders: readonly Holder[]
  readonly definitionId: string
}
const bearer = (token: string) => ({ 'blade-auth': `bearer ${token}`, 'user-agent': 'kaopu-bench' })
const post = (path: string, token: string, body: object): Call => ({
  ...{ method: 'POST', path: `/api${path}`, headers: { ...bearer(token), 'content-type': 'application/json' } },
  body: JSON.stringify(body),
})
const dataOf = async (subject: Subject, call: Call): Promise<Record<string, unknown>> => {
  const { status, body } = await subject.client.send(call)
  if (status !== 200) throw new Error(`${call.path} answered ${status}: ${body.toString().slice(0, 300)}`)
  return (JSON.parse(body.toString()) as { data: Record<string, unknown> }).data
}

/** Running processes as lists of the reader show them: three tasks each, one done by them, one they have, one they may claim. */
const seedInstances = async (
  { owner }: Database,
  { reader, definitionId }: Pick<Stand, 'reader' | 'definitionId'>,
  count: number,
): Promise<void> => {
  await owner.query('set session_replication_role = replica')
  await owner.query(
    `insert into flow_instance (tenant_id, id, definition_id, flow_key, flow_version, flow_name, category, title, start_user, vars, place, can_return, root_id, created_at, updated_at)
     select $1, n.id, $2, 'bench', 1, '采购', 'flow_4', '采购申请 ' || n.g, $3::bigint, '{}', '{"seq": 3, "tokens": []}', true, n.id, now() - (n.g || ' seconds')::interval, now()
     from (select g, next_id() as id from generate_series(1, $4::int) g) n`,
    [tenantId, definitionId, reader.userId, count],
  )
  await owner.query(
    `insert into flow_task (tenant_id, instance_id, node, name, token, assignee, state, outcome, created_at, claimed_at, ended_at, ended_by)
     select i.tenant_id, i.id, k.node, '步骤 ' || k.node, k.token, case when k.token < 3 then $2::bigint end, case when k.token = 1 then 'done' else 'open' end,
       case when k.token = 1 then 'ok' end, i.created_at, i.created_at, case when k.token = 1 then i.created_at end, case when k.token = 1 then $2::bigint end
     from flow_instance i cross join (values ('a', 1), ('b', 2), ('c', 3)) k(node, token) where i.tenant_id = $1`,
    [tenantId, reader.userId],
  )
  await owner.query(
    `insert into flow_candidate (tenant_id, task_id, kind, ref) select tenant_id, id, 'role', 'reviewer1' from flow_task where tenant_id = $1 and assignee is null`,
    [tenantId],
  )
  await owner.query('set session_replication_role = origin')
  await owner.query('vacuum (analyze)')
  await owner.query('checkpoint')
}

/** Tasks that are open of the processes of one side, filled up with new ones; each side has its own. */
const openTasks = async (
  stand: Stand,
  side: string,
  wanted: number,
): Promise<readonly { id: string; node: string; assignee: string }[]> => {
  const { database, product, clerk, definitionId } = stand
  const read = async () =>
    (
      await database.owner.query<{ id: string; node: string; assignee: string }>(
        `select t.id::text as id, t.node, t.assignee::text as assignee from flow_instance i join flow_task t on t.tenant_id = i.tenant_id and t.instance_id = i.id and t.state = 'open'
         where i.tenant_id = $1 and i.start_user = $2 and i.title = $3 and i.ended_at is null order by t.id`,
        [tenantId, clerk.userId, side],
      )
    ).rows
  const missing = Math.min(Math.ceil(wanted / steps.length), wanted - (await read()).length)
  const start = post('/blade-flow/work/start-process', clerk.token, { processDefinitionId: definitionId, title: side })
  let left = missing
  await burst(product.client, () => (left-- > 0 ? start : undefined), { wallMs: 60_000, connections: 4 })
  return read()
}
const completions = (stand: Stand, subject: Subject, side: 'product' | 'floor', wanted: number): Variant => ({
  subject,
  calls: async () => {
    const tasks = [...(await openTasks(stand, side, wanted))]
    const tokens = new Map(stand.deciders.map(({ userId, token }) => [userId, token]))
    return () => {
      const task = tasks.pop()
      if (task === undefined) return undefined
      if (side === 'product')
        return post('/blade-flow/work/complete-task', tokens.get(task.assignee) ?? '', { taskId: task.id, flag: 'ok', comment: '同意' })
      const at = steps.indexOf(task.node as (typeof steps)[number]) + 1
      const [node, decider] = [steps[at], stand.deciders[at]]
      const next = node === undefined || decider === undefined ? null : { node, user: decider.userId }
      return {
        ...{ method: 'POST', path: '/complete', headers: { 'content-type': 'application/json' } },
        body: JSON.stringify({ tenant: tenantId, user: task.assignee, task: task.id, comment: '同意', next }),
      }
    }
  },
})
const rateOf = ({ a, b }: Compared): Figure => {
  const rate = spread(a.map(({ total }) => 2_000 / total))
  return {
    work: 'completions of a four-step process that two cores have CPU for, a second',
    product: range(rate),
    floor: range(spread(b.map(({ total }) => 2_000 / total))),
    ratio: '',
    goal: `≥ ${goalPerSecond}`,
    met: rate.median >= goalPerSecond,
  }
}

const lists = [
  ['to claim', '/blade-flow/work/claim-list'],
  ['to do', '/blade-flow/work/todo-list'],
  ['sent', '/blade-flow/work/send-list'],
  ['done', '/blade-flow/work/done-list'],
  ['all that run', '/blade-flow/follow/list'],
] as const
const listOf = (stand: Stand, path: string): Variant => {
  const call: Call = { method: 'GET', path: `/api${path}?current=1&size=10&count=capped`, headers: bearer(stand.reader.token) }
  return { subject: stand.product, calls: () => () => call }
}

/** Completions against bare SQL of the same rows, and the lists of work at 100,000 processes against the same at 1,000. */
export const measureFlow = async (
  cluster: Cluster,
  settings: {
    readonly port: number
    readonly quick: boolean
    readonly profileDir: string | undefined
    readonly pace: Pace
    readonly say: (text: string) => void
  },
): Promise<Figure[]> => {
  const closing: (() => Promise<void>)[] = []
  const open = async (name: string, count: number, port: number, profileDir: string | undefined): Promise<Stand> => {
    const database = await createDatabase(cluster, name)
    closing.push(() => database.close())
    const now = new Date()
    await database.owner.query(`select set_config('app.now', $1, false), set_config('app.tenant_id', $2, false)`, [
      now.toISOString(),
      tenantId,
    ])
    const holders = createHolders(database, tenantId, now)
    const reader = await holders.staff('flow-reader', ['admin', 'reviewer1'])
    const clerk = await holders.staff('flow-clerk', ['exam_admin'])
    const deciders: Holder[] = []
    for (const step of steps) deciders.push(await holders.staff(`flow-${step}`, ['reviewer2']))
    const product = subjectOf(
      await startProduct({ databaseUrl: database.url, dataDir: cluster.dataDir, port, profileDir }),
      cluster.postmaster,
    )
    closing.push(async () => {
      product.client.close()
      await product.program.stop()
    })
    const xml = straight(
      'bench',
      steps.map((step, at) => [step, `flowable:assignee="${deciders[at]?.userId ?? expr('starter')}"`]),
    )
    const { id } = await dataOf(product, post('/blade-flow/model/submit', reader.token, { modelEditorXml: xml }))
    const deployed = await dataOf(
      product,
      post('/blade-flow/model/deploy', reader.token, { modelId: id, category: 'flow_4', tenantIds: tenantId }),
    )
    const [{ id: definitionId }] = deployed['definitions'] as [{ id: string }]
    await seedInstances(database, { reader, definitionId }, count)
    settings.say(`${name}: ${count.toLocaleString('en')} processes`)
    return { database, product, reader, clerk, deciders, definitionId }
  }
  const figures: Figure[] = []
  try {
    const [few, many] = [settings.quick ? 200 : 1_000, settings.quick ? 20_000 : 100_000]
    const large = await open('bench_flow_many', many, settings.port + 40, settings.profileDir)
    const floor = subjectOf(await startFloor(large.database.url, cluster.dataDir, settings.port + 41), cluster.postmaster)
    closing.push(async () => {
      floor.client.close()
      await floor.program.stop()
    })
    // Before anything is completed: what is compared is the same rows, more of them.
    const small = await open('bench_flow_few', few, settings.port + 50, undefined)
    for (const [name, path] of lists) {
      const compared = await compare(listOf(large, path), listOf(small, path), settings.pace)
      const title = `work lists, ${few.toLocaleString('en')} → ${many.toLocaleString('en')} processes: ${name}`
      const figure = comparedFigure(title, compared, listGoal)
      figures.push({ ...figure, floor: `${figure.floor} with few` })
      settings.say(`${title}: ${figure.product} | ${figure.floor} ${figure.ratio}`)
    }
    const wanted = settings.quick ? 160 : 480
    const [a, b] = [completions(large, large.product, 'product', wanted), completions(large, floor, 'floor', wanted)]
    // After three rounds there are as many first steps as second, third and last ones.
    for (let round = 0; round < 3; round += 1)
      for (const { subject, calls } of [a, b]) await burst(subject.client, await calls(), { wallMs: 10_000, connections: 4 })
    const costs = await compare(a, b, settings.pace)
    const made = [comparedFigure('completion of a task, all its rows and its audit line', costs, undefined), rateOf(costs)]
    for (const figure of made) settings.say(`${figure.work}: ${figure.product} | ${figure.floor} ${figure.ratio}`)
    figures.unshift(...made)
    return figures
  } finally {
    for (const close of closing.toReversed()) await close()
  }
}
