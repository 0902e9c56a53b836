import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ruledNouns } from '#contract/registry.ts'
import { sql } from '#kernel/db/sql.ts'
import type { RoleAlias } from '../../../seed/base/menus.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { sheetRows } from '../../support/sheet-text.ts'
import { answersOf, submit, uploadAll } from '../../support/signing.ts'

let t: TestApp
let tenant: TestTenant
let keeper: Person
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  tenant = await t.tenant()
  keeper = await tenant.staff('secadmin')
})

const base = '/blade-system/field-rule'
const roleOf = async (alias: RoleAlias): Promise<string> =>
  (await tenant.rows(sql<{ id: string }>`select id::text as id from role where role_alias = ${alias}`))[0]?.id ?? ''
type Rule = readonly [noun: string, field: string, level: 'masked' | 'hidden']
const rule = async (alias: RoleAlias, rules: readonly Rule[], by = keeper) => {
  const answer = await by.post(`${base}/submit`, {
    json: { roleId: await roleOf(alias), rules: rules.map(([noun, field, level]) => ({ noun, field, level })) },
  })
  await t.app.catchUp()
  return answer
}
/** A mask of a noun `user` laid before such roles were kept apart (ADR 0116), which nobody lays in the console now. */
const ruleByServer = async (alias: RoleAlias, field: string) => {
  const views = ruledNouns.find(noun => noun.code === 'user')?.views ?? []
  await tenant.rows(sql<object>`
    insert into role_field_rule (tenant_id, role_id, noun, field, level, views)
    values (${tenant.tenantId}, ${await roleOf(alias)}, 'user', ${field}, 1, ${[...views]}) returning 1`)
  await t.app.catchUp()
}
const idCard = '330106199806301023'
const phone = '16000000001'
const signedUp = async () => {
  const exam = await buildExam(tenant)
  const candidate = await tenant.candidate({ realName: '金丝雀', idCard, phone })
  const content = answersOf(idCard, phone, { name: '金丝雀', school: '某某医学院' })
  const { body } = await submit(candidate, exam.examId, { content, fileIds: await uploadAll(candidate) })
  return { exam, candidate, signupId: body.data.id as string }
}

describe('[S6.03][S7.15] what roles see of fields', () => {
  test('a list, a detail and a workbook through masks and without what is hidden; nobody else’s change', async () => {
    const { exam, signupId } = await signedUp()
    const reviewer = await tenant.staff('exam_admin')
    const list = async (by: Person) =>
      (await by.get('/blade-signup/examine/getExamineList', { query: { examId: exam.examId } })).body.data.records[0]
    expect(await list(reviewer)).toMatchObject({ name: '金丝雀', idCardMask: '3301**********1023', phoneMask: '160****0001' })
    expect(
      (
        await rule('exam_admin', [
          ['signup', 'name', 'masked'],
          ['signup', 'phone', 'hidden'],
          ['signup', 'school', 'masked'],
          ['signup', 'photo', 'hidden'],
        ])
      ).body.data,
    ).toEqual({ changed: 4 })
    expect(await list(reviewer)).toMatchObject({ name: '金**', idCardMask: '3301**********1023', phoneMask: null })
    const detail = (await reviewer.get('/blade-signup/signup/detail', { query: { id: signupId } })).body.data
    expect(detail).toMatchObject({
      name: '金**',
      phoneMask: null,
      content: { name: '金**', phone: '', school: '某***' },
      contentLabels: { name: '金**', phone: '', school: '某***' },
    })
    const [photo, other] = [
      detail.files.find((file: { fileKey: string }) => file.fileKey === 'photo'),
      detail.files.find((file: { fileKey: string }) => file.fileKey !== 'photo'),
    ]
    expect([photo.link, photo.name, other.link.startsWith('/api/file/')]).toEqual(['', '', true])
    const book = await reviewer.post('/blade-signup/signup/exportSignUp', { json: { examId: exam.examId } })
    const [, header = [], row = []] = await sheetRows(book.raw)
    expect(header).not.toContain('手机号')
    expect([row[header.indexOf('姓名')], row[header.indexOf('毕业院校')], row[header.indexOf('证件号码')]]).toEqual([
      '金**',
      '某***',
      '3301**************',
    ])
    expect(await list(await tenant.staff('admin'))).toMatchObject({ name: '金丝雀', phoneMask: '160****0001' })
  })

  test('the candidate’s own data is not touched by any rule', async () => {
    const { candidate, signupId } = await signedUp()
    await rule('exam_admin', [['signup', 'name', 'hidden']])
    const asked = await rule('candidate', [['signup', 'name', 'hidden']])
    expect([asked.status, asked.body.reason]).toEqual([409, 'role/candidate-fields'])
    // Not even a row that was written past the call counts.
    await tenant.db(async db =>
      db.run(
        sql`insert into role_field_rule (tenant_id, role_id, noun, field, level, views) values (${tenant.tenantId}, ${await roleOf('candidate')}, 'signup', 'name', 2, '{}')`,
      ),
    )
    await t.app.catchUp()
    const own = (await candidate.get('/blade-signup/signup/detail', { query: { id: signupId } })).body.data
    expect([own.name, own.content.name, own.content.idCard]).toEqual(['金丝雀', '金丝雀', idCard])
    expect((await candidate.get(`${base}/own`)).body.data).toEqual({})
  })

  test('[PF 49] what is not seen in full is not searched, sorted by or revealed, and the refusal says why', async () => {
    const { exam, signupId } = await signedUp()
    await rule('exam_admin', [
      ['signup', 'name', 'masked'],
      ['signup', 'phone', 'masked'],
      ['usercode', 'contact', 'masked'],
      ['usercode', 'name', 'hidden'],
    ])
    const reviewer = await tenant.staff('exam_admin')
    const search = (keyword: string) => reviewer.get('/blade-signup/examine/getExamineList', { query: { examId: exam.examId, keyword } })
    const refused = await search('金丝')
    expect([refused.status, refused.body.reason, refused.body.msg]).toEqual([
      403,
      'kernel/field-unsearchable',
      '您的角色看不到姓名的完整内容，不能按它搜索或排序',
    ])
    expect((await search(phone)).body.msg).toBe('您的角色看不到手机号的完整内容，不能按它搜索或排序')
    expect((await search('26031700000012')).status).toBe(200)
    expect((await search(idCard)).body.data.total).toBe(1)
    const units = (query: object) => reviewer.get('/blade-userCode/usercode/list', { query: query as never })
    for (const query of [{ name: 'x' }, { name_likeright: 'x' }, { name_null: '1' }, { ascs: 'name' }, { descs: 'contact' }])
      expect([query, (await units(query)).body.reason]).toEqual([query, 'kernel/field-unsearchable'])
    expect((await units({ ascs: 'code' })).status).toBe(200)
    const reveal = (field: string) => reviewer.post('/blade-signup/signup/reveal', { json: { id: signupId, field, purpose: 1 } })
    expect([(await reveal('phone')).body.reason, (await reveal('idCard')).body.data]).toEqual(['kernel/field-told', { value: idCard }])
    expect(await tenant.rows(sql`select field from reveal_log`)).toEqual([{ field: 'idCard' }])
  })

  test('a form that sends a mask back changes nothing; one that leaves the field out changes the rest', async () => {
    await rule('exam_admin', [
      ['usercode', 'phone', 'masked'],
      ['usercode', 'contact', 'hidden'],
    ])
    const clerk = await tenant.staff('exam_admin')
    const added = await clerk.post('/blade-userCode/usercode/submit', {
      json: { code: 'U1', name: '一院', codeKind: 1, contact: '周院长', phone: '13800001234', sort: 1, status: 1 },
    })
    const id: string = added.body.data.id
    const stored = () => tenant.rows(sql`select name, contact, phone from user_code where id = ${id}`)
    const shown = (await clerk.get('/blade-userCode/usercode/detail', { query: { id } })).body.data
    expect(shown).toMatchObject({ name: '一院', contact: null, phone: '138****1234' })
    const save = (json: object) => clerk.post('/blade-userCode/usercode/submit', { json: { id, ...json } })
    const refused = await save({ name: '二院', phone: '138****9999' })
    expect([refused.status, refused.body.reason, refused.body.data.fields[0].field]).toEqual([403, 'kernel/field-closed', 'phone'])
    expect((await save({ contact: '李院长' })).body.reason).toBe('kernel/field-closed')
    expect(await stored()).toEqual([{ name: '一院', contact: '周院长', phone: '13800001234' }])
    // What was shown and comes back as it was shown is left as it is stored.
    expect((await save({ name: '二院', phone: shown.phone, contact: shown.contact })).status).toBe(200)
    expect(await stored()).toEqual([{ name: '二院', contact: '周院长', phone: '13800001234' }])
    expect((await save({ name: '三院' })).status).toBe(200)
    expect(await stored()).toEqual([{ name: '三院', contact: '周院长', phone: '13800001234' }])
  })

  test('an examination is saved by somebody who does not see all of its form, files and papers: what they do not see stays as it is', async () => {
    const { examId } = await buildExam(tenant, { exam: { state: 'draft' } })
    const clerk = await tenant.staff('exam_admin')
    const detailOf = async (by: Person) => (await by.get('/blade-exam/examination/detail', { query: { id: examId } })).body.data
    const whole = await detailOf(clerk)
    await rule('exam_admin', [
      ['signitems', 'itemLabel', 'masked'],
      ['signitems', 'help', 'hidden'],
      ['signfiles', 'fileLabel', 'hidden'],
      ['examitem', 'itemName', 'masked'],
    ])
    const shown = await detailOf(clerk)
    const without = (row: Record<string, unknown>, names: readonly string[]) =>
      Object.fromEntries(Object.entries(row).filter(([key]) => names.includes(key)))
    const [label, paper] = [shown.signitems[0].itemLabel, shown.examitems[0].itemName]
    expect([label, paper]).not.toEqual([whole.signitems[0].itemLabel, whole.examitems[0].itemName])
    const [first, ...others] = shown.examitems
    const body = {
      id: examId,
      version: shown.version,
      examName: '改了名的考试',
      // As a form sends them back, masks and all.
      signitems: shown.signitems.map((row: Record<string, unknown>) => without(row, ['id', 'itemLabel', 'help', 'required', 'sort'])),
      signfiles: shown.signfiles.map((row: Record<string, unknown>) => without(row, ['id', 'required', 'sort'])),
      examitems: [
        { id: first.id, itemName: first.itemName, tools: '黑色签字笔' },
        ...others.map((row: Record<string, unknown>) => without(row, ['id', 'itemName'])),
        { itemName: '新科目', itemCode: '77', itemType: 1, startTime: '2026-05-30 09:00:00', endTime: '2026-05-30 11:00:00', sort: 90 },
      ],
    }
    const saved = await clerk.post('/blade-exam/examination/submit', { json: body })
    expect([saved.status, saved.body.msg]).toEqual([200, '操作成功'])
    const after = await detailOf(await tenant.staff('admin'))
    const kept = (exam: typeof after) => ({
      items: exam.signitems.map((row: { itemLabel: string; help: string | null }) => [row.itemLabel, row.help]),
      files: exam.signfiles.map((row: { fileLabel: string }) => row.fileLabel),
      papers: exam.examitems.map((row: { itemName: string }) => row.itemName),
    })
    expect([after.examName, kept(after)]).toEqual(['改了名的考试', { ...kept(whole), papers: [...kept(whole).papers, '新科目'] }])
    expect(after.examitems[0].tools).toBe('黑色签字笔')
  })

  test('accounts: the name may stay out of a change, and is needed for an addition', async () => {
    const admin = await tenant.staff('admin')
    await rule('admin', [
      ['user', 'realName', 'masked'],
      ['user', 'sex', 'hidden'],
      ['user', 'email', 'masked'],
    ])
    const clerk = await tenant.staff('finance', { realName: '韩财务' })
    const row = (await admin.get('/blade-system/user/detail', { query: { id: clerk.userId } })).body.data
    // The nick name is the name until somebody chooses another.
    expect([row.realName, row.name, row.sex]).toEqual(['韩**', 's******', null])
    expect((await admin.get(`${base}/own`)).body.data).toMatchObject({ 'user.realName': 'masked', 'user.name': 'masked' })
    const save = (json: object) => admin.post('/blade-system/user/submit', { json: { id: clerk.userId, ...json } })
    expect((await save({ realName: '李**', code: 'F1' })).body.reason).toBe('kernel/field-closed')
    expect((await save({ realName: row.realName, code: 'F1' })).status).toBe(200)
    expect(await tenant.rows(sql`select real_name, code from account where id = ${clerk.userId}`)).toEqual([
      { real_name: '韩财务', code: 'F1' },
    ])
    const added = await admin.post('/blade-system/user/submit', { json: { account: 'newone1' } })
    expect([added.status, added.body.msg]).toEqual([400, '请输入姓名'])
  })

  test('roles add up: the one that lets more be seen wins, as long as it sees the noun', async () => {
    const both = await tenant.staff(['unit_hr', 'reviewer1'])
    const own = async () => {
      const rules: Record<string, string> = (await both.get(`${base}/own`)).body.data
      return Object.fromEntries(Object.entries(rules).filter(([at]) => /^signup\.(name|idCard|phone)$/.test(at)))
    }
    await rule('unit_hr', [
      ['signup', 'name', 'hidden'],
      ['signup', 'phone', 'hidden'],
    ])
    // The other role sees sign-ups and has no rule.
    expect(await own()).toEqual({})
    await rule('reviewer1', [
      ['signup', 'name', 'masked'],
      ['signup', 'idCard', 'masked'],
    ])
    expect(await own()).toEqual({ 'signup.name': 'masked' })
    // A role that does not see the noun lets nothing be seen of it.
    await tenant.db(async db =>
      db.run(
        sql`delete from role_menu where role_id = ${await roleOf('reviewer1')} and menu_id in (select id from menu where code in ('signup_view', 'examine_view'))`,
      ),
    )
    await rule('reviewer1', [])
    expect(await own()).toEqual({ 'signup.name': 'hidden', 'signup.phone': 'hidden' })
  })

  test('[S4.03] a change reaches open sessions at once, and stands in the trail with before and after', async () => {
    const { exam } = await signedUp()
    const reviewer = await tenant.staff('exam_admin')
    const name = async () =>
      (await reviewer.get('/blade-signup/examine/getExamineList', { query: { examId: exam.examId } })).body.data.records[0].name
    expect(await name()).toBe('金丝雀')
    await rule('exam_admin', [['signup', 'name', 'masked']])
    expect(await name()).toBe('金**')
    await rule('exam_admin', [
      ['signup', 'name', 'hidden'],
      ['user', 'phone', 'masked'],
    ])
    expect(await name()).toBeNull()
    expect(
      (
        await rule('exam_admin', [
          ['signup', 'name', 'hidden'],
          ['user', 'phone', 'masked'],
        ])
      ).body.data,
    ).toEqual({ changed: 0 })
    await rule('exam_admin', [])
    expect(await name()).toBe('金丝雀')
    const trail = await tenant.rows(
      sql`select before_value as before, after_value as after from audit_log where action = 'role.fields-ruled' order by id`,
    )
    expect(trail.map(line => (line as { before: { fields: object } }).before.fields)).toEqual([
      { 'fact.name': 'full' },
      { 'fact.name': 'masked', 'fact.phone': 'full' },
      { 'fact.name': 'hidden', 'fact.phone': 'masked' },
    ])
    expect(trail[2]).toMatchObject({ after: { role: '考务管理员', fields: { 'fact.name': 'full', 'fact.phone': 'full' } } })
  })

  test('a change reaches the other process at once as well, both ways', async () => {
    const two = await t.beside()
    const { exam } = await signedUp()
    const reviewer = await tenant.staff('exam_admin')
    const seenBy = async (at: TestApp): Promise<string | null> =>
      (
        await at.anonymous().get('/blade-signup/examine/getExamineList', {
          query: { examId: exam.examId },
          headers: { 'blade-auth': `bearer ${reviewer.token}` },
        })
      ).body.data.records[0].name
    const seen = async () => {
      await Promise.all([t.app.catchUp(), two.app.catchUp()])
      return [await seenBy(t), await seenBy(two)]
    }
    expect(await seen()).toEqual(['金丝雀', '金丝雀'])
    await rule('exam_admin', [['signup', 'name', 'masked']])
    expect(await seen()).toEqual(['金**', '金**'])
    const there = await two.anonymous().post(`${base}/submit`, {
      json: { roleId: await roleOf('exam_admin'), rules: [{ noun: 'signup', field: 'name', level: 'hidden' }] },
      headers: { 'blade-auth': `bearer ${keeper.token}` },
    })
    expect(there.status).toBe(200)
    expect(await seen()).toEqual([null, null])
  })

  test('the trail of changes, printed pages and imports keep to it too', async () => {
    const { exam } = await signedUp()
    const admin = await tenant.staff('admin')
    const clerk = await tenant.staff('finance', { realName: '韩财务' })
    await admin.post('/blade-system/user/submit', { json: { id: clerk.userId, realName: '韩会计' } })
    await ruleByServer('auditor', 'realName')
    await rule('exam_admin', [
      ['ticket', 'name', 'masked'],
      ['result', 'name', 'masked'],
      ['exampay', 'name', 'masked'],
    ])
    const auditor = await tenant.staff('auditor')
    const found = async (query: object) => (await auditor.get('/blade-log/audit/list', { query: query as never })).body.data.total
    // Neither a value nor a name is told by searching for it.
    expect([await found({ keyword: '韩会计' }), await found({ account: '韩' })]).toEqual([0, 0])
    const [line] = (await auditor.get('/blade-log/audit/list', { query: { action: 'account.updated' } })).body.data.records
    const detail = (await auditor.get('/blade-log/audit/detail', { query: { id: line.id } })).body.data
    expect([JSON.parse(detail.before).real_name, JSON.parse(detail.after).real_name]).toEqual(['韩**', '韩**'])
    expect(detail.before + detail.after + line.realName).not.toMatch(/财务|会计/)
    await tenant.rows(sql<object>`delete from role_field_rule where role_id = ${await roleOf('auditor')} returning 1`)
    await t.app.catchUp()
    expect([await found({ keyword: '韩会计' }), await found({ keyword: '韩财务' })]).toEqual([1, 1])
    const officer = await tenant.staff('exam_admin')
    const examId = exam.examId
    const itemId = exam.papers['01'] ?? ''
    expect((await officer.post('/blade-exam/examination/exportPDFView', { json: { examId } })).body.reason).toBe('kernel/field-told')
    expect((await officer.get('/blade-exam/examination/importTemplate', { query: { kind: 'T6', examId, itemId } })).body.reason).toBe(
      'kernel/field-told',
    )
    expect((await officer.get('/blade-exam/examination/importTemplate', { query: { kind: 'T1', examId } })).status).toBe(200)
    const file = { part: 'file', name: 'a.xlsx', bytes: new Uint8Array(1) }
    expect(
      (
        await officer.post('/blade-exam/examination/importResult', {
          multipart: { fields: { examId, itemId, mode: 'check' }, files: [file] },
        })
      ).body.reason,
    ).toBe('kernel/field-told')
  })

  test('view as: the person’s rules are in the report, in its rows and in its workbook', async () => {
    await rule('exam_admin', [
      ['usercode', 'phone', 'masked'],
      ['usercode', 'sort', 'hidden'],
    ])
    await tenant.db(db =>
      db.run(
        sql`insert into user_code (tenant_id, code, name, code_kind, phone, sort) values (${tenant.tenantId}, 'U9', '九院', 1, '13800001234', 77)`,
      ),
    )
    const admin = await tenant.staff('admin')
    const clerk = await tenant.staff('exam_admin', { realName: '赵考务' })
    const report = (await admin.get('/blade-system/role/view-as', { query: { userId: clerk.userId } })).body.data
    // A phone is masked in every noun that holds one.
    expect(report.fields.map((noun: { resource: string }) => noun.resource)).toEqual(['user', 'signup', 'usercode', 'sendmessage'])
    expect(report.fields.filter((noun: { resource: string }) => noun.resource === 'usercode')).toEqual([
      {
        resource: 'usercode',
        label: { zh: '单位编码', en: 'Unit code' },
        fields: [
          { name: 'phone', label: { zh: '联系电话', en: 'Phone' }, level: 'masked' },
          { name: 'sort', label: { zh: '排序', en: 'Order' }, level: 'hidden' },
        ],
      },
    ])
    const rows = async (by: Person) =>
      (await by.get('/blade-system/role/view-as-rows', { query: { userId: clerk.userId, resource: 'usercode' } })).body.data.records.flat()
    expect(await rows(admin)).toEqual(expect.arrayContaining(['九院', '138****1234']))
    // Who asks sees no more than they would see themselves.
    await rule('admin', [
      ['usercode', 'name', 'hidden'],
      ['user', 'realName', 'masked'],
    ])
    expect(await rows(admin)).not.toContain('九院')
    expect((await admin.get('/blade-system/role/view-as', { query: { userId: clerk.userId } })).body.data.user.realName).toBe('赵**')
  })
})

describe('[S6.04] who may rule', () => {
  test('keepers, for roles that are not their own, no further than they see themselves; each refusal says why', async () => {
    const admin = await tenant.staff('admin')
    expect((await rule('admin', [['user', 'phone', 'masked']], admin)).body.reason).toBe('role/own')
    expect((await rule('administrator', [['user', 'phone', 'masked']])).body.reason).toMatch(/^(role\/not-yours|kernel\/not-found)$/)
    await ruleByServer('secadmin', 'phone')
    await rule(
      'finance',
      [
        ['user', 'phone', 'hidden'],
        ['user', 'email', 'hidden'],
      ],
      admin,
    )
    // The keeper sees phones through the mask: no more for others either, but less, and what they see themselves.
    const more = await rule('finance', [['user', 'email', 'hidden']])
    expect([more.status, more.body.reason, more.body.msg]).toEqual([403, 'role/beyond-own', '这些超出您自己的权限，不能授予：手机号'])
    expect((await rule('finance', [['user', 'phone', 'masked']])).body.data).toEqual({ changed: 2 })
    expect((await rule('finance', [['user', 'phone', 'hidden']])).body.data).toEqual({ changed: 1 })
    const list = (await keeper.get(`${base}/list`)).body.data
    const users = list.nouns.find((noun: { code: string }) => noun.code === 'user')
    expect(users.fields.find((field: { name: string }) => field.name === 'phone')).toEqual({
      name: 'phone',
      label: { zh: '手机号', en: 'Mobile phone' },
      example: { full: '13800001234', masked: '138****1234' },
      most: 'masked',
      fact: 'phone',
    })
    expect(list.roles.find((role: { roleAlias: string }) => role.roleAlias === 'secadmin').readOnlyReason).toBe(
      '您自己持有角色“安全管理员”，请由其他管理员为它授权',
    )
    expect((await tenant.staff('auditor').then(by => by.get(`${base}/list`))).status).toBe(200)
    expect((await rule('finance', [], await tenant.staff('auditor'))).status).toBe(403)
  })

  test('who sees a noun through masks does not let others see it whole', async () => {
    const [menu] = await tenant.rows(sql<{ id: string }>`select id::text as id from menu where code = 'usercode_view'`)
    const made = async (roleAlias: string): Promise<string> =>
      (
        await keeper.post('/blade-system/role/submit', {
          json: { roleName: roleAlias, roleAlias, sort: 1, parentId: await roleOf('school') },
        })
      ).body.data.id
    const below = await made('below')
    await tenant.db(async db =>
      db.run(sql`
        insert into role_menu (tenant_id, role_id, menu_id) select ${tenant.tenantId}, ${await roleOf('school')}, id from menu
        where code in ('role_view', 'role_setting', 'usercode_view')`),
    )
    const liaison = await tenant.staff('school')
    const grant = (menuIds: readonly string[]) => liaison.post('/blade-system/role/grant', { json: { roleIds: [below], menuIds } })
    await rule('school', [['usercode', 'phone', 'masked']])
    expect((await grant([menu?.id ?? ''])).body.reason).toBe('role/beyond-own')
    await rule('school', [])
    expect((await grant([menu?.id ?? ''])).body.data).toEqual({ changed: 1 })
    // Nor by handing out a role that sees more; one that is masked the same way is theirs to give.
    await tenant.db(async db =>
      db.run(sql`
        insert into role_menu (tenant_id, role_id, menu_id) select ${tenant.tenantId}, ${await roleOf('school')}, id from menu where code in ('user_role', 'user_view')`),
    )
    await rule('school', [['usercode', 'phone', 'masked']])
    const helper = await tenant.staff([])
    const hand = () => liaison.post('/blade-system/user/grant', { query: { userIds: helper.userId, roleIds: below } })
    expect((await hand()).body.msg).toContain('below')
    await keeper.post(`${base}/submit`, { json: { roleId: below, rules: [{ noun: 'usercode', field: 'phone', level: 'masked' }] } })
    expect((await hand()).body.data).toEqual({ changed: 1, returned: 0, handedOver: 0 })
  })

  test('only declared fields, once each, and no half of what has none', async () => {
    const msg = async (rules: readonly Rule[]) => (await rule('finance', rules)).body.msg
    expect(await msg([['user', 'passwordHash', 'hidden']])).toBe('没有可设置的字段“user.passwordHash”')
    expect(await msg([['constructor', 'name', 'hidden']])).toBe('没有可设置的字段“constructor.name”')
    expect(await msg([['user', '__proto__', 'hidden']])).toBe('没有可设置的字段“user.__proto__”')
    expect(await msg([['datascope', 'scopeName', 'hidden']])).toBe('没有可设置的字段“datascope.scopeName”')
    expect(
      await msg([
        ['user', 'phone', 'hidden'],
        ['user', 'phone', 'masked'],
      ]),
    ).toBe('字段“user.phone”有两条规则')
    expect(await msg([['user', 'birthday', 'masked']])).toBe('“出生日期”不能部分显示，请选择隐藏或完整显示')
    expect(await tenant.rows(sql`select 1 from role_field_rule`)).toEqual([])
  })
})
