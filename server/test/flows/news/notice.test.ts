import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant, testStart } from '../../support/app.ts'
import { type BuiltExam, buildExam } from '../../support/factories.ts'
import { sheetRows } from '../../support/sheet-text.ts'
import { insertSignups } from '../../support/sign-up-rows.ts'

let t: TestApp
let tenant: TestTenant
let officer: Person
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(testStart)
  tenant = await t.tenant()
  officer = await tenant.staff('exam_admin', { realName: '王公告' })
})

const form = { title: '2026 年公开招聘公告', noticeType: 2, content: '<p>正文</p>' }
const save = (json: object, by = officer) => by.post('/blade-desk/notice/submit', { json: { ...form, ...json } })
const draft = async (json: object = {}, by = officer): Promise<string> => {
  const answer = await save(json, by)
  expect(answer.body.msg).toBe('操作成功')
  return answer.body.data.id
}
const move = (id: string, event: string, more: object = {}, by = officer) =>
  by.post('/blade-desk/notice/changeState', { json: { id, event, ...more } })
const published = async (json: object = {}, more: object = {}): Promise<string> => {
  const id = await draft(json)
  expect((await move(id, 'publish', more)).body.code).toBe(200)
  await t.runTasks()
  return id
}
type Reads = Pick<Person, 'get'>
const guestOf = (of = tenant): Reads => t.anonymous(of.tenantId)
const info = (id: string, by: Reads = guestOf()) => by.get('/blade-exam/examination/getNoticeInfo', { query: { id } })
const titles = async (by: Reads, query: Record<string, string> = {}): Promise<string[]> =>
  (await by.get('/blade-exam/examination/getNoticeList', { query })).body.data.records.map((row: { title: string }) => row.title)
const trail = (of = tenant) =>
  of
    .rows(sql<{ action: string }>`select action from audit_log where action like 'notice%' or action like 'news%' order by id`)
    .then(rows => rows.map(({ action }) => action))
const picture = () =>
  sharp({ create: { width: 30, height: 20, channels: 3, background: '#36c' } })
    .png()
    .toBuffer()
const upload = async (by: Person, purpose = 'image'): Promise<string> =>
  (await by.post('/file/upload', { multipart: { fields: { purpose }, files: [{ part: 'file', name: '图.png', bytes: await picture() }] } }))
    .body.data.fileId

describe('[S7.25] a notice from its draft to its end', () => {
  test('a draft is nobody’s to read; published it is everybody’s, withdrawn it is said to be', async () => {
    const other = await t.tenant()
    const stranger = await other.staff('exam_admin')
    const id = await draft({ isTop: 1 })
    expect([(await info(id)).status, await titles(guestOf())]).toEqual([404, []])
    expect((await move(id, 'withdraw', { reason: '错' })).body).toMatchObject({
      code: 2201,
      msg: '“2026 年公开招聘公告”现在是草稿，不能下架，请刷新后重试',
    })
    expect((await move(id, 'publish', {}, stranger)).status).toBe(404)
    expect((await move(id, 'publish')).body.data).toEqual({ state: 1, releaseTime: '2026-03-17 10:00:00', warnings: [] })

    const line = {
      id,
      title: '2026 年公开招聘公告',
      noticeType: 2,
      scope: 1,
      examId: null,
      summary: '正文',
      releaseTime: '2026-03-17 10:00:00',
      endTime: null,
      isOver: false,
      isTop: true,
      popup: false,
      needSure: false,
      textVersion: 1,
      read: false,
      sureTime: null,
    }
    expect((await info(id)).body.data).toEqual({ ...line, content: '<p>正文</p>', examName: null, exam: null, files: [] })
    expect((await guestOf().get('/blade-exam/examination/getNoticeList')).body.data).toEqual({
      records: [line],
      total: 1,
      size: 10,
      current: 1,
      pages: 1,
    })
    expect((await guestOf().get('/blade-exam/examination/getIndexNotice')).body.data).toEqual({
      top: [line],
      recruit: [],
      notice: [line],
      publicity: [],
      news: [],
    })
    expect([(await info(id, guestOf(other))).status, await titles(guestOf(other))]).toEqual([404, []])

    expect((await save({ id, title: '改' })).body).toMatchObject({
      code: 2003,
      msg: '“2026 年公开招聘公告”已发布，不能修改；请先下架，再改为草稿',
    })
    expect((await officer.post('/blade-desk/notice/remove', { query: { ids: id } })).body).toMatchObject({
      code: 2004,
      msg: '“2026 年公开招聘公告”发布过，须保留；可以下架，不能删除',
    })
    expect((await move(id, 'withdraw')).body.data.fields).toEqual([{ field: 'reason', msg: '请填写下架原因' }])
    expect((await move(id, 'withdraw', { reason: '时间有误' })).body.data).toMatchObject({ state: 2 })
    const gone = await info(id)
    expect([gone.status, gone.body.code, gone.body.msg]).toEqual([
      410,
      410,
      '“2026 年公开招聘公告”已于 2026-03-17 10:00 下架，不再公布。如有疑问，请查看最新公告或联系发布单位',
    ])
    expect(await titles(guestOf())).toEqual([])
    expect((await move(id, 'revise')).body.data).toMatchObject({ state: 0, releaseTime: null })
    expect((await info(id)).status).toBe(410)
    expect((await officer.post('/blade-desk/notice/remove', { query: { ids: id } })).body.code).toBe(2004)
    expect((await save({ id, title: '更正后的公告' })).body.code).toBe(200)
    await move(id, 'publish')
    expect(await titles(guestOf())).toEqual(['更正后的公告'])
    expect(await trail()).toEqual([
      'notice.added',
      'notice.published',
      'notice.withdrawn',
      'notice.revised',
      'notice.updated',
      'notice.published',
    ])
    expect(await trail(other)).toEqual([])
    expect(
      await tenant.rows(sql`select state, release_time is not null as out, withdraw_reason as why, version from notice where id = ${id}`),
    ).toEqual([{ state: 1, out: true, why: null, version: 5 }])
  })

  test('one that is published for later appears at its time by itself, and can be taken back before', async () => {
    const id = await draft()
    await move(id, 'publish', { releaseTime: '2026-03-17 12:00:00' })
    const index = async () => (await guestOf().get('/blade-exam/examination/getIndexNotice')).body.data.notice.length
    expect([(await info(id)).status, await titles(guestOf()), await index()]).toEqual([404, [], 0])
    expect((await move(id, 'revise')).body.data.state).toBe(0)
    await move(id, 'publish', { releaseTime: '2026-03-17 12:00:00' })
    t.clock.advance(2 * 3_600_000)
    try {
      expect([(await info(id)).status, await titles(guestOf()), await index()]).toEqual([200, ['2026 年公开招聘公告'], 1])
      expect((await move(id, 'revise')).body.code).toBe(2201)
    } finally {
      t.clock.advance(-2 * 3_600_000)
    }
  })

  test('nothing is published for a time that has passed: the field is named', async () => {
    const wrong = { field: 'releaseTime', msg: '发布时间已过，请改为以后的时间，或留空立即发布' }
    const id = await draft()
    for (const more of [{}, { dryRun: 1 }])
      expect((await move(id, 'publish', { releaseTime: '2026-03-16 10:00:00', ...more })).body.data.fields).toEqual([wrong])
    expect(await tenant.rows(sql`select state, release_time as at from notice where id = ${id}`)).toEqual([{ state: 0, at: null }])
    const news = (await officer.post('/blade-news/news/submit', { json: { title: '讯', content: '<p>文</p>' } })).body.data.id
    const sent = await officer.post('/blade-news/news/changeState', {
      json: { id: news, event: 'publish', releaseTime: '2026-03-17 09:58:59' },
    })
    expect(sent.body.data.fields).toEqual([wrong])
    // The button was pressed within the minute that the form says.
    expect((await move(id, 'publish', { releaseTime: '2026-03-17 09:59:30' })).body.data.releaseTime).toBe('2026-03-17 10:00:00')
  })

  test('publishing warns of the periods of the law, and never stops for them', async () => {
    const exam = await buildExam(tenant)
    const id = await draft({ noticeType: 1, examId: exam.examId })
    const dry = await move(id, 'publish', { dryRun: 1 })
    expect(dry.body.data).toEqual({
      state: 0,
      releaseTime: '2026-03-17 10:00:00',
      warnings: [{ field: 'releaseTime', text: '从公告发布到报名截止仅 4 个工作日，一般不少于 7 个' }],
    })
    await tenant.db(db => db.run(sql`update param set param_value = '3' where param_key = 'notice.announceDays'`))
    expect((await move(id, 'publish')).body.data).toMatchObject({ state: 1, warnings: [] })
  })

  test('a form that cannot be kept says which field is wrong', async () => {
    const fields = async (json: object) => (await save(json)).body.data.fields
    expect(await fields({ title: '' })).toEqual([{ field: 'title', msg: '请输入标题' }])
    expect(await fields({ noticeType: 6 })).toEqual([{ field: 'noticeType', msg: expect.any(String) }])
    expect(await fields({ scope: 3 })).toEqual([{ field: 'examId', msg: '范围为“报名考生”时，请选择关联考试' }])
    expect(await fields({ content: '<p><br></p><script>x()</script>' })).toEqual([
      { field: 'content', msg: '正文清理后没有内容，请填写文字或插入图片' },
    ])
    expect(await fields({ releaseTime: '2026-03-20 10:00:00', endTime: '2026-03-20 10:00:00' })).toEqual([
      { field: 'endTime', msg: expect.stringContaining('须晚于') },
    ])
  })

  test('a unit drafts and sees its own drafts; the bureau publishes', async () => {
    const [unit, second] = [await tenant.staff('unit_hr', { userCode: 'H01' }), await tenant.staff('unit_hr', { userCode: 'H02' })]
    const id = await draft({ title: '单位草稿' }, unit)
    const seen = async (by: Person) =>
      (await by.get('/blade-desk/notice/list')).body.data.records.map((row: { title: string }) => row.title)
    expect([await seen(unit), await seen(second), await seen(officer)]).toEqual([['单位草稿'], [], ['单位草稿']])
    expect((await move(id, 'publish', {}, unit)).status).toBe(403)
    expect((await save({ id, title: '改' }, second)).status).toBe(404)
    expect((await save({ id, title: '改' }, unit)).body.code).toBe(200)
    expect((await move(id, 'publish')).body.code).toBe(200)
    expect(await seen(second)).toEqual(['改'])
  })

  test('a client of the framework writes by its own words', async () => {
    const { title, content } = form
    const id = (
      await officer.post('/blade-desk/notice/submit', { json: { title, content, category: '2', releaseTime: '2026-03-20 09:00:00' } })
    ).body.data.id
    expect((await officer.get('/blade-desk/notice/detail', { query: { id } })).body.data).toMatchObject({
      noticeType: 2,
      noticeTypeName: '通知',
      scope: 1,
      state: 0,
      readCount: 0,
      addressees: 0,
    })
  })
})

describe('[S7.25] a notice about an examination', () => {
  test('says to whoever reads it when one can sign up and whom to call, once the examination is released', async () => {
    const exam = await buildExam(tenant)
    const id = await published({ examId: exam.examId })
    const told = async () => {
      const { examName, exam: about } = (await info(id)).body.data
      return [examName, about]
    }
    expect(await told()).toEqual([
      '2026年区卫生健康系统事业单位公开招聘',
      { signBegin: '2026-03-16 09:00:00', signEnd: '2026-03-20 17:00:00', contactPhone: '0571-88880000', isSigning: true },
    ])
    await tenant.db(db => db.run(sql`update examination set sign_end = sign_begin + interval '1 minute' where id = ${exam.examId}`))
    expect((await info(id)).body.data.exam.isSigning).toBe(false)
    await tenant.db(db => db.run(sql`update examination set state = 'draft' where id = ${exam.examId}`))
    expect((await info(id)).body.data.exam).toBeNull()
  })
})

describe('[S7.43] who may see which notice', () => {
  let exam: BuiltExam
  let signedUp: Person
  let idle: Person
  const scopes = ['公开', '登录', '报名', '工作人员']
  let ids: string[]
  beforeEach(async () => {
    exam = await buildExam(tenant)
    ;[signedUp, idle] = [await tenant.candidate(), await tenant.candidate()]
    await insertSignups(tenant, exam.examId, [{ name: '甲', code: 'B001', type: 'B', unit: 'H01', userId: signedUp.userId }])
    ids = []
    for (const [at, title] of scopes.entries())
      ids.push(await published({ title, scope: at + 1, ...(at === 2 ? { examId: exam.examId } : {}) }))
  })

  test('each reader has the lists, the texts and the files of their scope, and no other', async () => {
    const staff = await tenant.staff('reviewer1')
    const readers: readonly (readonly [Reads, string[]])[] = [
      [guestOf(), ['公开']],
      [idle, ['公开', '登录']],
      [signedUp, ['公开', '登录', '报名']],
      [staff, ['公开', '登录', '工作人员']],
    ]
    for (const [reader, seen] of readers) {
      expect((await titles(reader)).toSorted()).toEqual(seen.toSorted())
      const opened = []
      for (const id of ids) opened.push((await info(id, reader)).status)
      expect(opened).toEqual(scopes.map(scope => (seen.includes(scope) ? 200 : 404)))
    }
    const index = (await guestOf().get('/blade-exam/examination/getIndexNotice')).body.data
    expect(index.notice.map((row: { title: string }) => row.title)).toEqual(['公开'])
    // The page of an examination is offered once there is one.
    const examOf = async (examId: string) => (await info(await published({ title: '某考试', examId }))).body.data.examName
    const hidden = await buildExam(tenant, { exam: { exam_no: 79, exam_code: 'HIDDEN', exam_name: '未发布', state: 'draft' } })
    const [{ name } = { name: '' }] = await tenant.rows(
      sql<{ name: string }>`select exam_name as name from examination where id = ${exam.examId}`,
    )
    expect([await examOf(exam.examId), await examOf(hidden.examId)]).toEqual([name, null])
    // What was withdrawn is said to those alone who had it.
    await move(ids[3] ?? '', 'withdraw', { reason: '完' })
    expect([(await info(ids[3] ?? '', idle)).status, (await info(ids[3] ?? '', staff)).status]).toEqual([404, 410])
    // Who asks about one of an examination is told its telephone.
    await move(ids[2] ?? '', 'withdraw', { reason: '完' })
    expect((await info(ids[2] ?? '', signedUp)).body.msg).toMatch(/或联系发布单位（咨询电话：0571-88880000）$/)
  })

  test('the database shows a candidate no more than that, whatever is asked of it', async () => {
    await draft({ title: '草稿' })
    await published({ title: '以后' }, { releaseTime: '2026-04-01 09:00:00' })
    const seenBy = (person: Person) =>
      t.app.services.scopes.tx({ kind: 'candidate', tenantId: tenant.tenantId, userId: person.userId }, t.clock.now(), db =>
        db.all(sql<{ title: string }>`select title from notice order by id`),
      )
    expect((await seenBy(idle)).map(({ title }) => title)).toEqual(['公开', '登录'])
    expect((await seenBy(signedUp)).map(({ title }) => title)).toEqual(['公开', '登录', '报名'])
  })

  test('reading and confirming what is not for oneself leaves nothing', async () => {
    const [id = ''] = [await published({ title: '内部', scope: 4, needSure: 1 })]
    expect((await idle.post('/blade-exam/examination/readNotice', { json: { id } })).body.data).toEqual({ unreadCount: 1 })
    expect((await idle.post('/blade-exam/examination/sureNotify', { json: { id } })).status).toBe(404)
    expect(await tenant.rows(sql`select 1 from notice_read where notice_id = ${id} and user_id = ${idle.userId}`)).toEqual([])
  })

  test('files and pictures leave with their notice, to the same people', async () => {
    const shown = await upload(officer)
    const saved = await officer.post('/blade-desk/notice/submit', {
      multipart: {
        fields: {
          title: '带附件',
          noticeType: '2',
          scope: '2',
          content: `<p>见图</p><img src="/api/rich-text/picture/${shown}" alt="流程" onerror="x()">`,
        },
        files: [{ part: 'files', name: '岗位表.png', bytes: await picture() }],
      },
    })
    const { id } = saved.body.data
    const files = async () => (await officer.get('/blade-desk/notice/getNoticeFiles', { query: { noticeId: id } })).body.data
    const [file] = await files()
    expect(file).toEqual({
      id: expect.any(String),
      name: '岗位表.png',
      size: expect.any(Number),
      link: `/api/news/file/${file.id}`,
      fileId: expect.any(String),
      downCount: 0,
    })
    const asked = async (by: Reads) => [(await by.get(file.link)).status, (await by.get(`/rich-text/picture/${shown}`)).status]
    expect([await asked(officer), await asked(idle), await asked(guestOf())]).toEqual([
      [200, 200],
      [404, 404],
      [404, 404],
    ])
    await move(id, 'publish')
    expect([await asked(idle), await asked(guestOf())]).toEqual([
      [200, 200],
      [404, 404],
    ])
    // A page shows it without a header: the cookie says who looks.
    const byCookie = await guestOf().get(file.link, { headers: { cookie: `kaopu-access-token=${idle.token}` } })
    expect([byCookie.status, byCookie.headers['content-type']]).toEqual([200, 'image/png'])
    expect((await files())[0].downCount).toBe(3)
    expect((await info(id, idle)).body.data).toMatchObject({
      content: `<p>见图</p><img src="/api/rich-text/picture/${shown}" alt="流程" />`,
      files: [{ id: file.id, name: '岗位表.png', size: file.size, link: file.link }],
    })
    const other = await (await t.tenant()).candidate()
    expect(await asked(other)).toEqual([404, 404])
    await move(id, 'withdraw', { reason: '完' })
    expect(await asked(idle)).toEqual([404, 404])
  })

  test('staff open files and pictures of what they read or work on, and of nothing else', async () => {
    const [unit, second] = [await tenant.staff('unit_hr', { userCode: 'H01' }), await tenant.staff('unit_hr', { userCode: 'H02' })]
    const make = async (by: Person, scope: number) => {
      const shown = await upload(by)
      const saved = await by.post('/blade-desk/notice/submit', {
        multipart: {
          fields: { title: '名单', noticeType: '2', scope: String(scope), content: `<img src="/api/rich-text/picture/${shown}">` },
          files: [{ part: 'files', name: '名单.png', bytes: await picture() }],
        },
      })
      const { id } = saved.body.data
      const [file] = (await by.get('/blade-desk/notice/getNoticeFiles', { query: { noticeId: id } })).body.data
      return { id, paths: [file.link, `/rich-text/picture/${shown}`] }
    }
    const opened = async (by: Reads, { id, paths: [file = '', shown = ''] }: { id: string; paths: string[] }) => [
      (await by.get('/blade-desk/notice/detail', { query: { id } })).status,
      (await by.get(file)).status,
      (await by.get(shown)).status,
      (await guestOf().get(file, { headers: { cookie: `kaopu-access-token=${(by as Person).token}` } })).status,
    ]
    const all = [200, 200, 200, 200]
    const none = [404, 404, 404, 404]
    const theirs = await make(unit, 1)
    expect([await opened(unit, theirs), await opened(second, theirs), await opened(officer, theirs)]).toEqual([all, none, all])
    const bureaus = await make(officer, 1)
    await move(bureaus.id, 'publish')
    expect(await opened(second, bureaus)).toEqual(all)
    await move(bureaus.id, 'withdraw', { reason: '完' })
    expect([await opened(second, bureaus), await opened(officer, bureaus)]).toEqual([none, all])

    // A rule that leaves a role its own rows narrows what is opened as it narrows what is listed.
    const writer = await tenant.staff('exam_admin')
    const [mine, drafted] = [await make(writer, 2), await make(officer, 2)]
    expect(await opened(writer, drafted)).toEqual(all)
    const keeper = await tenant.staff('secadmin')
    const made = await keeper.post('/blade-system/data-scope/submit', {
      json: { scopeName: '自己的', remark: '', resourceCode: 'notice', scopeType: 2 },
    })
    await tenant.db(db =>
      db.run(
        sql`insert into role_data_scope (tenant_id, role_id, scope_id) select ${tenant.tenantId}, id, ${made.body.data.id} from role where role_alias = 'exam_admin'`,
      ),
    )
    await t.app.catchUp()
    expect([await opened(writer, mine), await opened(writer, drafted)]).toEqual([all, none])
  })

  test('nobody puts somebody else’s file into a notice', async () => {
    const [theirs, mine] = [await upload(idle), await upload(officer)]
    const content = (id: string) => ({ content: `<p>x</p><img src="/api/rich-text/picture/${id}">` })
    const wrong = { field: 'content', msg: '正文中有图片不可用，请删除后重新插入' }
    expect((await save(content(theirs))).body.data.fields).toEqual([wrong])
    expect((await save({ fileIds: theirs })).body.data.fields).toEqual([{ field: 'fileIds', msg: '文件不可用，请重新上传' }])
    const first = await draft(content(mine))
    expect((await save(content(mine))).body.data.fields).toEqual([wrong])
    expect((await save({ id: first, ...content(mine) })).body.code).toBe(200)
  })

  test('a file that is too large or of a wrong kind is refused by name, and nothing of the form is kept half', async () => {
    const send = (name: string, bytes: Uint8Array) =>
      officer.post('/blade-desk/notice/submit', {
        multipart: { fields: { ...form, noticeType: '2', title: '附件' }, files: [{ part: 'files', name, bytes }] },
      })
    const large = await send('大.pdf', Buffer.alloc(50 * 1024 * 1024))
    expect([large.status, large.body.msg]).toEqual([413, expect.stringContaining('10 MB')])
    const program = await send('setup.exe', Buffer.from('MZ........'))
    expect([program.status, program.body.msg]).toEqual([422, expect.stringContaining('只接受 pdf、docx、xlsx、jpg、png')])
    expect(await tenant.rows(sql`select 1 from notice where title = '附件'`)).toEqual([])
  })

  test('what is pasted from an office program is cleaned: tables and words stay, nothing acts', async () => {
    const word = `<!--[if gte mso 9]><xml><w:View>Normal</w:View></xml><![endif]--><style>@page{}</style>
<p class=MsoNormal style='mso-pagination:none'><b><span lang=EN-US style='font-size:16pt'>一、岗位<o:p></o:p></span></b></p>
<table class=MsoTableGrid border=1 onmouseover="x()"><tr><td width=100 colspan=2 style='background:url(javascript:x)'><p>护士</p></td></tr></table>
<img src="file:///C:/Users/a/image001.png"><img src="https://evil.example/track.gif"><a href="javascript:alert(1)">链接</a><iframe src="//x"></iframe><svg onload=alert(1)>`
    const id = await published({ content: word })
    const { content } = (await info(id)).body.data
    expect(content.replace(/\s*\n\s*/g, '')).toBe(
      '<p><b><span>一、岗位</span></b></p><table><tr><td colspan="2"><p>护士</p></td></tr></table><a>链接</a>',
    )
    const preview = await officer.post('/blade-desk/notice/preview', { json: { content: word } })
    expect(preview.body.data.content).toBe(content)
  })
})

describe('[S7.26] who has read', () => {
  test('addressees, reading, confirming, reminding and the workbook', async () => {
    const [a, b, c] = [
      await tenant.candidate({ realName: '甲一' }),
      await tenant.candidate({ realName: '乙二' }),
      await tenant.candidate({ realName: '丙三' }),
    ]
    const stranger = await (await t.tenant()).candidate()
    const id = await published({ title: '须知', scope: 2, needSure: 1, popup: 1 })
    const list = async (query: Record<string, string> = {}) =>
      (await officer.get('/blade-noticeRead/noticeread/list', { query: { noticeId: id, ...query } })).body.data
    const names = async (state: string) => (await list({ state })).records.map((row: { realName: string }) => row.realName)
    expect((await list()).records[0]).toEqual({
      id: expect.any(String),
      noticeId: id,
      title: '须知',
      textVersion: 1,
      userId: a.userId,
      account: expect.any(String),
      realName: '甲一',
      phone: expect.any(String),
      readTime: null,
      sureTime: null,
    })
    const waiting = async (by: Person) => (await titles(by, { waiting: '1' })).length
    expect([await waiting(a), await waiting(officer)]).toEqual([1, 1])
    expect((await a.post('/blade-exam/examination/readNotice', { json: { id } })).body.data).toEqual({ unreadCount: 0 })
    expect((await b.post('/blade-exam/examination/sureNotify', { json: { id } })).body.data).toEqual({ sureTime: '2026-03-17 10:00:00' })
    expect((await stranger.post('/blade-exam/examination/sureNotify', { json: { id } })).status).toBe(404)
    expect(await Promise.all(['1', '2', '3', '4'].map(names))).toEqual([['丙三'], ['甲一', '乙二'], ['甲一', '丙三'], ['乙二']])
    // What must be confirmed waits until it is, read or not.
    expect([await waiting(a), await waiting(b)]).toEqual([1, 0])
    expect((await b.get('/blade-exam/examination/getNoticeInfo', { query: { id } })).body.data).toMatchObject({
      read: true,
      sureTime: '2026-03-17 10:00:00',
    })
    expect((await officer.get('/blade-desk/notice/list')).body.data.records).toMatchObject([{ addressees: 3, readCount: 2, sureCount: 1 }])

    const remind = () => officer.post('/blade-noticeRead/noticeread/remind', { json: { noticeId: id } })
    expect((await remind()).body.data).toEqual({ people: 2 })
    expect((await remind()).body).toMatchObject({ code: 2703, msg: '今天已经提醒过，请明天再提醒' })
    await t.runTasks()
    const letters = async (by: Person) => (await by.get('/me/messages')).body.data.records
    expect(await letters(c)).toMatchObject([{ title: '请阅读并确认：须知', link: `/notices/${id}`, kind: 7, readTime: null }])
    expect([(await letters(a)).length, (await letters(b)).length]).toEqual([1, 0])

    const book = await officer.get('/blade-noticeRead/noticeread/export', { query: { noticeId: id, state: '3' } })
    expect([book.status, book.headers['content-type']]).toEqual([200, expect.stringContaining('spreadsheetml')])
    expect((await trail()).slice(2)).toEqual(['notice.confirmed', 'notice.reminded', 'notice-read.exported'])
    expect((await officer.post('/blade-noticeRead/noticeread/submit', { json: {} })).body.code).toBe(2001)
    expect((await c.get('/blade-noticeRead/noticeread/list', { query: { noticeId: id } })).status).toBe(403)
  })

  describe('a corrected text', () => {
    const reads = async (id: string, query: Record<string, string> = {}) =>
      (await officer.get('/blade-noticeRead/noticeread/list', { query: { noticeId: id, ...query } })).body.data.records.map(
        ({ userId, title, textVersion, readTime, sureTime }: Record<string, unknown>) => ({
          userId,
          title,
          textVersion,
          readTime,
          sureTime,
        }),
      )
    const correct = async (id: string, change: () => Promise<unknown>) => {
      expect((await move(id, 'withdraw', { reason: '更正' })).body.code).toBe(200)
      expect((await move(id, 'revise')).body.code).toBe(200)
      await change()
      expect((await move(id, 'publish')).body.code).toBe(200)
      await t.runTasks()
    }
    const sure = (by: Person, id: string, more: object = {}) => by.post('/blade-exam/examination/sureNotify', { json: { id, ...more } })
    const seen = async (by: Person, id: string) => {
      const { read, sureTime, textVersion } = (await info(id, by)).body.data
      const { tabs } = (await by.get('/me/notices')).body.data
      const mine = tabs.find(({ tab }: { tab: string }) => tab === 'notices').records.find((row: { id: string }) => row.id === id)
      return { read, sureTime, textVersion, isUnread: mine.isUnread, waits: (await titles(by, { waiting: '1' })).length }
    }
    const at = '2026-03-17 10:00:00'
    const done = { read: true, sureTime: at, textVersion: 1, isUnread: false, waits: 0 }
    const anew = { read: false, sureTime: null, textVersion: 2, isUnread: true, waits: 1 }

    test.each([
      ['candidates', 2, 2],
      ['staff', 4, 2],
      ['everybody, as a publicity list', 1, 3],
    ])(
      '[S7.26] is unread and unconfirmed for %s, and who had confirmed the former one stays listed with it',
      async (who, scope, noticeType) => {
        const make = (realName: string) => (who === 'staff' ? tenant.staff('reviewer1', { realName }) : tenant.candidate({ realName }))
        const [a, b, c] = [await make('甲一'), await make('乙二'), await make('丙三')]
        const id = await published({ title: '须知', content: '<p>八点到场</p>', scope, noticeType, needSure: 1 })
        expect((await sure(a, id)).body.data).toEqual({ sureTime: at })
        expect((await b.post('/blade-exam/examination/readNotice', { json: { id } })).body.code).toBe(200)
        expect(await seen(a, id)).toEqual(done)
        t.clock.advance(3_600_000)
        await correct(id, async () => expect((await save({ id, title: '须知', content: '<p>九点到场</p>' })).body.code).toBe(200))
        expect([await seen(a, id), await seen(b, id)]).toEqual([anew, anew])
        // Those who work on it see who confirmed which text.
        const row = (by: Person, more: object) => ({
          userId: by.userId,
          title: '须知',
          textVersion: 2,
          readTime: null,
          sureTime: null,
          ...more,
        })
        const current = (await reads(id)).filter(({ userId }: { userId: string }) => [a, b, c].some(one => one.userId === userId))
        expect(current).toEqual([row(a, {}), row(b, {}), row(c, {})])
        const former = [row(a, { textVersion: 1, readTime: at, sureTime: at }), row(b, { textVersion: 1, readTime: at })]
        expect(await reads(id, { textVersion: '1' })).toEqual(former)
        expect(await reads(id, { textVersion: '1', state: '4' })).toEqual(former.slice(0, 1))
        expect((await officer.get('/blade-desk/notice/detail', { query: { id } })).body.data).toMatchObject({
          textVersion: 2,
          readCount: 0,
          sureCount: 0,
        })
        // The trail keeps the words that they confirmed.
        expect(
          await tenant.rows(
            sql`select before_value->>'content' as content from audit_log where action = 'notice.updated' and entity_id = ${id}`,
          ),
        ).toEqual([{ content: '<p>八点到场</p>' }])
        // A page that shows the former text confirms nothing.
        const late = await sure(a, id, { textVersion: 1 })
        expect([late.status, late.body.msg]).toEqual([409, '“须知”已更正，您看到的是旧内容；请刷新后重新阅读并确认'])
        expect((await seen(a, id)).sureTime).toBeNull()
        expect((await sure(a, id, { textVersion: 2 })).body.data).toEqual({ sureTime: '2026-03-17 11:00:00' })
        expect(await reads(id, { textVersion: '1', state: '4' })).toEqual(former.slice(0, 1))
      },
    )

    test('[S7.26] a changed title, an added, a renamed and a removed file, and a change in place count; times and a second publication do not', async () => {
      const a = await tenant.candidate({ realName: '甲一' })
      const id = await published({ title: '须知', scope: 2, needSure: 1 })
      const version = async () => (await info(id, a)).body.data.textVersion
      const confirmed = async () => (await info(id, a)).body.data.sureTime !== null
      const after: unknown[] = []
      const note = async (change: () => Promise<unknown>, how: (change: () => Promise<unknown>) => Promise<void>) => {
        await sure(a, id)
        await how(change)
        after.push([await version(), await confirmed()])
      }
      const again = (change: () => Promise<unknown>) => correct(id, change)
      const file = async () => (await officer.get('/blade-desk/notice/getNoticeFiles', { query: { noticeId: id } })).body.data[0]
      const noun = (json: object) => officer.post('/blade-noticeFile/noticefile/submit', { json })
      await note(async () => undefined, again)
      await note(() => save({ id, title: '须知', endTime: '2026-04-01 10:00:00' }), again)
      await note(() => save({ id, title: '须知（更正）' }), again)
      await note(async () => save({ id, title: '须知（更正）', fileIds: await upload(officer, 'document') }), again)
      await note(async () => noun({ id: (await file()).id, name: '座位图' }), again)
      await note(async () => noun({ id: (await file()).id, sort: 3 }), again)
      await note(async () => officer.post('/blade-noticeFile/noticefile/remove', { query: { ids: (await file()).id } }), again)
      await note(
        () => tenant.rows(sql`update notice set content = '<p>当场改</p>' where id = ${id}`),
        async change => void (await change()),
      )
      expect(after).toEqual([
        [1, true],
        [1, true],
        [2, false],
        [3, false],
        [4, false],
        [4, true],
        [5, false],
        [6, false],
      ])
      // Each confirmation has stayed with its own text.
      const former = await Promise.all(['1', '2', '3', '4', '5'].map(textVersion => reads(id, { textVersion })))
      expect(former.map(rows => rows.map((row: { title: string }) => row.title))).toEqual([
        ['须知'],
        ['须知（更正）'],
        ['须知（更正）'],
        ['须知（更正）'],
        ['须知（更正）'],
      ])
      const book = await officer.get('/blade-noticeRead/noticeread/export', { query: { noticeId: id, textVersion: '1' } })
      const sheet = (await sheetRows(book.raw)).filter(row => row.length > 2)
      expect(sheet.map(row => row.slice(0, 2))).toEqual([
        ['公告', '内容版本'],
        ['须知', '1'],
      ])
    })

    test('[S7.26] whoever was reminded today is reminded of the corrected text', async () => {
      const a = await tenant.candidate({ realName: '甲一' })
      const id = await published({ title: '须知', scope: 2, needSure: 1 })
      const remind = () => officer.post('/blade-noticeRead/noticeread/remind', { json: { noticeId: id } })
      expect([(await remind()).body.code, (await remind()).body.code]).toEqual([200, 2703])
      await t.runTasks()
      await sure(a, id)
      await correct(id, () => save({ id, title: '须知', content: '<p>改</p>' }))
      expect((await remind()).body.data).toEqual({ people: 1 })
      await t.runTasks()
      expect((await a.get('/me/messages')).body.data.records.length).toBe(2)
    })
  })

  test('who comes later is added; a public notice that nobody must confirm is addressed to nobody', async () => {
    const open = await published({ title: '公开' })
    const id = await published({ title: '登录', scope: 2 })
    const late = await tenant.candidate({ realName: '后来' })
    const people = async (noticeId: string) =>
      (await officer.get('/blade-noticeRead/noticeread/list', { query: { noticeId } })).body.data.total
    expect([await people(open), await people(id)]).toEqual([0, 0])
    const processor = t.app.modules.news.processors.find(({ name }) => name === 'news.address')
    await processor?.run({
      tenantId: '000000',
      params: '',
      item: undefined,
      attempt: 1,
      now: t.clock.now(),
      signal: new AbortController().signal,
      log: () => {},
    })
    expect([await people(open), await people(id)]).toEqual([0, 1])
    expect((await late.get('/me/notices')).body.data.tabs[2]).toMatchObject({
      tab: 'notices',
      unreadCount: 1,
      total: 2,
      records: [{ title: '登录', link: `/notices/${id}`, isNotice: true, readTime: null }, { title: '公开' }],
    })
    expect((await officer.post('/blade-noticeRead/noticeread/remind', { json: { noticeId: open } })).body.code).toBe(2001)
  })

  test('messages: who has not confirmed, and a reminder once a day', async () => {
    const person = await tenant.candidate({ realName: '丁四' })
    const { examId } = await buildExam(tenant)
    const note = (key: string, of: string | null) =>
      tenant.db(db =>
        t.app.modules.message.notify(db, {
          userId: person.userId,
          examId: of,
          kind: 5,
          title: { zh: '岗位调整', en: 'Post change' },
          content: { zh: '请确认', en: 'Please confirm' },
          link: '',
          needSure: true,
          eventKey: key,
        }),
      )
    // What is no matter of an examination is between the program and its addressee.
    await note('x', examId)
    await note('y', null)
    const list = async (query: Record<string, string>) =>
      (await officer.get('/blade-notifyRead/notifyread/list', { query })).body.data.records
    const [row] = await list({ state: '3', kind: '5' })
    expect(row).toEqual({
      id: expect.any(String),
      notifyId: row.id,
      examId,
      kind: 5,
      title: '岗位调整',
      needSure: true,
      userId: person.userId,
      account: expect.any(String),
      realName: '丁四',
      phone: expect.any(String),
      createTime: '2026-03-17 10:00:00',
      readTime: null,
      sureTime: null,
    })
    const remind = async () => (await officer.post('/blade-notifyRead/notifyread/remind', { query: { ids: row.id } })).body.data
    expect([await remind(), await remind()]).toEqual([{ people: 1 }, { people: 0 }])
    expect((await person.get('/me/messages')).body.data.records.map((one: { title: string }) => one.title)).toEqual([
      '岗位调整',
      '岗位调整',
      '请确认：岗位调整',
    ])
    await person.post('/blade-exam/examination/sureNotify', { query: { id: row.id } })
    expect(await list({ state: '3', kind: '5' })).toEqual([])
    expect((await list({ state: '4', kind: '5' })).length).toBe(1)
  })
})

describe('[S7.26] news, feeds and pages', () => {
  test('news are drafted, published and withdrawn like notices, with their picture', async () => {
    const coverId = await upload(officer)
    const saved = await officer.post('/blade-news/news/submit', {
      json: { title: '培训开班', content: '<p>今日开班</p>', source: '区卫健局', coverId },
    })
    const { id } = saved.body.data
    const read = () => guestOf().get('/news/info', { query: { id } })
    expect((await read()).status).toBe(404)
    const step = (event: string, more = {}) => officer.post('/blade-news/news/changeState', { json: { id, event, ...more } })
    expect((await step('publish')).body.data).toEqual({ state: 1, releaseTime: '2026-03-17 10:00:00' })
    const line = {
      id,
      title: '培训开班',
      summary: '今日开班',
      cover: `/api/rich-text/picture/${coverId}`,
      source: '区卫健局',
      author: '',
      releaseTime: '2026-03-17 10:00:00',
      isTop: false,
    }
    expect((await read()).body.data).toEqual({ ...line, content: '<p>今日开班</p>' })
    expect((await guestOf().get('/news/list')).body.data.records).toEqual([line])
    expect((await guestOf().get('/blade-exam/examination/getIndexNotice')).body.data.news).toEqual([line])
    expect((await guestOf().get(line.cover)).status).toBe(200)
    expect((await officer.get('/blade-news/news/detail', { query: { id } })).body.data.readCount).toBe(1)
    await step('withdraw', { reason: '完' })
    expect([(await read()).status, (await guestOf().get(line.cover)).status]).toEqual([410, 404])
    expect(await trail()).toEqual(['news.added', 'news.published', 'news.withdrawn'])
  })

  test('feed, list of addresses and the head of a page have what is public and nothing else', async () => {
    const id = await published({ title: '招聘 <公告> & 说明' })
    await published({ title: '内部通知', scope: 4 })
    await draft({ title: '草稿通知' })
    const named = { query: { tenantId: tenant.tenantId } }
    const page = async (path: string) => {
      const answer = await t.app.server.inject({ method: 'GET', url: `${path}?tenantId=${named.query.tenantId}` })
      return { type: answer.headers['content-type'], text: answer.body }
    }
    const [rss, map, robots] = [await page('/rss.xml'), await page('/sitemap.xml'), await page('/robots.txt')]
    const url = `http://localhost:7300/notices/${id}?tenantId=${tenant.tenantId}`
    expect([rss.type, map.type, robots.type]).toEqual([
      'application/rss+xml; charset=utf-8',
      'application/xml; charset=utf-8',
      'text/plain; charset=utf-8',
    ])
    expect(rss.text).toContain(`<item><title>招聘 &lt;公告&gt; &amp; 说明</title><link>${url}</link>`)
    expect(map.text).toContain(`<loc>${url}</loc><lastmod>2026-03-17</lastmod>`)
    expect(robots.text).toContain('Sitemap: http://localhost:7300/sitemap.xml')
    for (const { text } of [rss, map]) expect([text.includes('内部通知'), text.includes('草稿通知')]).toEqual([false, false])

    const head = (path: string) => t.app.modules.news.headOf({ path, tenantId: tenant.tenantId, now: t.clock.now() })
    expect(await head(`/notices/${id}`)).toMatchObject({
      status: 200,
      title: '招聘 <公告> & 说明 - 区卫生健康系统人才招聘平台',
      description: '正文',
      canonical: url,
      isIndexed: true,
      data: { '@type': 'Article', headline: '招聘 <公告> & 说明', datePublished: '2026-03-17T02:00:00.000Z' },
      article: '<h1>招聘 &lt;公告&gt; &amp; 说明</h1><p>正文</p>',
    })
    expect((await head('/notices'))?.article).toContain('招聘 &lt;公告&gt; &amp; 说明')
    await move(id, 'withdraw', { reason: '完' })
    expect(await head(`/notices/${id}`)).toMatchObject({ status: 410, isIndexed: false })
    expect(await head('/signup/examList')).toBe(undefined)
  })

  test('another process has the new notice as soon as it hears of it', async () => {
    const beside = await t.beside()
    const index = async () =>
      (await beside.anonymous(tenant.tenantId).get('/blade-exam/examination/getIndexNotice')).body.data.notice.map(
        (row: { title: string }) => row.title,
      )
    expect(await index()).toEqual([])
    const id = await published({ title: '新公告' })
    await beside.app.catchUp()
    expect(await index()).toEqual(['新公告'])
    await move(id, 'withdraw', { reason: '完' })
    await beside.app.catchUp()
    expect(await index()).toEqual([])
  })
})
