import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { base } from '../../support/administering.ts'
import { type Person, startTestApp, type TestApp, type TestTenant, testCaptcha } from '../../support/app.ts'
import { sealFor, staffWithPassword, testPassword } from '../../support/login.ts'
import { workbook } from '../../support/workbook.ts'

let t: TestApp
let tenant: TestTenant
let admin: Person
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  admin = await tenant.staff('admin')
})
afterAll(() => t.close())

const wide = (text: string): string => text.replace(/[!-~]/g, char => String.fromCharCode(char.charCodeAt(0) + 0xfee0))

/** What somebody typed or copied, and what it means; `no` tells the accounts apart. */
const typedAs = [
  [
    'as it is meant',
    (no: string) => ({ account: `typed.${no}`, realName: '王小明', email: `a${no}@example.com`, phone: `139123456${no}`, name: '小明' }),
  ],
  [
    'in full width and in groups',
    (no: string) => ({
      account: wide(`typed.${no}`),
      realName: '王　小明',
      email: wide(`a${no}@example.com`),
      phone: `＋８６ １３９－１２３４－５６${wide(no)}`,
      name: '　小明　',
    }),
  ],
  [
    'with what cannot be seen',
    (no: string) => ({
      account: `\u200Etyped.\u00AD${no}\uFEFF`,
      realName: '\u202E王\u200B小\u{E0100}明\u2066',
      email: `a${no}\u200B@example.com\t`,
      phone: `\u202A0086 139 1234\u00A056${no}\u202C`,
      name: '\u00A0小\u2060明\uFE0F\u00AD',
    }),
  ],
  [
    'in lines and parts',
    (no: string) => ({
      account: `\ntyped.${no}\r\n`,
      realName: '王\t小明\u2028',
      email: `\u3000a${no}@example.com\u0007`,
      phone: `(+86)139.1234.56${no}\n`,
      name: '小明\u0085',
    }),
  ],
] as const

type Values = ReturnType<(typeof typedAs)[number][1]>
const header = ['账号*', '姓名*', '昵称', '手机', '邮箱', '角色*', '部门', '职务', '用户编号', '单位编码', '出生日期']
const entrances = {
  json: ({ phone, ...values }: Values) => admin.post('/blade-system/user/submit', { json: { ...values, phone: sealFor(t, phone) } }),
  form: ({ phone, ...values }: Values) => admin.post('/blade-system/user/submit', { form: { ...values, phone: sealFor(t, phone) } }),
  query: ({ phone, ...values }: Values) => admin.post('/blade-system/user/submit', { query: { ...values, phone: sealFor(t, phone) } }),
  workbook: async ({ account, realName, name, phone, email }: Values) =>
    admin.post(`${base}/import-user`, {
      multipart: {
        // The fields of a form with files too.
        fields: { mode: ' commit\u200B', policy: '\u00A0all' },
        files: [
          {
            part: 'file',
            name: '人员.xlsx',
            bytes: await workbook([header, [account, realName, name, phone, email, '初审员', '', '', '', '', '']]),
          },
        ],
      },
    }),
}

describe('[21.3] what is stored is what was meant, through whichever entrance it came', () => {
  const cases = Object.entries(entrances).flatMap(([way, send]) =>
    // A break in a cell of one line may be two values, so a workbook has it refused.
    typedAs.filter(([how]) => way !== 'workbook' || how !== 'in lines and parts').map(([how, of]) => [how, way, send, of] as const),
  )
  test.each(cases)('%s, by %s', async (_how, _way, send, of) => {
    const no = String(cases.findIndex(one => one[2] === send && one[3] === of) + 10)
    const meant = typedAs[0][1](no)
    const answer = await send(of(no))
    expect([answer.status, answer.body.code, answer.body.msg]).toEqual([200, 200, answer.body.msg])
    const rows = await tenant.rows(sql<{ index: string }>`
      select account, real_name as "realName", nick_name as name, email, phone_index as index from account where account_key = ${meant.account} `)
    const index = t.app.services.cipher.blindIndex(tenant.tenantId, 'phone', meant.phone)
    expect(rows).toEqual([{ account: meant.account, realName: meant.realName, name: meant.name, email: meant.email, index }])
  })

  test('the name of a log-in, its captcha, and the phone that a code is sent to', async () => {
    const person = await staffWithPassword(t, tenant, 'admin')
    const guest = t.anonymous(tenant.tenantId)
    const { key } = (await guest.get('/blade-auth/oauth/captcha')).body
    const answer = await guest.post('/blade-auth/oauth/token', {
      form: {
        grant_type: 'captcha',
        username: `\u200B${wide(person.account)} `,
        password: sealFor(t, testPassword),
        key,
        code: ` ${wide(testCaptcha.toUpperCase())}\u00A0`,
      },
    })
    expect(answer.body).toMatchObject({ account: person.account })
    expect((await guest.post('/blade-auth/oauth/sms/send-validate', { json: { phone: sealFor(t, '+86 138-0000-0009') } })).body.code).toBe(
      200,
    )
    expect(
      (await guest.post('/blade-auth/oauth/sms/send-validate', { json: { phone: sealFor(t, '+86 138-0000-000') } })).body,
    ).toMatchObject({
      code: 400,
      msg: '手机号码应为 11 位',
    })
  })

  test('a password is taken as it was typed, and refused when it could not be typed again', async () => {
    const add = (account: string, password: string) =>
      admin.post('/blade-system/user/submit', {
        json: { account, realName: '密码人', password: sealFor(t, password), password2: sealFor(t, password) },
      })
    expect((await add('secret.one', ' Ｑuiet lanterns 48 ')).body.code).toBe(200)
    expect((await add('secret.two', 'Quiet\u200B-lanterns-48')).body).toMatchObject({
      msg: '密码含有看不见的字符（如换行、零宽字符），请重新输入',
    })
    expect((await add('secret.two', 'Quiet-lanterns\n-48')).body.code).toBe(400)
  })

  test('a text of several lines keeps them, a text of one has none, pasted cells keep their tabs', async () => {
    const { id } = (
      await admin.post('/blade-system/dept/submit', {
        json: { deptName: '内\r\n科\u200B', fullName: '内科', deptCategory: 2, sort: 1, parentId: '0', remark: ' 第一行\r\n第\u00AD二行 ' },
      })
    ).body.data
    expect(await tenant.rows(sql<object>`select dept_name as name, remark from dept where id = ${id}`)).toEqual([
      { name: '内 科', remark: '第一行\n第二行' },
    ])
  })
})
