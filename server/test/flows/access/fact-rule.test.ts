import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ruledNouns } from '#contract/registry.ts'
import { sql } from '#kernel/db/sql.ts'
import type { RoleAlias } from '../../../seed/base/menus.ts'
import { type Person, startTestApp, type TestApp } from '../../support/app.ts'
import { beginPayments, exam, type PayScene, payScene } from '../../support/pay.ts'
import { sheetRows } from '../../support/sheet-text.ts'

let t: TestApp
let scene: PayScene
let keeper: Person
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  await beginPayments(t)
  scene = await payScene(t)
  keeper = await scene.tenant.staff('secadmin')
})

const base = '/blade-system/field-rule'
type Rule = readonly [noun: string, field: string, level: 'masked' | 'hidden']
const roleOf = async (alias: RoleAlias): Promise<string> =>
  (await scene.tenant.rows(sql<{ id: string }>`select id::text as id from role where role_alias = ${alias}`))[0]?.id ?? ''
const rule = async (alias: RoleAlias, rules: readonly Rule[], by = keeper) => {
  const answer = await by.post(`${base}/submit`, {
    json: { roleId: await roleOf(alias), rules: rules.map(([noun, field, level]) => ({ noun, field, level })) },
  })
  await t.app.catchUp()
  return answer
}
const everywhere = (level: 'masked' | 'hidden'): readonly Rule[] =>
  (['user', 'signup', 'ticket', 'result'] as const).map(noun => [noun, noun === 'user' ? 'realName' : 'name', level])
const dues = (by: Person, query: object = {}) =>
  by.get('/blade-examPay/exampay/list', { query: { examId: scene.built.examId, ...query } as never })
const dueBook = async (by: Person) => {
  const book = await by.get(`${exam}/getPayExcel`, { query: { examId: scene.built.examId, kind: 'due' } })
  return (await sheetRows(book.raw)).flat()
}

describe('[S6.03] a rule about a fact is about all its copies', () => {
  test('a name hidden for accounts, sign-ups, tickets and results stands in no due, in no detail of one and in no workbook of them', async () => {
    const payer = await scene.payer()
    expect((await dues(scene.finance)).body.data.records[0].name).toBe('王测')
    expect(await dueBook(scene.finance)).toEqual(expect.arrayContaining(['姓名', '王测']))
    // The four rules are about one fact, and each of them would do.
    expect((await rule('finance', everywhere('hidden'))).body.data).toEqual({ changed: 1 })
    const list = await dues(scene.finance)
    expect([list.body.data.total, list.body.data.records[0].name]).toEqual([1, null])
    const detail = await scene.finance.get('/blade-examPay/exampay/detail', { query: { id: payer.payId } })
    expect([detail.status, detail.body.data.name]).toEqual([200, null])
    expect(detail.raw.toString('utf8')).not.toContain('王')
    const book = await dueBook(scene.finance)
    expect([book.includes('姓名'), book.some(cell => cell.includes('王'))]).toEqual([false, false])
    const exported = await scene.finance.post('/blade-examPay/exampay/export', { json: { examId: scene.built.examId } })
    if (exported.status === 200) expect((await sheetRows(exported.raw)).flat().join(' ')).not.toContain('王测')
  })

  test('one of them through its mask is all of them through theirs, and none is searched or sorted by', async () => {
    await scene.payer()
    await rule('finance', [['signup', 'name', 'masked']])
    expect((await dues(scene.finance)).body.data.records[0].name).toBe('王*')
    expect(await dueBook(scene.finance)).toEqual(expect.arrayContaining(['姓名', '王*']))
    for (const query of [{ name: '王测' }, { name_likeright: '王' }, { ascs: 'name' }, { keyword: '王测' }])
      expect([query, (await dues(scene.finance, query)).body.reason]).toEqual([
        query,
        'keyword' in query ? expect.stringMatching(/field-unsearchable|invalid-input/) : 'kernel/field-unsearchable',
      ])
    await rule('finance', [])
    expect((await dues(scene.finance, { name: '王测' })).body.data.records[0].name).toBe('王测')
  })

  test('a rule that was written for one copy before counts for the others too', async () => {
    await scene.payer()
    await scene.tenant.db(async db =>
      db.run(sql`
        insert into role_field_rule (tenant_id, role_id, noun, field, level, views)
        values (${scene.tenant.tenantId}, ${await roleOf('finance')}, 'ticket', 'name', 2, '{ticket_view}')`),
    )
    await t.app.catchUp()
    expect((await dues(scene.finance)).body.data.records[0].name).toBeNull()
  })

  test('the screen has one row for each fact, with where it stands, and a saved rule is read back there', async () => {
    await rule('finance', [
      ['fact', 'name', 'masked'],
      ['exampay', 'amount', 'hidden'],
      ['ticket', 'photo', 'hidden'],
    ])
    const { facts, nouns, roles } = (await keeper.get(`${base}/list`)).body.data
    const name = facts.find((fact: { name: string }) => fact.name === 'name')
    expect(name).toMatchObject({ label: { zh: '姓名', en: 'Name' }, example: { full: '欧阳明', masked: '欧阳*' }, most: 'full' })
    expect(name.copies).toEqual(
      expect.arrayContaining([
        { zh: '用户', en: 'Users' },
        { zh: '应缴', en: expect.any(String) },
      ]),
    )
    const of = (code: string) => nouns.find((noun: { code: string }) => noun.code === code).fields
    expect(of('exampay').find((field: { name: string }) => field.name === 'name')).toMatchObject({ fact: 'name' })
    expect(of('exampay').find((field: { name: string }) => field.name === 'amount')).toMatchObject({ fact: null })
    expect(roles.find((role: { roleAlias: string }) => role.roleAlias === 'finance').rules).toEqual([
      { noun: 'exampay', field: 'amount', level: 'hidden' },
      { noun: 'fact', field: 'name', level: 'masked' },
      { noun: 'fact', field: 'photo', level: 'hidden' },
    ])
    const own = (await scene.finance.get(`${base}/own`)).body.data
    for (const { code, fields } of ruledNouns)
      if ('name' in fields && fields['name']?.mask === 'name') expect([code, own[`${code}.name`]]).toEqual([code, 'masked'])
    expect((await rule('finance', [['fact', 'photo', 'masked']])).status).toBe(400)
    expect((await rule('finance', [['fact', 'shoeSize', 'hidden']])).body.msg).toBe('没有可设置的字段“fact.shoeSize”')
  })

  test('of two roles the one that sees a noun without a rule still shows it there, and nowhere else', async () => {
    await rule('exam_admin', [['signup', 'name', 'hidden']])
    const both = await scene.tenant.staff(['exam_admin', 'finance'])
    const own = (await both.get(`${base}/own`)).body.data
    const held = new Set(
      (
        await scene.tenant.rows(sql<{ code: string }>`
          select m.code from role_menu rm join role r on r.id = rm.role_id join menu m on m.id = rm.menu_id
          where r.role_alias = 'finance' and not m.is_deleted`)
      ).map(({ code }) => code),
    )
    const names = ruledNouns.filter(({ fields }) => fields['name']?.mask === 'name')
    expect(names.map(({ code }) => [code, own[`${code}.name`]])).toEqual(
      names.map(({ code, views }) => [code, views.some(view => held.has(view)) ? undefined : 'hidden']),
    )
    expect([own['exampay.name'], own['ticket.name']]).toEqual([undefined, 'hidden'])
  })
})
