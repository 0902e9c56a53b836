import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newToken } from '#kernel/crypto/token.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Answer, startTestApp, type TestApp, type TestTenant } from '../support/app.ts'
import { logInByPassword } from '../support/login.ts'
import { fuzzTimeoutMs, runTrials, tellTrials, trialsOf } from '../support/trials.ts'

let one: TestApp
/** A second process on the same database. */
let two: TestApp
let tenant: TestTenant
beforeAll(async () => {
  one = await startTestApp()
  two = await one.beside()
  tenant = await one.tenant()
})
afterAll(() => one.close())

const password = 'old river stone'
const account = async (change: string | null = null): Promise<string> => {
  const person = await tenant.staff('reviewer1')
  const hash = await one.app.services.passwords.hash(password)
  await tenant.db(db =>
    db.run(sql`update account set password_hash = ${hash}, status = coalesce(${change}::int, status) where id = ${person.userId}`),
  )
  const [row] = await tenant.rows(sql<{ account: string }>`select account from account where id = ${person.userId}`)
  return row?.account ?? ''
}
/** An attacker has many addresses: the limit of captchas for one of them must not be what answers here. */
const fromElsewhere = () => tenant.db(db => db.run(sql`update login_challenge set ip = '192.0.2.' || (random() * 250)::int`))
const logIn = (at: TestApp, username: string, plain: string, cookie = ''): Promise<Answer> =>
  logInByPassword(at, tenant.tenantId, username, plain, cookie === '' ? {} : { headers: { cookie } })

describe('V6: guessing passwords', () => {
  test(
    'thousands of wrong ones at once at two processes: at most ten are looked at, and then the right one is refused too',
    async () => {
      const name = await account()
      const looks = [one, two].map(app => vi.spyOn(app.app.services.passwords, 'verify'))
      const guesses = trialsOf({ quick: 100, long: 10_000 })
      const answers: string[] = []
      for (let sent = 0; sent < guesses; sent += 100) {
        const batch = Array.from({ length: 100 }, (_, i) =>
          logIn(i % 2 ? one : two, i % 3 ? name : ` ${name.toUpperCase()} `, `wrong ${sent + i}`),
        )
        for (const { status, body } of await Promise.all(batch)) answers.push(`${status} ${body.reason ?? ''}`)
        await fromElsewhere()
      }
      const looked = looks.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
      for (const spy of looks) spy.mockRestore()
      console.log(`V6 login race: ${guesses} wrong passwords at two processes, ${looked} looked at`)
      const others = answers.filter(answer => !/^400 auth\/(bad-credentials|account-locked|locked|invalid-grant)/.test(answer))
      tellTrials('V6 login race', guesses, others.length + Math.max(0, looked - 10))
      expect(others).toEqual([])
      expect(looked).toBeGreaterThan(0)
      expect(looked).toBeLessThanOrEqual(10)
      expect((await logIn(two, name, password)).status).not.toBe(200)
    },
    fuzzTimeoutMs,
  )
})

describe('V6: keeping somebody out', () => {
  test(
    'however many wrong passwords strangers send at two processes, the owner’s browser logs in, before, between and after',
    async () => {
      const name = await account()
      const known = String((await logIn(one, name, password)).headers['set-cookie']).match(/kaopu-device=[^;]+/)?.[0] ?? ''
      const owner = async (at: TestApp) => (await logIn(at, name, password, known)).status
      const guesses = trialsOf({ quick: 100, long: 10_000 })
      const seen: number[] = []
      for (let sent = 0; sent < guesses; sent += 50) {
        const [, status] = await Promise.all([
          Promise.all(Array.from({ length: 50 }, (_, i) => logIn(i % 2 ? one : two, name, `wrong ${sent + i}`))),
          owner(sent % 100 ? one : two),
        ])
        seen.push(status)
        await fromElsewhere()
      }
      const letIn = seen.filter(status => status === 200).length
      console.log(`V6 lock-out: ${guesses} wrong passwords of strangers, the owner let in ${letIn} of ${seen.length} times`)
      tellTrials('V6 lock-out', seen.length, seen.length - letIn)
      expect([...new Set(seen), await owner(two)]).toEqual([200, 200])
      expect((await logIn(one, name, password)).body.reason).toBe('auth/account-locked')
    },
    fuzzTimeoutMs,
  )
})

describe('V7: who has an account', () => {
  test(
    'an answer tells no difference between a name that exists and one that does not, and takes the same work',
    async () => {
      const name = await account()
      const wrong = await logIn(one, name, 'not this one')
      const unknown = await logIn(one, 'nobody-has-this', 'not this one')
      const said = ({ status, body: { traceId: _, ...body } }: Answer) => [status, body]
      expect(said(unknown)).toEqual(said(wrong))
      // Names that are there, that nobody has, that are closed and that wait to be let in, one of each in turn: what slows the machine slows all.
      const rounds = trialsOf({ quick: 2, long: 1_000 })
      const times = new Map<string, number[]>(['known', 'unknown', 'disabled', 'pending'].map(kind => [kind, []]))
      const telling: string[] = []
      for (let round = 0; round < rounds; round += 1) {
        const names = { known: await account(), unknown: `nobody-${round}`, disabled: await account('2'), pending: await account('0') }
        for (const [kind, each] of Object.entries(names)) {
          const began = performance.now()
          const answer = await logIn(one, each, 'not this one')
          times.get(kind)?.push(performance.now() - began)
          if (!isDeepStrictEqual(said(answer), said(wrong))) telling.push(`round ${round}, ${kind}: ${JSON.stringify(said(answer))}`)
        }
        await fromElsewhere()
      }
      tellTrials('V7 enumeration', rounds * times.size, telling.length)
      expect(telling).toEqual([])
      const medians = [...times].map(([kind, all]) => [kind, all.toSorted((x, y) => x - y)[all.length >> 1] ?? 0] as const)
      console.log(`V7 enumeration: ${rounds} names each, medians ${medians.map(([kind, ms]) => `${kind} ${ms.toFixed(2)} ms`).join(', ')}`)
      const [least, most] = [Math.min(...medians.map(([, ms]) => ms)), Math.max(...medians.map(([, ms]) => ms))]
      // Few rounds say nothing about a median.
      if (rounds >= 1_000) expect(most / least).toBeLessThan(1.05)
    },
    fuzzTimeoutMs,
  )

  test(
    'a name that is locked tells as little: one that nobody has is locked after as many tries, by the same words and the same work',
    async () => {
      const rounds = trialsOf({ quick: 2, long: 200 })
      const times = { known: [] as number[], unknown: [] as number[] }
      const telling: string[] = []
      for (let round = 0; round < rounds; round += 1) {
        const said: string[][] = []
        for (const [kind, name] of [['known', await account()] as const, ['unknown', `nobody-locked-${round}`] as const]) {
          const answers: string[] = []
          for (let tries = 0; tries < 7; tries += 1) {
            const began = performance.now()
            const { status, body } = await logIn(one, name, 'not this one')
            if (tries === 6) times[kind].push(performance.now() - began)
            const { traceId: _, ...rest } = body
            answers.push(JSON.stringify([status, rest]))
          }
          said.push(answers)
          await fromElsewhere()
        }
        if (!isDeepStrictEqual(said[0], said[1]))
          telling.push(`round ${round}: ${said.map(answers => answers.join(' ')).join(' against ')}`)
        else if (!said[0]?.at(-1)?.includes('auth/account-locked')) telling.push(`round ${round}: not locked, ${said[0]?.at(-1)}`)
      }
      tellTrials('V7 enumeration of locked names', rounds * 2, telling.length)
      expect(telling).toEqual([])
      const middle = (all: readonly number[]) => all.toSorted((x, y) => x - y)[all.length >> 1] ?? 0
      console.log(`V7 locked names: medians known ${middle(times.known).toFixed(2)} ms, unknown ${middle(times.unknown).toFixed(2)} ms`)
    },
    fuzzTimeoutMs,
  )
})

describe('V8: tokens', () => {
  test(
    'a token that is changed, cut, made up or of another kind opens nothing',
    async () => {
      await fromElsewhere()
      const person = await tenant.staff('reviewer1')
      const signed = await logIn(one, await account(), password)
      const refresh = String(signed.headers['set-cookie']).match(/kaopu-refresh-token=([\w-]+)/)?.[1] ?? ''
      expect(signed.body).toMatchObject({ token_type: 'bearer' })
      expect([(await person.get('/blade-system/user/info')).status, refresh.length]).toEqual([200, 43])
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
      const failures = await runTrials('V8 tokens', { quick: 300, long: 100_000 }, async random => {
        const at = random.int(person.token.length)
        const other = random.pick([...alphabet].filter(letter => letter !== person.token[at]))
        const token = random.pick([
          person.token.slice(0, at) + other + person.token.slice(at + 1),
          person.token.slice(0, at),
          person.token + other,
          person.token.toUpperCase() === person.token ? newToken() : person.token.toLowerCase(),
          newToken(),
          refresh,
          `${person.token}\u00a0`,
          "' or true --",
          '%',
          `${btoa('{"alg":"none"}')}.${btoa(`{"user_id":"${person.userId}"}`)}.`,
        ])
        const value = random.pick([`bearer ${token}`, token, `Bearer  ${token}`, `bearer ${token}, bearer ${token}`])
        const answer = await one.anonymous().get('/blade-system/user/info', {
          headers: random.oneIn(2)
            ? { 'blade-auth': value.replace(/[^\x20-\x7e]/g, '~') }
            : { cookie: `kaopu-access-token=${encodeURIComponent(token)}` },
        })
        // The last letter of 43 carries four bits only: two spellings of one token are the same bytes, and only the stored one may open.
        return answer.status === 401 ? undefined : `${value} → ${answer.status}`
      })
      expect(failures).toEqual([])
      expect((await person.get('/blade-system/user/info')).status).toBe(200)
    },
    fuzzTimeoutMs,
  )
})
