import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sm2Encrypt } from '#kernel/crypto/sm2.ts'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp, type TestTenant, testSms, testStart } from '../../support/app.ts'
import { testIdCard } from '../../support/id-card.ts'

let t: TestApp
let tenant: TestTenant
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(testStart)
  tenant = await t.tenant()
})

const guest = () => t.anonymous(tenant.tenantId)
const seal = async (plain: string): Promise<string> =>
  sm2Encrypt((await guest().get('/blade-auth/oauth/public-key')).body.data.publicKey, plain)
const phone = '16095000001'
const askCode = async (to = phone) => guest().post('/blade-auth/oauth/sms/send-validate', { form: { phone: await seal(to) } })
interface Sent {
  readonly part: string
  readonly name: string
  readonly bytes: Buffer
}
const register = async (smsId: string, of: { username?: string; serial?: number; to?: string; files?: readonly Sent[] } = {}) => {
  const fields = {
    ...{ username: of.username ?? 'wangce', realName: '李测', idCard: testIdCard(of.serial ?? 71), smsId, smsCode: testSms, consent: '1' },
    ...{ password: await seal('Sunny-river-27'), password2: await seal('Sunny-river-27'), phone: await seal(of.to ?? phone) },
  }
  return guest().post('/blade-system/user/register', { multipart: { fields, files: [...(of.files ?? [])] } })
}
const picture = () =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: '#36c' } })
    .jpeg()
    .toBuffer()
const accounts = () => tenant.rows(sql<{ account: string }>`select account from account where user_type = 2 order by id`)

describe('[S3.10] a registration that is refused', () => {
  test('gets no code for a number that cannot be one, neither of an id card nor of a passport', async () => {
    const ask = async (idCard: string, more: object = {}) =>
      (
        await guest().post('/blade-auth/oauth/sms/send-validate', {
          form: { phone: await seal(phone), idCard: await seal(idCard), ...more },
        })
      ).body
    const wrong = testIdCard(71).replace(/.$/, last => (last === '0' ? '1' : '0'))
    expect(await ask(wrong)).toMatchObject({ code: 400, data: { fields: [{ field: 'idCard', msg: '证件号码校验位错误' }] } })
    expect((await ask('E1', { idCardType: '4' })).data.fields.map((one: { field: string }) => one.field)).toEqual(['idCard'])
    expect(await tenant.rows(sql`select 1 from sms_message where tenant_id = ${tenant.tenantId}`)).toEqual([])
    expect((await ask(testIdCard(71))).code).toBe(200)
  })

  test('names each picture that cannot be taken, uses no code up, and goes through with the same code once they are mended', async () => {
    const { id } = (await askCode()).body.data
    const text = Buffer.from('a text, whatever its name says')
    const refused = await register(id, {
      files: [
        { part: 'cardFront', name: 'fake.jpg', bytes: text },
        { part: 'cardBack', name: 'back.jpg', bytes: await picture() },
        { part: 'avatar', name: 'me.png', bytes: text },
      ],
    })
    expect([refused.status, refused.body.data.fields]).toEqual([
      400,
      [
        { field: 'cardFront', msg: '文件类型或大小不符：只接受 jpg、png' },
        { field: 'avatar', msg: '文件类型或大小不符：只接受 jpg、png' },
      ],
    ])
    expect(await accounts()).toEqual([])
    const done = await register(id, { files: [{ part: 'cardFront', name: 'front.jpg', bytes: await picture() }] })
    expect([done.body.code, await accounts()]).toEqual([200, [{ account: 'wangce' }]])
    expect(await tenant.rows(sql`select name, owner_kind as kind from stored_file`)).toEqual([{ name: 'front.jpg', kind: 'account' }])
  })

  test('for an account name that somebody has keeps its code for another name; a code that made an account makes no second one', async () => {
    const first = (await askCode('16095000009')).body.data.id
    expect((await register(first, { username: 'taken', serial: 72, to: '16095000009' })).body.code).toBe(200)
    const { id } = (await askCode()).body.data
    expect((await register(id, { username: 'TAKEN' })).body.reason).toBe('auth/account-taken')
    expect((await register(id, { username: 'free' })).body.code).toBe(200)
    expect((await register(id, { username: 'second', serial: 73 })).body).toMatchObject({
      reason: 'auth/sms-code-over',
      data: {
        fields: [
          {
            field: 'smsCode',
            msg: '此验证码已失效：验证码只能在获取它的浏览器页面使用一次，5 分钟内有效，输错 5 次即作废。请在此处重新获取',
          },
        ],
      },
    })
    expect(await accounts()).toEqual([{ account: 'taken' }, { account: 'free' }])
  })
})

describe('[S7.11] one more code', () => {
  test('is refused with the time until it may be asked for: a minute after one, an hour after five, a day after ten', async () => {
    const refusal = async () => {
      const { status, body, headers } = await askCode()
      return [status, body.msg, body.data?.seconds, headers['retry-after']]
    }
    expect((await askCode()).status).toBe(200)
    t.clock.advance(18_000)
    expect(await refusal()).toEqual([429, '每分钟只发送一条短信验证码，请 42 秒后再获取', 42, '42'])
    for (let more = 0; more < 4; more += 1) {
      t.clock.advance(60_000)
      expect((await askCode()).status).toBe(200)
    }
    t.clock.advance(60_000)
    const full = '此号码的验证码已发满（不论由谁获取，每小时 5 条、每天 10 条）'
    const instead = '；已有账号的，现在可用密码登录，或在以前登录过的浏览器中获取'
    expect(await refusal()).toEqual([429, `${full}，请 55 分钟后再获取${instead}`, 3_282, '3282'])
    t.clock.advance(3_600_000)
    for (let more = 0; more < 5; more += 1) {
      expect((await askCode()).status).toBe(200)
      t.clock.advance(60_000)
    }
    t.clock.advance(3_600_000)
    expect((await refusal()).slice(0, 2)).toEqual([429, `${full}，请 22 小时后再获取${instead}`])
  })
})
