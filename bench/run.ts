// npm run bench: product against floor on one database, in turns; prints and writes docs/bench.md. Never part of npm test.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Cluster, createDatabase, type Database, startCluster } from './cluster.ts'
import { burst, offer, quantile } from './load.ts'
import { type Compared, compare, cpuDuring, type Pace, type Subject, spread, subjectOf, warmCalls } from './measure.ts'
import { type Options, parseOptions, type WorkName } from './options.ts'
import { hasProc, machineData } from './proc.ts'
import { type ProductSettings, startFloor, startProduct } from './programs.ts'
import { comparedFigure, type Figure, markdown, printed, range } from './report.ts'
import { seedWorld } from './seed.ts'
import { measureFlow } from './works/flow.ts'
import { measureJobs } from './works/jobs.ts'
import { measurePeer, seedPeer } from './works/peer.ts'
import { type Arena, deepPageOf, headersOf, productSubmit, requestsOf } from './works/requests.ts'
import { measureExport, measureImport } from './works/sheets.ts'
import { measureStarts } from './works/starts.ts'
import { measureTenant } from './works/tenant.ts'
import { measureTickets } from './works/tickets.ts'

type Requests = ReturnType<typeof requestsOf>
type PairName = keyof Requests['pairs']

const say = (text: string): void => void process.stderr.write(`${text}\n`)
const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`

const titles: Readonly<Record<PairName, string>> = {
  list: 'list, page 1, filter by state, exact total',
  capped: 'the same as the screens ask for it: "1,000+"',
  narrowed: 'the first list for somebody narrowed to departments, against somebody who is not',
  short: 'short list (one unit)',
  deep: 'deep page (5,000)',
  name: 'search by part of a name',
  detail: 'detail for staff, with its audit line',
  own: 'detail for its owner',
  create: 'submit a sign-up, all its rows',
  score: 'score look-up by a candidate',
  mixed: 'mixed: 70 % short list, 20 % detail, 10 % submit',
  login: 'login (captcha, SM2, Argon2id)',
  statistics: 'statistics over time, counted anew',
  remembered: 'statistics within their cache',
}
const goals: Readonly<Partial<Record<PairName, number>>> = {
  ...{
    list: 1.3,
    capped: 0.15,
    narrowed: 1.1,
    short: 1.2,
    deep: 0.6,
    name: 0.15,
    detail: 1.4,
    own: 1.4,
    create: 1.5,
    mixed: 1.3,
    login: 1.05,
    statistics: 1.1,
    remembered: 0.1,
  },
}
const order = Object.keys(titles) as PairName[]

/** A search that reads every row takes long: each segment must hold a few. */
const paceOf = (name: PairName, pace: Pace): Pace =>
  name === 'name' || name === 'deep' || name === 'statistics' ? { ...pace, segmentMs: pace.segmentMs * 1.5 } : pace

/** Each holds some hundred people, who are used up by it: three times as many rounds say as much as those of the other works. */
const createRounds = ({ rounds }: Pace): number => rounds * 3

interface Stage {
  readonly options: Options
  readonly pace: Pace
  readonly segmentPeople: number
  readonly add: (figures: readonly Figure[]) => void
}

const openArena = async (
  cluster: Cluster,
  name: string,
  rows: number,
  newcomers: number,
  options: Options,
): Promise<Arena & { settings: ProductSettings; close: () => Promise<void> }> => {
  const began = performance.now()
  const database: Database = await createDatabase(cluster, name)
  const world = await seedWorld(cluster, database, { rows, sample: Math.min(2_000, Math.floor(rows / 10)), newcomers })
  say(`${rows.toLocaleString('en')} sign-ups seeded in ${seconds(began)}`)
  const settings: ProductSettings = {
    databaseUrl: database.url,
    dataDir: cluster.dataDir,
    port: options.port,
    profileDir: options.profileDir,
  }
  const product: Subject = subjectOf(await startProduct(settings), cluster.postmaster)
  const floor: Subject = subjectOf(await startFloor(database.url, cluster.dataDir, options.port + 1), cluster.postmaster)
  return {
    ...{ cluster, database, world, product, floor, settings },
    close: async () => {
      for (const { client, program } of [product, floor]) {
        client.close()
        await program.stop()
      }
      await database.close()
    },
  }
}

const compareAll = async (arena: Arena, requests: Requests, { options, pace, segmentPeople, add }: Stage): Promise<void> => {
  for (const name of [...order, 'submits' as const]) {
    if (!options.only.has(name)) continue
    if (name === 'submits') {
      await submitsOffered(arena, requests, { options, pace, segmentPeople, add })
      continue
    }
    const { product, floor } = requests.pairs[name]
    const isCreate = name === 'create'
    const costs = await compare(
      product,
      floor,
      { ...paceOf(name, pace), ...(isCreate ? { rounds: createRounds(pace) } : {}) },
      isCreate ? { atMost: segmentPeople } : name === 'short' ? { warmUp: warmCalls } : {},
    )
    add([comparedFigure(titles[name], costs, goals[name])])
    if (name === 'login') add([loginsOf(costs)])
  }
}

/** What two cores have CPU for; on a shared machine the clock would tell how busy the others are. */
const loginsOf = ({ a, b }: Compared): Figure => {
  const rate = spread(a.map(cost => 2_000 / cost.total))
  return {
    work: 'logins a second that two cores have CPU for',
    product: range(rate),
    floor: range(spread(b.map(cost => 2_000 / cost.total))),
    ratio: '',
    goal: '≥ 150',
    met: rate.median >= 150,
  }
}

/** A hundred people a second press "submit", whether or not the server keeps up; everybody with a session it has not seen yet. */
const submitsOffered = async ({ world, product }: Arena, { newcomers }: Requests, { options, add }: Stage): Promise<void> => {
  const perSecond = 100
  const calls = newcomers(perSecond * (options.quick ? 4 : 15)).map(person => productSubmit(world, person))
  const { value, server, database } = await cpuDuring(product, () => offer(product.client, calls, perSecond))
  const at = (share: number): string => `${quantile(value.latencies, share).toFixed(0)} ms`
  const rate = (value.requests * 1000) / value.wallMs
  add([
    {
      work: `${perSecond} submits a second offered, session read anew`,
      product: `${rate.toFixed(0)} a second, p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}; ${(((server + database) * 1000) / value.wallMs).toFixed(2)} cores`,
      floor: '',
      ratio: '',
      goal: 'p95 ≤ 500 ms',
      met: rate > perSecond * 0.97 && quantile(value.latencies, 0.95) <= 500,
    },
  ])
}

/** Lists as the screens ask for them, details, what is submitted, and figures: anew and as they are remembered. */
const growing = [
  'capped',
  'short',
  'deep',
  'name',
  'detail',
  'own',
  'create',
  'score',
  'remembered',
  'statistics',
] as const satisfies readonly PairName[]

/** The same calls on 10,000 rows and on all of them, in turns. */
const measureGrowth = async (cluster: Cluster, large: Arena, largeRequests: Requests, stage: Stage): Promise<void> => {
  const { options, pace, segmentPeople, add } = stage
  const people = segmentPeople * (pace.rounds + 2)
  const small = await openArena(cluster, 'bench_small', Math.min(10_000, options.rows / 2), people, {
    ...options,
    port: options.port + 10,
    profileDir: undefined,
  })
  try {
    const requests = requestsOf(small, segmentPeople)
    // The same page of both, counted as far as the screens do.
    const page = deepPageOf(small.world.rows)
    const asked = ({ pairs, asScreensAsk }: Requests) => ({ ...pairs, ...asScreensAsk(page) })
    for (const name of growing) {
      if (!options.line.test(titles[name])) continue
      const limits = name === 'create' ? { atMost: segmentPeople } : {}
      const costs = await compare(asked(largeRequests)[name].product, asked(requests)[name].product, paceOf(name, pace), limits)
      const figure = comparedFigure(
        `growth ${small.world.rows.toLocaleString('en')} → ${large.world.rows.toLocaleString('en')} rows: ${name === 'deep' ? `page ${page}` : titles[name]}`,
        costs,
        1.3,
      )
      add([{ ...figure, floor: `${figure.floor} on the small one` }])
    }
  } finally {
    await small.close()
  }
}

const runWorks = async (cluster: Cluster, stage: Stage): Promise<void> => {
  const { options, pace, segmentPeople, add } = stage
  const wants = (...names: readonly WorkName[]): boolean => names.some(name => options.only.has(name))
  if (wants('ticket')) add(await measureTickets(pace.rounds, options.quick ? 15 : 60))
  if (wants('tenant')) add(await measureTenant(cluster, { port: options.port, quick: options.quick, pace, say }))
  if (wants('peer')) {
    const settings = { port: options.port, quick: options.quick, profileDir: options.profileDir, line: options.line, pace, say }
    const tenant = await seedPeer(cluster, settings)
    try {
      add(await measurePeer(cluster, tenant, settings))
    } finally {
      await tenant.database.close()
    }
  }
  if (wants('jobs')) add(await measureJobs(cluster, options.quick ? 1_000 : 10_000, false))
  if (wants('flow'))
    add(await measureFlow(cluster, { port: options.port, quick: options.quick, profileDir: options.profileDir, pace, say }))
  if (!wants(...order, 'submits', 'export', 'import', 'start', 'growth')) return
  const creating = wants('create') ? createRounds(pace) + 1 : 0
  const people =
    segmentPeople * (2 * creating + (wants('mixed') ? pace.rounds + 1 : 0) + (wants('growth') ? pace.rounds + 1 : 0)) +
    (wants('submits') ? (options.quick ? 400 : 1_500) : 0)
  const arena = await openArena(cluster, 'bench', options.rows, people, options)
  try {
    const requests = requestsOf(arena, segmentPeople)
    // One call of each kind with its answer looked at: what is measured must be what is meant.
    await checkAnswers(arena, requests)
    await compareAll(arena, requests, stage)
    if (wants('growth')) await measureGrowth(cluster, arena, requests, stage)
    if (wants('export') || wants('import')) await measureSheets(arena, stage)
  } finally {
    await arena.close()
  }
  if (wants('start')) add(await measureStarts(arena.settings, options.quick ? 1 : 3, options.quick ? 2_000 : 5_000))
}

/** Each by a server that has just started: what other calls left in memory is not theirs. */
const measureSheets = async (arena: Arena & { settings: ProductSettings }, { options, add }: Stage): Promise<void> => {
  await arena.product.program.stop()
  for (const [name, measure] of [
    ['export', measureExport],
    ['import', measureImport],
  ] as const) {
    if (!options.only.has(name)) continue
    const product = subjectOf(await startProduct(arena.settings), arena.cluster.postmaster)
    try {
      add(await measure({ ...arena, product }))
    } finally {
      product.client.close()
      await product.program.stop()
    }
  }
}

const checkAnswers = async ({ product, floor, world }: Arena, { pairs }: Requests): Promise<void> => {
  for (const name of ['list', 'short', 'deep', 'name'] as const) {
    const answers = await Promise.all(
      ([pairs[name].product, pairs[name].floor] as const).map(async ({ subject, calls }) => {
        const call = (await calls())()
        if (!call) throw new Error(`${name} has no call`)
        const reply = await subject.client.send(call)
        const { data } = JSON.parse(reply.body.toString()) as { data?: { records: readonly { id: string }[]; total: number } }
        return { status: reply.status, ids: data?.records.map(record => record.id), total: data?.total }
      }),
    )
    if (JSON.stringify(answers[0]) !== JSON.stringify(answers[1]) || answers[0]?.ids?.length === 0)
      throw new Error(`product and floor differ on ${name}: ${JSON.stringify(answers)}`)
  }
  // Sessions and plans of both are warm before anything counts.
  await burst(
    product.client,
    () => ({ method: 'GET', path: `/api/blade-signup/examine/getExamUnits?examId=${world.examId}`, headers: headersOf(world.staff) }),
    { wallMs: 300, connections: 8 },
  )
  await burst(
    floor.client,
    () => ({ method: 'GET', path: `/score?tenant=${world.tenantId}&exam=${world.examId}&user=${world.passed[0]?.userId}` }),
    { wallMs: 300, connections: 8 },
  )
}

const main = async (): Promise<void> => {
  const options = parseOptions(process.argv.slice(2))
  if (!hasProc) throw new Error('The benchmark reads CPU times from /proc and so needs Linux.')
  const pace: Pace = options.quick ? { rounds: 3, segmentMs: 600 } : { rounds: 5, segmentMs: 1_000 }
  const began = performance.now()
  const cluster = await startCluster()
  const figures: Figure[] = []
  const add = (made: readonly Figure[]): void => {
    for (const figure of made) say(printed(figure))
    figures.push(...made)
  }
  try {
    await runWorks(cluster, { options, pace, segmentPeople: options.quick ? 120 : 300, add })
    const settings = `${options.rows.toLocaleString('en')} sign-ups; ${pace.rounds} rounds of ${pace.segmentMs / 1000} s each; whole run ${seconds(began)}`
    const text = markdown({ machine: machineData(cluster.version), settings, figures })
    const isWhole =
      !options.quick && !options.dry && options.profileDir === undefined && process.argv.every(argument => argument !== '--only')
    if (isWhole) await writeFile(new URL('../docs/bench.md', import.meta.url), text)
    process.stdout.write(`${text}\n`)
    say(isWhole ? `written to ${join('docs', 'bench.md')}` : 'docs/bench.md is left as it is (a part, a quick or a dry run)')
  } catch (error) {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error))
    process.exitCode = 1
  } finally {
    await cluster.stop()
  }
}

await main().catch((error: unknown) => {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error))
  process.exitCode = 1
})
