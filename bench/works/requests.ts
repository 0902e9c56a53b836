import { randomUUID } from 'node:crypto'
import { sm2Encrypt } from '#kernel/crypto/sm2.ts'
import { hashToken, newToken } from '#kernel/crypto/token.ts'
import type { Cluster, Database } from '../cluster.ts'
import { burst, type Call } from '../load.ts'
import type { Subject, Variant } from '../measure.ts'
import { answersOf, type Holder, type Newcomer, type World } from '../seed.ts'

/** A seeded database with the product and the floor running on it. */
export interface Arena {
  readonly cluster: Cluster
  readonly database: Database
  readonly world: World
  readonly product: Subject
  readonly floor: Subject
}

const basic = `Basic ${Buffer.from('kaopu-web:kaopu-web').toString('base64')}`
export const headersOf = (holder: Holder): Record<string, string> => ({
  authorization: basic,
  'blade-auth': `bearer ${holder.token}`,
  'user-agent': 'bench',
})

const query = (path: string, values: Readonly<Record<string, string | number>>): string =>
  `${path}?${new URLSearchParams(Object.entries(values).map(([key, value]) => [key, String(value)]))}`

const always =
  (call: Call): (() => () => Call) =>
  () =>
  () =>
    call

/** Every element in turn, for ever. */
const cycle = <T>(items: readonly T[]): (() => T) => {
  let at = 0
  return () => {
    const item = items[at % items.length]
    at += 1
    if (item === undefined) throw new Error('nothing to take turns with')
    return item
  }
}

/** People are used up by signing up; each is handed out once. */
const takeNewcomers = (world: World): ((count: number) => Newcomer[]) => {
  let at = 0
  return count => {
    const taken = world.newcomers.slice(at, at + count)
    at += count
    if (taken.length < count) throw new Error('the newcomers are used up: fewer rounds, or more of them in the seed')
    return taken
  }
}

export const productSubmit = (world: World, person: Newcomer): Call => ({
  method: 'POST',
  path: '/api/blade-signup/signup/submit',
  headers: { ...headersOf(person), 'content-type': 'application/json', 'idempotency-key': randomUUID() },
  body: JSON.stringify({
    examId: world.examId,
    code: person.code,
    submitType: 1,
    promise: 1,
    content: answersOf(person.idCard, person.phone),
    fileIds: person.fileIds,
    signVersion: 0,
  }),
})

const floorSubmit = (world: World, person: Newcomer): Call => ({
  method: 'POST',
  path: '/create',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    tenant: world.tenantId,
    exam: world.examId,
    user: person.userId,
    code: person.code,
    content: answersOf(person.idCard, person.phone),
    files: Object.entries(person.fileIds).map(([fileKey, [fileId]]) => ({
      fileKey,
      fileId,
      name: `${fileKey}.jpg`,
      size: 182_331,
      mime: 'image/jpeg',
      sha256: 'a'.repeat(64),
      uploadTime: '2026-01-01 00:00:00',
    })),
  }),
})

/** As far back as page 5,000 where there are so many waiting. */
export const deepPageOf = (rows: number): number => Math.min(5_000, Math.floor((rows * 0.38) / 15))

type Pair = { readonly product: Variant; readonly floor: Variant }

/** The calls of product and floor for each kind of work. */
export const requestsOf = ({ cluster, database, world, product, floor }: Arena, segmentPeople: number) => {
  const examId = world.examId
  const newcomers = takeNewcomers(world)
  const staff = headersOf(world.staff)
  const bare = { tenant: world.tenantId, exam: examId }
  const listed = (values: Readonly<Record<string, string | number>>, headers = staff): Call => ({
    method: 'GET',
    path: query('/api/blade-signup/examine/getExamineList', { examId, ...values }),
    headers,
  })
  const get = (path: string, values: Readonly<Record<string, string | number>>): Call => ({
    method: 'GET',
    path: query(path, { ...bare, ...values }),
  })
  const pair = (a: Variant['calls'], b: Variant['calls']): Pair => ({
    product: { subject: product, calls: a },
    floor: { subject: floor, calls: b },
  })
  const detailOf = (id: string, holder: Holder): Call => ({
    method: 'GET',
    path: query('/api/blade-signup/signup/detail', { id }),
    headers: headersOf(holder),
  })
  const deepAt = (page: number, more: Readonly<Record<string, string>> = {}): Pair =>
    pair(always(listed({ level: 1, current: page, ...more })), always(get('/deep', { value: 'waiting', offset: (page - 1) * 10 })))
  const named = (more: Readonly<Record<string, string>>): Pair =>
    pair(always(listed({ keyword: world.namePart, ...more })), always(get('/list/name', { value: `%${world.namePart}%` })))
  const short = { product: listed({ level: 1, unit: world.smallUnit }), floor: get('/list/unit', { value: world.smallUnit }) }

  /** Sessions of these people are in the server's memory, as after the calls that lead to a submit. */
  const known = async (people: readonly Newcomer[]): Promise<void> => {
    const next = people.values()
    await burst(
      product.client,
      () => {
        const person = next.next().value
        return person && { method: 'GET', path: '/api/blade-signup/signup/myExamList', headers: headersOf(person) }
      },
      { wallMs: 10_000, connections: 8 },
    )
  }
  const each = <T>(items: readonly T[], call: (item: T) => Call): (() => Call | undefined) => {
    const next = items.values()
    return () => {
      const { value } = next.next()
      return value && call(value)
    }
  }
  const counted = (): ((make: (n: number) => Call) => () => Call) => {
    let n = 0
    return make => () => {
      n += 1
      return make(n)
    }
  }
  const distinct = counted()
  // An answer from memory is told by its parameters: each of these asks for a period that begins an hour before the last one's.
  const hourMs = 3_600_000
  const fromHour = (n: number): Date => new Date((Math.floor(Date.now() / hourMs) - 4 * 24 - n) * hourMs)
  const wireHour = (n: number): string => new Date(fromHour(n).getTime() + 8 * hourMs).toISOString().slice(0, 19).replace('T', ' ')

  const ciphers = (count: number): string[] =>
    Array.from({ length: count }, () => sm2Encrypt(cluster.secrets.login.publicKey, world.logins[0]?.password ?? ''))
  const challenges = async (count: number): Promise<string[]> => {
    const keys = Array.from({ length: count }, () => newToken())
    await database.owner.query(
      `insert into login_challenge (tenant_id, key, kind, purpose, answer_hash, tries_max, ip, until, created_at)
       select $1, k, 'captcha', 'login', h, 1, '10.0.0.1', now() + interval '5 minutes', now() from unnest($2::text[], $3::text[]) as g(k, h)`,
      [world.tenantId, keys, keys.map(key => hashToken(`${key}|abcde`))],
    )
    return keys
  }
  const account = cycle(world.logins.map(login => login.account))

  const pairs = {
    list: pair(always(listed({ level: 1 })), always(get('/list/state', { value: 'waiting' }))),
    capped: pair(always(listed({ level: 1, count: 'capped' })), always(get('/list/state', { value: 'waiting' }))),
    narrowed: {
      product: { subject: product, calls: always(listed({ level: 1 }, headersOf(world.officer))) },
      floor: { subject: product, calls: always(listed({ level: 1 })) },
    },
    short: pair(always(short.product), always(short.floor)),
    deep: deepAt(deepPageOf(world.rows)),
    name: named({}),
    detail: pair(
      () => {
        const next = cycle(world.sample)
        return () => detailOf(next().signupId, world.staff)
      },
      () => {
        const next = cycle(world.sample)
        return () => get('/detail', { id: next().signupId, user: world.staff.userId })
      },
    ),
    own: pair(
      () => {
        const next = cycle(world.sample.slice(0, 200))
        return () => {
          const one = next()
          return detailOf(one.signupId, one)
        }
      },
      () => {
        const next = cycle(world.sample.slice(0, 200))
        return () => get('/detail', { id: next().signupId })
      },
    ),
    create: pair(
      async () => {
        const people = newcomers(segmentPeople)
        await known(people)
        return each(people, person => productSubmit(world, person))
      },
      () => each(newcomers(segmentPeople), person => floorSubmit(world, person)),
    ),
    score: pair(
      () => {
        const next = cycle(world.passed.slice(0, 200))
        return () => ({ method: 'GET', path: query('/api/blade-signup/score/getExamScore', { examId }), headers: headersOf(next()) })
      },
      () => {
        const next = cycle(world.passed.slice(0, 200))
        return () => get('/score', { user: next().userId })
      },
    ),
    mixed: pair(
      async () => {
        const people = newcomers(Math.ceil(segmentPeople / 2))
        await known(people)
        return mix(
          short.product,
          cycle(world.sample.map(one => detailOf(one.signupId, world.staff))),
          each(people, person => productSubmit(world, person)),
        )
      },
      () =>
        mix(
          short.floor,
          cycle(world.sample.map(one => get('/detail', { id: one.signupId, user: world.staff.userId }))),
          each(newcomers(Math.ceil(segmentPeople / 2)), person => floorSubmit(world, person)),
        ),
    ),
    login: pair(
      async () => {
        const sealed = ciphers(100)
        const keys = await challenges(100)
        return each(sealed, password => ({
          method: 'POST',
          path: '/api/blade-auth/oauth/token',
          headers: {
            ...{
              authorization: basic,
              'tenant-id': world.tenantId,
              'user-agent': 'bench',
              'content-type': 'application/x-www-form-urlencoded',
            },
            ...{ 'captcha-key': keys.pop() ?? '', 'captcha-code': 'abcde' },
          },
          body: new URLSearchParams({ grant_type: 'captcha', tenantId: world.tenantId, username: account(), password }).toString(),
        }))
      },
      () =>
        each(ciphers(100), password => ({
          method: 'POST',
          path: '/login',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ tenant: world.tenantId, account: account(), password }),
        })),
    ),
    statistics: pair(
      () =>
        distinct(n => ({
          method: 'GET',
          path: query('/api/blade-signup/statistics/getNumToLine', { examId, begin: wireHour(n) }),
          headers: staff,
        })),
      () => distinct(n => get('/timeline', { from: fromHour(n).toISOString(), until: new Date().toISOString() })),
    ),
    remembered: pair(always({ method: 'GET', path: query('/api/blade-signup/statistics/getNumToLine', { examId }), headers: staff }), () =>
      distinct(n => get('/timeline', { from: fromHour(n).toISOString(), until: new Date().toISOString() })),
    ),
  } as const satisfies Record<string, Pair>
  return {
    pairs,
    newcomers,
    asScreensAsk: (page: number) => ({ deep: deepAt(page, { count: 'capped' }), name: named({ count: 'capped' }) }),
  }
}

/** Seven short lists, two details, one sign-up. */
const mix = (list: Call, detail: () => Call, create: () => Call | undefined): (() => Call | undefined) => {
  let n = 0
  return () => {
    n += 1
    const place = n % 10
    return place === 9 ? create() : place >= 7 ? detail() : list
  }
}
