import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant, testSms } from '../../support/app.ts'
import { sealFor } from '../../support/login.ts'

let t: TestApp
let tenant: TestTenant
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
})
afterAll(() => t.close())

const seal = (plain: string): string => sealFor(t, plain)
const picture = (kind: 'jpeg' | 'png' | 'webp', width = 800, height = 600): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#1668dc' } })
    .withExif({ IFD0: { Copyright: 'secret place' } })
    [kind]()
    .toBuffer()
const padded = async (bytes: number): Promise<Buffer> => {
  const jpeg = await picture('jpeg')
  return Buffer.concat([jpeg, Buffer.alloc(bytes - jpeg.length)])
}
const put = (person: Person, bytes: Uint8Array, name = 'me.jpg', headers: Record<string, string> = {}) =>
  person.post('/blade-resource/oss/endpoint/put-file', { multipart: { files: [{ part: 'file', name, bytes }] }, headers })
const update = (person: Person, json: object) => person.post('/blade-system/user/update-info', { json })
const accountOf = async (person: Person) =>
  (
    await tenant.rows(
      sql<
        Record<string, unknown>
      >`select nick_name, real_name, email, phone_mask, phone_verified_at is not null as verified, avatar_file_id::text as avatar, version from account where id = ${person.userId}`,
    )
  )[0]

describe('[S2.51][S5.29][S7.24] the avatar', () => {
  test('512,000 bytes pass, one more fails in words; the picture is encoded anew without its data, at most 512 pixels', async () => {
    const person = await tenant.staff('reviewer1')
    const kept = await put(person, await padded(512_000))
    expect(kept).toMatchObject({ status: 200, body: { code: 200, data: { name: 'me.jpg', originalName: 'me.jpg', domain: '' } } })
    const shown = await person.get(kept.body.data.link)
    expect(shown).toMatchObject({ status: 200, headers: { 'content-type': 'image/jpeg' } })
    const head = await sharp(shown.raw).metadata()
    expect([head.width, head.height, head.exif]).toEqual([512, 384, undefined])
    expect(shown.raw.includes('secret place')).toBe(false)
    expect(await put(person, await padded(512_001))).toMatchObject({
      status: 422,
      body: { code: 2802, msg: '文件类型或大小不符：文件不能超过 500 KB' },
    })
  })

  test.each([
    ['a webp picture', () => picture('webp'), '文件类型或大小不符：只接受 jpg、png'],
    ['a page', async () => Buffer.from('<html><script>1</script></html>'), '文件类型或大小不符：只接受 jpg、png'],
    ['half a picture', async () => (await picture('png')).subarray(0, 300), '文件类型或大小不符：文件不完整或已损坏，请重新选择'],
    [
      'a picture with a script behind',
      async () => Buffer.concat([await picture('jpeg'), Buffer.from('<script>alert(1)</script>')]),
      '文件类型或大小不符：文件内容异常',
    ],
  ])('%s under the name of a picture is refused', async (_name, make, msg) => {
    expect(await put(await tenant.staff('reviewer1'), await make())).toMatchObject({ status: 422, body: { code: 2802, msg } })
  })

  test('a png without an extension passes; a repeated key stores one file; a call without a file says so', async () => {
    const person = await tenant.candidate()
    const bytes = await picture('png')
    const first = await put(person, bytes, 'blob', { 'idempotency-key': 'avatar-0001' })
    const again = await put(person, bytes, 'blob', { 'idempotency-key': 'avatar-0001' })
    expect([first.status, again.body.data.attachId]).toEqual([200, first.body.data.attachId])
    expect(await tenant.rows(sql`select 1 from stored_file where user_id = ${person.userId}`)).toHaveLength(1)
    expect(await person.post('/blade-resource/oss/endpoint/put-file')).toMatchObject({ status: 422, body: { code: 2802 } })
  })
})

describe('[S3.08][S7.19] the own profile', () => {
  test('staff change all five; the phone travels sealed and is stored sealed; the audit line shows masks', async () => {
    const person = await tenant.staff('reviewer1', { realName: '褚初审' })
    const { link, attachId } = (await put(person, await picture('jpeg'))).body.data
    const answer = await update(person, {
      avatar: link,
      realName: '褚 复审',
      name: '小褚',
      phone: seal('16012340001'),
      email: 'chu@example.cn',
    })
    expect(answer.body.data).toMatchObject({ realName: '褚复审', name: '小褚', phone: '160****0001', email: 'chu@example.cn' })
    expect(answer.body.data.avatar).toContain(`/api/file/${attachId}?`)
    expect((await person.get(answer.body.data.avatar)).status).toBe(200)
    expect(await accountOf(person)).toMatchObject({ avatar: attachId, phone_mask: '160****0001', verified: false, version: 1 })
    const log = await tenant.rows(sql<object>`select action, after_value from audit_log where entity_id = ${person.userId}`)
    expect(log).toEqual([
      {
        action: 'account.profile-changed',
        after_value: { realName: '褚复审', name: '小褚', email: 'c***@example.cn', phone: '160****0001', avatar: attachId },
      },
    ])
    const info = await person.get('/blade-system/user/info')
    expect(info.body.data).toMatchObject({ realName: '褚复审', avatar: expect.stringContaining(attachId) })
    const english = await person.get('/blade-system/user/info', { language: 'en' })
    expect([info.body.data.roleName, english.body.data.roleName]).toEqual(['初审员', 'First reviewer'])
    await update(person, { avatar: '' })
    expect((await person.get('/blade-system/user/info')).body.data.avatar).toBe('')
    expect(await tenant.rows(sql`select 1 from stored_file where id = ${attachId} and owner_id is not null`)).toEqual([])
  })

  test('what is not sent stays; nothing sent writes nothing', async () => {
    const person = await tenant.staff('reviewer1')
    await update(person, { email: 'a@b.cn' })
    await update(person, { name: '新' })
    expect(await accountOf(person)).toMatchObject({ email: 'a@b.cn', nick_name: '新', version: 2 })
    expect((await update(person, {})).status).toBe(200)
    expect(await accountOf(person)).toMatchObject({ version: 2 })
  })

  test.each([
    ['a mail address', { email: 'nobody' }, 'email', '邮箱格式不正确'],
    ['an empty nick name', { name: '' }, 'name', '请输入昵称'],
    ['a name', { realName: '1' }, 'realName', expect.any(String)],
    ['a picture', { avatar: 'http://elsewhere/x.jpg' }, 'avatar', '头像不存在，请重新上传'],
  ])('%s that cannot be one is refused by its field', async (_name, json, field, msg) => {
    const person = await tenant.staff('reviewer1')
    expect(await update(person, json)).toMatchObject({ status: 400, body: { data: { fields: [{ field, msg }] } } })
    expect(await accountOf(person)).toMatchObject({ version: 0 })
  })

  test('nobody takes the name of a colleague by themselves: records show who acted by name', async () => {
    await tenant.staff('finance', { realName: '杨财务' })
    const person = await tenant.staff('finance', { realName: '韩财务' })
    const wording = '已有同事用这个姓名。经办、审批记录按姓名显示，同名请联系管理员修改'
    expect(await update(person, { realName: '杨 财务', name: '小韩' })).toMatchObject({
      status: 400,
      body: { data: { fields: [{ field: 'realName', msg: wording }] } },
    })
    expect(await accountOf(person)).toMatchObject({ real_name: '韩财务', version: 0 })
    // Their own again is no change.
    expect((await update(person, { realName: '韩财务', name: '小韩' })).status).toBe(200)
  })

  test('a picture or a paper of somebody else is no avatar', async () => {
    const [one, other] = [await tenant.staff('reviewer1'), await tenant.staff('reviewer1')]
    const { attachId } = (await put(other, await picture('jpeg'))).body.data
    expect(await update(one, { avatar: attachId })).toMatchObject({ status: 400, body: { data: { fields: [{ field: 'avatar' }] } } })
  })

  test('a candidate changes nick name, mail and picture; the verified name and phone stay, and sending them unchanged is no fault', async () => {
    const person = await tenant.candidate({ realName: '王测', phone: '16012340002' })
    expect((await update(person, { name: '小王', email: 'w@x.cn', realName: '王测', phone: seal('16012340002') })).status).toBe(200)
    expect(await accountOf(person)).toMatchObject({ nick_name: '小王', real_name: '王测', email: 'w@x.cn' })
    for (const json of [{ realName: '李测' }, { phone: seal('16012340003') }])
      expect(await update(person, { ...json, name: '又' })).toMatchObject({
        status: 409,
        body: { code: 2001, reason: 'auth/verified-field' },
      })
    expect(await accountOf(person)).toMatchObject({ nick_name: '小王', phone_mask: '160****0002' })
  })

  test('a phone proven by its code is one person’s; a wrong code and a plain phone are refused', async () => {
    const [one, other] = [await tenant.staff('reviewer1'), await tenant.staff('reviewer1')]
    const phone = '16012340004'
    const send = async () =>
      (await t.anonymous(tenant.tenantId).post('/blade-auth/oauth/sms/send-validate', { form: { phone: seal(phone) } })).body.data.id
    const smsId = await send()
    expect(await update(one, { phone: seal(phone), smsId, smsCode: '000000' })).toMatchObject({ body: { reason: 'auth/invalid-sms-code' } })
    expect((await update(one, { phone: seal(phone), smsId, smsCode: testSms })).status).toBe(200)
    expect(await accountOf(one)).toMatchObject({ verified: true, phone_mask: '160****0004' })
    expect((await update(one, { phone: seal(phone), name: '同号' })).status).toBe(200)
    expect(await accountOf(one)).toMatchObject({ verified: true })
    t.clock.advance(61_000)
    const second = await send()
    expect(await update(other, { phone: seal(phone), smsId: second, smsCode: testSms })).toMatchObject({
      status: 409,
      body: { code: 2902 },
    })
    expect(await update(one, { phone })).toMatchObject({ status: 400, body: { reason: 'auth/bad-cipher' } })
  })
})

describe('[S3.09][S7.19] the own password', () => {
  const withPassword = async (password: string): Promise<Person> => {
    const person = await tenant.staff('reviewer1')
    const hash = await t.app.services.passwords.hash(password)
    await tenant.db(db => db.run(sql`update account set password_hash = ${hash} where id = ${person.userId}`))
    return person
  }
  const change = (person: Person, old: string, next: string, again = next) =>
    person.post('/blade-system/user/update-password', {
      form: { oldPassword: seal(old), newPassword: seal(next), newPassword1: seal(again) },
    })

  test('[S5.30] three sealed fields; this session stays, the others end, the change is audited without the password', async () => {
    const person = await withPassword('old river stone')
    await tenant.db(db =>
      db.run(sql`
        insert into session (tenant_id, user_id, user_type, client_id, access_hash, access_until, refresh_hash, refresh_until, fingerprint)
        select tenant_id, user_id, user_type, client_id, md5('a' || id), access_until, md5('b' || id), refresh_until, fingerprint from session where user_id = ${person.userId}`),
    )
    expect((await change(person, 'old river stone', 'new river stone')).status).toBe(200)
    expect((await person.get('/blade-system/user/info')).status).toBe(200)
    expect(
      await tenant.rows(sql<object>`select ended_at is null as live, end_reason from session where user_id = ${person.userId} order by id`),
    ).toEqual([
      { live: true, end_reason: null },
      { live: false, end_reason: 'password-changed' },
    ])
    const log = await tenant.rows(sql<object>`select action, before_value, after_value from audit_log where entity_id = ${person.userId}`)
    expect(log).toEqual([{ action: 'account.password-changed', before_value: null, after_value: null }])
    expect((await change(person, 'old river stone', 'third river stone')).body.reason).toBe('auth/wrong-password')
  })

  test.each([
    ['two that differ', 'new river stone', 'new river stoke', '两次密码输入不一致'],
    ['eleven characters', 'river-stone', 'river-stone', '密码至少 12 位'],
    ['65 characters', 'x'.repeat(65), 'x'.repeat(65), '密码最多 64 位'],
    ['the same as before', 'old river stone', 'old river stone', '新密码不能与原密码相同'],
  ])('%s are refused', async (_name, next, again, msg) => {
    const person = await withPassword('old river stone')
    expect(await change(person, 'old river stone', next, again)).toMatchObject({ status: 400, body: { msg } })
  })

  test('one’s own account, phone and organisation make no password', async () => {
    const person = await withPassword('old river stone')
    const [{ account = '', tenant: name = '' } = {}] = await tenant.rows(
      sql<{
        account: string
        tenant: string
      }>`select a.account, t.tenant_name as tenant from account a join tenant t using (tenant_id) where a.id = ${person.userId}`,
    )
    await update(person, { phone: seal('16012340009') })
    for (const word of [account, name, '16012340009'])
      expect(await change(person, 'old river stone', `xy-${word}-river`)).toMatchObject({
        status: 400,
        body: { msg: '密码不能包含账号、手机号或单位名称' },
      })
  })

  test('five wrong old passwords lock the account like five wrong logins', async () => {
    const person = await withPassword('old river stone')
    const reasons: string[] = []
    for (let i = 0; i < 6; i += 1) reasons.push((await change(person, `wrong ${i}`, 'new river stone')).body.reason)
    expect(reasons).toEqual([...Array(5).fill('auth/wrong-password'), 'auth/account-locked'])
    expect((await change(person, 'old river stone', 'new river stone')).body.reason).toBe('auth/account-locked')
  })
})

describe('[S2.37][S3.18][S7.08] errors of the browser', () => {
  const report = (person: Person, list: unknown) => person.post('/blade-auth/oauth/logout', { json: list })

  test('a list is kept without secrets, in the name of the caller, and ends no session', async () => {
    const person = await tenant.candidate()
    const entry = {
      type: 'error',
      message: 'x 330106199806301023',
      stack: 'at a',
      info: 'render',
      url: '/signup?phone=16012340001',
      time: '2026-03-17 10:00:00',
    }
    expect((await report(person, [entry, { message: '二' }])).status).toBe(200)
    expect((await person.get('/blade-system/user/info')).status).toBe(200)
    expect(
      await tenant.rows(sql<object>`
        select source, kind, message, stack_trace, info, request_uri, client_time, account like 'candidate%' as named from error_log where user_id = ${person.userId} order by id`),
    ).toEqual([
      {
        source: 'browser',
        kind: 'error',
        message: 'x ***',
        stack_trace: 'at a',
        info: 'render',
        request_uri: '/signup?phone=***',
        client_time: entry.time,
        named: true,
      },
      { source: 'browser', kind: '', message: '二', stack_trace: '', info: '', request_uri: '', client_time: '', named: true },
    ])
  })

  test('100 entries of any length pass and are cut to 8 KB; 101 and unknown fields are refused; an empty list is nothing', async () => {
    const person = await tenant.staff('admin')
    expect(
      (
        await report(
          person,
          Array.from({ length: 100 }, () => ({ stack: 's'.repeat(9_000) })),
        )
      ).status,
    ).toBe(200)
    const kept = await tenant.rows(
      sql<{
        n: number
        longest: number
      }>`select count(*)::int as n, max(octet_length(stack_trace))::int as longest from error_log where user_id = ${person.userId}`,
    )
    expect(kept).toEqual([{ n: 100, longest: 8_192 }])
    expect(
      await report(
        person,
        Array.from({ length: 101 }, () => ({ message: 'x' })),
      ),
    ).toMatchObject({ status: 400 })
    expect(await report(person, [{ message: 'x', userId: '1' }])).toMatchObject({ status: 400 })
    expect((await report(person, [])).status).toBe(200)
    expect((await person.get('/blade-system/user/info')).status).toBe(200)
  })

  test('a page that fails in a loop is told to wait: 200 a minute for each person', async () => {
    const [person, other] = [await tenant.staff('admin'), await tenant.staff('admin')]
    const many = Array.from({ length: 100 }, () => ({ message: 'loop' }))
    const statuses = [await report(person, many), await report(person, many), await report(person, [{ message: 'more' }])].map(
      one => one.status,
    )
    expect([...statuses, (await report(other, many)).status]).toEqual([200, 200, 429, 200])
    t.clock.advance(61_000)
    expect((await report(person, [{ message: 'later' }])).status).toBe(200)
  })
})

describe('[S2.42] the notice popover', () => {
  test('three tabs with what is really unread; one tab can be marked as read; nobody else’s', async () => {
    const [person, other] = [await tenant.staff('finance'), await tenant.staff('finance')]
    await tenant.db(async db => {
      for (const [key, to, kind, needSure] of [
        ['系统来信', person, 7, false],
        ['待缴提醒', person, 2, false],
        ['成绩发布', person, 4, false],
        ['岗位调整', person, 5, true],
        ['别人的', other, 2, false],
      ] as const)
        await t.app.modules.message.notify(db, {
          userId: to.userId,
          examId: null,
          kind,
          title: { zh: key, en: key },
          content: { zh: '', en: '' },
          link: '',
          needSure,
          eventKey: key,
        })
    })
    const tabs = async () => {
      const { unreadCount, tabs: all } = (await person.get('/me/notices', { query: { latest: 1 } })).body.data
      return [
        unreadCount,
        ...all.map((one: { tab: string; unreadCount: number; total: number; records: { title: string }[] }) => [
          one.tab,
          one.unreadCount,
          one.total,
          one.records.map(row => row.title),
        ]),
      ]
    }
    expect(await tabs()).toEqual([4, ['mail', 1, 1, ['系统来信']], ['messages', 3, 3, ['岗位调整']], ['notices', 0, 0, []]])
    expect((await person.post('/blade-exam/examination/readNotify', { form: { all: '1', tab: 'messages' } })).body.data).toEqual({
      unreadCount: 1,
    })
    expect((await tabs()).slice(0, 3)).toEqual([1, ['mail', 1, 1, ['系统来信']], ['messages', 0, 3, ['岗位调整']]])
    expect((await person.post('/blade-exam/examination/readNotify', { form: { all: '1' } })).body.data).toEqual({ unreadCount: 0 })
    expect((await other.get('/me/notices')).body.data.unreadCount).toBe(1)
  })
})

describe('[S7.19] userUpdate, the profile as a form', () => {
  const send = (person: Person, fields: Record<string, string>, bytes?: Uint8Array, part = 'avatar') =>
    person.post('/blade-system/user/userUpdate', {
      multipart: { fields, files: bytes ? [{ part, name: 'me.jpg', bytes }] : [] },
    })

  test('changes what is sent with the picture in it, and nothing when a part of it is refused', async () => {
    const person = await tenant.candidate({ realName: '王表单' })
    const sent = await send(person, { name: '表单', email: 'a@b.cn' }, await picture('png'))
    expect(sent.body).toMatchObject({ code: 200, data: { name: '表单', email: 'a@b.cn', realName: '王表单' } })
    const kept = await accountOf(person)
    expect(kept).toMatchObject({ nick_name: '表单', email: 'a@b.cn', version: 1 })
    expect((await person.get(sent.body.data.avatar)).headers['content-type']).toBe('image/png')
    expect((await send(person, { realName: '张改名' })).body.reason).toBe('auth/verified-field')
    expect((await send(person, { name: '新', email: 'no' }, await picture('png'))).body).toMatchObject({
      code: 400,
      data: { fields: [{ field: 'email' }] },
    })
    expect((await send(person, {}, await padded(512_001))).status).toBe(422)
    expect((await send(person, {}, Buffer.from('no picture'))).status).toBe(422)
    // Cards were checked at registration: the form has no place for them.
    expect((await send(person, {}, await picture('png'), 'cardFront')).body.code).not.toBe(200)
    expect(await accountOf(person)).toEqual(kept)
    expect((await send(person, { name: '只改昵称' })).body.data).toMatchObject({ name: '只改昵称', email: 'a@b.cn' })
    expect((await accountOf(person))?.['avatar']).toBe(kept?.['avatar'])
  })
})
