import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createOffsetClock } from '#kernel/clock.ts'
import { sql } from '#kernel/db/sql.ts'
import { neverHeld } from '#kernel/hold.ts'
import { createServer } from '#kernel/http/server.ts'
import { mountDemo } from '#server/demo/mount-demo.ts'
import { createDemoOauth } from '#server/demo/oauth.ts'
import { type Person, startTestApp, type TestApp, testStart } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { emulatorOf, exam, openCode, payScene } from '../../support/pay.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(() => t.clock.set(testStart))

const read = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await t.app.server.inject({ method: 'GET', url: path, headers })
  return { status: answer.statusCode, headers: answer.headers, text: answer.body }
}
const press = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  t.app.server.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(form).toString(),
  })
const cookieOf = (person: Person) => ({ cookie: `kaopu-access-token=${person.token}` })

describe("the payer's phone, /demo/wxpay", () => {
  test('shows amount and purpose without a login or a script, and pays by a button', async () => {
    const scene = await payScene(t, { exam: { exam_name: '<b>招聘</b> & "考试"' } })
    const { person, payId } = await scene.payer()
    const { body } = await person.get(`${exam}/getPayQrcode`, { query: { payId } })
    const { codeUrl, demoPayUrl, orderNo } = body.data
    const page = await read(demoPayUrl)
    expect(page.status).toBe(200)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers['content-security-policy']).toContain("form-action 'self'")
    expect(page.text).toContain('¥ 100.00')
    expect(page.text).toContain('&lt;b&gt;招聘&lt;/b&gt; &amp; &quot;考试&quot;-报名费')
    expect(page.text).toContain('>支付</button>')
    expect(page.text).not.toMatch(/<script|src=|https?:\/\//)
    // Whoever reads the portal in English comes to an English page; a scanned code carries no language, so the browser's counts.
    const english = await person.get(`${exam}/getPayQrcode`, { query: { payId }, language: 'en' })
    expect((await read(english.body.data.demoPayUrl)).text).toContain('>Pay</button>')
    const scanned = `/demo/wxpay?code_url=${encodeURIComponent(codeUrl)}`
    expect((await read(scanned, { 'accept-language': 'en' })).text).toContain('>Pay</button>')

    const pressed = await press('/demo/wxpay', { code_url: codeUrl, lang: 'zh' })
    expect(pressed.statusCode).toBe(303)
    const after = await read(String(pressed.headers.location))
    expect(after.text).toContain('支付成功')
    expect(after.text).not.toContain('<button')
    await (await emulatorOf(t)).emulator.runDue()
    const { body: order } = await person.get(`${exam}/checkOrder`, { query: { orderNo } })
    expect(order.data.state).toBe(2)
  })

  test('an unknown code is 404, a closed one cannot be paid', async () => {
    expect((await read('/demo/wxpay?code_url=weixin%3A%2F%2Fnobody')).status).toBe(404)
    const scene = await payScene(t)
    const { person, payId } = await scene.payer()
    const { orderNo, codeUrl } = await openCode(person, payId)
    await person.post(`${exam}/closePayOrder`, { json: { orderNo } })
    const { text } = await read(`/demo/wxpay?code_url=${encodeURIComponent(codeUrl)}`)
    expect(text).toContain('订单已关闭')
    expect(text).not.toContain('<button')
  })
})

describe('pages for administrators', () => {
  test('are refused to everybody else', async () => {
    const scene = await payScene(t)
    const candidate = await scene.tenant.candidate()
    for (const path of ['/demo/phone', '/demo/clock']) {
      expect((await read(path)).status).toBe(403)
      expect((await read(path, cookieOf(candidate))).status).toBe(403)
      expect((await read(path, cookieOf(scene.finance))).status).toBe(403)
    }
    expect((await press('/demo/clock', { phase: 'pay' }, cookieOf(scene.finance))).statusCode).toBe(403)
  })

  test("/demo/phone shows the own organisation's messages", async () => {
    const scene = await payScene(t)
    const other = await payScene(t)
    const { person } = await scene.payer()
    await scene.tenant.db(db =>
      t.app.modules.message.sendSmsTo(db, { userId: person.userId, examId: null }, 'refund-done', { amount: '100.00' }),
    )
    const admin = await scene.tenant.staff('admin')
    const { status, text } = await read('/demo/phone', cookieOf(admin))
    expect(status).toBe(200)
    expect(text).toContain('已退费 100.00 元，原路退回。')
    expect(text).toMatch(/160\*\*\*\*\d{4}/)
    const stranger = await other.tenant.staff('admin')
    expect((await read('/demo/phone', cookieOf(stranger))).text).toContain('还没有发送过短信')
  })

  test('[19.23] need what the console needs: no locked session opens them, and none that must change its password; the clock is the platform’s', async () => {
    const tenant = await t.tenant()
    const opened = async (person: Person) => [
      (await read('/demo/phone', cookieOf(person))).status,
      (await read('/demo/clock', cookieOf(person))).status,
    ]
    expect(await opened(await tenant.staff('admin'))).toEqual([200, 403])
    expect((await press('/demo/clock', { phase: 'real' }, cookieOf(await tenant.staff('administrator')))).statusCode).toBe(403)
    const operator = await t.platform().staff('administrator')
    expect(await opened(operator)).toEqual([200, 200])
    await t.platform().db(db => db.run(sql`update account set must_change_password = true where id = ${operator.userId}`))
    t.app.modules.auth.cache.dropAll()
    expect(await opened(operator)).toEqual([403, 403])
    const locked = await t.platform().staff('administrator')
    await t.platform().db(db => db.run(sql`update session set locked_at = app_now() where user_id = ${locked.userId}`))
    t.app.modules.auth.cache.dropAll()
    expect(await opened(locked)).toEqual([403, 403])
  })

  test('/demo/clock says when the clock cannot be moved', async () => {
    const admin = await t.platform().staff('admin')
    const { text } = await read('/demo/clock', cookieOf(admin))
    expect(text).toContain('2026-03-17 10:00:00')
    expect(text).toContain('不能移动')
  })

  test('/demo/clock moves the clock of the installation into a phase and back', async () => {
    const built = await buildExam(t.platform())
    const admin = await t.platform().staff('administrator')
    const clock = createOffsetClock(0, t.clock)
    const server = await createServer({
      clock,
      log: t.app.services.log,
      webRoot: undefined,
      isHttps: false,
      frameHosts: [],
      ready: () => true,
    })
    let moves = 0
    let place = ''
    mountDemo(server, {
      services: { ...t.app.services, clock },
      payments: (await emulatorOf(t)).payments,
      oauth: createDemoOauth(clock, neverHeld),
      authenticate: t.app.modules.auth.cache.authenticate,
      offsetClock: clock,
      afterMove: async () => {
        moves += 1
      },
    })
    const move = async (phase: string, headers: Record<string, string> = {}, examId = '') => {
      const answer = await server.inject({
        method: 'POST',
        url: '/demo/clock',
        headers: { ...cookieOf(admin), ...headers, 'content-type': 'application/x-www-form-urlencoded' },
        payload: `phase=${phase}&examId=${examId}`,
      })
      place = String(answer.headers.location)
      return [answer.statusCode, clock.now().toISOString()]
    }
    expect(await move('ticket')).toEqual([303, '2026-03-24T02:00:00.000Z'])
    expect(
      await t.app.services.scopes.asPlatform('a test looks', clock.now(), db =>
        db.all(sql`select value from installation where key = 'clock-offset-ms'`),
      ),
    ).toEqual([{ value: 7 * 86_400_000 }])
    expect(await move('exam')).toEqual([303, '2026-03-28T00:30:00.000Z'])
    expect(await move('pay')).toEqual([303, '2026-03-21T09:00:00.000Z'])
    expect(await move('score')).toEqual([303, '2026-04-04T02:30:00.000Z'])
    expect(await move('signUp')).toEqual([303, '2026-03-17T02:00:00.000Z'])
    expect(await move('nonsense')).toEqual([303, '2026-03-17T02:00:00.000Z'])
    expect(await move('ticket', { 'sec-fetch-site': 'cross-site' })).toEqual([403, '2026-03-17T02:00:00.000Z'])
    await move('exam')
    expect(await move('real')).toEqual([303, '2026-03-17T02:00:00.000Z'])
    expect(moves).toBe(7)

    // Another examination is chosen by its link, and stays chosen.
    const later = { sign_begin: '2026-05-01 09:00:00', sign_end: '2026-05-08 17:00:00', exam_no: 2 }
    const other = await buildExam(t.platform(), { exam: { ...later, exam_name: '另一场考试', exam_code: 'LATER' } })
    const { text } = await server.inject({ url: '/demo/clock', headers: cookieOf(admin) }).then(answer => ({ text: answer.body }))
    expect(text.match(/href="\/demo[^"]*"/g)).toEqual([`href="/demo/clock?examId=${built.examId}&amp;lang=zh"`])
    expect(await move('signUp', {}, built.examId)).toEqual([303, '2026-03-17T02:00:00.000Z'])
    expect(place).toBe(`/demo/clock?lang=zh&examId=${built.examId}`)
    expect(await move('signUp')).toEqual([303, '2026-05-01T02:00:00.000Z'])
    expect(place).toBe(`/demo/clock?lang=zh&examId=${other.examId}`)
    await move('real')
    await server.close()
  })
})
