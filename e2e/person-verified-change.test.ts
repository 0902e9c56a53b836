import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { comeIn, type Visitor } from './support/browser.ts'
import { testSms } from './support/server.ts'
import { openConsole } from './support/shell.ts'

const office = openConsole(
  [
    { account: 'officer1', realName: '周考务', roles: ['exam_admin'] },
    { account: 'officer2', realName: '郑考务', roles: ['exam_admin'] },
  ],
  { KAOPU_PROFILE: 'demo' },
)
const proof = fileURLToPath(new URL('../server/seed/data/portraits/id-front-1.jpg', import.meta.url))

/** A candidate of the demo on their phone. */
const holder = async (): Promise<Visitor> => {
  const accounts = JSON.parse(await readFile(join(office.server.dataDir, 'demo-accounts.json'), 'utf8')) as readonly {
    account: string
    password: string
    tenantId: string
  }[]
  const found = accounts.find(one => one.account === 'candidate1' && one.tenantId === '000000')
  if (found === undefined) throw new Error('the demo has no candidate1')
  const visitor = await office.come(found.account, { screen: 'phone' })
  await comeIn(visitor, found.account, found.password, '/info/index')
  return visitor
}

test('[S7.26] a candidate asks on the phone to change verified data, staff refuse and approve it beside its proofs, and both answers come back', async () => {
  const candidate = await holder()
  const phone = candidate.page
  const sheet = phone.getByRole('dialog', { name: '信息变更申请' })
  const mine = sheet.getByRole('list', { name: '我的申请' }).getByRole('listitem')
  const openRequests = async () => {
    await candidate.open('/info/index')
    await phone.getByRole('button', { name: /信息变更申请/ }).click()
    await sheet.getByLabel('变更为').waitFor()
  }
  const request = async (value: string, reason: string) => {
    await sheet.locator('[name=value]').fill(value)
    await sheet.locator('[name=reason]').fill(reason)
    await sheet.locator('input[type=file]').setInputFiles(proof)
    await sheet.getByText('id-front-1.jpg').waitFor()
    await sheet.getByText('已上传', { exact: false }).first().waitFor()
    await sheet.getByRole('button', { name: '提交申请' }).click()
  }
  const { realName: former } = await candidate.ask('/blade-system/user/info')
  await openRequests()

  // What is missing stands at its field, and nothing typed is lost.
  await sheet.locator('[name=reason]').fill('依法更名')
  await sheet.getByRole('button', { name: '提交申请' }).click()
  await sheet.getByText('请填写变更后的姓名').waitFor()
  await sheet.getByText('请至少上传一份证明材料').waitFor()
  expect(await sheet.locator('[name=reason]').inputValue()).toBe('依法更名')
  await request('颜改错', '依法更名')
  await phone.getByText('申请已提交，请等待审核').waitFor()
  await expect.poll(() => mine.first().innerText()).toContain('待审核')

  const officer = await office.enter('officer1')
  const desk = officer.page
  const dialog = desk.getByRole('dialog')
  const decide = async ({ open, page }: Visitor = officer) => {
    await open('/examine/userupdate')
    await page.getByRole('row', { name: /待审/ }).getByRole('button', { name: '审核' }).click()
    await page
      .getByRole('dialog')
      .getByRole('link', { name: /id-front-1\.jpg/ })
      .waitFor()
  }
  await decide()
  await officer.look('verified-change-dialog')
  await dialog.getByRole('button', { name: '驳回' }).click()
  await dialog.getByText('请填写驳回原因，考生会看到').waitFor()
  await dialog.getByLabel('审核说明').fill('证明材料与姓名不符')
  await dialog.getByRole('button', { name: '驳回' }).click()
  await dialog.waitFor({ state: 'detached' })
  await desk.getByText('已驳回，考生会收到通知').waitFor()
  await desk.getByRole('row', { name: /驳回/ }).filter({ hasText: '颜改错' }).getByText('证明材料与姓名不符').waitFor()
  expect((await candidate.ask('/blade-system/user/info')).realName).toBe(former)

  await openRequests()
  await mine.getByText('驳回原因：证明材料与姓名不符').waitFor()
  await request('颜改对', '派出所已更正')
  await phone.getByText('申请已提交，请等待审核').waitFor()

  await decide()
  await dialog.getByText('颜改对').waitFor()
  // Both officials saw the same document, so nobody waits for an objection.
  const document = '本人当面出示的证件（两人填写相同内容时立即生效；没有则留空）'
  await dialog.getByLabel(document).fill('居民身份证原件')
  await dialog.getByRole('button', { name: '通过' }).click()
  await desk.getByText('已记录，生效须另一人同意并等待期满').waitFor()
  expect((await candidate.ask('/blade-system/user/info')).realName).toBe(former)
  const other = await office.enter('officer2')
  await decide(other)
  const second = other.page.getByRole('dialog')
  await second.getByText('周考务已同意，等待另一人办理。').waitFor()
  await second.getByLabel(document).fill('居民身份证原件')
  await other.look('verified-change-second')
  await second.getByRole('button', { name: '通过' }).click()
  await other.page.getByText(`已通过，${former}的姓名已更新`).waitFor()
  await other.page.getByRole('row', { name: /通过/ }).filter({ hasText: '颜改对' }).waitFor()

  await openRequests()
  await expect.poll(() => mine.filter({ hasText: '颜改对' }).innerText()).toContain('已通过')
  await expect.poll(() => mine.filter({ hasText: '颜改错' }).innerText()).toContain('已驳回')
  expect((await candidate.ask('/blade-system/user/info')).realName).toBe('颜改对')
  await candidate.look('verified-change-answers')
  await candidate.open('/notice/index')
  await phone.getByText('证明材料与姓名不符', { exact: false }).waitFor()
})

test('[19.18] a new phone is proven by the code that was sent to it before the request leaves', async () => {
  const candidate = await holder()
  const phone = candidate.page
  const sheet = phone.getByRole('dialog', { name: '信息变更申请' })
  await candidate.open('/info/index')
  await phone.getByRole('button', { name: /信息变更申请/ }).click()
  await sheet.getByText('手机号码', { exact: true }).click()
  await sheet.locator('[name=value]').fill('160999')
  await sheet.getByRole('button', { name: '获取验证码' }).click()
  await sheet.getByText('手机号', { exact: false }).first().waitFor()
  await sheet.locator('[name=value]').fill('16099990001')
  await sheet.locator('[name=reason]').fill('更换手机号码')
  await sheet.locator('input[type=file]').setInputFiles(proof)
  await sheet.getByText('已上传', { exact: false }).first().waitFor()
  await sheet.getByRole('button', { name: '提交申请' }).click()
  await sheet.getByText('请先在本页获取短信验证码').waitFor()
  await sheet.getByRole('button', { name: '获取验证码' }).click()
  await phone.getByText('验证码已发送').waitFor()
  candidate.expectRefusal(400)
  await sheet.locator('[name=smsCode]').fill('000001')
  await sheet.getByRole('button', { name: '提交申请' }).click()
  await sheet.getByText('短信验证码不正确').waitFor()
  await sheet.locator('[name=smsCode]').fill(testSms)
  await candidate.look('verified-change-phone')
  await sheet.getByRole('button', { name: '提交申请' }).click()
  await phone.getByText('申请已提交，请等待审核').waitFor()
  await sheet.getByRole('list', { name: '我的申请' }).getByText('160****0001', { exact: false }).waitFor()
})
