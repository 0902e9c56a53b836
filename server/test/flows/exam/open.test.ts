import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant, testStart } from '../../support/app.ts'
import { type BuiltExam, buildExam, examplePosts } from '../../support/factories.ts'
import { answersOf, submit, uploadAll } from '../../support/signing.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const wang = { idCard: '330106199806301023', phone: '16000000001', realName: '王·测' }
interface World {
  readonly tenant: TestTenant
  readonly exam: BuiltExam
}
/** A001 asks for men born from 1990 who are bachelors of medicine, B001 for a nurse's licence, A002 for nothing. */
const world = async (): Promise<World> => {
  t.clock.set(testStart)
  const tenant = await t.tenant()
  const exam = await buildExam(tenant, { posts: examplePosts })
  await tenant.db(async db => {
    await db.run(sql`
      update type_code set sex = 1, majors = '[{"code":"100201K","name":"临床医学","level":"本科"}]', other_text = '能上夜班'
      where exam_id = ${exam.examId} and code = 'A001'`)
    await db.run(sql`update type_code set cert = '["护士"]' where exam_id = ${exam.examId} and code = 'B001'`)
  })
  return { tenant, exam }
}
const page = (of: TestTenant, path: string, headers: Record<string, string> = {}) =>
  t.app.server.inject({ method: 'GET', url: `${path}${path.includes('?') ? '&' : '?'}tenantId=${of.tenantId}`, headers })
const send = (of: TestTenant, path: string, form: readonly (readonly [string, string])[]) =>
  t.app.server.inject({
    method: 'POST',
    url: `${path}?tenantId=${of.tenantId}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(form.map(pair => [...pair])).toString(),
  })

describe('[S2.23] pages of an examination for whoever has no account', () => {
  test('the page says what one needs, when, what it costs and whom to ask; it can be shared, found and kept', async () => {
    const { tenant, exam } = await world()
    const officer = await tenant.staff('exam_admin')
    const { body } = await officer.post('/blade-desk/notice/submit', {
      json: { title: '招聘公告', noticeType: 2, content: '<p>正文</p>', examId: exam.examId },
    })
    await officer.post('/blade-desk/notice/changeState', { json: { id: body.data.id, event: 'publish' } })
    await t.runTasks()
    const answer = await page(tenant, `/open/${exam.examId}`)
    const { body: html, headers } = answer
    expect([answer.statusCode, headers['cache-control'], headers['x-robots-tag']]).toEqual([200, 'public, max-age=60', undefined])
    for (const part of [
      '<h1>2026年区卫生健康系统事业单位公开招聘</h1>',
      '<meta property="og:title" content="2026年区卫生健康系统事业单位公开招聘">',
      `<link rel="canonical" href="http://localhost:7300/open/${exam.examId}?tenantId=${tenant.tenantId}">`,
      '<dt>招聘计划</dt><dd>3 个岗位，7 人</dd>',
      '证件照（必交',
      '综合基础知识',
      '招聘公告',
      `href="/signup/form/${exam.examId}?tenantId=${tenant.tenantId}"`,
      '调剂',
      '校验位',
    ])
      expect(html).toContain(part)
    const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? '{}')
    expect(data).toMatchObject({ '@type': 'Event', name: '2026年区卫生健康系统事业单位公开招聘' })
    expect((await page(tenant, `/open/${exam.examId}`, { 'if-none-match': String(headers['etag']) })).statusCode).toBe(304)
    const english = (await page(tenant, `/open/${exam.examId}?lang=en`)).body
    expect([english.includes('What can I apply for?'), english.includes('<html lang="en">')]).toEqual([true, true])
    // Who reads English signs up and logs in in English.
    expect([
      english.includes(`href="/signup/form/${exam.examId}?lang=en&amp;tenantId=`),
      english.includes('href="/login?lang=en&amp;'),
    ]).toEqual([true, true])
    const map = (await page(tenant, '/sitemap.xml')).body
    expect(map).toContain(`/open/${exam.examId}/posts/A001?tenantId=${tenant.tenantId}`)
    expect((await page(tenant, '/robots.txt')).body).toContain('Allow: /open')
    const listed = async () => (await page(tenant, '/open')).body.replaceAll(/<[^>]+>/g, ' ')
    expect(await listed()).toMatch(/报名中/)
    expect((await page(tenant, '/open')).body).toContain(`/open/${exam.examId}`)
    // One whose sign-up is over stands apart from what one can still apply for.
    await tenant.db(db => db.run(sql`update examination set sign_end = sign_begin + interval '1 hour' where id = ${exam.examId}`))
    t.clock.advance(60_000)
    expect(await listed()).toMatch(/现在没有可以报名的考试.*报名已结束/s)
  })

  test('a draft, another tenant’s examination and a made-up address are no page', async () => {
    const { tenant, exam } = await world()
    const other = await world()
    await other.tenant.db(db => db.run(sql`update examination set state = 'draft' where id = ${other.exam.examId}`))
    const answers = await Promise.all([
      page(other.tenant, `/open/${other.exam.examId}`),
      page(other.tenant, `/open/${exam.examId}`),
      page(tenant, '/open/99999999999999999999'),
      page(tenant, `/open/${exam.examId}/posts/none`),
      page(other.tenant, `/open/${exam.examId}/calendar.ics`),
      page(other.tenant, `/open/${exam.examId}/posts`),
    ])
    expect(answers.map(answer => [answer.statusCode, answer.headers['cache-control']])).toEqual(answers.map(() => [404, 'no-store']))
    expect((await page(other.tenant, '/sitemap.xml')).body).not.toContain(exam.examId)
  })

  test('posts show every condition and the fee; words in any order, pinyin and codes in either case find them', async () => {
    const { tenant, exam } = await world()
    const codes = async (query: string) => {
      const { body } = await page(tenant, `/open/${exam.examId}/posts?${query}`)
      return [...body.matchAll(/<span class="soft small">([AB]\d{3})<\/span>/g)].map(match => match[1])
    }
    expect(await codes('')).toEqual(['A001', 'B001', 'A002'])
    expect(await codes(`q=${encodeURIComponent('医师 人民')}`)).toEqual(['A001'])
    expect(await codes(`q=${encodeURIComponent('人民 医师')}`)).toEqual(['A001'])
    expect(await codes('q=b001')).toEqual(['B001'])
    expect(await codes('q=qkys')).toEqual(['A002'])
    expect(await codes('unit=H02')).toEqual(['A002'])
    expect(await codes('type=A&q=%E5%86%85%E7%A7%91')).toEqual(['A001'])
    expect(await codes('q=%20.%20')).toEqual([])
    const one = (await page(tenant, `/open/${exam.examId}/posts/A001`)).body
    for (const part of [
      '<dt>年龄</dt><dd>1990-03-16 起出生</dd>',
      '<dt>性别</dt><dd>男</dd>',
      '<dt>学历</dt><dd>本科及以上</dd>',
      '能上夜班',
      '"@type":"JobPosting"',
    ])
      expect(one).toContain(part)
    expect(one).toContain(`/signup/form/${exam.examId}?tenantId=${tenant.tenantId}&amp;post=A001`)
    // Once sign-up is over nobody is sent to the form.
    await tenant.db(db => db.run(sql`update examination set sign_end = app_now() where id = ${exam.examId}`))
    t.clock.set(new Date('2026-03-20T17:00:00+08:00'))
    expect((await page(tenant, `/open/${exam.examId}/posts/A001`)).body).not.toContain('/signup/form/')
  })

  test('[12.2] the five questions work without a script: counts, groups and reasons; what cannot be read is said at its field', async () => {
    const { tenant, exam } = await world()
    const path = `/open/${exam.examId}/fit`
    const { body, headers } = await send(tenant, path, [
      ['birthday', '1998/6/30'],
      ['sex', '2'],
      ['education', '20'],
      ['major', '护理学'],
      ['certName', '护士'],
    ])
    expect(headers['cache-control']).toBe('no-store')
    const counts = [...body.matchAll(/<a href="#(\w+)" class="\w+"><strong>(\d+)<\/strong>/g)].map(([, group, count]) => [group, count])
    expect(counts).toEqual([
      ['can', '2'],
      ['person', '0'],
      ['cannot', '1'],
    ])
    expect(body).toContain('<strong>性别</strong>：要求 男，您是 女')
    // A post that one cannot apply for says what is against it, and nothing else.
    expect(body).not.toContain('<strong>专业</strong>')
    const wrong = (
      await send(tenant, path, [
        ['birthday', '明天'],
        ['graduateDate', '2026-02-30'],
        ['major', '<b>'],
      ])
    ).body
    expect(wrong).toContain('<a href="#birthday">')
    expect(wrong).toContain('<a href="#graduateDate">')
    // As some browsers fill in their boxes for a day when the year is typed first.
    expect((await send(tenant, path, [['birthday', '0015-12-06']])).body).toContain('<a href="#birthday">')
    expect([wrong.includes('value="明天"'), wrong.includes('value="&lt;b&gt;"'), wrong.includes('<b>')]).toEqual([true, true, false])
  })

  test('[12.2.7] the calendar keeps the name of each date, and a window that moves moves in it', async () => {
    const { tenant, exam } = await world()
    const read = async () => {
      const { body, headers } = await page(tenant, `/open/${exam.examId}/calendar.ics`)
      expect(headers['content-type']).toBe('text/calendar; charset=utf-8')
      const event = body
        .replaceAll('\r\n ', '')
        .split('BEGIN:VEVENT')
        .find(one => one.includes('-sign-end@'))
      return { all: body, end: /DTEND:(\S+)/.exec(event ?? '')?.[1] }
    }
    const before = await read()
    expect(before.end).toBe('20260320T090000Z')
    expect(before.all.split('\r\n').every(line => Buffer.byteLength(line) <= 75)).toBe(true)
    await tenant.db(db => db.run(sql`update examination set sign_end = '2026-03-21 17:00:00+08' where id = ${exam.examId}`))
    t.clock.set(new Date('2026-03-17T10:01:00+08:00'))
    expect((await read()).end).toBe('20260321T090000Z')
  })
})

describe('[12.2] posts sorted by what somebody can apply for', () => {
  const judge = (by: Pick<Person, 'post'>, examId: string, more: object = {}) =>
    by.post('/blade-exam/examination/fitPosts', { json: { examId, ...more } })
  const sorted = (body: { data: { records: { code: string; group: string | null }[] } }) =>
    body.data.records.map(({ code, group }) => [code, group])

  test('nobody known says it in the call; unknown facts leave it to a person; pages and groups count all', async () => {
    const { tenant, exam } = await world()
    const nobody = t.anonymous(tenant.tenantId)
    const unsaid = await judge(nobody, exam.examId)
    expect([unsaid.body.data.counts, sorted(unsaid.body)]).toEqual([
      null,
      [
        ['A001', null],
        ['B001', null],
        ['A002', null],
      ],
    ])
    const some = await judge(nobody, exam.examId, { facts: { sex: '1' } })
    expect(some.body.data.counts).toEqual({ can: 1, person: 2, cannot: 0 })
    expect(sorted(some.body)).toEqual([
      ['A002', 'can'],
      ['A001', 'person'],
      ['B001', 'person'],
    ])
    const facts = { birthday: '1989-01-01', sex: '1', education: '20', major: '临床医学', certName: [] }
    const cannot = await judge(nobody, exam.examId, { facts, group: 'cannot', size: 1, current: 2 })
    expect(cannot.body.data).toMatchObject({ counts: { can: 1, person: 0, cannot: 2 }, total: 2, current: 2 })
    expect(cannot.body.data.records.map((row: { code: string; mayInsist: boolean }) => [row.code, row.mayInsist])).toEqual([['B001', true]])
    expect((await judge(nobody, exam.examId, { facts: { birthday: '1989-02-30' } })).status).toBe(400)
    const stranger = t.anonymous((await t.tenant()).tenantId)
    expect((await judge(stranger, exam.examId)).status).toBe(404)
  })

  test('an account keeps the facts, they fill in the next form, and what a review has passed says so', async () => {
    const { tenant, exam } = await world()
    const candidate = await tenant.candidate(wang)
    // Birth date and sex of the account alone sort nothing.
    expect((await judge(candidate, exam.examId)).body.data.counts).toBeNull()
    const facts = { birthday: '1980-01-01', education: '20', major: '护理学', certName: ['护士'], employed: '1', title: '无' }
    await candidate.post('/me/facts', { json: facts })
    const kept = (await candidate.get('/me/facts')).body.data
    // The id number tells birth date and sex, whatever was said.
    expect(kept.facts).toEqual({
      birthday: '1998-06-30',
      sex: '2',
      education: '20',
      major: '护理学',
      certName: ['护士'],
      employed: '1',
      title: '无',
    })
    expect(kept.verified).toEqual([
      { name: 'birthday', time: null },
      { name: 'sex', time: null },
    ])
    expect((await judge(candidate, exam.examId)).body.data.counts).toEqual({ can: 2, person: 0, cannot: 1 })
    const form = (await candidate.get('/blade-signup/signup/getExamInfoOrSignUpInfo', { query: { examId: exam.examId } })).body.data
    expect(form.prefill).toMatchObject({ education: '20', major: '护理学', certName: ['护士'], birthday: '1998-06-30' })
    // The form has no such title to choose.
    expect(form.prefill).not.toHaveProperty('title')
    const other = await tenant.candidate({ idCard: '33010619900307401X', phone: '16000000002' })
    expect((await other.get('/me/facts')).body.data.facts).toEqual({ birthday: '1990-03-07', sex: '1' })
    const fileIds = await uploadAll(candidate)
    const done = await submit(candidate, exam.examId, { content: answersOf(wang.idCard, wang.phone), fileIds })
    await tenant.db(db => db.run(sql`update signup set examine = 'passed', examine_time = app_now() where id = ${done.body.data.id}`))
    expect((await candidate.get('/me/facts')).body.data.verified).toContainEqual({ name: 'education', time: '2026-03-17 10:00:00' })
  })

  test('[12.2] the same answers give the same counts here and there, also of a form that is begun; a few more are asked where a post needs them', async () => {
    const { tenant, exam } = await world()
    await tenant.db(db =>
      db.run(sql`update type_code set political = '["01"]', title = '{"min":"中级"}', min_work_years = 3, hukou = '{"text":"330100","prefixes":["3301"]}'
        where exam_id = ${exam.examId} and code = 'A002'`),
    )
    t.clock.set(new Date(t.clock.now().getTime() + 30_000))
    const candidate = await tenant.candidate(wang)
    const facts = { birthday: '1998-06-30', sex: '2', education: '20', major: '护理学', certName: ['护士'] }
    await candidate.post('/me/facts', { json: facts })
    const open = () => judge(t.anonymous(tenant.tenantId), exam.examId, { facts })
    const both = async () => [(await open()).body.data.counts, (await judge(candidate, exam.examId)).body.data.counts]
    expect(await both()).toEqual([
      { can: 1, person: 1, cannot: 1 },
      { can: 1, person: 1, cannot: 1 },
    ])
    // A form that is only begun leaves blanks, and blanks say nothing.
    const blank = { title: '', workUnit: '', certName: [], education: '30', idCard: wang.idCard }
    await candidate.post('/blade-signup/signup/submit', { json: { examId: exam.examId, submitType: 0, code: 'A002', content: blank } })
    expect((await both())[1]).toEqual({ can: 1, person: 1, cannot: 1 })
    const asked = (await candidate.get('/me/facts', { query: { examId: exam.examId } })).body.data
    expect([asked.asks, asked.choices.hukouAddress]).toEqual([
      ['political', 'hukouAddress', 'title', 'workYears'],
      [
        { value: '330100', label: '杭州市' },
        { value: '000000', label: '其他地区' },
      ],
    ])
    const [unsaid] = (await judge(candidate, exam.examId, { group: 'person' })).body.data.records
    expect(unsaid.checks.map((one: { rule: string; need: string; isSaid: boolean }) => [one.rule, one.need, one.isSaid])).toEqual([
      ['political', '中共党员', false],
      ['hukou', '杭州市', false],
      ['title', '中级及以上', false],
      ['workYears', '3 年及以上', false],
    ])
    const path = `/open/${exam.examId}/fit`
    const form = (await page(tenant, path)).body
    expect(
      [...form.matchAll(/ data-more>[\s\S]*?<\/details>/g)].map(([text]) => [...text.matchAll(/ name="(\w+)"/g)].map(([, name]) => name)),
    ).toEqual([['political', 'hukouAddress', 'title', 'workYears']])
    const answered = await send(tenant, path, [
      ...Object.entries({ birthday: '1998-06-30', sex: '2', education: '20', major: '护理学', certName: '护士' }),
      ...Object.entries({ political: '01', hukouAddress: '330100', title: '中级', workYears: '3' }),
    ])
    expect([...answered.body.matchAll(/class="\w+"><strong>(\d+)<\/strong>/g)].map(([, count]) => count)).toEqual(['2', '0', '1'])
    const not = await send(tenant, path, [
      ['title', '无'],
      ['workYears', 'x'],
    ])
    expect(not.body).toContain('<strong>职称</strong>：要求 中级及以上，您是 无')
    expect((await send(tenant, path, [['sex', '1']])).body).toContain('<strong>职称</strong>：要求 中级及以上，您还没有填')
  })

  test('[A7] whoever insists hands in what a machine found against, and the reviewer sees it in red; age and sex stay', async () => {
    const { tenant, exam } = await world()
    await tenant.db(db =>
      db.run(sql`update type_code set educations = '{"min":"10"}', cert = null where exam_id = ${exam.examId} and code = 'B001'`),
    )
    const candidate = await tenant.candidate(wang)
    const fileIds = await uploadAll(candidate)
    const content = answersOf(wang.idCard, wang.phone)
    const refused = await submit(candidate, exam.examId, { content, fileIds })
    expect([
      refused.body.code,
      refused.body.data.items.map((one: { rule: string; mayInsist: boolean }) => [one.rule, one.mayInsist]),
    ]).toEqual([2105, [['education', true]]])
    const taken = await submit(candidate, exam.examId, { content, fileIds, extra: { insist: 1 } })
    expect(taken.body.data).toMatchObject({ examine: 1 })
    expect(await tenant.rows(sql`select auto_result from signup`)).toEqual([{ auto_result: 'no' }])
    expect(await tenant.rows(sql`select after_value ->> 'insisted' as insisted from audit_log where action = 'signup.submitted'`)).toEqual([
      { insisted: 'true' },
    ])
    const sex = await submit(candidate, exam.examId, {
      code: 'A001',
      content,
      fileIds,
      signVersion: 1,
      extra: { insist: 1, id: taken.body.data.id },
    })
    expect([sex.body.code, sex.body.data.items.map((one: { rule: string }) => one.rule)]).toEqual([2105, ['sex']])
  })
})
