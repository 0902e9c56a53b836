import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'
import { createKnownForms, knownForm } from '#modules/signup/known-form.ts'
import { startTestApp, type TestApp, type TestTenant, testStart } from '../../support/app.ts'
import { type BuiltExam, buildExam } from '../../support/factories.ts'
import { answersOf, submit, uploadAll } from '../../support/signing.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const wang = { idCard: '330106199806301023', phone: '16000000001', realName: '王·测' }
const li = { idCard: '330106199501011244', phone: '16000000002', realName: '李测' }
const ofLi = { name: li.realName }

/** A candidate whose form has not been sent yet, and what the server says when it is: the state it gets, or the fields that are wrong. */
const applicant = async (tenant: TestTenant, exam: BuiltExam, who = wang) => {
  const person = await tenant.candidate(who)
  const fileIds = await uploadAll(person)
  return async (answers: Readonly<Record<string, unknown>> = {}): Promise<unknown> => {
    const { body } = await submit(person, exam.examId, { code: 'A001', content: answersOf(who.idCard, who.phone, answers), fileIds })
    return body.code === 200 ? body.data.examine : [...new Set(body.data.fields.map((field: { field: string }) => field.field))]
  }
}
/** A change by whoever it may be: another process, a screen, a migration. */
const change = (tenant: TestTenant, ...statements: RawBuilder<unknown>[]): Promise<void> =>
  tenant.db(async db => {
    for (const statement of statements) await db.run(statement)
  })

test('[S7.46][S7.47] a submit is judged by the form as it stands, however lately it was changed, and by nothing that was taken back', async () => {
  t.clock.set(testStart)
  const tenant = await t.tenant()
  const exam = await buildExam(tenant)
  // The form is known from here on: somebody has signed up with it.
  expect(await (await applicant(tenant, exam, li))(ofLi)).toBe(1)
  const send = await applicant(tenant, exam)

  await expect(
    tenant.db(async db => {
      await db.run(sql`update sign_item set required = 1 where item_key = 'schoolCode'`)
      throw new Error('taken back')
    }),
  ).rejects.toThrow('taken back')
  await change(tenant, sql`update sign_item set required = 1 where item_key = 'schoolCode'`)
  expect(await send()).toEqual(['schoolCode'])
  await change(
    tenant,
    sql`update sign_item set required = 0 where item_key = 'schoolCode'`,
    sql`delete from sign_item where item_key = 'relativeInfo'`,
  )
  expect(await send({ relativeInfo: [{}], hasRelative: '1', schoolCode: 'x'.repeat(500) })).toEqual(['schoolCode'])
  await change(
    tenant,
    sql`insert into sign_item (tenant_id, exam_id, item_key, item_label, field_type, required) values (${tenant.tenantId}, ${exam.examId}, 'shoeSize', '鞋码', 'number', 1)`,
  )
  expect(await send()).toEqual(['shoeSize'])
  await change(tenant, sql`update sign_item set is_deleted = true where item_key = 'shoeSize'`)

  await change(
    tenant,
    sql`insert into sign_file (tenant_id, exam_id, file_key, file_label, kind, required) values (${tenant.tenantId}, ${exam.examId}, 'consent', '同意书', 6, 1)`,
  )
  expect(await send()).toEqual(['file:consent'])
  await change(tenant, sql`update sign_file set required = 0 where file_key = 'consent'`)
  await change(tenant, sql`delete from sign_file where file_key = 'diploma'`)
  expect(await send()).toEqual(['file:diploma'])
  await change(tenant, sql`update sign_file set file_key = 'diploma' where file_key = 'consent'`)
  expect(await send()).toBe(1)
})

test('[S7.47] an entry of a dictionary is a choice from the moment it is there until the moment it is not, in its own tenant', async () => {
  t.clock.set(testStart)
  const [tenant, other] = [await t.tenant(), await t.tenant()]
  const [exam, strange] = [await buildExam(tenant), await buildExam(other)]
  expect(await (await applicant(tenant, exam, li))(ofLi)).toBe(1)
  expect(await (await applicant(other, strange, li))(ofLi)).toBe(1)
  const [send, sendElsewhere] = [await applicant(tenant, exam), await applicant(other, strange)]

  expect(await send({ nation: '77' })).toEqual(['nation'])
  await change(tenant, sql`update dict_biz set dict_key = '77' where code = 'nation' and dict_key = '01'`)
  expect(await send()).toEqual(['nation'])
  expect(await sendElsewhere({ nation: '77' })).toEqual(['nation'])
  await change(tenant, sql`delete from dict_biz where code = 'political' and dict_key = '13'`)
  expect(await send({ nation: '77' })).toEqual(['political'])
  await change(
    tenant,
    sql`insert into dict_biz (tenant_id, code, dict_key, dict_value) values (${tenant.tenantId}, 'political', '13', '群众')`,
    sql`update dict_biz set dict_value = '大学本科' where code = 'education' and dict_key = '20'`,
  )
  expect([await send({ nation: '77' }), await sendElsewhere()]).toEqual([1, 1])

  const said = (of: TestTenant) =>
    of.rows(
      sql<object>`select c->'got'->>'zh' as got from signup s, jsonb_array_elements(s.auto_check) c where s.name = '王·测' and c->>'rule' = 'education'`,
    )
  expect([await said(tenant), await said(other)]).toEqual([[{ got: '大学本科' }], [{ got: '本科' }]])
})

/** What the database would open to answer this, also behind a view. */
const tablesOf = async (db: TenantDb, statement: RawBuilder<unknown>): Promise<string[]> =>
  [...JSON.stringify(await db.all(sql`explain (format json) ${statement}`)).matchAll(/"Relation Name":\s*"(\w+)"/g)].map(
    ([, table]) => table ?? '',
  )

test('whatever table a process keeps a part of a form from renews the stamp with every row that comes, changes and goes', async () => {
  const tenant = await t.tenant()
  const exam = await buildExam(tenant)
  const read = new Set<string>()
  await tenant.db(async db => {
    const note = async (statement: RawBuilder<unknown>): Promise<void> => {
      for (const table of await tablesOf(db, statement)) read.add(table)
    }
    const watched: TenantDb = {
      ...db,
      all: async statement => {
        await note(statement)
        return db.all(statement)
      },
      one: async statement => {
        await note(statement)
        return db.one(statement)
      },
      maybe: async statement => {
        await note(statement)
        return db.maybe(statement)
      },
    }
    const form = await knownForm(createKnownForms(), watched, exam.examId, answersOf(wang.idCard, wang.phone))
    // Nothing of it was left out: fields, files, the dictionaries of conditions, and entries that were chosen.
    expect([form.items.length > 0, form.files.length > 0, form.entries.has('education'), form.entries.has('nation')]).toEqual(
      Array.from({ length: 4 }, () => true),
    )
  })
  const owner = await t.owner()
  const { rows } = await owner.query<{ table: string; events: string[] }>(`
    select c.relname as "table", array_agg(e.name order by e.name) as events
    from pg_trigger g join pg_class c on c.oid = g.tgrelid join pg_proc p on p.oid = g.tgfoid
    cross join lateral (values ('added', 4), ('changed', 16), ('removed', 8)) e(name, bit)
    where p.proname = 'renew_form_stamp' and g.tgenabled = 'O' and g.tgtype & e.bit > 0 and g.tgqual is null and g.tgattr = '' group by 1`)
  const renewing = new Map(rows.map(row => [row.table, row.events]))
  const every = ['added', 'changed', 'removed']
  expect(Object.fromEntries([...read].filter(table => table !== 'form_stamp').map(table => [table, renewing.get(table)]))).toEqual({
    sign_item: every,
    sign_file: every,
    dict_biz: every,
  })
})
