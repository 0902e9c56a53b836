import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Answer, type CallOptions, type Person, startTestApp, type TestApp, type TestTenant, testCaptcha } from '../support/app.ts'
import { buildExam } from '../support/factories.ts'
import { sealFor, staffWithPassword, testPassword } from '../support/login.ts'
import { operateCommand } from '../support/operate-docs.ts'

let t: TestApp
let tenant: TestTenant
let other: TestApp
beforeAll(async () => {
  t = await startTestApp({ waitingRoom: 'on' })
  other = await t.beside()
})
afterAll(() => t.close())
beforeEach(async () => {
  tenant = await t.tenant()
  await pass(1)
})

/** So many seconds go by, on both instances. */
const pass = async (seconds: number): Promise<void> => {
  for (let second = 0; second < seconds; second += 1) {
    t.clock.advance(1_000)
    other.clock.set(t.clock.now())
    await t.app.admission.room.tick()
    await other.app.admission.room.tick()
  }
}

type Caller = Pick<Person, 'get' | 'post'>
/** A browser: it sends back the cookies that it gets. */
const browser = (caller: Caller, userAgent = 'Browser/1', from: Readonly<Record<string, string>> = {}) => {
  const cookies = new Map(Object.entries(from))
  const call =
    (method: 'get' | 'post') =>
    async (path: string, options: CallOptions = {}, through: Caller = caller): Promise<Answer> => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const answer = await through[method](path, { ...options, headers: { ...options.headers, cookie, 'user-agent': userAgent } })
      for (const line of [answer.headers['set-cookie'] ?? []].flat() as string[]) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        cookies.set(name, value)
      }
      return answer
    }
  return { get: call('get'), post: call('post'), cookies, place: () => cookies.get('kaopu-place') ?? '' }
}
type Browser = ReturnType<typeof browser>

const captchaPath = '/blade-auth/oauth/captcha'
const logIn = async (at: Browser, account: string, password = testPassword): Promise<Answer> => {
  const { key } = (await at.get(captchaPath)).body
  return at.post('/blade-auth/oauth/token', {
    form: { grant_type: 'captcha', username: account, password: sealFor(t, password), key, code: testCaptcha },
  })
}
const candidateWithPassword = async (): Promise<Person & { account: string }> => {
  const person = await tenant.candidate()
  const hash = await t.app.services.passwords.hash(testPassword)
  const [row] = await tenant.db(async db => {
    await db.run(sql`update account set password_hash = ${hash} where id = ${person.userId}`)
    return db.all(sql<{ account: string }>`select account from account where id = ${person.userId}`)
  })
  return { ...person, account: row?.account ?? '' }
}
const waits = (answer: Answer) => ({ status: answer.status, reason: answer.body.reason, position: answer.body.data?.position })

describe('a waiting room in front of the first steps', () => {
  test('who arrives gets a position and a time, is let in in turn, and keeps the place over reloads and on another instance', async () => {
    const first = browser(t.anonymous(tenant.tenantId))
    const second = browser(other.anonymous(tenant.tenantId))
    const answer = await first.get(captchaPath)
    expect(waits(answer)).toEqual({ status: 503, reason: 'kernel/waiting-room', position: 1 })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect(answer.body.data).toEqual({ position: 1, waitSeconds: expect.any(Number), askAgainMs: expect.any(Number) })
    expect(answer.body.msg).toContain('前面还有 0 人')
    expect((await second.get(captchaPath, { language: 'en' })).body.msg).toContain('in the queue')
    const place = first.place()
    expect(await first.get(captchaPath).then(waits)).toMatchObject({ status: 503 })
    expect(first.place()).toBe(place)
    await pass(10)
    // The instance that drew the ticket is not needed any more.
    expect((await first.get(captchaPath, {}, other.anonymous(tenant.tenantId))).status).toBe(200)
    expect((await second.get(captchaPath)).status).toBe(200)
    // In, and so for the steps that follow.
    expect(first.place()).toMatch(/^p\./)
    expect((await first.get(captchaPath)).status).toBe(200)
  })

  test('who watches sees how many wait, at what pace they go in and how many processes there are', async () => {
    for (let person = 0; person < 3; person += 1) await browser(t.anonymous(tenant.tenantId)).get(captchaPath)
    await pass(1)
    const { body } = await t.app.server.inject({ method: 'GET', url: '/metrics' })
    const told = (name: string) => body.split('\n').filter(line => line.startsWith(`kaopu_waiting_room_${name}`))
    const { waiting, active, rate } = t.app.admission.room.gauges()
    expect(waiting).toBeGreaterThan(0)
    expect(rate).toBeGreaterThan(0)
    expect([...told('open'), ...told('people'), ...told('rate'), ...told('instances')]).toEqual([
      'kaopu_waiting_room_open 1',
      `kaopu_waiting_room_people{state="waiting"} ${waiting}`,
      `kaopu_waiting_room_people{state="inside"} ${active}`,
      `kaopu_waiting_room_rate ${rate}`,
      'kaopu_waiting_room_instances 2',
    ])
    await pass(10)
  })

  test('a place is of no use changed, in another browser, or for a second account', async () => {
    const people = [await candidateWithPassword(), await candidateWithPassword()] as const
    const drawn = browser(t.anonymous(tenant.tenantId))
    await drawn.get(captchaPath)
    await pass(10)
    const copy = { 'kaopu-place': drawn.place() }
    expect(await browser(t.anonymous(tenant.tenantId), 'Browser/2', copy).get(captchaPath).then(waits)).toMatchObject({ status: 503 })
    const changed = { 'kaopu-place': drawn.place().replace(/\.[^.]+\./, '.abcdefghijklmnop.') }
    expect(await browser(t.anonymous(tenant.tenantId), 'Browser/1', changed).get(captchaPath).then(waits)).toMatchObject({ status: 503 })

    expect((await logIn(drawn, people[0].account)).status).toBe(200)
    const friend = browser(t.anonymous(tenant.tenantId), 'Browser/1', copy)
    const answer = await logIn(friend, people[1].account)
    expect(waits(answer)).toMatchObject({ status: 503, reason: 'kernel/waiting-room' })
    expect(answer.body.access_token).toBeUndefined()
    expect(friend.place()).toMatch(/^t\./)
    // The friend has a place of their own now, and the first one is still in.
    await pass(10)
    expect((await logIn(friend, people[1].account)).status).toBe(200)
    expect((await logIn(drawn, people[0].account)).status).toBe(200)
  })

  test('who is inside goes on without a place: saving, uploading and what they read; opening another form waits', async () => {
    const { examId } = await buildExam(tenant)
    const person = await tenant.candidate()
    const at = browser(person)
    const open = () => at.get('/blade-signup/signup/getExamInfoOrSignUpInfo', { query: { examId } })
    expect(await open().then(waits)).toMatchObject({ status: 503, reason: 'kernel/waiting-room' })
    expect((await at.get('/blade-signup/signup/myExamList')).status).toBe(200)
    expect((await at.get('/blade-signup/signup/examList')).status).toBe(200)
    expect(await open().then(waits)).toMatchObject({ status: 503 })
    const saved = await at.post('/blade-signup/signup/submit', { json: { examId, submitType: 0, content: { name: '王测' } } })
    expect(saved.status).toBe(200)
    // A draft that is being filled in is a place.
    expect(at.place()).toMatch(/^p\./)
    expect((await open()).status).toBe(200)
    // A pass says whose it is: in the hands of somebody else it is none.
    const stranger = browser(await tenant.candidate(), 'Browser/1', { 'kaopu-place': at.place() })
    expect(await stranger.get('/blade-signup/signup/getExamInfoOrSignUpInfo', { query: { examId } }).then(waits)).toMatchObject({
      status: 503,
    })
    // Half an hour without a word, and they have left.
    await pass(1)
    t.clock.advance(31 * 60_000)
    await pass(1)
    expect(await open().then(waits)).toMatchObject({ status: 503 })
  })

  test('staff are not held up: sessions, browsers that have logged in before, and a log-in of their own that lets no candidate in', async () => {
    const staff = await staffWithPassword(t, tenant, 'admin')
    const candidate = await candidateWithPassword()
    expect((await staff.get('/blade-system/user/info')).status).toBe(200)

    const at = browser(t.anonymous(tenant.tenantId))
    expect(await at.get(captchaPath).then(waits)).toMatchObject({ status: 503 })
    const desk = async (of: Browser) => {
      const page = await t.app.server.inject({ method: 'GET', url: '/waiting/staff', headers: { 'user-agent': 'Browser/1' } })
      expect([page.statusCode, page.headers['location']]).toEqual([303, '/login'])
      of.cookies.set('kaopu-staff', /kaopu-staff=([^;]+)/.exec(String(page.headers['set-cookie']))?.[1] ?? '')
    }
    await desk(at)
    expect((await logIn(at, staff.account)).status).toBe(200)
    expect(at.cookies.get('kaopu-staff')).toMatch(/^s\./)
    // Known from now on.
    expect((await logIn(at, staff.account)).status).toBe(200)

    const cheat = browser(t.anonymous(tenant.tenantId))
    await desk(cheat)
    expect((await cheat.get(captchaPath)).status).toBe(200)
    const answer = await logIn(cheat, candidate.account)
    expect([answer.status, answer.body.reason, answer.body.access_token]).toEqual([503, 'kernel/waiting-room', undefined])
    // Five calls a second and no more.
    const crowd = browser(t.anonymous(tenant.tenantId), 'Browser/1', { 'kaopu-staff': cheat.cookies.get('kaopu-staff') ?? '' })
    const answers = []
    for (let call = 0; call < 8; call += 1) answers.push((await crowd.get(captchaPath)).status)
    expect(answers.filter(status => status === 503).length).toBeGreaterThan(2)
  })

  test('says in the page and in the call for it where somebody stands; the page works without its script and goes on to this site alone', async () => {
    const ask = (url: string, cookie = '', language = 'zh-CN') =>
      t.app.server.inject({ method: 'GET', url, headers: { 'user-agent': 'Browser/1', cookie, 'accept-language': language } })
    const page = await ask('/waiting?to=%2Fsignup%2FexamList')
    expect([page.statusCode, page.headers['cache-control'], page.headers['x-robots-tag']]).toEqual([200, 'no-store', 'noindex'])
    const cookie = /kaopu-place=[^;]+/.exec(String(page.headers['set-cookie']))?.[0] ?? ''
    expect(String(page.headers['set-cookie'])).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200$/)
    expect(page.body).toContain('<html lang="zh-CN">')
    expect(page.body).toMatch(
      /<noscript><meta http-equiv="refresh" content="\d+;url=\/waiting\?to=%2Fsignup%2FexamList&amp;lang=zh"><\/noscript>/,
    )
    expect(page.body).toContain('role="status" aria-live="polite"')
    expect(page.body.length).toBeLessThan(8_000)
    expect((await ask('/waiting', cookie, 'en')).body).toContain('<h1>Waiting room</h1>')
    expect((await ask('/waiting?to=https%3A%2F%2Fevil.example', cookie)).body).not.toContain('evil')
    expect((await ask('/waiting?to=%2F%2Fevil.example', cookie)).body).not.toContain('evil')
    expect((await ask('/api/place', cookie)).json()).toEqual({
      isIn: false,
      position: expect.any(Number),
      waitSeconds: expect.any(Number),
      waitText: expect.stringMatching(/^预计/),
      askAgainMs: expect.any(Number),
      asOf: expect.stringMatching(/^\d\d:\d\d:\d\d$/),
    })
    await pass(10)
    expect((await ask('/api/place', cookie)).json()).toEqual({ isIn: true })
    expect((await ask('/waiting?to=%2Fsignup%2FexamList', cookie)).body).toContain(
      '<noscript><meta http-equiv="refresh" content="0;url=/signup/examList"></noscript>',
    )
  })

  test('the command of the paper says where somebody would stand', async () => {
    const address = await t.app.server.listen({ port: 0, host: '127.0.0.1' })
    const { stdout } = await promisify(execFile)('sh', ['-c', operateCommand('rush-look', { 'https://exam.example.cn': address })])
    expect(JSON.parse(stdout)).toMatchObject({ isIn: false, position: expect.any(Number) })
  })
})
