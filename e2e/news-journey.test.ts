import { expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { buildExam } from '../server/test/support/factories.ts'
import { keepSession } from './support/session.ts'
import { openConsole } from './support/shell.ts'
import { ownTenant } from './support/tenant.ts'

const office = openConsole([{ account: 'gonggao1', realName: '王公告', roles: ['exam_admin'] }])

const word = `<!--[if gte mso 9]><xml><w:View>Normal</w:View></xml><![endif]-->
<p class=MsoNormal style='mso-pagination:none'><b><span lang=EN-US>一、报到时间</span></b></p>
<table class=MsoTableGrid border=1><tr><td><p>上午</p></td><td><p>8:30</p></td></tr></table>
<p>请携带身份证。<img src="file:///C:/a/image001.png"><script>window.hacked = 1</script></p>`

test('[S7.25][S7.43][S2.23] from a pasted announcement to the candidate’s confirmation on the phone', async () => {
  const officer = await office.enter('gonggao1')
  const { page } = officer
  await officer.open('/desk/notice')
  await page.getByRole('button', { name: '新增' }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('textbox', { name: /标题/ }).fill('考前须知')
  const chosen = (name: string) => page.locator('.ant-select-dropdown:visible').getByText(name, { exact: true }).last()
  await form.getByLabel('类型').click()
  await chosen('通知').click()
  await form.getByLabel('范围').click()
  await chosen('登录用户').click()
  const text = form.getByRole('textbox', { name: '正文' })
  await text.click()
  await text.evaluate((element: { dispatchEvent(event: unknown): void }, html) => {
    const { DataTransfer, ClipboardEvent } = globalThis as unknown as {
      DataTransfer: new () => { setData(type: string, text: string): void }
      ClipboardEvent: new (type: string, of: object) => unknown
    }
    const data = new DataTransfer()
    data.setData('text/html', html)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, word)
  await page.getByText('有 1 张图片未能带入').waitFor()
  await text.getByText('请携带身份证。').waitFor()
  await form.getByRole('switch', { name: '弹窗提示' }).click()
  await form.getByRole('switch', { name: '需要确认' }).click()
  await officer.look('news-form')
  await form.getByRole('button', { name: '保存' }).click()
  const row = page.getByRole('row', { name: /考前须知/ })
  await row.waitFor()
  const [stored] = await office.backdoor.db(db =>
    db.all(sql<{ id: string; content: string }>`select id::text as id, content from notice where title = '考前须知'`),
  )
  expect(stored?.content).toContain('<td')
  expect(stored?.content).not.toMatch(/Mso|script|file:|hacked|xml/)
  await row.getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem', { name: '发布' }).click()
  await page.getByRole('dialog', { name: '发布' }).getByRole('button', { name: '确认发布' }).click()
  await row.getByText('已发布').waitFor()
  await officer.look('news-list')

  const [member] = await office.backdoor.addCandidates(1)
  const reader = await office.come('crowd1', { screen: 'phone' })
  const path = `/notices/${stored?.id}`
  // Nobody known is told to log in; it is for those who are.
  reader.expectRefusal(404)
  await reader.open(path)
  await reader.page.getByText('没有这篇公告，或需要登录后查看').waitFor()
  await keepSession(reader.context, office.server.url, member?.token ?? '', {
    ...{ userId: '1', account: 'crowd1', realName: '王·测', nickName: '王·测', roleIds: [], roles: [], deptId: '', avatar: '' },
    ...{ tenantId: ownTenant(), oauthId: '', userType: 2, userCode: '' },
  })
  await reader.open('/')
  const popped = reader.page.getByRole('dialog', { name: '考前须知' })
  await popped.getByText('请携带身份证。').waitFor()
  await reader.look('news-popup')
  await popped.getByRole('button', { name: '稍后再看' }).click()
  await popped.waitFor({ state: 'detached' })
  await reader.open('/')
  await popped.getByRole('button', { name: '我已阅读并确认' }).click()
  await popped.waitFor({ state: 'detached' })
  await reader.open(path)
  await reader.page.getByText(/^已于 .* 确认$/).waitFor()
  await reader.look('news-notice')
  await expect
    .poll(() =>
      office.backdoor.db(db =>
        db.all(sql<{ n: number }>`select count(sure_at)::int as n from notice_read where notice_id = ${stored?.id}`),
      ),
    )
    .toEqual([{ n: 1 }])

  await officer.open(`/desk/noticeRead?noticeId=${stored?.id}`)
  await page.getByText('应读 1 人，已读 1 人，已确认 1 人').waitFor()
  await officer.look('news-reads')
  await page.goto('/desk/notice')
  await row.getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem', { name: '下架' }).click()
  const reason = page.getByRole('dialog', { name: '下架' })
  await reason.getByLabel('下架原因').fill('时间有误')
  await reason.getByRole('button', { name: '下架' }).click()
  await row.getByText('已下架').waitFor()
  reader.expectRefusal(410)
  await reader.open(path)
  await reader.page.getByText(/“考前须知”已于 .* 下架/).waitFor()
  await reader.look('news-gone')
})

test('[S2.23] what is public has its title and text in the HTML of its address, for nobody known and for staff', async () => {
  const exam = await buildExam(office.backdoor, { exam: { exam_no: 72, exam_code: 'NEWS', exam_name: '公开招聘考试' } })
  await office.backdoor.db(db =>
    db.run(sql`insert into notice (tenant_id, title, notice_type, content, release_time, state, exam_id)
      values (${ownTenant()}, '公开招聘公告', 1, '<p>报名自即日起</p>', app_now(), 1, ${exam.examId})`),
  )
  const visitor = await office.come('nobody', { language: 'en', screen: 'phone' })
  await visitor.open('/notices')
  await visitor.page.getByRole('link', { name: '公开招聘公告' }).click()
  await visitor.page.getByRole('heading', { name: '公开招聘公告' }).waitFor()
  await visitor.look('news-public')
  const html = await (await visitor.context.request.get(visitor.page.url())).text()
  expect(html).toContain('<title>公开招聘公告 - ')
  expect(html).toContain('<meta name="description" content="报名自即日起" />')
  expect(html).toContain('"@type":"Article"')
  const address = new URL(visitor.page.url()).pathname
  // From the announcement to the posts without logging in.
  await visitor.page.getByRole('link', { name: 'Examination and posts' }).click()
  await visitor.page.waitForURL(`**/open/${exam.examId}**`)
  await visitor.page.getByRole('heading', { name: '公开招聘考试' }).first().waitFor()
  const officer = await office.enter('gonggao1', { screen: 'phone' })
  await officer.open(address)
  await officer.page.getByText('报名自即日起').waitFor()
  // Staff come to it from their own first page, and back.
  await officer.page.getByRole('link', { name: '返回工作台' }).click()
  await officer.page.getByText('公开招聘公告').first().click()
  await officer.page.waitForURL(`**${address}`)
  await officer.page.getByText('报名自即日起').waitFor()
})
