import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp } from '../../support/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const read = async (person: Person): Promise<Readonly<Record<string, unknown>>> => {
  const { settings } = (await person.get('/me/settings')).body.data
  return Object.fromEntries(settings.map((one: { name: string; value: unknown }) => [one.name, one.value]))
}
const keep = (person: Person, settings: Readonly<Record<string, unknown>>) =>
  person.post('/me/settings', { json: { settings: Object.entries(settings).map(([name, value]) => ({ name, value })) } })

test('[S2.34][S2.35][S2.36] look, language, columns and fold are kept for the person, in one tenant, and for nobody else', async () => {
  const [tenant, elsewhere] = [await t.tenant(), await t.tenant()]
  const [one, colleague, candidate] = [await tenant.staff('exam_admin'), await tenant.staff('exam_admin'), await tenant.candidate()]
  const stranger = await elsewhere.staff('exam_admin')
  const look = { theme: 'theme-bule', primary: '#336699' }
  expect((await keep(one, { look, lang: 'en', folded: true, 'own.columns-exam': { hidden: ['year'], order: [] } })).body.data).toEqual({
    kept: 4,
  })
  expect((await keep(one, { folded: false, 'own.columns-exam': null })).body.data).toEqual({ kept: 2 })
  expect(await read(one)).toEqual({ look, lang: 'en', folded: false, 'own.columns-exam': null })
  expect((await keep(candidate, { lang: 'en' })).body.data).toEqual({ kept: 1 })
  expect([await read(colleague), await read(candidate), await read(stranger)]).toEqual([{}, { lang: 'en' }, {}])
  // The wall behind the question: a colleague's row does not exist for the database role either.
  const rows = await t.app.services.scopes.tx(
    { kind: 'staff', tenantId: tenant.tenantId, userId: colleague.userId, departments: null },
    t.clock.now(),
    db => db.all(sql`select name from user_setting`),
  )
  expect(rows).toEqual([])
})

test('what is too long or wrongly named is refused with its name, and of too many the oldest go', async () => {
  const person = await (await t.tenant()).staff('finance')
  expect((await keep(person, { 'own.columns-x': 'x'.repeat(3_998) })).status).toBe(200)
  const long = await keep(person, { lang: 'zh', 'own.columns-y': 'x'.repeat(3_999) })
  expect([long.status, long.body.msg]).toEqual([400, '设置“own.columns-y”过长，最多 4000 个字符，未保存'])
  expect((await keep(person, { '1 x': 1 })).body.data.fields).toMatchObject([{ field: 'settings.0.name' }])
  for (let batch = 0; batch < 5; batch += 1) {
    t.clock.advance(1_000)
    await keep(person, Object.fromEntries(Array.from({ length: 45 }, (_, index) => [`own.${batch}-${index}`, index])))
  }
  const names = Object.keys(await read(person))
  expect([
    names.length,
    names.includes('own.columns-x'),
    names.includes('own.4-44'),
    names.filter(name => name.startsWith('own.0-')).length,
  ]).toEqual([200, false, true, 20])
})
