import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countStatements } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { reviewWorld, wang } from '../../support/reviewing.ts'
import { insertSignups } from '../../support/sign-up-rows.ts'
import { answersOf, submit, uploadAll } from '../../support/signing.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

describe('the list of sign-ups to review', () => {
  test('a long list is counted to the end, or up to a thousand beyond the page where that was asked for', async () => {
    const w = await reviewWorld(t)
    const owner = await t.owner()
    await owner.query('set session_replication_role = replica')
    await owner.query(`select set_config('app.now', $1, false)`, [t.clock.now().toISOString()])
    await owner.query(
      `insert into signup (tenant_id, exam_id, user_id, examine, unit, name, submit_time)
       select $1, $2, 9000000 + g, 'waiting', 'H01', '众', $3 from generate_series(1, 1019) g`,
      [w.tenant.tenantId, w.exam.examId, t.clock.now()],
    )
    // Rows that were written past the triggers are counted here.
    await owner.query('select mend_signup_tallies($1, $2)', [w.tenant.tenantId, w.exam.examId])
    const page = async (query: Record<string, string | number>) => {
      const { records, ...rest } = (await w.r1.get('/blade-signup/examine/getExamineList', { query: { examId: w.exam.examId, ...query } }))
        .body.data
      return { ...rest, shown: records.length }
    }
    const whole = { total: 1020, size: 10, pages: 102 }
    expect(await page({})).toEqual({ ...whole, current: 1, shown: 10 })
    expect(await page({ count: 'exact' })).toEqual({ ...whole, current: 1, shown: 10 })
    expect(await page({ count: 'capped' })).toEqual({ total: 1000, atLeast: true, size: 10, pages: 100, current: 1, shown: 10 })
    // The last page that was offered leads on.
    expect(await page({ count: 'capped', current: 100 })).toEqual({ ...whole, atLeast: false, current: 100, shown: 10 })
    expect(await page({ count: 'capped', keyword: '王·' })).toEqual({ total: 1, atLeast: false, size: 10, pages: 1, current: 1, shown: 1 })
    // However far back a page is, and whatever was searched for, the pages follow one another and nobody is on two of them.
    const listed = async (query: Record<string, string>): Promise<string[]> => {
      const pages = await Promise.all(
        Array.from({ length: 6 }, (_, i) =>
          w.r1.get('/blade-signup/examine/getExamineList', { query: { examId: w.exam.examId, size: 50, current: i + 1, ...query } }),
        ),
      )
      return pages.flatMap(one => one.body.data.records.map((record: { id: string }) => record.id))
    }
    const inOrder = await w.tenant.rows(sql<{ id: string }>`select id::text as id from signup order by submit_time, id limit 300`)
    expect(await listed({})).toEqual(inOrder.map(row => row.id))
    expect(await listed({ unit: 'H01', order: 'wait' })).toEqual(
      (
        await w.tenant.rows(sql<{ id: string }>`select id::text as id from signup where unit = 'H01' order by submit_time, id limit 300`)
      ).map(row => row.id),
    )
    // Of one unit in one state, however the unit is typed.
    expect(await listed({ unit: 'h01', order: 'wait', level: '1' })).toEqual(
      (
        await w.tenant.rows(
          sql<{
            id: string
          }>`select id::text as id from signup where unit = 'H01' and examine = 'waiting' order by submit_time, id limit 300`,
        )
      ).map(row => row.id),
    )
    // What is decided waits no more: among all states it comes after whatever waits.
    await owner.query(`update signup set examine = 'refused' where id = $1`, [inOrder[0]?.id])
    expect((await listed({})).slice(0, 2)).toEqual(inOrder.slice(1, 3).map(row => row.id))
    const stranger = await (await t.tenant()).staff('reviewer1')
    const foreign = await stranger.get('/blade-signup/examine/getExamineList', { query: { examId: w.exam.examId, count: 'capped' } })
    expect(foreign.body.data).toMatchObject({ records: [], total: 0, atLeast: false })
  })

  test('the first page counts what its list shows: whoever decided first, whoever is listed for other units, and the office have their own numbers', async () => {
    const tenant = await t.tenant()
    const exam = await buildExam(tenant)
    const both = await tenant.staff(['reviewer1', 'reviewer2'], { realName: '两级丙' })
    const listed = await tenant.staff('reviewer2', { realName: '复核丁' })
    const office = await tenant.staff('exam_admin')
    const states = ['waiting', 'second', 'second', 'second', 'passed'] as const
    await insertSignups(
      tenant,
      exam.examId,
      states.map((examine, i) => ({ name: `人${i}`, code: 'A001', type: 'A', unit: i === 3 ? 'H02' : 'H01', examine })),
    )
    await tenant.rows(sql`update signup set reviewer1_id = ${both.userId} where name = '人1' returning id`)
    const numbersOf = async (who: Person) => {
      const { todos } = (await who.get('/me/home')).body.data
      const numbers = []
      for (const [key, examine] of [
        ['reviewFirst', 1],
        ['reviewSecond', 2],
      ] as const) {
        const found = todos.find((one: { key: string }) => one.key === key)
        if (!found) continue
        // The way of the first page (`placeOf`).
        const query = { examId: exam.examId, examine, mayTake: 1 }
        numbers.push([key, found.count, (await who.get('/blade-signup/examine/getExamineList', { query })).body.data.total])
      }
      return numbers
    }
    expect(await numbersOf(both)).toEqual([
      ['reviewFirst', 1, 1],
      ['reviewSecond', 2, 2],
    ])
    await tenant.rows(sql`
      insert into exam_user (tenant_id, exam_id, user_id, level, state, units, codes) values (${tenant.tenantId}, ${exam.examId}, ${listed.userId}, 2, 1, '["H02"]', '[]') returning id`)
    expect(await numbersOf(listed)).toEqual([['reviewSecond', 1, 1]])
    expect(await numbersOf(both)).toEqual([
      ['reviewFirst', 0, 0],
      ['reviewSecond', 0, 0],
    ])
    expect(await numbersOf(office)).toEqual([
      ['reviewFirst', 1, 1],
      ['reviewSecond', 3, 3],
    ])
  })

  test('a keyword is an id number, a phone, a sign-up number or part of a name', async () => {
    const w = await reviewWorld(t)
    const total = async (keyword: string) =>
      (await w.r1.get('/blade-signup/examine/getExamineList', { query: { examId: w.exam.examId, keyword } })).body.data.total
    expect([
      await total(wang.idCard),
      await total(wang.phone),
      await total('20260300000001'),
      await total('王·'),
      await total('330106199806301024'),
      await total('李'),
    ]).toEqual([1, 1, 1, 1, 0, 0])
  })

  test('[2.2] whoever only audits reads masked names, finds people by their full ones, and with another role reads what that one reads', async () => {
    const w = await reviewWorld(t)
    const seenBy = async (who: Person) => {
      const list = await who.get('/blade-signup/examine/getExamineList', { query: { examId: w.exam.examId, keyword: '王·测' } })
      const detail = await who.get('/blade-signup/signup/detail', { query: { id: w.id } })
      const work = await who.post('/blade-signup/examine/open', { json: { signUpId: w.id } })
      return [list.body.data.records[0]?.name, detail.body.data.name, detail.body.data.content.name, work.body.data.signup.name]
    }
    expect(await seenBy(await w.tenant.staff('auditor'))).toEqual(['王·*', '王·*', '王·*', '王·*'])
    expect(await seenBy(await w.tenant.staff(['auditor', 'exam_admin']))).toEqual(['王·测', '王·测', '王·测', '王·测'])
  })

  test('[S7.48] the count of a unit is of live sign-ups, the list has the withdrawn beside them; a unit of two spellings is counted once', async () => {
    const tenant = await t.tenant()
    const exam = await buildExam(tenant)
    const states = [
      'waiting',
      'waiting',
      'second',
      'passed',
      'returned',
      'refused',
      'disqualified',
      'withdrawn',
      'withdrawn',
      'draft',
    ] as const
    await insertSignups(
      tenant,
      exam.examId,
      states.map((examine, i) => ({ name: `人${i}`, code: 'A001', type: 'A', unit: 'H01', examine })),
    )
    const spellings = await tenant.rows(sql<{ id: string }>`
      update type_code set unit_name = case when code = 'A001' then '甲医院' else '甲医院（旧名）' end
      where exam_id = ${exam.examId} and unit = 'H01' returning id::text as id`)
    expect(spellings.length).toBeGreaterThan(1)
    const office = await tenant.staff('exam_admin')
    const units = (await office.get('/blade-signup/examine/getExamUnits', { query: { examId: exam.examId } })).body.data
    expect(units.filter((one: { unit: string }) => one.unit === 'H01')).toEqual([
      { unit: 'H01', unitName: '甲医院（旧名）', total: 7, waiting: 3, passed: 1, returned: 1, rejected: 1 },
    ])
    const totalOf = async (query: Record<string, string>) =>
      (await office.get('/blade-signup/examine/getExamineList', { query: { examId: exam.examId, unit: 'H01', ...query } })).body.data.total
    // 7 that count and the two that were withdrawn; drafts are nobody's to see.
    expect([await totalOf({}), await totalOf({ examine: '6' })]).toEqual([9, 2])
  })

  test('lists need the same number of statements for one row and for three', async () => {
    const w = await reviewWorld(t)
    const queries = [
      () => w.r1.get('/blade-signup/examine/getExamineList', { query: { examId: w.exam.examId } }),
      () => w.candidate.get('/blade-signup/signup/examList'),
      () => w.candidate.get('/blade-signup/signup/myExamList'),
    ]
    const count = async () => {
      const counts: number[] = []
      for (const query of queries) {
        // The first call also reads the session.
        await query()
        counts.push(await countStatements(query))
      }
      return counts
    }
    const one = await count()
    for (const [at, idCard] of ['510107199309094510', '440106199202290082'].entries()) {
      const person = await w.tenant.candidate({ realName: '李测', phone: `1603000000${at}`, idCard })
      await submit(person, w.exam.examId, {
        content: answersOf(idCard, `1603000000${at}`, { name: '李测' }),
        fileIds: await uploadAll(person),
      })
      const more = await buildExam(w.tenant, { exam: { exam_name: `第${at}次招聘`, exam_code: `HZ2026X${at}`, exam_no: 10 + at } })
      await submit(w.candidate, more.examId, { content: answersOf(wang.idCard, wang.phone), fileIds: w.fileIds })
    }
    expect((await w.candidate.get('/blade-signup/signup/myExamList')).body.data.total).toBe(3)
    expect(await count()).toEqual(one)
  })
})
