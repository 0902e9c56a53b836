import { performance } from 'node:perf_hooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { testIdCard } from '../../support/id-card.ts'
import { runTask } from '../../support/pay.ts'
import { workbook } from '../../support/workbook.ts'

/** Several portions in the ordinary suite, and the most rows of one file in the long one. */
const all = process.env['KAOPU_LONG'] ? 50_000 : 1_200

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const header = ['姓名', '证件号码', '手机号', '岗位代码', '是否服从调剂', '民族', '学历', '学位', '毕业院校', '专业', '毕业时间']
const surnames = '赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜'
const given = '安邦成达恩芳国海嘉康兰明宁平青荣书天文晓秀雅言玉泽芷'
/** Five hundred people of a day. */
const bornOn = (serial: number): string =>
  new Date(Date.UTC(1990, 0, 1 + Math.floor(serial / 500))).toISOString().slice(0, 10).replaceAll('-', '')
const nameOf = (serial: number): string =>
  `${surnames[serial % surnames.length]}${given[Math.floor(serial / surnames.length) % given.length]}${given[serial % given.length]}`
const rowOf = (_: unknown, serial: number): string[] => [
  ...[nameOf(serial), testIdCard(serial % 500, bornOn(serial)), `162${String(serial).padStart(8, '0')}`],
  ...['B001', '是', '汉族', '本科', '学士', '新疆医科大学', '护理学', '2024-06-30'],
]

test(`[S7.41] a school signs up ${all} people by one file: an account, a draft that holds no place, and a notice for each`, async () => {
  const tenant = await t.tenant()
  const { examId } = await buildExam(tenant)
  const school = await tenant.staff('school', { userCode: '4165010760' })
  const bytes = await workbook([header, ...Array.from({ length: all }, rowOf)])
  const begin = performance.now()
  // Of the whole process: the server runs within the test.
  const rssMb = () => Math.round(process.memoryUsage().rss / 1024 / 1024)
  const atFirst = rssMb()
  let most = atFirst
  const watch = setInterval(() => {
    most = Math.max(most, rssMb())
  }, 100)
  const { body } = await school.post('/blade-exam/examination/importSignUp', {
    multipart: { fields: { examId, mode: 'commit' }, files: [{ part: 'file', name: '报名.xlsx', bytes }] },
  })
  const [order] = await tenant.rows(sql<{ payload: object }>`select payload from outbox where task = 'exam.import'`)
  if (order) await runTask(t, 'exam.import', order.payload)
  clearInterval(watch)
  if (process.env['KAOPU_LONG']) {
    process.stdout.write(`${all} people signed up by one file in ${Math.round((performance.now() - begin) / 1_000)} s, `)
    process.stdout.write(`${most - atFirst} MB more than the ${atFirst} MB before\n`)
    // The most that one import may take.
    expect(most - atFirst).toBeLessThan(500)
  }
  expect(body.code).toBe(200)
  expect(
    await tenant.rows(sql<object>`
      select (select count(*)::int from signup) as signups, (select count(*)::int from group_signup) as listed, (select count(*)::int from signup where examine = 'draft' and sign_no is null) as drafts,
        (select count(*)::int from signup_history) as versions,
        (select count(distinct user_code)::int from account where user_type = 2) as people, (select used_sign from type_code where code = 'B001') as used,
        (select count(distinct user_id)::int from notify where event_key = ${`signup.group:${examId}`}) as told`),
  ).toEqual([{ signups: all, listed: all, drafts: all, versions: 0, people: all, used: 0, told: all }])
  // Each of the new people is found by parts of the name.
  const last = nameOf(all - 1)
  expect(
    await tenant.rows(sql<object>`
      select a.real_name as name from account a join search_part p on p.field = 'an' and p.part = ${last} and p.row_id = a.id order by a.id desc limit 1`),
  ).toEqual([{ name: last }])
}, 900_000)
