import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { decide, openReview, type ReviewWorld, reviewWorld } from '../../support/reviewing.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const submit = '/blade-sendTemplate/sendtemplate/submit'
const refuse = async (w: ReviewWorld, remark: string): Promise<void> => {
  await openReview(w.r1, w.id)
  expect((await decide(w.r1, w.id, { examineResult: 3, examineResultRemark: remark })).status).toBe(200)
}
const toldOf = (tenant: TestTenant) =>
  tenant.rows(sql<{ zh: string; en: string; contentZh: string; contentEn: string }>`
    select title_zh as zh, title_en as en, content_zh as "contentZh", content_en as "contentEn" from notify
    where event_key like 'signup.refused:%' order by id`)
const textsOf = async (tenant: TestTenant): Promise<string[]> =>
  (await tenant.rows(sql<{ content: string }>`select content from sms_message where template = 'signup-refused' order by id`)).map(
    row => row.content,
  )

describe('[S7.61][13.5] what people are told of an event is in the words of their tenant', () => {
  const own = {
    code: 'refused',
    name: '审核未通过',
    scene: 'signup-refused',
    title: '您的报名没有通过',
    content: '${exam}：${reason}。${deadline}前可以改报。',
    titleEn: 'Your application did not pass',
    contentEn: '${exam}: ${reason}. You may change the post until ${deadline}.',
    templateId: '',
    signName: '',
    status: 1,
  }

  test('with a title of its own the message in the application has them; another tenant keeps the texts of the product', async () => {
    const [w, other] = [await reviewWorld(t), await reviewWorld(t)]
    const admin = await w.tenant.staff('admin')
    expect((await admin.post(submit, { json: own })).status).toBe(200)
    for (const one of [w, other]) await refuse(one, '专业不符 ${deadline}')
    const [{ examName = '' } = {}] = await w.tenant.rows(sql<{ examName: string }>`select exam_name as "examName" from examination`)
    const [mine] = await toldOf(w.tenant)
    expect(mine).toEqual({
      zh: '您的报名没有通过',
      en: 'Your application did not pass',
      // What somebody typed is never read as a variable.
      contentZh: `${examName}：专业不符 $ {deadline}。2026-03-20 17:00前可以改报。`,
      contentEn: `${examName}: 专业不符 $ {deadline}. You may change the post until 2026-03-20 17:00.`,
    })
    expect((await toldOf(other.tenant))[0]).toMatchObject({ zh: '资格审核未通过', en: 'Your sign-up was refused' })
    expect([(await textsOf(w.tenant)).length, (await textsOf(other.tenant)).length]).toEqual([1, 1])
  })

  test('without English the Chinese words stand; without a title, or switched off, those of the product', async () => {
    const w = await reviewWorld(t)
    const admin = await w.tenant.staff('admin')
    expect((await admin.post(submit, { json: { ...own, titleEn: '', contentEn: '' } })).status).toBe(200)
    // As long as a remark may be: neither message breaks the decision, and the text message has as much of it as providers take.
    await refuse(w, '学历不符，'.repeat(99))
    expect([(await toldOf(w.tenant))[0]?.contentZh.length, (await textsOf(w.tenant))[0]]).toEqual([
      500,
      expect.stringContaining(`${'学历不符，'.repeat(99).slice(0, 34)}…`),
    ])
    expect((await toldOf(w.tenant))[0]).toMatchObject({ zh: '您的报名没有通过', en: '您的报名没有通过' })
    const untitled = await reviewWorld(t)
    expect((await (await untitled.tenant.staff('admin')).post(submit, { json: { ...own, title: '' } })).status).toBe(200)
    await refuse(untitled, '学历不符')
    expect((await toldOf(untitled.tenant))[0]).toMatchObject({ zh: '资格审核未通过' })
    expect(await textsOf(untitled.tenant)).toEqual([expect.stringContaining('学历不符')])
    const off = await reviewWorld(t)
    expect((await (await off.tenant.staff('admin')).post(submit, { json: { ...own, status: 0 } })).status).toBe(200)
    await refuse(off, '学历不符')
    expect((await toldOf(off.tenant))[0]).toMatchObject({ zh: '资格审核未通过' })
  })
})
