import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Answer, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { type BuiltExam, buildExam } from '../../support/factories.ts'
import { sheetCells } from '../../support/sheet-text.ts'
import { insertSignups, type SignupRef } from '../../support/sign-up-rows.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(async () => {
  await t.close()
})

const rowsOf = async (answer: Answer) => {
  expect(answer.status).toBe(200)
  return sheetCells(answer.raw)
}
const nameOf = (answer: Answer) => decodeURIComponent(String(answer.headers['content-disposition']).replace(/^.*''/, ''))
const audited = (tenant: TestTenant, action: string) =>
  tenant
    .rows(sql<{ after: unknown }>`select after_value as after from audit_log where action = ${action} order by id`)
    .then(rows => rows.map(row => row.after))

describe('exports', () => {
  let tenant: TestTenant
  let exam: BuiltExam
  let people: SignupRef[]
  beforeAll(async () => {
    tenant = await t.tenant()
    exam = await buildExam(tenant, {
      papers: [{ itemCode: '01', itemName: '综合基础知识', startTime: '2026-03-16 09:00:00', endTime: '2026-03-16 10:30:00' }],
    })
    const reviewer = await tenant.staff('reviewer1', { realName: '审核甲' })
    const content = { political: '03', graduateDate: '2019-06-30', certNo: { e: 'c2VhbGVk' }, certName: ['执业医师'], email: 'zhang@x.cn' }
    people = await insertSignups(tenant, exam.examId, [
      { name: '张䶮', code: 'A001', type: 'A', unit: 'H01', examine: 'passed', payState: 'paid', content },
      { name: '=1+1', code: 'A002', type: 'A', unit: 'H02', examine: 'returned', content: {} },
      { name: '草稿', code: 'A002', type: 'A', unit: 'H02', examine: 'draft' },
    ])
    await tenant.db(db =>
      db.run(sql`
        update signup set birthday = '1998-06-30', nation = '01', education = '20', degree = '3', school = '新疆医科大学', major = '临床医学',
          province = '330000', city = '330100', area = '330106', code2 = 'B001', adjust = true, reviewer1_id = ${reviewer.userId},
          reviewer1_time = '2026-03-17T11:00:00+08:00', examine_remark = '=cmd()' where id = ${people[0]?.id}`),
    )
    const foreign = await t.tenant()
    const theirs = await buildExam(foreign)
    await insertSignups(foreign, theirs.examId, [{ name: '外人', code: 'A001', type: 'A', unit: 'H01' }])
  })

  test('[S7.47] sign-ups as typed text with a watermark, masked, audited with filter and count', async () => {
    const office = await tenant.staff('exam_admin', { realName: '考务甲' })
    const answer = await office.post('/blade-signup/signup/exportSignUp', { json: { examId: exam.examId } })
    expect(nameOf(answer)).toBe('HZ2026A_2026年区卫生健康系统事业单位公开招聘_报名信息_20260317100000.xlsx')
    const signNos = await tenant.rows(sql<{ no: string; candidate: string }>`
      select s.sign_no as no, a.user_code as candidate from signup s join account a on a.id = s.user_id where s.sign_no is not null order by s.sign_no`)
    const rows = await rowsOf(answer)
    expect(rows).toEqual([
      ['2026年区卫生健康系统事业单位公开招聘 报名信息 · 考务甲 · 2026-03-17 10:00:00 · 内部资料 注意保密'],
      [
        ...[
          '序号',
          '报名序号',
          '考生号',
          '姓名',
          '证件号码',
          '性别',
          '出生日期',
          '民族',
          '政治面貌',
          '学历',
          '学位',
          '毕业院校',
          '专业',
          '毕业时间',
        ],
        ...['手机号', '省', '市', '区', '单位', '岗位类别', '岗位代码', '岗位名称', '第二志愿单位', '第二志愿岗位', '服从调剂'],
        ...['学习形式', '执业资格', '执业证书编号', '是否有需回避的亲属关系', '亲属情况', '个人简历'],
        ...['审核状态', '审核意见', '初审人', '初审时间', '复核人', '复核时间', '缴费状态', '提交时间'],
      ],
      [
        ...[1, signNos[0]?.no, signNos[0]?.candidate, '张䶮', '3301**************', '女', '1998-06-30', '汉族', '共青团员', '本科', '学士'],
        ...[
          '新疆医科大学',
          '临床医学',
          '2019-06-30',
          '138****0001',
          '浙江省',
          '杭州市',
          '西湖区',
          '区人民医院',
          '医疗',
          'A001',
          '内科医师',
        ],
        ...['区人民医院', 'B001 护士', '是', null, '执业医师', '****', null, null, null],
        ...['审核通过', '=cmd()', '审核甲', '2026-03-17 11:00:00', null, null, '已缴', '2026-03-17 10:00:00'],
      ],
      [
        ...[2, signNos[1]?.no, signNos[1]?.candidate, '=1+1', '3301**************', '女', null, null, null, null, null, null, null, null],
        ...[
          '138****0001',
          null,
          null,
          null,
          '社区卫生服务中心',
          '医疗',
          'A002',
          '全科医师',
          null,
          null,
          '否',
          null,
          null,
          null,
          null,
          null,
          null,
        ],
        ...['退回修改', null, null, null, null, null, '无需缴费', '2026-03-17 10:00:00'],
      ],
    ])
    expect(await audited(tenant, 'signup.exported')).toEqual([{ filter: { examId: exam.examId }, units: null, rows: 2, large: false }])
  })

  test('[S7.47] a hiring unit gets its own sign-ups, filters narrow further, others are refused', async () => {
    const unit = await tenant.staff('unit_hr', { userCode: 'H02' })
    const names = async (query: Record<string, string | number>) =>
      (await rowsOf(await unit.get('/blade-signup/signup/exportSignUp', { query: { examId: exam.examId, ...query } })))
        .slice(2)
        .map(row => row[3])
    expect(await names({})).toEqual(['=1+1'])
    expect(await names({ unit: 'H01' })).toEqual([])
    expect(await names({ examine: 5 })).toEqual([])
    expect(await names({ keyword: '1+' })).toEqual(['=1+1'])
    const stranger = await (await t.tenant()).staff('exam_admin')
    expect((await stranger.post('/blade-signup/signup/exportSignUp', { json: { examId: exam.examId } })).status).toBe(404)
    for (const person of [await tenant.staff('finance'), await tenant.candidate()])
      expect((await person.post('/blade-signup/signup/exportSignUp', { json: { examId: exam.examId } })).status).toBe(403)
  })

  test('5,001 rows are written in the background, complete and in order, and recorded as such', async () => {
    const other = await t.tenant()
    const big = await buildExam(other)
    await insertSignups(
      other,
      big.examId,
      Array.from({ length: 5_001 }, (_, i) => ({ name: `人${i}`, code: 'B001', type: 'B', unit: 'H01' })),
    )
    // As autovacuum does for a database in use within a minute of so many rows.
    await (await t.owner()).query('analyze signup, account')
    const office = await other.staff('admin')
    const ordered = await office.post('/blade-signup/signup/exportSignUp', { json: { examId: big.examId }, language: 'en' })
    expect(ordered.body.data).toMatchObject({ state: 0, total: 5_001, done: 0 })
    await t.runTasks()
    const query = { id: ordered.body.data.id }
    expect((await office.get('/blade-exam/exportjob/detail', { query })).body.data).toMatchObject({ state: 4, done: 5_001 })
    const rows = await rowsOf(await office.get('/blade-exam/exportjob/download', { query }))
    expect(rows.slice(2).map(row => row[3])).toEqual(Array.from({ length: 5_001 }, (_, i) => `人${i}`))
    expect(rows[1]?.slice(0, 4)).toEqual(['No.', 'Sign-up no.', 'Candidate no.', 'Name'])
    expect(await audited(other, 'signup.exported')).toEqual([
      { filter: { examId: big.examId }, units: null, rows: 5_001, large: true, jobId: ordered.body.data.id },
    ])
  })

  test('[S7.40] results: one line a person, papers as columns; a hiring unit reads them after release', async () => {
    const [first] = people
    const itemId = exam.papers['01']
    await tenant.db(db =>
      db.run(sql`
        insert into result (tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, name, score, result_state, bonus, final_score)
        values (${tenant.tenantId}, ${exam.examId}, ${itemId}, ${first?.id}, ${first?.userId}, '260301001016', '张䶮', 78.5, 1, 2, 80.5),
          (${tenant.tenantId}, ${exam.examId}, ${itemId}, ${people[1]?.id}, ${people[1]?.userId}, '260301001024', '=1+1', null, 2, 0, null)`),
    )
    await tenant.db(db => db.run(sql`update exam_item set score_state = 'imported' where id = ${itemId}`))
    const office = await tenant.staff('exam_admin', { realName: '考务乙' })
    const unit = await tenant.staff('unit_hr', { userCode: 'H01' })
    const ask = async (person: typeof unit) =>
      rowsOf(await person.get('/blade-exam/examination/exportResult', { query: { examId: exam.examId } }))
    expect((await ask(unit)).slice(2)).toEqual([])
    const released = await office.post('/blade-exam/examination/releaseResults', {
      json: { examId: exam.examId, itemIds: itemId, state: 1, confirmCode: 'HZ2026A' },
    })
    expect(released.body.data).toEqual({ people: 2, scheduled: null, plan: null })
    const answer = await office.post('/blade-exam/examination/exportResult', { json: { examId: exam.examId } })
    expect(nameOf(answer)).toBe('HZ2026A_2026年区卫生健康系统事业单位公开招聘_成绩_202603171000.xlsx')
    const lines = [
      [1, '260301001016', '张䶮', '3301**********1023', '区人民医院', 'A001', '内科医师', 78.5, 2, 80.5, null, 80.5, 1, '2', '是', '正常'],
      [
        2,
        '260301001024',
        '=1+1',
        '3301**********1023',
        '社区卫生服务中心',
        'A002',
        '全科医师',
        null,
        null,
        null,
        null,
        null,
        null,
        '1',
        '否',
        '综合基础知识: 缺考',
      ],
    ]
    expect(await rowsOf(answer)).toEqual([
      ['2026年区卫生健康系统事业单位公开招聘 成绩 · 考务乙 · 2026-03-17 10:00:00 · 内部资料 注意保密'],
      [
        ...['序号', '准考证号', '姓名', '身份证号', '单位', '岗位代码', '岗位', '综合基础知识', '加分', '笔试成绩', '面试成绩', '总成绩'],
        ...['岗位排名', '招聘人数', '是否入围', '状态'],
      ],
      ...lines,
    ])
    expect((await ask(unit)).slice(2)).toEqual([lines[0]])
    expect((await audited(tenant, 'result.exported')).at(-1)).toMatchObject({ rows: 1, scope: { units: ['H01'], releasedOnly: true } })
    // The file has the people of the search on the screen, whatever it asks for.
    const searches: readonly (readonly [Record<string, string | number>, readonly string[]])[] = [
      [{ keyword: '张' }, ['张䶮']],
      [{ keyword: '260301001024' }, ['=1+1']],
      [{ keyword: '无人' }, []],
      [{ resultState: 2 }, ['=1+1']],
      [{ resultState: 1, keyword: '=1' }, []],
      [{ correctionWaits: 1 }, []],
      [{ unit: 'H01', code: 'A001' }, ['张䶮']],
    ]
    for (const [search, names] of searches) {
      const query = { examId: exam.examId, ...search }
      const file = await rowsOf(await office.get('/blade-exam/examination/exportResult', { query }))
      const { records } = (await office.get('/blade-result/result/list', { query })).body.data
      expect([search, file.slice(2).map(row => row[2])]).toEqual([search, names])
      expect([search, records.map((row: { name: string }) => row.name)]).toEqual([search, names])
    }
  })
})
