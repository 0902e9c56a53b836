import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maskPhone } from '#contract/kernel/mask.ts'
import { sql } from '#kernel/db/sql.ts'
import { administering, base } from '../../support/administering.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { sealFor, staffWithPassword } from '../../support/login.ts'
import { waitToObject } from '../../support/two-persons.ts'

let t: TestApp
/** A second process on the same database. */
let two: TestApp
let tenant: TestTenant
let other: TestTenant
let admin: Person
let foreign: Person
beforeAll(async () => {
  t = await startTestApp()
  two = await t.beside()
  tenant = await t.tenant()
  other = await t.tenant()
  admin = await tenant.staff('admin')
  foreign = await other.staff('exam_admin', { realName: '外机构人员' })
})
afterAll(() => t.close())

const { roleId, stateOf, linesOf, logIn, atTwo, submit } = administering(() => ({ t, two, tenant, admin }))

describe('[S6.04] nobody hands out or manages more than their own', () => {
  /** Whoever keeps accounts without running the tenant: the right to users and nothing else. */
  const clerkOf = async (): Promise<Person> => {
    await tenant.db(async db => {
      await db.run(sql`delete from role_menu where role_id = (select id from role where role_alias = 'school')`)
      await db.run(sql`
        insert into role_menu (tenant_id, role_id, menu_id) select ${tenant.tenantId}, r.id, m.id from role r join menu m on m.code like 'user%' where r.role_alias = 'school'`)
    })
    return tenant.staff('school')
  }

  test('roles are replaced, seen by open sessions of the other process at once; not by oneself, not beyond oneself, not for another tenant', async () => {
    const member = await tenant.staff('reviewer1')
    expect((await atTwo(member)).body.data.roles).toEqual(['reviewer1'])
    const grant = (userIds: string, roleIds: string, by = admin) => by.post(`${base}/grant`, { query: { userIds, roleIds } })
    const finance = await roleId('finance')
    expect((await grant(member.userId, finance)).body.data).toEqual({ changed: 1, returned: 0, handedOver: 0 })
    const seen = (await atTwo(member)).body.data
    expect([seen.roles, seen.permissions.includes('exampay_handleup'), seen.permissions.includes('examine_first')]).toEqual([
      ['finance'],
      true,
      false,
    ])
    expect((await linesOf(member.userId)).at(-1)).toMatchObject({
      action: 'account.roles-granted',
      before: { roles: ['reviewer1'] },
      after: { roles: ['finance'] },
    })

    const clerk = await clerkOf()
    const platformRole = await roleId('administrator')
    const refused = [
      await grant(admin.userId, await roleId('auditor')),
      await grant(member.userId, platformRole),
      await grant(member.userId, `${await roleId('admin')},${await roleId('secadmin')}`),
      await grant(`${member.userId},${foreign.userId}`, finance),
      await grant(member.userId, await roleId('finance', other)),
      await grant(member.userId, await roleId('admin'), clerk),
      await grant(admin.userId, '', clerk),
      await clerk.post(`${base}/reset-password`, { query: { userIds: admin.userId } }),
      await clerk.post(`${base}/lock`, { json: { userIds: admin.userId, reason: 'x' } }),
      await clerk.post(`${base}/remove`, { query: { ids: admin.userId } }),
      await submit({ id: admin.userId, realName: '改名' }, clerk),
    ]
    expect(refused.map(answer => answer.body.reason)).toEqual([
      'user/self',
      'user/beyond-own',
      'user/apart',
      'kernel/not-found',
      'kernel/not-found',
      'user/beyond-own',
      'user/beyond-own',
      'user/beyond-own',
      'user/beyond-own',
      'user/beyond-own',
      'user/beyond-own',
    ])
    expect(await stateOf(member.userId)).toMatchObject({ roles: ['finance'], live: 1 })
    const choices = (await clerk.get(`${base}/role-choices`)).body.data as { roleAlias: string; grantable: boolean }[]
    expect(choices.filter(choice => choice.grantable).map(choice => choice.roleAlias)).toEqual(['school'])
    expect(choices.some(choice => choice.roleAlias === 'candidate')).toBe(false)
    const own = (await admin.get(`${base}/role-choices`)).body.data as { roleAlias: string; grantable: boolean }[]
    expect(own.filter(choice => !choice.grantable).map(choice => choice.roleAlias)).toEqual(['administrator', 'secadmin', 'auditor'])
  })
})

describe('[S7.19] states of an account (domain 4.9)', () => {
  test.each([
    [
      'lock',
      (id: string) => admin.post(`${base}/lock`, { json: { userIds: id, reason: '离岗' } }),
      { status: 4, live: 0 },
      'account.locked',
    ],
    [
      'disable',
      (id: string) => admin.post(`${base}/changeStatus`, { query: { id, status: 2 } }),
      { status: 2, live: 0 },
      'account.disabled',
    ],
    [
      'remove',
      (id: string) => admin.post(`${base}/remove`, { query: { ids: id } }),
      { isDeleted: true, live: 0, roles: [] },
      'account.removed',
    ],
    [
      'reset',
      (id: string) => admin.post(`${base}/reset-password`, { query: { userIds: id } }),
      { status: 1, live: 0 },
      'account.password-reset',
    ],
  ])('%s reaches open sessions of the other process at once', async (_name, act, after, action) => {
    const member = await tenant.staff('finance')
    expect((await atTwo(member)).status).toBe(200)
    expect((await act(member.userId)).body.code).toBe(200)
    expect((await atTwo(member)).status).toBe(401)
    expect(await stateOf(member.userId)).toMatchObject(after)
    expect((await linesOf(member.userId)).at(-1)).toMatchObject({ action, userId: admin.userId })
  })

  test('a lock has its reason and is ended by unlock, as is the one of wrong passwords; states that do not allow it refuse all', async () => {
    const { id, oneTime } = (await submit({ account: 'lock.me', realName: '赵六' })).body.data
    expect((await admin.post(`${base}/lock`, { json: { userIds: id } })).body.data.fields[0]).toEqual({
      field: 'reason',
      msg: '请输入锁定原因',
    })
    await admin.post(`${base}/lock`, { json: { userIds: id, reason: '离岗三个月' } })
    expect((await logIn('lock.me', oneTime.password)).body.error_code).toBe(2916)
    expect((await admin.get(`${base}/detail`, { query: { id } })).body.data).toMatchObject({ status: 4, lockReason: '离岗三个月' })
    const free = await tenant.staff('finance')
    expect((await admin.post(`${base}/unlock`, { query: { userIds: `${id},${free.userId}`, reason: '已返岗' } })).body.reason).toBe(
      'user/state',
    )
    expect((await stateOf(id))?.status).toBe(4)
    const unsaid = async (reason: string, language: 'zh' | 'en') =>
      (await admin.post(`${base}/unlock`, { json: { userIds: id, reason }, language })).body.data.fields[0]
    expect([await unsaid('', 'en'), await unsaid('  ', 'zh'), await unsaid('x'.repeat(201), 'en')]).toEqual([
      { field: 'reason', msg: 'Please enter the reason' },
      { field: 'reason', msg: '请输入解锁原因' },
      { field: 'reason', msg: expect.stringContaining('200') },
    ])
    expect((await stateOf(id))?.status).toBe(4)
    expect((await admin.post(`${base}/unlock`, { query: { userIds: id, reason: ' 已返岗 ' } })).body.data).toEqual({ changed: 1 })
    expect((await linesOf(id)).slice(-2)).toMatchObject([
      { action: 'account.locked', reason: '离岗三个月', before: { status: 1 }, after: { status: 4 } },
      { action: 'account.unlocked', reason: '已返岗', before: { status: 4 }, after: { status: 1 } },
    ])
    for (let attempt = 0; attempt < 6; attempt += 1) await logIn('lock.me', 'wrong')
    expect((await logIn('lock.me', oneTime.password)).body.error_code).toBe(2916)
    expect((await admin.get(`${base}/detail`, { query: { id } })).body.data.lockedUntil).toMatch(/^2026-/)
    await admin.post(`${base}/unlock`, { query: { userIds: id, reason: '本人确认' } })
    expect((await logIn('lock.me', oneTime.password)).status).toBe(200)

    await admin.post(`${base}/changeStatus`, { query: { id, status: 2 } })
    expect((await admin.post(`${base}/changeStatus`, { query: { id, status: 2 } })).body.reason).toBe('user/state')
    expect((await admin.post(`${base}/changeStatus`, { query: { id, status: 1 } })).body.data).toEqual({
      changed: 1,
      returned: 0,
      handedOver: 0,
    })
  })

  test('candidates are locked and disabled, never edited, given roles, reset or removed; foreign ids are nobody', async () => {
    const candidate = await tenant.candidate()
    const roles = await roleId('finance')
    const refused = [
      await submit({ id: candidate.userId, realName: '改名' }),
      await admin.post(`${base}/grant`, { query: { userIds: candidate.userId, roleIds: roles } }),
      await admin.post(`${base}/reset-password`, { query: { userIds: candidate.userId } }),
      await admin.post(`${base}/remove`, { query: { ids: candidate.userId } }),
    ]
    expect(refused.map(answer => answer.body.reason)).toEqual(Array(4).fill('user/candidate'))
    expect((await admin.post(`${base}/lock`, { json: { userIds: candidate.userId, reason: '核实中' } })).body.code).toBe(200)
    expect((await stateOf(candidate.userId))?.status).toBe(4)
    const id = foreign.userId
    const nobody = [
      await admin.get(`${base}/detail`, { query: { id } }),
      await admin.get(`${base}/platform-detail`, { query: { id } }),
      await submit({ id, realName: '改名' }),
      await admin.post(`${base}/grant`, { query: { userIds: id, roleIds: roles } }),
      await admin.post(`${base}/reset-password`, { query: { userIds: id } }),
      await admin.post(`${base}/lock`, { json: { userIds: id, reason: 'x' } }),
      await admin.post(`${base}/unlock`, { query: { userIds: id, reason: '本人确认' } }),
      await admin.post(`${base}/changeStatus`, { query: { id, status: 2 } }),
      await admin.post(`${base}/update-platform`, { query: { userId: id, userExt: '{}' } }),
      await admin.post(`${base}/remove`, { query: { ids: id } }),
    ]
    expect(nobody.map(answer => answer.status)).toEqual(Array(10).fill(404))
  })

  test('what a platform adds to an account is kept beside it', async () => {
    const member = await tenant.staff('finance')
    expect((await admin.get(`${base}/platform-detail`, { query: { id: member.userId } })).body.data).toEqual({
      id: member.userId,
      userType: 1,
      userExt: '',
    })
    await admin.post(`${base}/update-platform`, { query: { userId: member.userId, userType: 1, userExt: '{"desk":"3-12"}' } })
    expect((await admin.get(`${base}/platform-detail`, { query: { id: member.userId } })).body.data.userExt).toBe('{"desk":"3-12"}')
    expect((await linesOf(member.userId)).at(-1)).toMatchObject({
      action: 'account.platform-updated',
      before: { userExt: '' },
      after: { userExt: '{"desk":"3-12"}' },
    })
  })
})

describe('[S6.03] roles that are kept apart', () => {
  test('an administrator does not get into the account of the auditor or the security administrator by resetting it', async () => {
    const own = await t.tenant()
    const admin = await own.staff('admin')
    const [auditor, keeper, clerk] = [await own.staff('auditor'), await own.staff('secadmin'), await own.staff('finance')]
    const reset = (ids: string) => admin.post('/blade-system/user/reset-password', { query: { userIds: ids } })
    const hashes = () =>
      own.rows(sql`select id::text as id, password_hash as hash, must_change_password as due from account where user_type = 1 order by id`)
    const before = await hashes()
    for (const person of [auditor, keeper]) {
      const refused = await reset(person.userId)
      expect([refused.status, refused.body.reason]).toEqual([403, 'user/kept-apart'])
      expect(refused.body.msg).toContain('命令 admin')
      const factor = await admin.post('/blade-system/user/reset-second-factor', { json: { userIds: person.userId, reason: '丢失' } })
      expect(factor.body.reason).toBe('user/kept-apart')
    }
    // One of a batch stops all of it.
    expect((await reset(`${clerk.userId},${auditor.userId}`)).body.reason).toBe('user/kept-apart')
    expect(await hashes()).toEqual(before)
    expect((await reset(clerk.userId)).body.data).toHaveLength(1)
    expect((await reset((await own.staff('admin')).userId)).body.data).toHaveLength(1)
  })
})

/** The number that an account has, as whoever sends to it opens it. */
const givePhone = async (own: TestTenant, { userId }: Person, phone: string): Promise<void> => {
  const { cipher } = t.app.services
  const sealed = cipher.seal(own.tenantId, { table: 'account', column: 'phone_sealed', rowId: userId }, phone)
  await own.rows(sql`
    update account set phone_sealed = ${sealed}, phone_mask = ${maskPhone(phone)}, phone_index = ${cipher.blindIndex(own.tenantId, 'phone', phone)}
    where id = ${userId} returning id`)
}

test('[two persons: passwordReset] one administrator opens nobody’s account: another one agrees, the owner is told and may object, and the time has to pass', async () => {
  const own = await t.tenant()
  const [admin, colleague] = [await own.staff('admin'), await own.staff('admin')]
  const owner = await staffWithPassword(t, own, 'finance')
  await givePhone(own, owner, '16000000001')
  const hash = async () =>
    (await own.rows(sql<{ hash: string }>`select password_hash as hash from account where id = ${owner.userId}`))[0]?.hash
  const before = await hash()
  const reset = (who: Person, more: object = {}) => who.post(`${base}/reset-password`, { json: { userIds: owner.userId, ...more } })
  expect((await reset(admin)).body.data).toMatchObject([{ password: '', waiting: '已发起，须由另一人再次办理' }])
  await t.runTasks()
  expect((await reset(admin)).body.reason).toBe('kernel/two-persons-own')
  expect((await reset(colleague)).body.data).toMatchObject([{ password: '', waiting: expect.stringContaining('两人已同意') }])
  expect((await reset(admin)).body.reason).toBe('kernel/two-persons-waits')
  expect([await hash(), (await owner.get('/blade-auth/oauth/user-info')).status]).toEqual([before, 200])
  const [notice] = await own.rows(sql<{ link: string }>`select link from notify where user_id = ${owner.userId}`)
  const named = { code: new URL(notice?.link ?? '', 'http://here').searchParams.get('code') }
  expect((await t.anonymous(own.tenantId).post('/blade-userappeal/userappeal/object', { json: named })).body.data).toEqual({
    ...{ kind: 'password', open: false, no: expect.stringMatching(/^\d+$/), time: expect.any(String) },
  })
  t.clock.advance(25 * 3_600_000)
  expect((await reset(admin)).body.data).toMatchObject([{ password: '' }])
  expect(await hash()).toBe(before)
  // Who shows a document to both waits for nothing.
  expect((await reset(colleague, { document: '工作证' })).body.reason).toBe('kernel/two-persons-other')
  await own.rows(sql`update two_person_act set state = 'ended' where state = 'begun'`)
  await reset(admin, { document: '工作证' })
  expect((await reset(colleague, { document: '工作证' })).body.data).toMatchObject([{ password: expect.stringMatching(/.{8}/) }])
  expect(await hash()).not.toBe(before)
})

describe('[two persons: accountChange] name and phone of an account in use', () => {
  const scene = async () => {
    const own = await t.tenant()
    const [admin, colleague, third] = [await own.staff('admin'), await own.staff('admin'), await own.staff('admin')]
    const owner = await staffWithPassword(t, own, 'finance')
    await givePhone(own, owner, '13800000001')
    await own.rows(sql`update account set phone_verified_at = app_now(), real_name = '原名' where id = ${owner.userId}`)
    const save = (who: Person, more: object) => who.post(`${base}/submit`, { json: { id: owner.userId, ...more } })
    const decide = (who: Person, more: object) => who.post(`${base}/decide-change`, { json: { id: owner.userId, ...more } })
    const opening = async () =>
      (
        await own.rows(sql<{ name: string; phone: string; isProven: boolean }>`
          select real_name as name, phone_mask as phone, phone_verified_at is not null as "isProven" from account where id = ${owner.userId}`)
      )[0]
    return { own, admin, colleague, third, owner, save, decide, opening }
  }
  const was = { name: '原名', phone: '138****0001', isProven: true }
  const proposed = '姓名或手机号的变更已提交，须由另一人同意后生效'

  test('one administrator proposes them and changes the rest; another agrees; they change by themselves after the waiting time', async () => {
    const { own, admin, colleague, third, owner, save, decide, opening } = await scene()
    const first = await save(admin, { realName: '新名', phone: sealFor(t, '13900000002'), code: 'K-7' })
    expect([first.body.msg, first.body.data.waiting]).toEqual([proposed, proposed])
    expect([await opening(), (await own.rows(sql`select code from account where id = ${owner.userId}`))[0]]).toEqual([was, { code: 'K-7' }])
    const { change } = (await colleague.get(`${base}/detail`, { query: { id: owner.userId } })).body.data
    expect(change).toMatchObject({ realName: '新名', phone: '139****0002', mine: false, applyTime: '', secondUser: '' })
    expect((await decide(admin, { state: 1 })).body.reason).toBe('kernel/two-persons-own')
    expect((await save(colleague, { phone: sealFor(t, '13900000003') })).body.reason).toBe('kernel/two-persons-other')
    const told = await own.rows(
      sql<{
        link: string
        to: string
      }>`select link, user_id::text as "to" from notify where link like '/register/object%' or link like '/system/user/%' order by link, user_id`,
    )
    expect(told.map(({ to }) => to).sort()).toEqual([owner.userId, colleague.userId, third.userId].sort())
    await t.runTasks()
    const agreed = await decide(colleague, { state: 1 })
    expect(agreed.body.msg).toContain('两人已同意')
    expect((await decide(third, { state: 1 })).body.reason).toBe('kernel/two-persons-waits')
    await t.runTasks()
    expect(await opening()).toEqual(was)
    await waitToObject(t, 25)
    expect(await opening()).toEqual({ name: '新名', phone: '139****0002', isProven: false })
    const lines = await own.rows(sql<{ after: { persons: string[] } }>`
      select after_value as after from audit_log where action = 'account.verified-changed' and entity_id = ${owner.userId}`)
    expect(lines.map(line => line.after)).toEqual([
      { realName: '新名', phone: '139****0002', persons: [expect.any(String), expect.any(String)] },
    ])
    expect(await own.rows(sql`select state, content_sealed as sealed from two_person_act`)).toEqual([{ state: 'done', sealed: null }])
  })

  test('the same sent by a second administrator agrees to it, at once where both name the document that the person showed', async () => {
    const { admin, colleague, save, opening } = await scene()
    const phone = () => sealFor(t, '13900000002')
    expect((await save(admin, { phone: phone(), document: '工作证' })).body.msg).toBe(proposed)
    expect((await save(colleague, { phone: phone() })).body.reason).toBe('kernel/two-persons-other')
    expect((await save(colleague, { phone: phone(), document: '工作证' })).body).toMatchObject({ code: 200, msg: '操作成功' })
    expect(await opening()).toEqual({ name: '原名', phone: '139****0002', isProven: false })
  })

  test('the owner objects, another administrator refuses, a change made meanwhile stands: nothing is changed and both hear of it', async () => {
    const { own, admin, colleague, owner, save, decide, opening } = await scene()
    await save(admin, { phone: sealFor(t, '13900000002') })
    const [notice] = await own.rows(sql<{ link: string }>`select link from notify where user_id = ${owner.userId}`)
    const named = { code: new URL(notice?.link ?? '', 'http://here').searchParams.get('code') }
    expect((await t.anonymous(own.tenantId).post('/blade-userappeal/userappeal/object', { json: named })).body.data).toEqual({
      ...{ kind: 'account', open: false, no: expect.stringMatching(/^\d+$/), time: expect.any(String) },
    })
    expect((await decide(colleague, { state: 1 })).body.reason).toBe('user/no-change')
    await save(admin, { phone: sealFor(t, '13900000002') })
    expect((await decide(colleague, { state: 2 })).body.data.fields).toEqual([{ field: 'remark', msg: '请填写驳回原因' }])
    expect((await decide(colleague, { state: 2, remark: '号码不对' })).body.code).toBe(200)
    await save(admin, { phone: sealFor(t, '13900000002') })
    await t.runTasks()
    await decide(colleague, { state: 1 })
    await own.rows(sql`update account set real_name = '自己改的' where id = ${owner.userId}`)
    await waitToObject(t, 25)
    expect(await opening()).toEqual({ ...was, name: '自己改的' })
    const stopped = await own.rows(
      sql<{ to: string }>`select user_id::text as "to" from notify where title_zh = '账号变更未能生效' order by user_id`,
    )
    expect(stopped.map(({ to }) => to).sort()).toEqual([admin.userId, colleague.userId].sort())
  })

  test('an account that its owner has never opened is its office’s: one person changes it; a reset does not make it that again', async () => {
    const { own, admin, colleague, owner, save, opening } = await scene()
    const made = await admin.post(`${base}/submit`, { json: { account: 'never.opened', realName: '新人' } })
    const id = made.body.data.id
    const change = await admin.post(`${base}/submit`, { json: { id, realName: '新人甲', phone: sealFor(t, '13900000009') } })
    expect([change.body.msg, change.body.data.waiting]).toEqual(['操作成功', undefined])
    expect((await own.rows(sql`select real_name as name, phone_mask as phone from account where id = ${id}`))[0]).toEqual({
      ...{ name: '新人甲', phone: '139****0009' },
    })
    expect((await admin.post(`${base}/reset-password`, { json: { userIds: id } })).body.data[0].waiting).toBeUndefined()
    const reset = (who: Person) => who.post(`${base}/reset-password`, { json: { userIds: owner.userId, document: '工作证' } })
    await reset(admin)
    expect((await reset(colleague)).body.data).toMatchObject([{ password: expect.stringMatching(/.{8}/) }])
    expect((await admin.post(`${base}/reset-password`, { json: { userIds: owner.userId } })).body).toMatchObject({
      msg: '已发起，须由另一人再次办理',
      data: [{ password: '' }],
    })
    await save(admin, { realName: '别人' })
    expect(await opening()).toEqual(was)
  })
})
