import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Route } from '#contract/kernel/route.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp } from '../support/app.ts'
import { fileText } from '../support/file-text.ts'
import { type ReviewWorld, reviewWorld } from '../support/reviewing.ts'
import { isWhole, sweptRoutes } from '../support/swept-routes.ts'

// Answers and files of a sign-up are read by calls of many modules. A new one takes part by itself: each call that reads is made with the ids of one
// sign-up, as somebody who has every role of the office and is kept from it, and nothing that the person answered or uploaded may come back. Files
// that leave by POST are opened and read.

let t: TestApp
let w: ReviewWorld
/** The calls that tell somebody with every role, whom nothing keeps from the sign-up. */
let told: readonly Route[]
beforeAll(async () => {
  t = await startTestApp()
  w = await reviewWorld(t, { exam: { allot_mode: 0 } })
  await w.tenant.rows(
    sql`update signup set content = jsonb_set(content, '{workUnit}', to_jsonb(${answer}::text)), major = ${major} where id = ${w.id}`,
  )
  told = await tellers(await w.tenant.staff([...roles], { realName: '无回避' }), about)
})
afterAll(() => t.close())

const roles = ['exam_admin', 'reviewer1', 'reviewer2', 'recheck', 'unit_hr', 'finance'] as const
/** Fields of calls that mean the sign-up, and what else makes a list show it. */
const meant = (): Readonly<Record<string, string>> => ({
  ...{ id: w.id, ids: w.id, signUpId: w.id, signupId: w.id, signUpIds: w.id, examId: w.exam.examId },
  ...{ current: '1', size: '100', all: '1', field: 'address', purpose: '核对', reason: '核对', text: '王·测', keyword: '王·测' },
})
/** A value as the field takes it. */
const fitting = (schema: unknown, value: string): unknown => {
  const { type } = schema as { readonly type?: string }
  return type === 'array' ? [value] : type === 'integer' || type === 'number' ? Number(value) : value
}
const inputFor = ({ method, input }: Route): Record<string, string> => {
  const { properties = {} } = input as { readonly properties?: Readonly<Record<string, unknown>> }
  const given = Object.entries(meant()).filter(([name]) => Object.hasOwn(properties, name))
  return Object.fromEntries(given.map(([name, value]) => [name, method === 'GET' ? value : fitting(properties[name], value)])) as Record<
    string,
    string
  >
}
const sorts = ['id', 'ids', 'signUpId', 'signupId', 'signUpIds', 'examId']
const isAboutSignups = ({ input }: Route): boolean =>
  sorts.some(name => Object.hasOwn((input as { readonly properties?: object }).properties ?? {}, name))
const answer = '滨江区机密路一号'
const major = '机密医学'

const about = sweptRoutes.filter(one => (one.method === 'GET' || one.answer === 'file') && isAboutSignups(one))
const isLong = Boolean(process.env['KAOPU_LONG'])
/** Who is kept from it is asked by the calls that tell others; by all of them in the long run. */
const asked = (): readonly Route[] => (isLong ? about : told)

/** Those of these calls that tell this person something that the candidate answered or uploaded. */
const tellers = async (reader: Person, routes: readonly Route[] = asked()): Promise<readonly Route[]> => {
  const files = [...Object.values(w.fileIds).flat()]
  const found: Route[] = []
  for (const route of routes) {
    const isGet = route.method === 'GET'
    const said = isGet ? await reader.get(route.path, { query: inputFor(route) }) : await reader.post(route.path, { json: inputFor(route) })
    const text = fileText(said.raw)
    if (text.includes(answer) || text.includes(major) || (!isGet && text.includes('王·测')) || files.some(id => text.includes(id)))
      found.push(route)
  }
  return found
}
const pathsOf = async (reader: Person) => (await tellers(reader)).map(({ path }) => path)

test('nobody reads answers or files of a sign-up that a recusal keeps them from, by any call', async () => {
  // The sweep sees something.
  if (isWhole)
    expect(told.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        '/blade-signup/examine/getExamineInfo',
        '/blade-signup/signup/detail',
        '/blade-signup/signup/getExamAvatarList',
        '/blade-signup/examine/getExamineList',
        '/blade-signup/signup/exportSignUp',
        '/blade-signup/signup/exportSignUpEach',
        '/blade-signup/signup/exportFilesForUser',
      ]),
    )
  const recused = await w.tenant.staff([...roles], { realName: '已回避' })
  await w.tenant.rows(sql`
    insert into recuse (tenant_id, exam_id, reviewer_id, signup_id, reason) values (${w.tenant.tenantId}, ${w.exam.examId}, ${recused.userId}, ${w.id}, '亲属')`)
  expect(await pathsOf(recused)).toEqual([])
  // The list says that it is there and whose it is, and nothing that was answered or found.
  const page = await recused.get('/blade-signup/examine/getExamineList', { query: { examId: w.exam.examId } })
  expect(page.body.data.records).toMatchObject([
    {
      id: w.id,
      name: '王·测',
      recusal: '已登记回避',
      idCardMask: null,
      phoneMask: null,
      sex: null,
      education: null,
      major: null,
      autoCheck: null,
    },
  ])
  // By the unit, and by the number of the person, whichever sign-up it is.
  await w.tenant.rows(sql`update recuse set signup_id = null, unit = (select unit from signup where id = ${w.id})`)
  expect(await pathsOf(recused)).toEqual([])
  await w.tenant.rows(sql`update recuse set unit = 'H99', id_card_index = (select id_card_index from signup where id = ${w.id})`)
  expect(await pathsOf(recused)).toEqual([])
})

test('a reviewer listed with units reads theirs alone where nothing is handed out', async () => {
  const reviewer = await w.tenant.staff('reviewer1', { realName: '他单位' })
  const list = (units: readonly string[]) =>
    w.officer.post('/blade-exam/examination/saveCheck', {
      json: { examId: w.exam.examId, list: [{ userId: reviewer.userId, level: 1, units }] },
    })
  expect((await list(['H02'])).status).toBe(200)
  expect(await pathsOf(reviewer)).toEqual([])
  const page = await reviewer.get('/blade-signup/examine/getExamineList', { query: { examId: w.exam.examId } })
  expect([page.status, page.body.data.total]).toEqual([200, 0])
  const [{ unit } = { unit: '' }] = await w.tenant.rows(sql<{ unit: string }>`select unit from signup where id = ${w.id}`)
  expect((await list([unit])).status).toBe(200)
  if (isWhole) expect(await pathsOf(reviewer)).toContain('/blade-signup/examine/getExamineInfo')
})
