import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startEmbedded } from '#kernel/db/embedded.ts'
import { createLog } from '#kernel/log.ts'
import { buildExam } from '../server/test/support/factories.ts'
import { type LossyLink, lossyLink } from '../server/test/support/lossy-link.ts'
import { launchBrowser, visit } from './support/browser.ts'
import { windows } from './support/exam.ts'
import { type Backdoor, type Member, openBackdoor } from './support/people.ts'
import { freePort, newDataDir, type RunningServer, removeData, startServer } from './support/server.ts'
import { keepSession } from './support/session.ts'
import { ownTenant } from './support/tenant.ts'

let first: RunningServer
/** A process whose way to the database can be cut. */
let far: RunningServer
let link: LossyLink
let backdoor: Backdoor
let browser: Browser
let member: Member
const nobody = {
  userId: '1',
  account: 'crowd1',
  realName: '王·测',
  nickName: '王·测',
  roleIds: [],
  roles: [],
  deptId: '',
  avatar: '',
  oauthId: '',
  userType: 2,
  userCode: '',
}
beforeAll(async () => {
  const dataDir = await newDataDir()
  first = await startServer({ dataDir, port: await freePort() })
  const database = new URL((await startEmbedded({ dataDir, log: createLog('error') })).url)
  database.pathname = '/kaopu'
  link = await lossyLink(database.href)
  far = await startServer({ dataDir, port: await freePort(), env: { DATABASE_URL: link.url } })
  backdoor = await openBackdoor(dataDir)
  await buildExam(backdoor, {
    exam: { ...windows, exam_name: '切换中的考试', exam_code: 'MOVED', exam_no: 1, year: Number(windows.sign_begin.slice(0, 4)) },
  })
  const [one] = await backdoor.addCandidates(1)
  if (one === undefined) throw new Error('no candidate')
  member = one
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await backdoor?.close()
  link?.accept()
  await far?.stop()
  await first?.stop()
  await link?.close()
  if (first) await removeData(first.dataDir)
})

test.each([
  { language: 'zh', screen: 'phone', words: /^服务正在切换，已提交的内容不会丢失。以下为 \d\d:\d\d 的内容$/ },
  { language: 'en', screen: 'desktop', words: /^The service is being moved, nothing is lost\. .*\d\d:\d\d/ },
] as const)(
  'a guest who opens the examinations while there is no database reads them on, and is told since when ($language, $screen)',
  async ({ language, screen, words }) => {
    const guest = await visit(browser, far.url, { name: `moved-${language}`, screen, language })
    const { page } = guest
    await guest.open('/open')
    const exam = page.getByText('切换中的考试').first()
    await exam.waitFor()
    const news = page.getByText(words)
    expect(await news.count()).toBe(0)

    link.refuse()
    try {
      await page.reload()
      await news.waitFor()
      await exam.waitFor()
      await guest.look(`moved-${language}`)
    } finally {
      link.accept()
    }
    await vi.waitFor(
      async () => {
        await page.reload()
        expect([await news.count(), await exam.count()]).toEqual([0, 1])
      },
      { timeout: 30_000, interval: 500 },
    )
  },
)

test.each([
  {
    language: 'zh',
    screen: 'phone',
    words: /^服务正在切换，已提交的内容不会丢失。当前显示的是 \d\d:\d\d 的内容，恢复后自动更新$/,
  },
  {
    language: 'en',
    screen: 'desktop',
    words: /^The service is being moved, nothing is lost\. This is how it was at \d\d:\d\d; it is updated by itself$/,
  },
] as const)(
  'a candidate whose session cannot be looked up while there is no database reads the copies of the device and why, until it is back ($language, $screen)',
  async ({ language, screen, words }) => {
    const guest = await visit(browser, far.url, { name: `moved-candidate-${language}`, screen, language })
    const { page } = guest
    await guest.context.addInitScript(`localStorage.setItem('kaopu-lang', '"${language}"')`)
    await keepSession(guest.context, far.url, member.token, { ...nobody, tenantId: ownTenant() })
    await guest.open('/signup/examList')
    const content = page.getByText('切换中的考试').first()
    await content.waitFor()
    const news = page.getByText(words)
    const offline = page.getByText(/网络不可用|网络已断开|No network|You are offline/)
    expect([await news.count(), await offline.count()]).toEqual([0, 0])

    link.refuse()
    try {
      await page.reload()
      await news.waitFor()
      await content.waitFor()
      expect([await news.count(), await offline.count()]).toEqual([1, 0])
      await guest.look(`moved-candidate-${language}`)
    } finally {
      link.accept()
    }
    await news.waitFor({ state: 'hidden' })
    await content.waitFor()
  },
)
