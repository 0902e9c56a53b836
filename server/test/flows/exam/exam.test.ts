import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { buildExam, exampleExam } from '../../support/factories.ts'

let app: TestApp
let tenant: TestTenant
let office: Person
beforeAll(async () => {
  app = await startTestApp({ start: '2026-03-10T10:00:00+08:00' })
  tenant = await app.tenant()
  office = await tenant.staff('exam_admin')
})
afterAll(() => app.close())

const base = '/blade-exam/examination'
let serial = 0
/** A draft that lacks nothing but posts. */
const body = (changes: Record<string, unknown> = {}) => {
  serial += 1
  return {
    examName: `公开招聘第 ${serial} 批`,
    examCode: `T2026-${serial}`,
    examNo: serial,
    year: 2026,
    examType: 1,
    organizer: '区卫生健康局',
    contactPhone: '0571-88880000',
    promise: '本人承诺所填信息真实。',
    signBegin: '2026-03-16 09:00:00',
    signEnd: '2026-03-20 17:00:00',
    modifyEnd: '2026-03-21 12:00:00',
    examineEnd: '2026-03-21 17:00:00',
    payBegin: '2026-03-16 09:00:00',
    payEnd: '2026-03-22 17:00:00',
    feeMode: 1,
    feeFen: 10_000,
    signitems: ['name', 'idCard', 'phone'].map((itemKey, at) => ({
      itemKey,
      itemLabel: itemKey,
      fieldType: itemKey === 'idCard' ? 'idcard' : itemKey === 'phone' ? 'phone' : 'text',
      required: 1,
      sort: at + 1,
    })),
    signfiles: [{ fileKey: 'photo', fileLabel: '证件照', kind: 1, required: 1 }],
    examitems: [
      {
        itemCode: '01',
        itemName: '综合基础知识',
        itemType: 1,
        startTime: '2026-03-28 09:00:00',
        endTime: '2026-03-28 10:30:00',
        seatGroup: 'A',
      },
      {
        itemCode: '11',
        itemName: '临床医学',
        itemType: 1,
        startTime: '2026-03-28 14:00:00',
        endTime: '2026-03-28 15:30:00',
        seatGroup: 'A',
      },
    ],
    ...changes,
  }
}
const make = async (changes?: Record<string, unknown>): Promise<string> => {
  const made = await office.post(`${base}/submit`, { json: body(changes) })
  expect(made.body).toMatchObject({ code: 200 })
  return made.body.data.id
}
const post = (examId: string, changes: Record<string, unknown> = {}) => ({
  examId,
  unit: 'H01',
  unitName: '区人民医院',
  type: 'A',
  typeName: '医疗',
  code: 'A001',
  codeName: '内科医师',
  planNum: 2,
  ...changes,
})
const released = async (changes?: Record<string, unknown>): Promise<string> => {
  const id = await make(changes)
  expect((await office.post('/blade-typeCode/typecode/submit', { json: post(id) })).body.code).toBe(200)
  expect((await office.post(`${base}/releaseExam`, { form: { id } })).body).toMatchObject({ code: 200, data: { state: 1 } })
  return id
}
const auditOf = (id: string) =>
  tenant
    .rows(sql<{ action: string }>`select action from audit_log where entity_id = ${id} order by id`)
    .then(rows => rows.map(row => row.action))

describe('an examination', () => {
  test('its description is stored without what could act in a reader’s browser', async () => {
    const id = await make({ description: '<h3 onclick="a()">公告</h3><script>a()</script><a href="javascript:a()">附件</a>' })
    const described = async () => (await office.get(`${base}/detail`, { query: { id } })).body.data
    expect((await described()).description).toBe('<h3>公告</h3><a>附件</a>')
    const { version } = await described()
    const changed = await office.post(`${base}/submit`, { json: { id, version, description: '<img src=x onerror=a()><p>一 &lt; 二</p>' } })
    expect(changed.body.code).toBe(200)
    expect((await described()).description).toBe('<p>一 &lt; 二</p>')
  })

  test('[S3.12] asks about adjustment exactly where its form has the field, whoever puts it there', async () => {
    const adjust = { itemKey: 'adjust', itemLabel: '是否服从调剂', fieldType: 'radio', dictCode: 'yes_no' }
    const asks = async (id: string) => (await office.get(`${base}/detail`, { query: { id } })).body.data.allowAdjust
    const fieldOf = async (json: object) => {
      const { status, body: answer } = await office.post(`${base}/submit`, { json })
      return [status, answer.data?.fields]
    }
    expect(await fieldOf(body({ allowAdjust: 1 }))).toEqual([
      400,
      [{ field: 'allowAdjust', msg: '报名表单里没有“是否服从调剂”（adjust），请先从报名项库加入' }],
    ])
    const form = body()
    const id = await make({ allowAdjust: 1, signitems: [...form.signitems, { ...adjust, sort: 9 }] })
    expect(await asks(id)).toBe(1)
    expect(await fieldOf({ id, allowAdjust: 0 })).toEqual([
      400,
      [{ field: 'allowAdjust', msg: '报名表单里有“是否服从调剂”（adjust），请先从表单中移除' }],
    ])
    expect((await fieldOf({ id, examName: `${form.examName} 二` }))[0]).toBe(200)
    expect(await asks(id)).toBe(1)

    // The same through the list of fields, which says nothing of the examination; another examination stays as it is.
    const other = await make({ signitems: [...form.signitems, adjust] })
    const { signitems } = (await office.get(`${base}/detail`, { query: { id } })).body.data
    const own = signitems.find((item: { itemKey: string }) => item.itemKey === 'adjust').id
    expect((await office.post('/blade-signitems/signitems/remove', { form: { ids: own } })).status).toBe(200)
    expect([await asks(id), await asks(other)]).toEqual([0, 1])
    expect((await office.post('/blade-signitems/signitems/submit', { json: { examId: id, ...adjust } })).status).toBe(200)
    expect(await asks(id)).toBe(1)
  })

  test('is made with its form, files and papers in one call, and read back whole', async () => {
    const id = await make()
    const { data } = (await office.get(`${base}/detail`, { query: { id } })).body
    expect(data).toMatchObject({
      id,
      state: 0,
      phase: 'notStarted',
      signBegin: '2026-03-16 09:00:00',
      feeFen: 10_000,
      ratioBasis: 2,
      writtenWeight: '50.00',
      changes: [],
      postCount: 0,
    })
    expect(data.signitems.map((row: { itemKey: string }) => row.itemKey)).toEqual(['name', 'idCard', 'phone'])
    expect(data.examitems[0]).toMatchObject({
      itemCode: '01',
      fullScore: '100.00',
      ticketState: 0,
      scoreState: 0,
      startTime: '2026-03-28 09:00:00',
    })
    expect(await auditOf(id)).toEqual(['examination.added'])

    const [name, idCard] = data.signitems
    const kept = { id: name.id, itemLabel: '姓名' }
    const changed = await office.post(`${base}/submit`, { json: { id, version: data.version, signitems: [kept, { id: idCard.id }] } })
    expect(changed.body.code).toBe(200)
    const again = (await office.get(`${base}/detail`, { query: { id } })).body.data
    expect(again.signitems.map((row: { itemKey: string; itemLabel: string }) => [row.itemKey, row.itemLabel])).toEqual([
      ['name', '姓名'],
      ['idCard', 'idCard'],
    ])
    expect(again.examitems).toHaveLength(2)
    // The screen that still shows the old version does not overwrite.
    const second = await tenant.staff('exam_admin', { realName: '李考务' })
    await second.post(`${base}/submit`, { json: { id, undertaker: '人才中心' } })
    const stale = await office.post(`${base}/submit`, { json: { id, version: data.version, organizer: '别处' } })
    expect([stale.status, stale.body.code, stale.body.data]).toEqual([409, 2002, { by: '李考务' }])
  })

  test('a name, code or number that is taken is refused by field, and fields nobody declared too', async () => {
    const id = await make()
    const { data } = (await office.get(`${base}/detail`, { query: { id } })).body
    const twice = await office.post(`${base}/submit`, { json: body({ examCode: data.examCode }) })
    expect([twice.status, twice.body.data.fields[0].field, twice.body.msg]).toEqual([400, 'examCode', `考试编码 ${data.examCode} 已存在`])
    expect((await office.post(`${base}/submit`, { json: body({ state: 1 }) })).status).toBe(400)
    expect((await office.post(`${base}/submit`, { json: body({ signEnd: '2026-02-30 09:00:00' }) })).body.data.fields[0].field).toBe(
      'signEnd',
    )
    expect((await office.post(`${base}/submit`, { json: body({ writtenWeight: '60' }) })).body.data.fields[0].field).toBe('writtenWeight')
    expect((await office.post(`${base}/submit`, { json: { ...body(), examName: undefined } })).body.data.fields[0].field).toBe('examName')
  })

  test('a draft waits for phone, office and undertaking; a window that ends before it begins and a number that is none are refused', async () => {
    const { organizer: _office, contactPhone: _phone, promise: _promise, ...rest } = body({ ticketBegin: null })
    const made = await office.post(`${base}/submit`, { json: rest })
    expect(made.body).toMatchObject({ code: 200 })
    const { id } = made.body.data
    const checked = (await office.post(`${base}/releaseExam`, { form: { id, dryRun: '1' } })).body.data
    expect(checked.problems.slice(0, 3)).toEqual([
      { path: 'organizer', msg: '请填写主办单位' },
      { path: 'contactPhone', msg: '请填写咨询电话' },
      { path: 'promise', msg: '请填写诚信承诺书' },
    ])
    expect(checked.warnings).toEqual([{ path: 'ticketBegin', msg: '没有设置准考证下载时间，考生下载不到准考证' }])
    const refusal = async (changes: object) =>
      (await office.post(`${base}/submit`, { json: { id, ...changes } })).body.data.fields.map(
        ({ field, msg }: { field: string; msg: string }) => [field, msg],
      )
    expect(await refusal({ signEnd: '2026-03-15 17:00:00' })).toEqual([['signEnd', '报名结束时间须晚于开始时间']])
    expect(await refusal({ contactPhone: '请问前台' })).toEqual([
      ['contactPhone', '咨询电话格式不正确：写号码，如 0571-88010037；多个号码用顿号分隔'],
    ])
    expect((await office.post(`${base}/submit`, { json: { id, contactPhone: '0571-88010037 转 801、13800000000' } })).body.code).toBe(200)
  })

  test('release lists everything that is missing at once, in both languages, and changes nothing', async () => {
    const id = await make({ promise: '', examineEnd: '2026-03-19 17:00:00', signfiles: [], signitems: [] })
    const refused = await office.post(`${base}/releaseExam`, { form: { id } })
    expect([refused.status, refused.body.code]).toEqual([422, 2005])
    expect(refused.body.data.problems).toEqual([
      { path: 'promise', msg: '请填写诚信承诺书' },
      { path: 'examineEnd', msg: '审核结束时间不能早于报名结束时间' },
      { path: 'posts', msg: '至少需要一个岗位' },
      { path: 'signitems.name', msg: '报名表缺少“姓名”' },
      { path: 'signitems.idCard', msg: '报名表缺少“证件号码”' },
      { path: 'signitems.phone', msg: '报名表缺少“手机号”' },
      { path: 'signfiles.photo', msg: '报名材料缺少证件照' },
    ])
    const english = await office.post(`${base}/releaseExam`, { form: { id, dryRun: '1' }, language: 'en' })
    expect(english.body.data.state).toBe(0)
    expect(english.body.data.problems[2]).toEqual({ path: 'posts', msg: 'At least one post is needed' })
    expect(await tenant.rows(sql`select state from examination where id = ${id}`)).toEqual([{ state: 'draft' }])
    // The list counts them where that is asked for.
    const { examCode } = (await office.get(`${base}/detail`, { query: { id } })).body.data
    const listed = async (query: object) =>
      (await office.get(`${base}/page`, { query: { examCode, ...query } })).body.data.records[0].missing
    expect([await listed({ withMissing: 1 }), await listed({})]).toEqual([7, undefined])
  })

  test('[S7.38] a release publishes the digest of one sealed seed per seat group, is audited, and can be withdrawn while nobody signed up', async () => {
    const id = await released()
    const rows = await tenant.rows(
      sql<{
        id: string
        commit: string
        sealed: Buffer
      }>`select id::text as id, seed_commit as commit, seed_sealed as sealed from exam_item where exam_id = ${id} order by sort, item_code`,
    )
    expect(new Set(rows.map(row => row.commit)).size).toBe(1)
    const [first] = rows
    if (!first) throw new Error('no paper')
    const seed = app.app.services.cipher.open(tenant.tenantId, { table: 'exam_item', column: 'seed_sealed', rowId: first.id }, first.sealed)
    expect(createHash('sha256').update(Buffer.from(seed, 'hex')).digest('hex')).toBe(first.commit)
    expect(await auditOf(id)).toEqual(['examination.added', 'examination.released'])
    expect((await office.post(`${base}/releaseExam`, { form: { id } })).body.code).toBe(2001)

    await tenant.db(db => db.run(sql`update exam_counter set sign_seq = 1 where exam_id = ${id}`))
    const late = await office.post(`${base}/releaseExam`, { form: { id, state: '0' } })
    expect([late.status, late.body.code, late.body.msg]).toEqual([409, 2004, '已有考生报名，不能撤回发布'])
    await tenant.db(db => db.run(sql`update exam_counter set sign_seq = 0 where exam_id = ${id}`))
    expect((await office.post(`${base}/releaseExam`, { form: { id, state: '0' } })).body.data.state).toBe(0)
    expect((await auditOf(id)).at(-1)).toBe('examination.withdrawn')
  })

  test('after release windows are extended freely, shortened with 24 hours to go, and what people relied on stays; each change is public', async () => {
    const id = await released()
    const change = (json: Record<string, unknown>) => office.post(`${base}/submit`, { json: { id, ...json } })
    const frozen = await change({ feeFen: 1, promise: '别的' })
    expect([frozen.status, frozen.body.code, frozen.body.msg]).toEqual([409, 2003, '已发布，字段已冻结：诚信承诺书、报名费'])
    expect((await change({ signEnd: '2026-03-21 10:00:00' })).body.code).toBe(200)
    app.clock.set('2026-03-19T18:00:00+08:00')
    const office2 = await tenant.staff('exam_admin')
    const short = await office2.post(`${base}/submit`, { json: { id, signEnd: '2026-03-20 17:00:00' } })
    expect([short.body.code, short.body.msg]).toEqual([
      2003,
      '考试已发布，结束时间可以延后；提前时新的结束时间须在 24 小时之后：报名结束时间（原为 2026-03-21 10:00，须不早于 2026-03-20 18:01）',
    ])
    expect((await office2.post(`${base}/submit`, { json: { id, signEnd: '2026-03-20 19:00:00' } })).body.code).toBe(200)
    expect((await office2.post(`${base}/submit`, { json: { id, signBegin: '2026-03-20 09:00:00' } })).body.code).toBe(2003)
    const reader = await tenant.staff('finance')
    const { changes } = (await reader.get(`${base}/detail`, { query: { id } })).body.data
    expect(changes.map((line: { text: string }) => line.text)).toEqual([
      '报名结束时间由 2026-03-21 10:00:00 调整为 2026-03-20 19:00:00',
      '报名结束时间由 2026-03-20 17:00:00 调整为 2026-03-21 10:00:00',
    ])
    // A change that would make the released examination inconsistent is refused whole.
    expect((await office2.post(`${base}/submit`, { json: { id, examineEnd: null } })).body.code).toBe(2003)
    expect(
      (
        await office2.post(`${base}/submit`, {
          json: { id, modifyEnd: '2026-03-25 00:00:00', ticketBegin: '2026-03-29 00:00:00', ticketEnd: '2026-03-28 00:00:00' },
        })
      ).body.code,
    ).toBe(2005)
    app.clock.set('2026-03-10T10:00:00+08:00')
  })

  test('[19.9] 24:00 ends a day, and an end written as a last second has that second, wherever one is typed', async () => {
    const id = await released({
      signEnd: '2026-03-20 24:00:00',
      modifyEnd: '2026-03-21 23:59:59',
      examineEnd: '2026-03-21 24:00:00',
      payEnd: '2026-03-22 23:59:59',
    })
    const detail = (await office.get(`${base}/detail`, { query: { id } })).body.data
    expect([detail.signEnd, detail.modifyEnd, detail.examineEnd, detail.payEnd]).toEqual([
      '2026-03-21 00:00:00',
      '2026-03-22 00:00:00',
      '2026-03-22 00:00:00',
      '2026-03-23 00:00:00',
    ])
    const [paper] = detail.examitems
    const submit = (json: object) => office.post('/blade-examitem/examitem/submit', { json: { id: paper.id, ...json } })
    // It reaches into the paper of the afternoon.
    expect((await submit({ endTime: '2026-03-28 23:59:59' })).body.reason).toBe('exam/overlap')
    expect((await submit({ endTime: '2026-03-28 11:59:59' })).body.code).toBe(200)
    const stored = () =>
      tenant.rows(
        sql`select to_char(end_time at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS') as ends from exam_item where id = ${paper.id}`,
      )
    expect(await stored()).toEqual([{ ends: '2026-03-28 12:00:00' }])
    // Written again as it was typed, nothing has changed.
    const { changes } = detail
    expect(
      (await office.post(`${base}/submit`, { json: { id, signEnd: '2026-03-20 23:59:59', payEnd: '2026-03-22 24:00:00' } })).body.code,
    ).toBe(200)
    const after = (await office.get(`${base}/detail`, { query: { id } })).body.data
    expect(after.changes.slice(1)).toEqual(changes)
    expect(after.changes[0].text).toContain('综合基础知识')
    expect((await submit({ endTime: '2026-03-28 24:00:01' })).status).toBe(400)
  })

  test('[19.13] what release demands holds after release, whatever command changes a part of it', async () => {
    const free = await make({ feeMode: 3, feeFen: 0 })
    const postId = (await office.post('/blade-typeCode/typecode/submit', { json: post(free, { feeFen: 10_000, itemCodes: ['01'] }) })).body
      .data.id
    expect((await office.post(`${base}/releaseExam`, { form: { id: free } })).body.data.state).toBe(1)
    const detail = async () => (await office.get(`${base}/detail`, { query: { id: free } })).body.data
    const { signitems, signfiles, examitems } = await detail()
    const rowOf = (rows: { id: string }[], key: string) => rows.find(row => Object.values(row).includes(key)) ?? { id: '' }
    const [name, idCard, photo] = [rowOf(signitems, 'name'), rowOf(signitems, 'idCard'), rowOf(signfiles, 'photo')]
    const [paper] = examitems
    const [items, files, papers, posts] = [
      '/blade-signitems/signitems',
      '/blade-signfiles/signfiles',
      '/blade-examitem/examitem',
      '/blade-typeCode/typecode',
    ]
    const state = () =>
      tenant.rows(sql`
      select 'item' as part, item_key as key, required, visible_when::text as shown, is_deleted from sign_item where exam_id = ${free}
      union all select 'file', file_key, required, visible_when::text, is_deleted from sign_file where exam_id = ${free}
      union all select 'paper', item_code, fee_fen, start_time::text, is_deleted from exam_item where exam_id = ${free}
      union all select 'post', code, fee_fen, item_codes::text, is_deleted from type_code where exam_id = ${free} order by 1, 2`)
    const [before, audited] = [await state(), await auditOf(free)]
    const when = { key: 'phone', op: 'notEmpty' }
    const broken: [string, Record<string, unknown>, string][] = [
      [`${items}/remove`, { ids: name.id }, '报名表缺少“姓名”'],
      [`${items}/remove`, { ids: idCard.id }, '报名表缺少“证件号码”'],
      [`${items}/submit`, { id: name.id, required: 0 }, '“姓名”须为必填'],
      [`${items}/submit`, { id: idCard.id, visibleWhen: when }, '“证件号码”须总是显示，请去掉显示条件'],
      [`${items}/submit`, { id: name.id, itemKey: 'fullName' }, '报名表缺少“姓名”'],
      [`${files}/remove`, { ids: photo.id }, '报名材料缺少证件照'],
      [`${files}/submit`, { id: photo.id, required: 0 }, '证件照须在报名时必交且总是显示'],
      [`${files}/submit`, { id: photo.id, stage: 2 }, '证件照须在报名时必交且总是显示'],
      [`${posts}/remove`, { ids: postId }, '至少需要一个岗位'],
      [`${posts}/submit`, { id: postId, feeFen: 0 }, '按岗位收费须设置岗位报名费'],
      [
        `${base}/submit`,
        { id: free, signitems: signitems.filter((row: { id: string }) => row.id !== name.id).map(({ id }: { id: string }) => ({ id })) },
        '报名表缺少“姓名”',
      ],
      [`${base}/submit`, { id: free, signfiles: [] }, '报名材料缺少证件照'],
      [`${base}/submit`, { id: free, payEnd: '2026-03-21 16:00:00' }, '缴费结束时间不能早于审核结束时间'],
    ]
    for (const [path, json, why] of broken) {
      const answer = await office.post(path, path.endsWith('/remove') ? { form: json as Record<string, string> } : { json })
      expect([path, json, answer.status, answer.body.reason, answer.body.msg]).toEqual([
        path,
        json,
        422,
        'exam/breaks-release',
        `考试已发布，此修改会使发布条件不再满足：${why}`,
      ])
    }
    const used = await office.post(`${papers}/remove`, { form: { ids: paper.id } })
    expect([used.status, used.body.code, used.body.msg]).toEqual([
      409,
      2004,
      '科目 01 被 1 个岗位使用，不能删除；请先在岗位代码中去掉该科目',
    ])
    expect([await state(), await auditOf(free)]).toEqual([before, audited])
    expect((await detail()).changes).toEqual([])
    // In steps that go through something unfit within one call: the photo is replaced by another one.
    const replaced = await office.post(`${base}/submit`, {
      json: { id: free, signfiles: [{ fileKey: 'face', fileLabel: '证件照', kind: 1, required: 1 }] },
    })
    expect(replaced.body.code).toBe(200)
    // What was wrong before may be mended in parts.
    await tenant.db(db => db.run(sql`update sign_item set required = 0 where exam_id = ${free}`))
    expect((await office.post(`${items}/submit`, { json: { id: name.id, required: 1 } })).body.code).toBe(200)
    expect((await office.post(`${items}/remove`, { form: { ids: idCard.id } })).body.reason).toBe('exam/breaks-release')
  })

  test('[19.14] once results are out the pass lines stay until the release is withdrawn', async () => {
    const id = await released()
    const [paper] = (await office.get(`${base}/detail`, { query: { id } })).body.data.examitems
    const lines = () =>
      tenant.rows(sql`
        select e.pass_score::text as written, i.pass_score::text as paper from examination e join exam_item i on i.exam_id = e.id where e.id = ${id} and i.id = ${paper.id}`)
    const change = (passScore: string) => office.post(`${base}/submit`, { json: { id, passScore } })
    const ofPaper = (passScore: string) => office.post('/blade-examitem/examitem/submit', { json: { id: paper.id, passScore } })
    const score = (state: string) => tenant.rows(sql`update exam_item set score_state = ${state} where id = ${paper.id} returning id`)
    expect([(await change('55')).body.code, (await ofPaper('50')).body.code]).toEqual([200, 200])
    await score('released')
    const refused = await change('60')
    expect([refused.status, refused.body.code, refused.body.msg]).toEqual([409, 2003, '成绩已发布，不能修改：笔试合格线；请先撤回成绩发布'])
    const refusedPaper = await ofPaper('60')
    expect([refusedPaper.status, refusedPaper.body.msg]).toEqual([409, '成绩已发布，不能修改：合格线；请先撤回成绩发布'])
    // What is sent again as it is changes nothing.
    expect([(await change('55.00')).body.code, (await ofPaper('50.00')).body.code]).toEqual([200, 200])
    expect(await lines()).toEqual([{ written: '55.00', paper: '50.00' }])
    await score('imported')
    expect((await change('60')).body.code).toBe(200)
    await score('none')
  })

  test('closing wants a reason and, while sign-up is open, the code; reopening is for the administrator; archives are read-only', async () => {
    const id = await released()
    const { data } = (await office.get(`${base}/detail`, { query: { id } })).body
    const close = (form: Record<string, string>, who = office) => who.post(`${base}/closeExam`, { form: { id, ...form } })
    expect((await close({})).body.data.fields[0].field).toBe('reason')
    app.clock.set('2026-03-17T10:00:00+08:00')
    expect((await close({ reason: '计划调整' })).body.data.fields[0].field).toBe('confirmCode')
    expect((await close({ reason: '计划调整', confirmCode: data.examCode })).body.data).toEqual({ state: 2 })
    expect((await office.post(`${base}/submit`, { json: { id, organizer: '别处' } })).body).toMatchObject({
      code: 2001,
      msg: '考试已关闭，不能修改',
    })
    expect((await office.post('/blade-typeCode/typecode/submit', { json: post(id, { code: 'Z9' }) })).body.code).toBe(2001)
    expect((await close({ state: '1', reason: '恢复' })).status).toBe(403)
    const admin = await tenant.staff('admin')
    expect((await close({ state: '1', reason: '恢复' }, admin)).body.data).toEqual({ state: 1 })
    expect((await close({ reason: '结束', confirmCode: data.examCode })).body.data).toEqual({ state: 2 })
    expect((await close({ state: '3' })).body.data).toEqual({ state: 3 })
    expect((await close({ state: '1', reason: '恢复' }, admin)).body.code).toBe(2001)
    expect((await office.get(`${base}/detail`, { query: { id } })).body.data).toMatchObject({ state: 3, phase: 'finished' })
    expect(await auditOf(id)).toEqual([
      'examination.added',
      'examination.released',
      'examination.closed',
      'examination.reopened',
      'examination.closed',
      'examination.archived',
    ])
    app.clock.set('2026-03-10T10:00:00+08:00')
  })

  test('only drafts are removed, and a batch with one that is not changes nothing', async () => {
    const draft = await make()
    const live = await released()
    expect((await office.post(`${base}/remove`, { form: { ids: `${draft},${live}` } })).body.code).toBe(2004)
    expect((await office.get(`${base}/detail`, { query: { id: draft } })).status).toBe(200)
    expect((await office.post(`${base}/remove`, { form: { ids: draft } })).body.data).toEqual({ removed: 1 })
    expect((await office.get(`${base}/detail`, { query: { id: draft } })).status).toBe(404)
  })

  test('a copy takes over form, files, papers and posts, and starts its counts anew', async () => {
    const id = await released()
    const copy = await office.post(`${base}/submit`, {
      json: { ...body({ year: 2027, copyFrom: id }), signitems: undefined, signfiles: undefined, examitems: undefined },
    })
    const { data } = (await office.get(`${base}/detail`, { query: { id: copy.body.data.id } })).body
    expect([data.state, data.signitems.length, data.signfiles.length, data.examitems.length, data.postCount]).toEqual([0, 3, 1, 2, 1])
    expect(data.examitems.map((row: { seedCommit: unknown }) => row.seedCommit)).toEqual([null, null])
    // Papers move with the sign-up, by whole days.
    const later = await office.post(`${base}/submit`, {
      json: {
        ...body({ year: 2028, copyFrom: id }),
        signBegin: '2026-03-23 09:00:00',
        signEnd: '2026-03-27 17:00:00',
        modifyEnd: '2026-03-28 12:00:00',
        examineEnd: '2026-03-28 17:00:00',
        payBegin: '2026-03-23 09:00:00',
        payEnd: '2026-03-29 17:00:00',
        signitems: undefined,
        signfiles: undefined,
        examitems: undefined,
      },
    })
    const moved = (await office.get(`${base}/detail`, { query: { id: later.body.data.id } })).body.data
    expect(moved.examitems.map((row: { startTime: string; endTime: string }) => [row.startTime, row.endTime])).toEqual([
      ['2026-04-04 09:00:00', '2026-04-04 10:30:00'],
      ['2026-04-04 14:00:00', '2026-04-04 15:30:00'],
    ])
    // What the body lists itself stays as it was sent; the posts come with it.
    const [first] = body().examitems
    const own = await office.post(`${base}/submit`, {
      json: { ...body({ year: 2029, copyFrom: id }), signitems: undefined, signfiles: undefined, examitems: [first] },
    })
    const mixed = (await office.get(`${base}/detail`, { query: { id: own.body.data.id } })).body.data
    expect([mixed.signitems.length, mixed.examitems.length, mixed.postCount]).toEqual([3, 1, 1])
  })
})

describe('who may do what', () => {
  test('[S6.03] finance reads and never writes; drafts are for the office; candidates see released examinations of their own tenant only', async () => {
    const other = await app.tenant()
    const foreign = await buildExam(other)
    const own = await buildExam(tenant, { exam: { exam_name: '本单位', exam_code: 'OWN', exam_no: 90 } })
    const draft = await make()
    const finance = await tenant.staff('finance')
    const candidate = await tenant.candidate()
    for (const [path, json] of [
      ['submit', body()],
      ['releaseExam', { id: draft }],
      ['closeExam', { id: own.examId, reason: 'x' }],
      ['remove', { ids: draft }],
    ] as const) {
      expect((await finance.post(`${base}/${path}`, { json })).status).toBe(403)
      expect((await candidate.post(`${base}/${path}`, { json })).status).toBe(403)
    }
    expect((await finance.post('/blade-items/items/changeStatus', { form: { id: '1', status: '0' } })).status).toBe(403)
    expect((await finance.get(`${base}/detail`, { query: { id: draft } })).status).toBe(404)
    const seen = (await finance.get(`${base}/page`, { query: { size: 200 } })).body.data.records as { id: string; state: number }[]
    expect(seen.every(row => row.state !== 0)).toBe(true)
    expect(seen.map(row => row.id)).toContain(own.examId)
    expect((await candidate.get(`${base}/page`)).status).toBe(403)
    for (const path of ['getExamItems', 'getTypeCodeList', 'getAllTypeCode']) {
      expect((await candidate.get(`${base}/${path}`, { query: { examId: own.examId } })).status).toBe(200)
      expect((await candidate.get(`${base}/${path}`, { query: { examId: draft } })).status).toBe(404)
      expect((await candidate.get(`${base}/${path}`, { query: { examId: foreign.examId } })).status).toBe(404)
      expect((await office.get(`${base}/${path}`, { query: { examId: foreign.examId } })).status).toBe(404)
    }
    expect((await office.get(`${base}/detail`, { query: { id: foreign.examId } })).status).toBe(404)
    expect((await office.post(`${base}/submit`, { json: { id: foreign.examId, organizer: 'x' } })).status).toBe(404)
    expect((await office.post(`${base}/closeExam`, { form: { id: foreign.examId, reason: 'x' } })).status).toBe(404)
    const page = (await office.get(`${base}/page`, { query: { examCode: exampleExam.exam_code } })).body.data
    expect(page.total).toBe(0)
  })
})

describe('posts', () => {
  test('candidates get conditions in words, numbers of all, and how their own answers fit', async () => {
    const { examId, posts } = await buildExam(tenant, { exam: { exam_name: '匹配', exam_code: 'FIT', exam_no: 91 } })
    const [young, old] = [await tenant.candidate({ idCard: '330199199505050024' }), await tenant.candidate()]
    await tenant.db(async db => {
      for (const [person, content] of [
        [young, { birthday: '1995-05-05', education: '20' }],
        [old, { birthday: '1988-11-20', education: '30' }],
      ] as const)
        await db.run(sql`
          insert into signup (tenant_id, exam_id, user_id, code, type, unit, content, examine, sign_no)
          values (${db.actor.tenantId}, ${examId}, ${person.userId}, 'A001', 'A', 'H01', ${JSON.stringify(content)}, ${person === young ? 'passed' : 'waiting'}, ${person.userId.slice(-14)})`)
    })
    const list = async (person: Person, query: Record<string, string> = {}) =>
      (await person.get(`${base}/getTypeCodeList`, { query: { examId, ...query } })).body.data.records as Record<string, unknown>[]
    const [fits] = await list(young, { fit: '1' })
    expect(fits).toMatchObject({
      id: posts['A001'],
      code: 'A001',
      educationText: '本科及以上',
      sexText: '不限',
      signCount: 2,
      passCount: 1,
      match: 'ok',
      reasons: [],
      fee: null,
    })
    const [not] = await list(old, { fit: '1' })
    expect(not).toMatchObject({ match: 'no', reasons: [expect.stringContaining('出生日期'), expect.stringContaining('学历')] })
    // [19.5] Posts that are barred are no rows of any page, and the number is of those that are left.
    const only = async (person: Person, query: Record<string, string> = {}) => {
      const { data } = (await person.get(`${base}/getTypeCodeList`, { query: { examId, onlyFit: '1', ...query } })).body
      return [data.total, data.records.map((row: Record<string, unknown>) => [row['code'], row['match']])]
    }
    const whole = (await list(old, { fit: '1' })).map(row => [row['code'], row['match']])
    const left = whole.filter(([, match]) => match !== 'no')
    expect([whole.length, left.length < whole.length, left.length > 0]).toEqual([3, true, true])
    expect(await only(old)).toEqual([left.length, left])
    expect(await only(old, { size: '1' })).toEqual([left.length, left.slice(0, 1)])
    expect(await only(old, { size: '1', current: String(left.length) })).toEqual([left.length, left.slice(-1)])
    expect(await only(old, { size: '1', current: String(left.length + 1) })).toEqual([left.length, []])
    expect(await only(old, { keyword: '内科' })).toEqual([0, []])
    expect((await list(young)).map(row => [row['code'], row['match']])).toEqual([
      ['A001', null],
      ['B001', null],
      ['A002', null],
    ])
    expect((await list(young, { unit: 'H02' })).map(row => row['code'])).toEqual(['A002'])
    expect((await list(young, { keyword: '护士' })).map(row => row['code'])).toEqual(['B001'])

    await tenant.db(db => db.run(sql`update examination set hide_counts = true where id = ${examId}`))
    app.clock.set('2026-03-17T10:00:00+08:00')
    expect((await list(young))[0]).toMatchObject({ signCount: null, passCount: null })
    expect((await list(office))[0]).toMatchObject({ signCount: 2, passCount: 1 })
    app.clock.set('2026-03-10T10:00:00+08:00')
    const tree = await young.get(`${base}/getAllTypeCode`, { query: { examId } })
    expect(tree.body.data).toEqual([
      {
        value: 'H01',
        label: '区人民医院',
        children: [
          { value: 'A', label: '医疗', children: [{ value: 'A001', label: 'A001 内科医师', planNum: 2, curNum: 2, postState: 0 }] },
          { value: 'B', label: '护理', children: [{ value: 'B001', label: 'B001 护士', planNum: 4, curNum: 4, postState: 0 }] },
        ],
      },
      {
        value: 'H02',
        label: '社区卫生服务中心',
        children: [
          { value: 'A', label: '医疗', children: [{ value: 'A002', label: 'A002 全科医师', planNum: 1, curNum: 1, postState: 0 }] },
        ],
      },
    ])
    expect(tree.headers['etag']).toMatch(/^"\d+-3-/)
  })

  test('[S7.38] getAllTypeCode answers 304 to whoever holds the posts already, and anew after any change of a post', async () => {
    const { examId } = await buildExam(tenant, { exam: { exam_name: '缓存', exam_code: 'CACHE', exam_no: 93 } })
    const reader = await tenant.candidate()
    const ask = (headers: Record<string, string> = {}) => reader.get(`${base}/getAllTypeCode`, { query: { examId }, headers })
    const first = await ask()
    const etag = String(first.headers['etag'])
    const lastModified = String(first.headers['last-modified'])
    expect(first.headers['cache-control']).toBe('private, no-cache')
    expect(Date.parse(lastModified)).toBeLessThanOrEqual(app.clock.now().getTime())
    for (const headers of [
      { 'if-none-match': etag },
      { 'if-none-match': `"other", W/${etag}` },
      { 'if-modified-since': lastModified },
      // The tag decides where both are sent.
      { 'if-none-match': etag, 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
    ]) {
      const same = await ask(headers)
      expect([same.status, same.raw.length, same.headers['etag']]).toEqual([304, 0, etag])
    }
    for (const headers of [
      { 'if-none-match': '"other"' },
      { 'if-none-match': '"other"', 'if-modified-since': lastModified },
      { 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
    ])
      expect((await ask(headers)).status).toBe(200)

    app.clock.advance(2_000)
    const changes = [
      sql`update type_code set plan_num = plan_num + 1, version = version + 1, updated_at = app_now() where exam_id = ${examId} and code = 'A001'`,
      sql`update type_code set is_deleted = true, version = version + 1, updated_at = app_now() where exam_id = ${examId} and code = 'A002'`,
    ]
    let held = etag
    for (const change of changes) {
      await tenant.db(db => db.run(change))
      const fresh = await ask({ 'if-none-match': held })
      expect(fresh.status).toBe(200)
      expect(fresh.headers['etag']).not.toBe(held)
      expect((await ask({ 'if-modified-since': lastModified })).status).toBe(200)
      held = String(fresh.headers['etag'])
    }
    // A refusal is no version of the posts.
    const stranger = await (await app.tenant()).candidate()
    const foreign = await stranger.get(`${base}/getAllTypeCode`, { query: { examId }, headers: { 'if-none-match': held } })
    expect(foreign.status).toBe(404)
  })

  test('people of a unit see its posts only', async () => {
    const { examId } = await buildExam(tenant, { exam: { exam_name: '单位', exam_code: 'UNIT', exam_no: 92 } })
    const hr = await tenant.staff('unit_hr', { userCode: 'H02' })
    const { data } = (await hr.get(`${base}/getTypeCodeList`, { query: { examId } })).body
    expect(data.records.map((row: { code: string }) => row.code)).toEqual(['A002'])
  })
})
