import { sm2Encrypt } from '#kernel/crypto/sm2.ts'
import { hashToken, newToken } from '#kernel/crypto/token.ts'
import type { Cluster } from '../cluster.ts'
import type { Call } from '../load.ts'
import { compare, type Pace, type Subject, subjectOf, type Variant } from '../measure.ts'
import { startProduct } from '../programs.ts'
import { comparedFigure, type Figure } from '../report.ts'
import { type SeededTenant, seedTenant, type TenantSize } from './tenant-seed.ts'

/** As many people to a department as in the large one: a page that is full there is full here. */
const small: TenantSize = { depts: 20, users: 3_000, menus: 0 }
const large: TenantSize = { depts: 2_000, users: 300_000, menus: 5_000 }
const quickLarge: TenantSize = { depts: 2_000, users: 30_000, menus: 5_000 }
const goal = 1.5

interface Stand {
  readonly tenant: SeededTenant
  readonly product: Subject
  close(): Promise<void>
}
type CallsOf = (stand: Stand) => Variant['calls']

const bearer = (token: string) => ({ 'blade-auth': `bearer ${token}`, 'user-agent': 'kaopu-bench' })
const get = (path: string, query: Readonly<Record<string, string | number>> = {}): string =>
  `/api${path}${Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))}`}`
/** The same call again and again, as the administrator. */
const always =
  (path: (tenant: SeededTenant) => string): CallsOf =>
  ({ tenant }) =>
  () => {
    const call: Call = { method: 'GET', path: path(tenant), headers: bearer(tenant.staff.token) }
    return () => call
  }

/** The list of users as its screen opens: staff, counted to a thousand. */
const users = (filter: (tenant: SeededTenant) => Readonly<Record<string, string | number>>): CallsOf =>
  always(tenant => get('/blade-system/user/page', { userType: 1, count: 'capped', ...filter(tenant) }))

/** Solved captchas, passwords sealed before the clock runs. */
const logins =
  (cluster: Cluster): CallsOf =>
  ({ tenant }) =>
  async () => {
    const count = 160
    const keys = Array.from({ length: count }, () => newToken())
    await tenant.database.owner.query(
      `insert into login_challenge (tenant_id, key, kind, purpose, answer_hash, tries_max, ip, until, created_at)
       select $1, k, 'captcha', 'login', h, 1, '10.0.0.1', now() + interval '5 minutes', now() from unnest($2::text[], $3::text[]) as g(k, h)`,
      [tenant.tenantId, keys, keys.map(key => hashToken(`${key}|abcde`))],
    )
    const calls = keys.map(
      (key, at): Call => ({
        method: 'POST',
        path: '/api/blade-auth/oauth/token',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          authorization: `Basic ${Buffer.from('kaopu-web:kaopu-web').toString('base64')}`,
          'tenant-id': tenant.tenantId,
          'user-agent': 'kaopu-bench',
        },
        body: new URLSearchParams({
          grant_type: 'captcha',
          username: tenant.logins[at % tenant.logins.length] ?? '',
          password: sm2Encrypt(cluster.secrets.login.publicKey, tenant.password),
          key,
          code: 'abcde',
        }).toString(),
      }),
    )
    // Connections that the server closed while this thread was sealing are noticed before one of them is used.
    await new Promise(go => setTimeout(go, 50))
    return () => calls.pop()
  }
/** Everybody with a session that has not been read for some seconds, or never. */
const unseen: CallsOf =
  ({ tenant }) =>
  () => {
    let at = 0
    return () => {
      at += 1
      const { token } = tenant.strangers[at % tenant.strangers.length] ?? tenant.staff
      return { method: 'GET', path: get('/blade-auth/oauth/user-info'), headers: bearer(token) }
    }
  }

const works = (cluster: Cluster): readonly (readonly [string, CallsOf])[] => [
  ['login', logins(cluster)],
  ['a session read anew', unseen],
  ['own menus', always(() => get('/blade-system/menu/routes'))],
  ['own buttons', always(() => get('/blade-system/menu/buttons'))],
  ['users, first page', users(() => ({ current: 1, size: 10 }))],
  ['all people, first page', always(() => get('/blade-system/user/page', { current: 1, size: 10, count: 'capped' }))],
  ['users of a department with all below it', users(({ branch }) => ({ deptId: branch.dept }))],
  ['users of one department', users(({ deptId }) => ({ deptId }))],
  ['users of a role', always(({ roleId }) => get('/blade-system/user/page', { roleId, count: 'capped' }))],
  ['users by family name', users(() => ({ realName: '王伟' }))],
  ['all people by family name', always(() => get('/blade-system/user/page', { realName: '王伟', count: 'capped' }))],
  ['all people by account', always(() => get('/blade-system/user/page', { account: 'u12', count: 'capped' }))],
  ['a user', always(({ userId }) => get('/blade-system/user/detail', { id: userId }))],
  ['departments, one level of the table', always(({ branch }) => get('/blade-system/dept/lazy-list', { parentId: branch.dept }))],
  ['departments, one level of the tree', always(({ branch }) => get('/blade-system/dept/lazy-tree', { parentId: branch.dept }))],
  ['a department', always(({ deptId }) => get('/blade-system/dept/detail', { id: deptId }))],
  ['menus, one level', always(({ branch }) => get('/blade-system/menu/lazy-list', { parentId: branch.menu }))],
  ['menus, a search', always(() => get('/blade-system/menu/lazy-list', { code: 'user_lock' }))],
  ['menus, a search by name', always(() => get('/blade-system/menu/lazy-list', { name: '角色' }))],
  ['departments, a search', always(({ deptName }) => get('/blade-system/dept/lazy-list', { deptName }))],
  ['roles', always(() => get('/blade-system/role/list'))],
  ['roles as a tree', always(() => get('/blade-system/role/tree'))],
  ['what a role holds', always(({ roleId }) => get('/blade-system/role/role-tree-keys', { roleIds: roleId }))],
  ['posts', always(() => get('/blade-system/post/list'))],
  ['parameters', always(() => get('/blade-system/param/list'))],
  ['dictionary, its first level', always(() => get('/blade-system/dict-biz/parent-list'))],
  ['people online', always(() => get('/blade-system/online/page', { count: 'capped' }))],
  ['log-ins', always(() => get('/blade-system/auth-log/page', { count: 'capped' }))],
  ['locks', always(() => get('/blade-system/auth-lock/page', { count: 'capped' }))],
]
/** Answers that hold a whole tree grow with it: they are compared by the node. */
const wholes: readonly (readonly [string, 'depts' | 'menus', (tenant: SeededTenant) => string])[] = [
  ['all departments as a tree, by the department', 'depts', () => get('/blade-system/dept/tree')],
  ['all menus and buttons to grant from, by the menu', 'menus', () => get('/blade-system/menu/grant-tree')],
]

/** Every list and tree of system administration, and the login, in a large tenant against the same in a small one. */
export const measureTenant = async (
  cluster: Cluster,
  settings: { readonly port: number; readonly quick: boolean; readonly pace: Pace; readonly say: (text: string) => void },
): Promise<Figure[]> => {
  const size = settings.quick ? quickLarge : large
  const open = async (name: string, of: TenantSize, port: number): Promise<Stand> => {
    const tenant = await seedTenant(cluster, name, of)
    settings.say(`${name}: ${of.depts} departments, ${of.users} people, ${tenant.menus} menus and buttons`)
    const product = subjectOf(await startProduct({ databaseUrl: tenant.database.url, dataDir: cluster.dataDir, port }), cluster.postmaster)
    return {
      ...{ tenant, product },
      close: async () => {
        product.client.close()
        await product.program.stop()
        await tenant.database.close()
      },
    }
  }
  const stands: Stand[] = []
  try {
    const few = await open('bench_few', small, settings.port + 20)
    stands.push(few)
    const many = await open('bench_many', size, settings.port + 30)
    stands.push(many)
    const figures: Figure[] = []
    const add = (figure: Figure): void => {
      figures.push({ ...figure, floor: `${figure.floor} in the small one` })
      settings.say(`${figure.work}: ${figure.ratio}`)
    }
    const title = (work: string): string =>
      `tenant of ${size.depts.toLocaleString('en')} departments, ${size.users.toLocaleString('en')} people, ${many.tenant.menus.toLocaleString('en')} menus: ${work}`
    for (const [work, calls] of works(cluster)) {
      const costs = await compare({ subject: many.product, calls: calls(many) }, { subject: few.product, calls: calls(few) }, settings.pace)
      add(comparedFigure(figures.length === 0 ? title(work) : `large tenant: ${work}`, costs, goal))
    }
    for (const [work, of, path] of wholes) {
      const calls = always(path)
      const costs = await compare({ subject: many.product, calls: calls(many) }, { subject: few.product, calls: calls(few) }, settings.pace)
      const nodes = of === 'depts' ? [size.depts, small.depts] : [many.tenant.menus, few.tenant.menus]
      const byNode = (list: typeof costs.a, count: number) =>
        list.map(cost => ({ ...cost, server: cost.server / count, database: cost.database / count, total: cost.total / count }))
      add(comparedFigure(`large tenant: ${work}`, { a: byNode(costs.a, nodes[0] ?? 1), b: byNode(costs.b, nodes[1] ?? 1) }, goal))
    }
    return figures
  } finally {
    for (const stand of stands) await stand.close()
  }
}
