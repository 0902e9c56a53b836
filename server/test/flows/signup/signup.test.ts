import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant, testStart } from '../../support/app.ts'
import { type BuiltExam, buildExam } from '../../support/factories.ts'
import { answersOf, submit, upload, uploadAll } from '../../support/signing.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

// Invented numbers of domain 11 with right check digits.
const wang = { idCard: '330106199806301023', phone: '16000000001', realName: '王·测' }
const candidates = ['510107199309094510', '440106199202290082', '65010319950505221X'] as const

interface World {
  readonly tenant: TestTenant
  readonly exam: BuiltExam
  readonly candidate: Person
}
const world = async (overrides: Parameters<typeof buildExam>[1] = {}): Promise<World> => {
  t.clock.set(testStart)
  const tenant = await t.tenant()
  return { tenant, exam: await buildExam(tenant, overrides), candidate: await tenant.candidate(wang) }
}
const signups = (tenant: TestTenant) =>
  tenant.rows(sql<object>`select sign_no, examine, sign_version, code, unit, type, name, id_card_mask, pay_state from signup order by id`)
const usedPlaces = async (tenant: TestTenant, code: string) =>
  (await tenant.rows(sql<{ n: number }>`select used_sign as n from type_code where code = ${code}`))[0]?.n

describe('submitting a sign-up', () => {
  test('[S3.12][S7.47] scenario 1: a complete form gets its number, the state waiting, one audit row and one notice', async () => {
    const { tenant, exam, candidate } = await world()
    // Another paper at another hour, which nurses do not sit.
    await tenant.db(db =>
      db.run(sql`
        insert into exam_item (tenant_id, exam_id, item_code, item_name, item_type, start_time, end_time, type_codes)
        select tenant_id, exam_id, '11', '临床医学', 1, start_time + interval '1 day', end_time + interval '1 day', '["A001"]' from exam_item where exam_id = ${exam.examId}`),
    )
    const answer = await submit(candidate, exam.examId, {
      content: answersOf(wang.idCard, wang.phone),
      fileIds: await uploadAll(candidate),
    })
    expect(answer.body).toMatchObject({ code: 200, data: { examine: 1, signNo: '20260300000001', signVersion: 1 } })
    const papers = await tenant.rows(sql<{ id: string }>`select id::text as id from exam_item where item_code = '01'`)
    expect(answer.body.data.papers).toEqual(papers.map(paper => paper.id))
    expect(await signups(tenant)).toEqual([
      {
        sign_no: '20260300000001',
        examine: 'waiting',
        sign_version: 1,
        code: 'B001',
        unit: 'H01',
        type: 'B',
        name: '王·测',
        id_card_mask: '3301**********1023',
        pay_state: 'none',
      },
    ])
    expect(await usedPlaces(tenant, 'B001')).toBe(1)
    expect(await tenant.rows(sql<object>`select action, after_value->>'signNo' as no from audit_log where entity = 'signup'`)).toEqual([
      { action: 'signup.submitted', no: '20260300000001' },
    ])
    expect(await tenant.rows(sql<object>`select user_id::text, kind, title_zh from notify`)).toEqual([
      { user_id: candidate.userId, kind: 1, title_zh: '报名已提交' },
    ])
    const [stored] = await tenant.rows(
      sql<{
        content: string
        history: string
      }>`select content::text as content, (select content::text from signup_history) as history from signup`,
    )
    expect(stored?.content).not.toContain(wang.idCard)
    expect(stored?.history).not.toContain(wang.idCard)
  })

  test('[S7.46] the owner reads plain answers back; another candidate and another tenant get 404', async () => {
    const { tenant, exam, candidate } = await world()
    const { body } = await submit(candidate, exam.examId, {
      content: answersOf(wang.idCard, wang.phone),
      fileIds: await uploadAll(candidate),
    })
    const { id } = body.data
    const own = await candidate.get('/blade-signup/signup/detail', { query: { id } })
    expect(own.body.data).toMatchObject({
      content: { idCard: wang.idCard, phone: wang.phone, birthday: '1998-06-30', sex: '2' },
      contentLabels: { education: '本科', sex: '女' },
      unitName: '区人民医院',
    })
    expect(own.body.data.files.map((file: { fileKey: string }) => file.fileKey).sort()).toEqual(['diploma', 'idBack', 'idFront', 'photo'])
    const other = await tenant.candidate()
    const stranger = await (await t.tenant()).candidate()
    for (const person of [other, stranger]) expect((await person.get('/blade-signup/signup/detail', { query: { id } })).status).toBe(404)
    for (const person of [other, stranger])
      expect((await person.post('/blade-signup/signup/remove', { query: { ids: id } })).status).toBe(404)
    expect((await signups(tenant)).length).toBe(1)
  })

  test('an upload of somebody else cannot be attached', async () => {
    const { tenant, exam, candidate } = await world()
    const other = await tenant.candidate()
    const stolen = await uploadAll(other)
    const answer = await submit(candidate, exam.examId, {
      content: answersOf(wang.idCard, wang.phone),
      fileIds: { ...(await uploadAll(candidate)), diploma: stolen['diploma'] ?? [] },
    })
    expect(answer.status).toBe(404)
    expect(await signups(tenant)).toEqual([])
  })

  test('[S7.46][S7.47] a draft keeps what comes and stays readable, also where an answer looks like a sealed one', async () => {
    const { exam, candidate } = await world()
    const save = (content: object) =>
      candidate.post('/blade-signup/signup/submit', { json: { examId: exam.examId, submitType: 0, code: 'B001', content } })
    const form = () => candidate.get('/blade-signup/signup/getExamInfoOrSignUpInfo', { query: { examId: exam.examId } })
    // What the account says is filled in.
    const own = { name: '王·测', idCard: wang.idCard, idCardType: '1', phone: wang.phone, birthday: '1998-06-30', sex: '2' }
    expect((await save({ name: '王·测', school: { e: 'AAAA' }, address: { e: '' }, certName: 7 })).status).toBe(200)
    const { status, body } = await form()
    expect([status, body.data.signup.content]).toEqual([200, { ...own, certName: 7 }])
    expect((await save({ name: '王·测', school: '新疆医科大学', idCard: wang.idCard })).status).toBe(200)
    expect((await form()).body.data.signup.content).toMatchObject({ name: '王·测', school: '新疆医科大学', idCard: wang.idCard })
  })

  test('server-owned fields are not part of the form: an extra key is refused with its path', async () => {
    const { tenant, exam, candidate } = await world()
    const answer = await submit(candidate, exam.examId, {
      content: answersOf(wang.idCard, wang.phone),
      fileIds: {},
      extra: { examine: 5, payState: 2, tenantId: 'x' },
    })
    expect(answer.status).toBe(400)
    expect(answer.body.data.fields.map((problem: { field: string }) => problem.field).sort()).toEqual(['examine', 'payState', 'tenantId'])
    expect(await signups(tenant)).toEqual([])
  })

  test('[S5.22][S5.23] everything that is missing is named at once, and the form stays as a draft', async () => {
    const { tenant, exam, candidate } = await world()
    const { major, school, ...content } = answersOf(wang.idCard, wang.phone)
    await candidate.post('/blade-signup/signup/submit', { json: { examId: exam.examId, code: 'B001', submitType: 0, content } })
    const answer = await submit(candidate, exam.examId, { content, fileIds: {} })
    expect(answer.body).toMatchObject({ code: 2106 })
    expect(answer.body.data.fields.map((problem: { field: string }) => problem.field).sort()).toEqual([
      'file:diploma',
      'file:idBack',
      'file:idFront',
      'file:photo',
      'major',
      'school',
    ])
    expect([major, school]).toEqual(['护理学', '新疆医科大学'])
    expect(await tenant.rows(sql<object>`select examine, content->>'education' as education from signup`)).toEqual([
      { examine: 'draft', education: '20' },
    ])
  })

  test('scenario 3: what arrives one millisecond before the end is in time, at the end it is late and the draft is kept', async () => {
    const { tenant, exam, candidate } = await world()
    const form = { content: answersOf(wang.idCard, wang.phone), fileIds: await uploadAll(candidate) }
    const late = await tenant.candidate({ realName: '李迟', phone: '16000000003', idCard: candidates[0] })
    const lateForm = { content: answersOf(candidates[0], '16000000003', { name: '李迟' }), fileIds: await uploadAll(late) }
    t.clock.set('2026-03-20T17:00:00.000+08:00')
    const refused = await submit(late, exam.examId, lateForm)
    expect(refused.body).toMatchObject({ code: 2102, msg: '不在报名时间（2026-03-16 09:00 至 2026-03-20 17:00）' })
    expect(
      (
        await late.post('/blade-signup/signup/submit', {
          json: { examId: exam.examId, code: 'B001', submitType: 0, content: lateForm.content },
        })
      ).status,
    ).toBe(200)
    t.clock.set('2026-03-20T16:59:59.999+08:00')
    expect((await submit(candidate, exam.examId, form)).status).toBe(200)
    expect(await tenant.rows(sql<object>`select examine from signup order by id`)).toEqual([{ examine: 'draft' }, { examine: 'waiting' }])
  })

  test('[S5.24][S5.26][S5.27] scenario 10: bounds, leap day, lower-case x and wrong numbers', async () => {
    const { exam, tenant } = await world({
      posts: [
        {
          code: 'A001',
          codeName: '内科医师',
          unit: 'H01',
          unitName: '区人民医院',
          type: 'A',
          typeName: '医疗',
          planNum: 2,
          bornFrom: '1990-03-16',
        },
      ],
    })
    const trial = async (idCard: string, serial: number) => {
      const person = await tenant.candidate({ realName: '张测', phone: `1601000000${serial}`, idCard })
      const answer = await submit(person, exam.examId, {
        code: 'A001',
        content: answersOf(idCard, `1601000000${serial}`, { name: '张测' }),
        fileIds: await uploadAll(person),
      })
      return { code: answer.body.code, data: answer.body.data }
    }
    const tooOld = await trial('330106198811205058', 1)
    expect(tooOld).toMatchObject({
      code: 2105,
      data: { items: [{ rule: 'born', need: expect.stringContaining('1990-03-16'), got: '1988-11-20' }] },
    })
    expect(await trial('440106199202290082', 2)).toMatchObject({ code: 200 })
    expect(await trial('33010619950812003X', 3)).toMatchObject({ code: 200 })
    expect(await trial('330106199508120031', 4)).toMatchObject({
      code: 2106,
      data: { fields: [{ field: 'idCard', msg: '证件号码校验位错误' }] },
    })
    expect(await trial('990106199806301023', 5)).toMatchObject({ code: 2106, data: { fields: [{ field: 'idCard' }] } })
    const stored = await tenant.rows(
      sql<object>`select sex, birthday, right(id_card_mask, 1) as last from signup where examine = 'waiting' order by id`,
    )
    expect(stored).toEqual([
      { sex: 2, birthday: '1992-02-29', last: '2' },
      { sex: 1, birthday: '1995-08-12', last: 'X' },
    ])
  })

  test('a full post refuses the next one, and a withdrawal makes the place free again', async () => {
    const { exam, tenant, candidate } = await world({
      posts: [{ code: 'B001', codeName: '护士', unit: 'H01', unitName: '区人民医院', type: 'B', typeName: '护理', planNum: 1, maxSign: 1 }],
    })
    const first = await submit(candidate, exam.examId, { content: answersOf(wang.idCard, wang.phone), fileIds: await uploadAll(candidate) })
    const next = await tenant.candidate({ realName: '赵次', phone: '16000000009', idCard: candidates[0] })
    const form = { content: answersOf(candidates[0], '16000000009', { name: '赵次' }), fileIds: await uploadAll(next) }
    expect((await submit(next, exam.examId, form)).body.code).toBe(2107)
    expect(await usedPlaces(tenant, 'B001')).toBe(1)
    expect((await candidate.post('/blade-signup/signup/remove', { query: { ids: first.body.data.id } })).body.data).toEqual({
      withdrawn: 1,
    })
    expect((await submit(next, exam.examId, form)).status).toBe(200)
    expect(await usedPlaces(tenant, 'B001')).toBe(1)
    expect(await tenant.rows(sql<object>`select examine from signup order by id`)).toEqual([
      { examine: 'withdrawn' },
      { examine: 'waiting' },
    ])
  })

  test('a withdrawn sign-up is opened again under its old number', async () => {
    const { exam, tenant, candidate } = await world()
    const form = { content: answersOf(wang.idCard, wang.phone), fileIds: await uploadAll(candidate) }
    const { body } = await submit(candidate, exam.examId, form)
    await candidate.post('/blade-signup/signup/remove', { query: { ids: body.data.id } })
    expect((await submit(candidate, exam.examId, { ...form, signVersion: 1 })).body.data).toMatchObject({
      signNo: '20260300000001',
      signVersion: 2,
      examine: 1,
    })
    expect((await signups(tenant)).length).toBe(1)
  })

  test('a closed examination takes nothing; a person on the integrity list gets a neutral answer; a paused post is refused', async () => {
    const { exam, tenant, candidate } = await world()
    const form = { content: answersOf(wang.idCard, wang.phone), fileIds: await uploadAll(candidate) }
    await tenant.db(db => db.run(sql`update type_code set post_state = 4 where code = 'B001'`))
    expect((await submit(candidate, exam.examId, form)).body.code).toBe(2108)
    const index = t.app.services.cipher.blindIndex(tenant.tenantId, 'id-card', wang.idCard)
    await tenant.db(db =>
      db.run(
        sql`insert into integrity_list (tenant_id, id_card_index, name_mask, reason, begin_date) values (${tenant.tenantId}, ${index}, '王*', '替考', '2024-01-01')`,
      ),
    )
    const blocked = await submit(candidate, exam.examId, form)
    expect(blocked.body).toMatchObject({ code: 2110, msg: '暂不能报名，请电话咨询 0571-88880000' })
    await tenant.db(db => db.run(sql`update examination set state = 'closed'`))
    expect((await submit(candidate, exam.examId, form)).body.code).toBe(2101)
  })

  test('[S7.47] a second choice that cannot be is told and never lost without a word; one that stands already may stay', async () => {
    const { exam, tenant, candidate } = await world()
    const form = { content: answersOf(wang.idCard, wang.phone), fileIds: await uploadAll(candidate) }
    const send = (extra: Readonly<Record<string, unknown>>, signVersion = 0) =>
      submit(candidate, exam.examId, { ...form, signVersion, extra })
    const pause = (code: string) => tenant.db(db => db.run(sql`update type_code set post_state = 4 where code = ${code}`))
    const chosen = () => tenant.rows(sql<object>`select code2, type2, unit2, sign_version as version from signup`)
    const fields = async (extra: Readonly<Record<string, unknown>>, signVersion = 0) => {
      const { status, body } = await send(extra, signVersion)
      return [status, body.code, body.data.fields]
    }
    expect(await fields({ code2: 'NOPE' })).toEqual([422, 2106, [{ field: 'code2', msg: '第二志愿岗位 NOPE 不存在' }]])
    expect(await fields({ code2: 'A002', type2: 'B', unit2: 'H01' })).toEqual([
      422,
      2106,
      [
        { field: 'type2', msg: '岗位类别与岗位不一致' },
        { field: 'unit2', msg: '招聘单位与岗位不一致' },
      ],
    ])
    await pause('A001')
    expect(await fields({ code2: 'A001' })).toEqual([422, 2106, [{ field: 'code2', msg: '第二志愿岗位已取消或暂停' }]])
    expect(await chosen()).toEqual([])
    expect((await send({ code2: 'A002', type2: 'A', unit2: 'H02' })).status).toBe(200)
    await pause('A002')
    await pause('B001')
    expect((await send({ code2: 'A002' }, 1)).status).toBe(200)
    expect(await chosen()).toEqual([{ code2: 'A002', type2: 'A', unit2: 'H02', version: 2 }])
  })

  test('[S7.47] a submit that had to wait for its examination is judged by what stands when its turn comes', async () => {
    const { exam, tenant, candidate } = await world()
    const form = { content: answersOf(wang.idCard, wang.phone), fileIds: await uploadAll(candidate) }
    const waiting = sql<object>`select 1 as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    const { sent } = await tenant.db(async db => {
      await db.run(sql`select 1 from examination where id = ${exam.examId} for update`)
      const started = { sent: submit(candidate, exam.examId, form) }
      await expect.poll(() => tenant.rows(waiting)).toEqual([{ n: 1 }])
      await db.run(sql`update type_code set post_state = 4 where code = 'B001'`)
      return started
    })
    expect((await sent).body.code).toBe(2108)
    expect(await signups(tenant)).toEqual([])
  })

  test('[S7.47] a submit that leaves answers, post and files to what was saved is judged by them', async () => {
    const { exam, tenant, candidate } = await world()
    const saved = { examId: exam.examId, code: 'B001', content: answersOf(wang.idCard, wang.phone), fileIds: await uploadAll(candidate) }
    await candidate.post('/blade-signup/signup/submit', { json: { ...saved, submitType: 0 } })
    const answer = await candidate.post('/blade-signup/signup/submit', { json: { examId: exam.examId, submitType: 1, promise: 1 } })
    expect(answer.body).toMatchObject({ code: 200, data: { signNo: '20260300000001', signVersion: 1, examine: 1 } })
    expect(
      await tenant.rows(
        sql<object>`select code, examine, name, content->>'school' as school, jsonb_array_length(files) as files from signup`,
      ),
    ).toEqual([{ code: 'B001', examine: 'waiting', name: '王·测', school: '新疆医科大学', files: 4 }])
  })

  test('the photo rules of the machine stop a red background before anybody reviews it', async () => {
    const { exam, candidate } = await world()
    const { readFileSync } = await import('node:fs')
    const red = readFileSync(new URL('../../../seed/data/portraits/p13-red.jpg', import.meta.url))
    const fileIds = { ...(await uploadAll(candidate)), photo: [await upload(candidate, red, 'p13-red.jpg', 'photo')] }
    const answer = await submit(candidate, exam.examId, { content: answersOf(wang.idCard, wang.phone), fileIds })
    expect(answer.body).toMatchObject({
      code: 2106,
      data: { fields: [{ field: 'file:photo', msg: '证件照背景是红色，应为白色或蓝色，请换一张' }] },
    })
  })

  test('[S5.22] the form tells when a draft was last saved: before it is handed in and beside it afterwards', async () => {
    const { exam, candidate } = await world()
    const content = answersOf(wang.idCard, wang.phone)
    const savedAt = async () =>
      (await candidate.get('/blade-signup/signup/getExamInfoOrSignUpInfo', { query: { examId: exam.examId } })).body.data.savedAt
    const save = async () =>
      (await candidate.post('/blade-signup/signup/submit', { json: { examId: exam.examId, code: 'B001', submitType: 0, content } })).body
        .data.savedAt
    expect(await savedAt()).toBeNull()
    const first = await save()
    expect([first, await savedAt()]).toEqual([expect.stringMatching(/^2026-\d\d-\d\d \d\d:\d\d:\d\d$/), first])
    await submit(candidate, exam.examId, { content, fileIds: await uploadAll(candidate) })
    expect(await savedAt()).toBeNull()
    expect(await save()).toBe(await savedAt())
  })

  test('[S1.07][S7.46] a form of the built-in library is said in English to whoever reads English, to the last column and choice', async () => {
    const everything = (await (await t.tenant()).rows(sql<{ key: string }>`select item_key as key from item order by sort`)).map(
      row => row.key,
    )
    const { tenant, exam, candidate } = await world({ items: Object.fromEntries(everything.map(key => [key, 0 as const])) })
    await tenant.db(db =>
      db.run(sql`update sign_item set group_name_en = 'About you' where group_name = '基本信息' and item_key in ('idCard', 'phone')`),
    )
    const form = async (language: 'zh' | 'en') =>
      (await candidate.get('/blade-signup/signup/getExamInfoOrSignUpInfo', { query: { examId: exam.examId }, language })).body.data
    const english = await form('en')
    const field = (data: typeof english, key: string) =>
      data.items.flatMap((group: { items: { itemKey: string }[] }) => group.items).find((one: { itemKey: string }) => one.itemKey === key)
    // The office has named one group in English; the others keep the name they have.
    expect(english.items.map((group: { name: string }) => group.name)).toEqual(['About you', '学历信息', '其他信息'])
    expect(field(english, 'name').help).toBe('As on the identity card, with “·” between the parts of a minority name')
    expect(field(await form('zh'), 'name').help).toBe('与身份证一致，少数民族姓名间隔号用“·”')
    expect(field(english, 'family').columns.map((column: { label: string }) => column.label)).toEqual([
      'Relation',
      'Name',
      'Employer and position',
    ])
    expect(english.files.find((file: { fileKey: string }) => file.fileKey === 'photo').help).toMatch(/^A recent front view/)
    const shown = english.items.flatMap((group: { items: Record<string, unknown>[] }) =>
      group.items.map(({ itemLabel, help, placeholder, options, columns }) => [
        ...[itemLabel, help, placeholder],
        ...((options ?? []) as { label: string }[]).map(option => option.label),
        ...((columns ?? []) as { label: string }[]).map(column => column.label),
      ]),
    )
    expect(shown.flat().filter((text: unknown) => /[\u4e00-\u9fff]/.test(String(text)))).toEqual([])
    expect(
      english.files.flatMap((file: { fileLabel: string; help: string | null }) => [file.fileLabel, file.help ?? '']).join(),
    ).not.toMatch(/[\u4e00-\u9fff]/)
    // Two choices that read the same are none.
    for (const { itemKey, options } of english.items.flatMap((group: { items: object[] }) => group.items)) {
      const labels = ((options ?? []) as { label: string }[]).map(option => option.label)
      expect([...new Set(labels)], itemKey).toEqual(labels)
    }
  })

  test('[S3.12] no picture stands for the photo that was not looked at as one, and sizes are those of the file as it came', async () => {
    const { tenant, exam, candidate } = await world()
    await tenant.db(db => db.run(sql`update sign_file set max_kb = 10 where exam_id = ${exam.examId} and file_key = 'diploma'`))
    const { readFileSync } = await import('node:fs')
    const red = readFileSync(new URL('../../../seed/data/portraits/p13-red.jpg', import.meta.url))
    // Declared as any other picture it was never looked at as a portrait, whose ground is red.
    const fileIds = { ...(await uploadAll(candidate)), photo: [await upload(candidate, red, 'p13-red.jpg', 'image')] }
    const refused = await submit(candidate, exam.examId, { content: answersOf(wang.idCard, wang.phone), fileIds })
    expect([refused.status, refused.body.data.fields]).toEqual([
      422,
      [
        { field: 'file:photo', msg: '请重新上传证件照：须作为证件照上传，经过自动检查' },
        { field: 'file:diploma', msg: expect.stringMatching(/^学历证书不能超过 \d+ KB（现为 \d+ KB）$/) },
      ],
    ])
  })

  test('[S3.12] files are judged by the rule of their examination; what was handed in before stays good', async () => {
    const { tenant, exam, candidate } = await world()
    const change = (set: ReturnType<typeof sql>) => tenant.db(db => db.run(sql`update sign_file set ${set} where exam_id = ${exam.examId}`))
    const content = answersOf(wang.idCard, wang.phone)
    const fileIds = await uploadAll(candidate)
    await change(sql`accept = 'pdf', pixel = '{"minW": 600, "minH": 840, "maxW": 4000, "maxH": 6000, "ratio": [0.7, 0.76]}'::jsonb`)
    const refused = await submit(candidate, exam.examId, { content, fileIds })
    expect(refused.body.data.fields).toEqual([
      { field: 'file:photo', msg: '证件照像素过小（295×413），至少 600×840' },
      { field: 'file:idFront', msg: '身份证人像面只接受 pdf' },
      { field: 'file:idBack', msg: '身份证国徽面只接受 pdf' },
      { field: 'file:diploma', msg: '学历证书只接受 pdf' },
    ])
    await change(sql`accept = 'jpg,jpeg', pixel = null`)
    expect((await submit(candidate, exam.examId, { content, fileIds })).body).toMatchObject({ code: 200, data: { signVersion: 1 } })
    // The office asks for something else afterwards: who mends another part is not held up by what was good.
    await change(sql`accept = 'pdf', pixel = '{"minW": 600, "minH": 840, "maxW": 4000, "maxH": 6000, "ratio": [0.7, 0.76]}'::jsonb`)
    expect((await submit(candidate, exam.examId, { content, fileIds, signVersion: 1 })).body).toMatchObject({
      code: 200,
      data: { signVersion: 2 },
    })
  })

  test('[S3.12] where the undertaking is signed by hand, each submit carries a signature of one’s own, and reviewers see it', async () => {
    const { tenant, exam, candidate } = await world({ exam: { need_signature: true } })
    const content = answersOf(wang.idCard, wang.phone)
    const fileIds = await uploadAll(candidate)
    const send = (signatureFileId?: string, signVersion = 0) =>
      submit(candidate, exam.examId, {
        content,
        fileIds,
        signVersion,
        ...(signatureFileId === undefined ? {} : { extra: { signatureFileId } }),
      })
    const stored = () =>
      tenant.rows(sql<object>`
        select s.signature_file_id::text as id, f.owner_kind as kind, f.owner_id = s.id as own from signup s left join stored_file f on f.id = s.signature_file_id`)
    expect((await send()).body).toMatchObject({ code: 2106, data: { fields: [{ field: 'signature', msg: '请在承诺书下方手写签名' }] } })
    const stranger = await tenant.candidate({ idCard: candidates[0], phone: '16000000002', realName: '陈某' })
    const pen = readFileSync(fileURLToPath(new URL('../../../seed/data/portraits/diploma.jpg', import.meta.url)))
    const theirs = await upload(stranger, pen, 'signature.jpg', 'image')
    expect((await send(theirs)).status).toBe(404)
    expect(await stored()).toEqual([])
    const mine = await upload(candidate, pen, 'signature.jpg', 'image')
    expect((await send(mine)).body).toMatchObject({ code: 200, data: { signVersion: 1 } })
    expect(await stored()).toEqual([{ id: mine, kind: 'signup', own: true }])
    // What was signed once does not sign what is handed in later.
    expect((await send(undefined, 1)).body.data.fields).toEqual([{ field: 'signature', msg: '请在承诺书下方手写签名' }])
    const own = await candidate.get('/blade-signup/signup/getExamInfoOrSignUpInfo', { query: { examId: exam.examId } })
    expect(own.body.data.signup.files.map((file: { fileKey: string }) => file.fileKey)).not.toContain('promiseSignature')
    const reviewer = await tenant.staff('reviewer1')
    const seen = await reviewer.get('/blade-signup/signup/detail', { query: { id: own.body.data.signup.id } })
    expect(seen.status).toBe(200)
    const shown = seen.body.data.files.find((file: { fileKey: string }) => file.fileKey === 'promiseSignature')
    expect(shown).toMatchObject({ fileLabel: '承诺书签名', fileId: mine, mime: 'image/jpeg' })
    expect((await reviewer.get(shown.link.replace(/^\/api/, ''))).status).toBe(200)
    // Nobody is asked for one where the examination does without, and none is kept.
    await tenant.db(db => db.run(sql`update examination set need_signature = false where id = ${exam.examId}`))
    expect((await send(theirs, 1)).body).toMatchObject({ code: 200, data: { signVersion: 2 } })
    expect(await stored()).toMatchObject([{ id: null }])
  })

  test('[S3.12] an answer that is a picture is one’s own, and reviewers open it', async () => {
    const { tenant, exam, candidate } = await world()
    const field = { examId: exam.examId, itemKey: 'badge', itemLabel: '工作证', fieldType: 'image', required: 1, sort: 99 }
    const office = await tenant.staff('exam_admin')
    expect((await office.post('/blade-signitems/signitems/submit', { json: field })).status).toBe(200)
    const { readFileSync } = await import('node:fs')
    const bytes = readFileSync(new URL('../../../seed/data/portraits/id-back.jpg', import.meta.url))
    const [mine, theirs] = [
      await upload(candidate, bytes, 'badge.jpg', 'image'),
      await upload(await tenant.candidate(), bytes, 'b.jpg', 'image'),
    ]
    const fileIds = await uploadAll(candidate)
    const send = (badge: string) => submit(candidate, exam.examId, { content: { ...answersOf(wang.idCard, wang.phone), badge }, fileIds })
    for (const wrong of [theirs, '1']) expect((await send(wrong)).status).toBe(404)
    expect((await send('9999999999999999999')).body.data.fields).toMatchObject([{ field: 'badge' }])
    const { id } = (await send(mine)).body.data
    expect(await tenant.rows(sql<object>`select owner_kind as kind, owner_id::text as owner from stored_file where id = ${mine}`)).toEqual([
      { kind: 'signup', owner: id },
    ])
    const reviewer = await tenant.staff('reviewer1')
    const shown = await reviewer.post('/blade-signup/examine/open', { json: { signUpId: id } })
    const { badge } = shown.body.data.answerLinks
    const opened = await reviewer.get(badge.replace(/^\/api/, ''))
    expect([opened.status, opened.headers['content-type']]).toEqual([200, 'image/jpeg'])
    expect((await (await tenant.staff('reviewer1')).get(badge.replace(/^\/api/, ''))).status).toBe(404)
  })

  test('[S3.12] a cell of a table is chosen from its dictionary: offered in words, nothing else is taken', async () => {
    const { tenant, exam, candidate } = await world()
    const columns = [
      { key: 'shift', label: '班次', labelEn: 'Shift', fieldType: 'select', dictCode: 'degree', required: true },
      { key: 'note', label: '说明', fieldType: 'text', maxLen: 4 },
    ]
    await tenant.db(db => db.run(sql`update sign_item set columns = ${JSON.stringify(columns)}::jsonb where item_key = 'resume'`))
    const form = await candidate.get('/blade-signup/signup/getExamInfoOrSignUpInfo', { query: { examId: exam.examId }, language: 'en' })
    const resume = form.body.data.items
      .flatMap((group: { items: object[] }) => group.items)
      .find((one: { itemKey: string }) => one.itemKey === 'resume')
    expect(resume.columns[0]).toMatchObject({ label: 'Shift', options: expect.arrayContaining([{ value: '3', label: 'Bachelor' }]) })
    expect(resume.columns[1]).toMatchObject({ label: '说明', options: null })
    const fileIds = await uploadAll(candidate)
    const send = (rows: readonly object[]) =>
      submit(candidate, exam.examId, { content: answersOf(wang.idCard, wang.phone, { resume: rows }), fileIds })
    expect((await send([{ shift: '77', note: '' }])).body.data.fields).toEqual([
      { field: 'resume.0.shift', msg: '第 1 行：个人简历·班次不在可选范围内' },
    ])
    expect((await send([{ shift: '3', note: '夜班' }])).body).toMatchObject({ code: 200 })
  })

  test('[S7.46] the form, the own state and the next action come in one call', async () => {
    const { exam, candidate } = await world()
    const before = await candidate.get('/blade-signup/signup/getExamInfoOrSignUpInfo', { query: { examId: exam.examId } })
    expect(before.body.data).toMatchObject({
      canSubmit: true,
      reason: null,
      signup: null,
      prefill: { name: '王·测', idCard: wang.idCard, birthday: '1998-06-30', sex: '2', phone: wang.phone },
      exam: { examCode: 'HZ2026A', phase: 'signing', feeText: '100.00 元', my: null },
    })
    expect(before.body.data.items.map((group: { name: string }) => group.name)).toEqual(['基本信息', '学历信息', '其他信息'])
    await submit(candidate, exam.examId, { content: answersOf(wang.idCard, wang.phone), fileIds: await uploadAll(candidate) })
    const mine = await candidate.get('/blade-signup/signup/myExamList')
    expect(mine.body.data).toMatchObject({
      total: 1,
      records: [
        { signNo: '20260300000001', examine: 1, canWithdraw: true, codeName: '护士', nextAction: { code: 'wait', text: '等待审核' } },
      ],
    })
    const english = await candidate.get('/blade-signup/signup/myExamList', { language: 'en' })
    expect(english.body.data.records[0].nextAction.text).toBe('Wait for the review')
  })
})

describe('races', () => {
  test('scenario 2: the same person in two tabs, and the same id number under a second account', async () => {
    const second = await startTestApp({ databaseUrl: t.databaseUrl })
    try {
      // Two processes of the operating system are raced in e2e/processes.test.ts.
      const races = process.env['KAOPU_LONG'] === '1' ? 1_000 : 100
      const { tenant, exam } = await world()
      let winners = 0
      let losers = 0
      for (let i = 0; i < races; i += 1) {
        const phone = `1602${String(i).padStart(7, '0')}`
        const serial = String(1_000 + i)
        const person = await tenant.candidate({
          realName: '王测',
          phone,
          idCard: checked(`330199199${serial.slice(1, 2)}0101${serial.slice(1)}`),
        })
        const fileIds = i === 0 ? await uploadAll(person) : await copyFiles(tenant, person)
        const content = answersOf(checked(`330199199${serial.slice(1, 2)}0101${serial.slice(1)}`), phone, { name: '王测' })
        const elsewhere = { ...person, post: second.anonymous().post, token: person.token }
        const body = { examId: exam.examId, code: 'B001', submitType: 1, promise: 1, content, fileIds, signVersion: 0 }
        const headers = { 'blade-auth': `bearer ${person.token}` }
        const answers = await Promise.all([
          person.post('/blade-signup/signup/submit', { json: body }),
          elsewhere.post('/blade-signup/signup/submit', { json: body, headers }),
        ])
        const codes = answers.map(answer => answer.body.code).sort()
        const won = answers.find(answer => answer.body.code === 200)
        const lost = answers.find(answer => answer.body.code === 2103)
        if (codes.join() === '200,2103' && won?.body.data.signNo === lost?.body.data.signNo) {
          winners += 1
          losers += 1
        }
      }
      const [count] = await tenant.rows(sql<{ rows: number; numbers: number; used: number }>`
        select count(*)::int as rows, count(distinct sign_no)::int as numbers, (select used_sign from type_code where code = 'B001') as used from signup`)
      console.log(`scenario 2: ${races} races over two applications, ${winners} winners, ${losers} losers with the same number`)
      expect({ winners, losers, ...count }).toEqual({ winners: races, losers: races, rows: races, numbers: races, used: races })

      const thief = await tenant.candidate({ realName: '盗用', phone: '16000000099' })
      const stolen = await submit(thief, exam.examId, {
        content: answersOf(checked('33019919900101000'), '16000000099', { name: '盗用' }),
        fileIds: await copyFiles(tenant, thief),
      })
      const msg = '证件号码与账号已核验的不一致；如需更正，请在“个人信息”申请信息变更'
      expect(stolen.body).toMatchObject({ code: 2106, data: { fields: [{ field: 'idCard', msg }] } })
    } finally {
      await second.close()
    }
  }, 600_000)
})

/** Completes 17 digits with the check digit of ISO 7064 MOD 11-2. */
const checked = (first17: string): string => {
  const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
  return first17 + '10X98765432'[weights.reduce((sum, weight, index) => sum + weight * Number(first17[index]), 0) % 11]
}

/** The files of the first uploader as rows of this person, so that a race costs no image work. */
const copyFiles = (tenant: TestTenant, person: Person): Promise<Record<string, string[]>> =>
  tenant.db(async db => {
    const ids: Record<string, string[]> = {}
    const keys = ['photo', 'idFront', 'idBack', 'diploma'] as const
    for (const [at, key] of keys.entries()) {
      const { id } = await db.one(sql<{ id: string }>`
        insert into stored_file (tenant_id, user_id, purpose, name, ext, mime, size_bytes, sha256, storage_key, checks)
        select tenant_id, ${person.userId}, purpose, name, ext, mime, size_bytes, sha256, storage_key, checks from stored_file order by id limit 1 offset ${at} returning id::text as id`)
      ids[key] = [id]
    }
    return ids
  })
