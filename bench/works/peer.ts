import { sm2Encrypt } from '#kernel/crypto/sm2.ts'
import { hashToken, newToken } from '#kernel/crypto/token.ts'
import type { Cluster } from '../cluster.ts'
import type { Call } from '../load.ts'
import {
  type Compared,
  type Cost,
  compare,
  cpuDuring,
  type Pace,
  type Subject,
  spread,
  subjectOf,
  type Variant,
  warmCalls,
} from '../measure.ts'
import { startFloor, startProduct } from '../programs.ts'
import { comparedFigure, type Figure, range } from '../report.ts'
import { recountRows } from '../seed.ts'
import { type SeededTenant, seedTenant } from './tenant-seed.ts'

interface Stand {
  readonly cluster: Cluster
  readonly tenant: SeededTenant
  readonly product: Subject
  readonly floor: Subject
}
/** As browsers ask. */
const bearer = (token: string) => ({
  'blade-auth': `bearer ${token}`,
  'user-agent': 'kaopu-bench',
  'accept-encoding': 'gzip, deflate, br, zstd',
})
const json = { 'content-type': 'application/json' }

/** The same call of the administrator again and again. */
const asked = ({ tenant, product }: Stand, path: string): Variant => {
  const call: Call = { method: 'GET', path: `/api${path}`, headers: bearer(tenant.staff.token) }
  return { subject: product, calls: () => () => call }
}
/** As a browser asks that holds the answer already. */
const askedAgain = async (stand: Stand, path: string): Promise<Variant> => {
  const { tenant, product } = stand
  const call: Call = { method: 'GET', path: `/api${path}`, headers: bearer(tenant.staff.token) }
  const tag = String((await product.client.send(call)).headers['etag'])
  const again: Call = { ...call, headers: { ...call.headers, 'if-none-match': tag } }
  return { subject: product, calls: () => () => again }
}
const bare = ({ tenant, floor }: Stand, path: string, more = ''): Variant => {
  const call: Call = { method: 'GET', path: `${path}?tenant=${tenant.tenantId}&user=${tenant.staff.userId}${more}` }
  return { subject: floor, calls: () => () => call }
}
const guest = ({ tenant, product }: Stand, path: string): Variant => {
  const call: Call = { method: 'GET', path, headers: { 'tenant-id': tenant.tenantId } }
  return { subject: product, calls: () => () => call }
}

/** Solved captchas, passwords sealed before the clock runs. */
const logins = ({ cluster, tenant, product }: Stand): Variant => ({
  subject: product,
  calls: async () => {
    const keys = Array.from({ length: 160 }, () => newToken())
    await tenant.database.owner.query(
      `insert into login_challenge (tenant_id, key, kind, purpose, answer_hash, tries_max, ip, until, created_at)
       select $1, k, 'captcha', 'login', h, 1, '10.0.0.1', now() + interval '5 minutes', now() from unnest($2::text[], $3::text[]) as g(k, h)`,
      [tenant.tenantId, keys, keys.map(key => hashToken(`${key}|abcde`))],
    )
    const calls = keys.map(
      (key, at): Call => ({
        ...{ method: 'POST', path: '/api/blade-auth/oauth/token' },
        headers: {
          ...{ 'content-type': 'application/x-www-form-urlencoded', 'tenant-id': tenant.tenantId, 'user-agent': 'kaopu-bench' },
          authorization: `Basic ${Buffer.from('kaopu-web:kaopu-web').toString('base64')}`,
        },
        body: new URLSearchParams({
          ...{ grant_type: 'captcha', username: tenant.logins[at % tenant.logins.length] ?? '', key, code: 'abcde' },
          password: sm2Encrypt(cluster.secrets.login.publicKey, tenant.password),
        }).toString(),
      }),
    )
    // Connections that the server closed while this thread was sealing are noticed before one of them is used.
    await new Promise(go => setTimeout(go, 50))
    return () => calls.pop()
  },
})

let posts = 0
const begun = Date.now().toString(36)
const insertPost = ({ tenant, product }: Stand): Variant => ({
  subject: product,
  calls: () => () => {
    posts += 1
    return {
      ...{ method: 'POST', path: '/api/blade-system/post/submit', headers: { ...bearer(tenant.staff.token), ...json } },
      body: JSON.stringify({ category: '1', postCode: `b${begun}${posts}`, postName: '测试职务', sort: 1 }),
    }
  },
})
const bareInsert = ({ tenant, floor }: Stand): Variant => ({
  subject: floor,
  calls: () => () => ({
    ...{ method: 'POST', path: '/post', headers: json },
    body: JSON.stringify({ tenant: tenant.tenantId, user: tenant.staff.userId }),
  }),
})

/** Judged by milliseconds of CPU and not by the floor: what the closest peer needs is a figure. */
const within = (figure: Figure, { a }: Compared, part: keyof Pick<Cost, 'total' | 'server' | 'database'>, most: number): Figure => ({
  ...figure,
  goal: `${part === 'total' ? '' : `${part} `}≤ ${most} ms`,
  met: spread(a.map(cost => cost[part])).median <= most,
})

/** A department changes, the process hears of it, and the whole tree is read anew. What counts is the reading: the change by itself is taken off. */
const freshTree = async (stand: Stand, pace: Pace): Promise<Compared> => {
  const { tenant, product, floor } = stand
  const changes = async (subject: Subject, call: Call | undefined): Promise<Pick<Cost, 'server' | 'database'>> => {
    const many = 40
    const { server, database } = await cpuDuring(subject, async () => {
      for (let n = 0; n < many; n += 1) {
        await tenant.database.owner.query('update dept set sort = sort + 1 where tenant_id = $1 and id = $2', [
          tenant.tenantId,
          tenant.deptId,
        ])
        await new Promise(heard => setTimeout(heard, 20))
        if (call) await subject.client.send(call)
      }
    })
    const per = 1000 / many
    return { server: server * per, database: database * per }
  }
  const once = async (subject: Subject, call: Call): Promise<Cost> => {
    const alone = await changes(subject, undefined)
    const both = await changes(subject, call)
    const [server, database] = [both.server - alone.server, both.database - alone.database]
    return { server, database, total: server + database, perSecond: 0 }
  }
  const [call] = [{ method: 'GET', path: '/api/blade-system/dept/tree', headers: bearer(tenant.staff.token) } satisfies Call]
  const plain: Call = { method: 'GET', path: `/depts?tenant=${tenant.tenantId}` }
  const costs: { a: Cost[]; b: Cost[] } = { a: [], b: [] }
  for (let round = -warmRounds; round < pace.rounds; round += 1) {
    const [a, b] = [await once(product, call), await once(floor, plain)]
    if (round < 0) continue
    costs.a.push(a)
    costs.b.push(b)
  }
  return costs
}

const pagesPerSecond = 2_000
/** The peer was measured when its machine had compiled what it runs; so is the product, after `warmCalls` calls or so many log-ins. */
const warmLogins = 800
/** Rounds of forty, and forty without reading. */
const warmRounds = 5

interface PeerSettings {
  readonly port: number
  readonly quick: boolean
  readonly profileDir: string | undefined
  /** Which lines. */
  readonly line: RegExp
  readonly pace: Pace
  readonly say: (text: string) => void
}
const peopleOf = ({ quick }: PeerSettings): number => (quick ? 30_000 : 300_000)

/** System administration of a tenant of 2,000 departments and 300,000 people with 20,000 parameters. */
export const seedPeer = async (cluster: Cluster, settings: PeerSettings): Promise<SeededTenant> => {
  const people = peopleOf(settings)
  const tenant = await seedTenant(cluster, 'bench_peer', { depts: 2_000, users: 300, menus: 0 })
  const { owner } = tenant.database
  await owner.query('set session_replication_role = replica')
  // Bare accounts: what is measured here asks for all of them, not for names.
  await owner.query(
    `insert into account (tenant_id, account, account_key, user_type, nick_name, real_name, created_at)
     select $1::varchar, 'p' || g, 'p' || g, case when g % 10 = 0 then 1 else 2 end, '王测', '王测', now() - (g || ' seconds')::interval from generate_series(1, $2::int) g`,
    [tenant.tenantId, people],
  )
  await owner.query(
    `insert into param (tenant_id, param_name, param_key, param_value) select $1::varchar, '参数' || g, 'bench.p' || g, '1' from generate_series(1, 20000) g`,
    [tenant.tenantId],
  )
  await owner.query('set session_replication_role = origin')
  await recountRows(owner)
  await owner.query('vacuum (analyze)')
  settings.say(`bench_peer: ${people} people, 20,000 parameters`)
  return tenant
}

/** What the closest peer was measured at. */
export const measurePeer = async (cluster: Cluster, tenant: SeededTenant, settings: PeerSettings): Promise<Figure[]> => {
  const { pace, say } = settings
  const people = peopleOf(settings)
  const { url } = tenant.database
  const product = subjectOf(
    await startProduct({ databaseUrl: url, dataDir: cluster.dataDir, port: settings.port + 60, profileDir: settings.profileDir }),
    cluster.postmaster,
  )
  const floor = subjectOf(await startFloor(url, cluster.dataDir, settings.port + 61), cluster.postmaster)
  const stand: Stand = { cluster, tenant, product, floor }
  const figures: Figure[] = []
  const add = (figure: Figure): void => {
    say(`${figure.work}: ${figure.product} | ${figure.floor} | ${figure.ratio} | ${figure.goal}`)
    figures.push(figure)
  }
  const milliseconds = async (work: string, a: Variant, b: Variant, most: number): Promise<void> => {
    const costs = await compare(a, b, pace, { warmUp: warmCalls })
    add(within(comparedFigure(work, costs, undefined), costs, 'total', most))
  }
  const treePath = '/blade-system/dept/tree'
  const lines: Readonly<Record<string, (work: string) => Promise<void>>> = {
    'whole tree of 2,000 departments, unchanged since it was read': async work =>
      milliseconds(work, await askedAgain(stand, treePath), bare(stand, '/depts'), 0.1),
    'whole tree of 2,000 departments, from memory': work => milliseconds(work, asked(stand, treePath), bare(stand, '/depts'), 0.9),
    'whole tree of 2,000 departments, after a change': async work => {
      const fresh = await freshTree(stand, pace)
      add(within(comparedFigure(work, fresh, undefined), fresh, 'total', 4))
    },
    'own menu routes': work => milliseconds(work, asked(stand, '/blade-system/menu/routes'), bare(stand, '/menus', '&value=1'), 0.3),
    'own buttons': work => milliseconds(work, asked(stand, '/blade-system/menu/buttons'), bare(stand, '/menus', '&value=2'), 0.3),
    'log-in': async work => {
      const entered = await compare(logins(stand), bare(stand, '/hash'), pace, { warmUp: warmLogins })
      const ratios = spread(entered.a.map((cost, at) => cost.server / (entered.b[at]?.server ?? Number.NaN)))
      const login = comparedFigure(`${work} against its hash alone: CPU of the server`, entered, undefined)
      add({ ...login, ratio: range(ratios, '×'), goal: '≤ 1.05×', met: ratios.median <= 1.05 })
      add(within({ ...login, work: `${work}: CPU of the database`, ratio: '' }, entered, 'database', 1.2))
      const rate = spread(entered.a.map(cost => 2_000 / cost.total))
      add({
        ...{ work: 'log-ins a second that two cores have CPU for', product: range(rate), ratio: '' },
        ...{ goal: '≥ 150', met: rate.median >= 150 },
        floor: `${range(spread(entered.b.map(cost => 2_000 / cost.total)))} hashes alone`,
      })
    },
    [`people, page 1 with the exact total of ${people.toLocaleString('en')}`]: work =>
      milliseconds(work, asked(stand, '/blade-system/user/page?current=1&size=10'), bare(stand, '/page/users'), 40),
    'parameters, page 1 of 20,000': work =>
      milliseconds(work, asked(stand, '/blade-system/param/list?current=1&size=10'), bare(stand, '/page/params'), 1),
    'a duty post is added, with its audit line': work => milliseconds(work, insertPost(stand), bareInsert(stand), 0.9),
    'portal: the first page’s notices, for a guest': work => views(work, '/api/blade-exam/examination/getIndexNotice'),
    'portal: the open examinations, for a guest': work => views(work, '/api/blade-signup/signup/examList?current=1&size=20'),
  }
  const views = async (work: string, path: string): Promise<void> => {
    const costs = await compare(guest(stand, path), bare(stand, '/portal'), pace, { warmUp: warmCalls })
    const rate = spread(costs.a.map(cost => 2_000 / cost.total))
    add({
      ...comparedFigure(work, costs, undefined),
      goal: `≥ ${pagesPerSecond} a second on two cores (${rate.median.toFixed(0)})`,
      met: rate.median >= pagesPerSecond,
    })
  }
  try {
    for (const [work, measure] of Object.entries(lines)) if (settings.line.test(work)) await measure(work)
    return figures
  } finally {
    for (const { client, program } of [product, floor]) {
      client.close()
      await program.stop()
    }
  }
}
