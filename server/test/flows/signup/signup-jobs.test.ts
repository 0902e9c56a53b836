import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant, testStart } from '../../support/app.ts'
import { buildExam, makeDept } from '../../support/factories.ts'
import { doWork } from '../../support/own-work.ts'
import { uploadAll } from '../../support/signing.ts'

let t: TestApp
let tenant: TestTenant
let examId: string
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(testStart)
  tenant = await t.tenant()
  examId = (await buildExam(tenant)).examId
})

const set = (at: string) => t.clock.set(`2026-03-${at}+08:00`)
const work = (name: string) => doWork(t, name, tenant.tenantId)
let number = 0
/** A sign-up as it stands in the table, whatever led there. */
const signup = async (
  examine: string,
  more: { code?: string; at?: string; firstAt?: string; extendUntil?: string } = {},
): Promise<Person> => {
  const person = await tenant.candidate()
  number += 1
  await tenant.rows(sql`
    insert into signup (tenant_id, exam_id, user_id, code, type, unit, examine, name, id_card_mask, sign_no, sign_version, submit_time, reviewer1_time, extend_until)
    values (${tenant.tenantId}, ${examId}, ${person.userId}, ${more.code ?? 'B001'}, 'B', 'H01', ${examine}, '王测', '3301**********301X', ${`S${number}`}, 1,
      ${more.at ? `2026-03-${more.at}+08` : null}, ${more.firstAt ? `2026-03-${more.firstAt}+08` : null}, ${more.extendUntil ? `2026-03-${more.extendUntil}+08` : null})`)
  return person
}
const noticesOf = (person: Person) =>
  tenant.rows(sql<{ title: string; content: string }>`
    select title_zh as title, content_zh as content from notify where user_id = ${person.userId} order by id`)

describe('reminders before the end of sign-up (domain 13.3)', () => {
  test('whoever has not submitted hears of it at 72, 24 and 3 hours, once each, and nobody else does', async () => {
    const [begun, sent, gone] = [await signup('draft'), await signup('waiting', { at: '16T09:00:00' }), await signup('withdrawn')]
    const told = async () => (await work('signup.remind')).result
    // The end is on the 20th at 17:00.
    set('17T16:59:59')
    expect(await told()).toEqual({ zh: '提醒提交报名 0 人次', en: '0 reminded to submit' })
    set('17T17:00:00')
    expect(await told()).toMatchObject({ en: '1 reminded to submit' })
    expect(await told()).toMatchObject({ en: '0 reminded to submit' })
    set('19T18:00:00')
    expect(await told()).toMatchObject({ en: '1 reminded to submit' })
    set('20T14:00:00')
    expect(await told()).toMatchObject({ en: '1 reminded to submit' })
    set('20T17:00:00')
    expect(await told()).toMatchObject({ en: '0 reminded to submit' })
    const one = {
      title: '报名即将截止，您还没有提交',
      content: '2026年区卫生健康系统事业单位公开招聘：报名将于 2026-03-20 17:00 截止，只保存未提交的报名无效',
    }
    expect(await noticesOf(begun)).toEqual([one, one, one])
    expect([await noticesOf(sent), await noticesOf(gone)]).toEqual([[], []])
  })

  test('a returned sign-up counts until the end of corrections, or what this person was given beyond that; an end that moves reminds anew', async () => {
    const [usual, extended] = [await signup('returned'), await signup('returned', { extendUntil: '22T12:00:00' })]
    set('20T20:00:00')
    await work('signup.remind')
    await work('signup.remind')
    const until = (end: string) => ({
      title: '报名修改即将截止',
      content: `2026年区卫生健康系统事业单位公开招聘：您的报名已退回修改，请于 ${end} 前修改并重新提交`,
    })
    expect(await noticesOf(usual)).toEqual([until('2026-03-21 12:00')])
    expect(await noticesOf(extended)).toEqual([until('2026-03-22 12:00')])
    await tenant.rows(sql`update examination set modify_end = modify_end + interval '1 hour' where id = ${examId}`)
    await work('signup.remind')
    expect(await noticesOf(usual)).toEqual([until('2026-03-21 12:00'), until('2026-03-21 13:00')])
  })
})

describe('reviews that wait too long (domain 13.5)', () => {
  test('reviewers hear of it after 24 hours, whoever runs the examination after 48, each once a day', async () => {
    const [first, second, office] = [await tenant.staff('reviewer1'), await tenant.staff('reviewer2'), await tenant.staff('exam_admin')]
    await signup('waiting', { at: '16T09:00:00' })
    await signup('waiting', { at: '16T12:00:00' })
    await signup('second', { at: '16T09:00:00', firstAt: '16T18:00:00' })
    const seen = async () =>
      [await noticesOf(first), await noticesOf(second), await noticesOf(office)].map(rows => rows.map(row => row.content))
    set('17T09:00:00')
    await work('signup.overdue-reviews')
    expect(await seen()).toEqual([[], [], []])
    set('17T12:30:00')
    expect((await work('signup.overdue-reviews')).result).toEqual({ zh: '提醒审核 1 人次', en: '1 told of late reviews' })
    set('17T20:00:00')
    await work('signup.overdue-reviews')
    const exam = '2026年区卫生健康系统事业单位公开招聘'
    expect(await seen()).toEqual([[`${exam}：待初审 2 份，最久 27 小时`], [`${exam}：待复核 1 份，最久 26 小时`], []])
    set('18T13:00:00')
    await work('signup.overdue-reviews')
    expect((await seen())[2]).toEqual([`${exam}：待初审 2 份，最久 2 天`])
    expect((await seen())[0]).toHaveLength(2)
  })

  test('where sign-ups are handed out each reviewer hears of their own; where reviewers are listed, those whose units and posts wait', async () => {
    const [mine, other, foreign] = [await tenant.staff('reviewer1'), await tenant.staff('reviewer1'), await tenant.staff('reviewer1')]
    await signup('waiting', { at: '16T09:00:00' })
    await signup('waiting', { at: '16T09:00:00', code: 'A001' })
    const list = (person: Person, codes: readonly string[]) =>
      tenant.rows(
        sql`insert into exam_user (tenant_id, exam_id, user_id, level, codes) values (${tenant.tenantId}, ${examId}, ${person.userId}, 1, ${JSON.stringify(codes)})`,
      )
    await list(mine, ['A001'])
    await list(other, [])
    set('17T13:00:00')
    await work('signup.overdue-reviews')
    const counts = async () =>
      (await Promise.all([mine, other, foreign].map(noticesOf))).map(rows => rows.map(row => /待初审 (\d+) 份/.exec(row.content)?.[1]))
    expect(await counts()).toEqual([['1'], ['2'], []])
    await tenant.rows(sql`update examination set allot_mode = 1 where id = ${examId}`)
    await tenant.rows(sql`
      insert into examine_allot (tenant_id, exam_id, signup_id, level, reviewer_id, reviewer_name, state, allotted)
      select tenant_id, exam_id, id, 1, ${foreign.userId}, '外', 0, true from signup where exam_id = ${examId} and code = 'A001'`)
    set('18T08:00:00')
    await work('signup.overdue-reviews')
    expect(await counts()).toEqual([['1'], ['2'], ['1']])
  })

  test('an examination of a department is told to those who reach it', async () => {
    const top = await makeDept(tenant, '人事科')
    const [below, apart] = [await makeDept(tenant, '招聘组', top), await makeDept(tenant, '医政科')]
    const [above, beside, all] = [
      await tenant.staff('exam_admin', { deptId: top }),
      await tenant.staff('exam_admin', { deptId: apart }),
      await tenant.staff('exam_admin'),
    ]
    await tenant.rows(sql`update examination set dept_id = ${below} where id = ${examId}`)
    await signup('waiting', { at: '16T09:00:00' })
    set('18T09:30:00')
    await work('signup.overdue-reviews')
    expect((await Promise.all([above, beside, all].map(noticesOf))).map(rows => rows.length)).toEqual([1, 0, 1])
  })
})

describe('counters of posts (domain 13.3)', () => {
  const posts = () =>
    tenant.rows(sql<{ code: string; used: number; max: number }>`
      select code, used_sign as used, max_sign as max from type_code where exam_id = ${examId} order by code`)

  test('are set right by the sign-ups that hold a place, and the trail says so', async () => {
    for (const state of ['waiting', 'second', 'returned', 'passed', 'refused', 'withdrawn', 'draft']) await signup(state)
    await tenant.rows(sql`update type_code set used_sign = 9 where exam_id = ${examId} and code = 'A001'`)
    const done = await work('signup.count-places')
    expect(done.result).toEqual({
      zh: '改正计数 2 个，超过上限 0 个，详见日志',
      en: '2 counters set right, 0 posts have too many; the log names them',
    })
    expect(done.log).toMatchObject([
      { zh: `机构 ${tenant.tenantId} 岗位 A001 内科医师：计数 9 改为 0` },
      { zh: expect.stringContaining('B001 护士：计数 0 改为 4') },
    ])
    expect(await posts()).toEqual([
      { code: 'A001', used: 0, max: 0 },
      { code: 'A002', used: 0, max: 0 },
      { code: 'B001', used: 4, max: 0 },
    ])
    expect(
      await tenant.rows(
        sql`select action, before_value->>'usedSign' as before, after_value->>'usedSign' as after from audit_log where action like 'type-code.%' order by id`,
      ),
    ).toEqual([
      { action: 'type-code.recounted', before: '9', after: '0' },
      { action: 'type-code.recounted', before: '0', after: '4' },
    ])
    expect(await work('signup.count-places')).toEqual({
      result: { zh: '1 个机构的报名计数全部一致', en: 'All counters of 1 tenants are right' },
      log: [],
    })
  })

  test('more sign-ups than places are named and stay; the post counts as full', async () => {
    for (const _ of [1, 2, 3]) await signup('passed')
    await tenant.rows(sql`update type_code set max_sign = 2 where exam_id = ${examId} and code = 'B001'`)
    const { result, log } = await work('signup.count-places')
    expect(result).toMatchObject({ zh: '改正计数 0 个，超过上限 1 个，详见日志' })
    expect(log).toMatchObject([
      { en: `Tenant ${tenant.tenantId}, post B001 护士: 3 sign-ups for 2 places; the examination office has to decide` },
    ])
    expect((await posts())[2]).toEqual({ code: 'B001', used: 2, max: 2 })
  })
})

describe('what may not be kept any longer is erased (domain P9, 13.3)', () => {
  const rowsNow = () =>
    tenant.rows(sql<{ examine: string; name: string | null; files: number; gone: boolean }>`
      select examine, name, jsonb_array_length(files) as files, is_deleted as gone from signup where exam_id = ${examId} order by examine, id`)
  const fileOf = async (person: Person, kept: string[] = []): Promise<string> => {
    const id = (await uploadAll(person))['photo']?.[0] ?? ''
    for (const one of [examId, ...kept])
      await tenant.rows(sql`
        update signup set files = ${JSON.stringify([{ fileKey: 'photo', fileId: id }])}::jsonb, photo_file_id = ${id}
        where exam_id = ${one} and user_id = ${person.userId} returning 1 as one`)
    await tenant.rows(sql`
      update stored_file set owner_kind = 'signup', owner_id = (select id from signup where exam_id = ${examId} and user_id = ${person.userId}) where id = ${id} returning 1 as one`)
    return id
  }
  const filesLeft = async (ids: readonly string[]) =>
    (await tenant.rows(sql<{ id: string }>`select id::text as id from stored_file where id = any(${[...ids]}::bigint[])`)).map(
      ({ id }) => id,
    )

  test('[23.5] drafts 90 days after the closing, files of the refused after a year; others and what another sign-up names stay, with a certificate', async () => {
    const [draft, refused, passed, twice] = [
      await signup('draft'),
      await signup('refused'),
      await signup('passed'),
      await signup('withdrawn'),
    ]
    const other = (await buildExam(tenant, { exam: { exam_code: 'OTHER', exam_no: 45, exam_name: '另一场' } })).examId
    await tenant.rows(sql`
      insert into signup (tenant_id, exam_id, user_id, examine) values (${tenant.tenantId}, ${other}, ${twice.userId}, 'draft') returning 1 as one`)
    const ids = [await fileOf(draft), await fileOf(refused), await fileOf(passed), await fileOf(twice, [other])]
    const [ofDraft = '', ofRefused = '', ofPassed = '', shared = ''] = ids
    await tenant.rows(sql`
      insert into signup_draft (tenant_id, exam_id, user_id, data) values (${tenant.tenantId}, ${examId}, ${passed.userId}, '{}') returning 1 as one`)
    t.clock.set('2026-03-20T12:00:00+08:00')
    await tenant.rows(sql`update examination set state = 'closed', close_at = app_now() where id = ${examId} returning 1 as one`)
    t.clock.set('2026-06-18T11:59:00+08:00')
    const nothing = { zh: '清除报名 0 份、文件 0 个、未保存的草稿 0 份', en: '0 sign-ups, 0 files, 0 loose drafts erased' }
    expect((await work('signup.erase')).result).toEqual(nothing)
    t.clock.set('2026-06-18T12:01:00+08:00')
    expect((await work('signup.erase')).result).toEqual({
      zh: '清除报名 1 份、文件 1 个、未保存的草稿 1 份',
      en: '1 sign-ups, 1 files, 1 loose drafts erased',
    })
    expect(await filesLeft(ids)).toEqual([ofRefused, ofPassed, shared])
    expect(await rowsNow()).toEqual([
      { examine: 'draft', name: null, files: 0, gone: true },
      { examine: 'passed', name: '王测', files: 1, gone: false },
      { examine: 'refused', name: '王测', files: 1, gone: false },
      { examine: 'withdrawn', name: '王测', files: 1, gone: false },
    ])
    t.clock.set('2027-03-20T12:01:00+08:00')
    expect((await work('signup.erase')).result).toMatchObject({ en: '2 sign-ups, 1 files, 0 loose drafts erased' })
    expect(await filesLeft(ids)).toEqual([ofPassed, shared])
    expect((await work('signup.erase')).result).toEqual(nothing)
    const trail = await tenant.rows(sql<{ after: Record<string, unknown> }>`
      select after_value as after from audit_log where tenant_id = ${tenant.tenantId} and action = 'signup.erased' order by id`)
    expect(trail.map(({ after }) => [after['kind'], after['count'], after['files']])).toEqual([
      ['draft', 1, 1],
      ['refused', 2, 1],
    ])
    expect(trail[0]?.after['sha256']).toMatch(/^[0-9a-f]{64}$/)
    expect(ofDraft).not.toBe('')
  })

  test('[23.5] of somebody eliminated after the interview the portrait goes after a year, the form stays', async () => {
    const [out, hired] = [await signup('passed'), await signup('passed')]
    const ids = [await fileOf(out), await fileOf(hired)]
    await tenant.rows(sql`update signup set stage = 9 where user_id = ${out.userId} returning 1 as one`)
    await tenant.rows(
      sql`update examination set state = 'archived', close_at = '2026-03-20T12:00:00+08' where id = ${examId} returning 1 as one`,
    )
    t.clock.set('2027-03-20T12:01:00+08:00')
    expect((await work('signup.erase')).result).toMatchObject({ en: '1 sign-ups, 1 files, 0 loose drafts erased' })
    expect(await filesLeft(ids)).toEqual(ids.slice(1))
    expect((await rowsNow()).map(({ name }) => name)).toEqual(['王测', '王测'])
  })
})
