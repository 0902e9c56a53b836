import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { buildExam } from '../server/test/support/factories.ts'
import { launchBrowser, type Visitor, visit } from './support/browser.ts'
import { calm } from './support/calm.ts'
import { seedData, windows } from './support/exam.ts'
import { type Backdoor, openBackdoor } from './support/people.ts'
import { keepSession } from './support/session.ts'
import { sharedServer } from './support/shared-server.ts'
import { ownTenant } from './support/tenant.ts'
import { whole } from './support/tour.ts'

// The portal as WeChat shows it: touch alone, one window, a bar above and below, and “back” as the only way out of anything.

let server: Awaited<ReturnType<typeof sharedServer>>
let browser: Browser
let backdoor: Backdoor
let person: Visitor
let examId: string

/** No second window: what asks for one is shown in this one. */
const oneWindow = `(() => {
  globalThis.open = () => null
  addEventListener('click', event => {
    const link = event.target.closest?.('a[target=_blank]')
    if (!link || event.defaultPrevented) return
    event.preventDefault()
    location.href = link.href
  })
})()`

beforeAll(async () => {
  server = await sharedServer()
  backdoor = await openBackdoor(server.dataDir)
  const exam = (no: number, name: string) => ({
    ...windows,
    exam_name: name,
    exam_code: `WX2026${no}`,
    exam_no: String(30 + no),
    year: Number(windows.sign_begin.slice(0, 4)),
  })
  const open = await buildExam(backdoor, {
    exam: { ...exam(1, '微信内报名'), need_signature: true },
    items: { name: 1, idCardType: 1, idCard: 1, phone: 1, email: 0, school: 1, major: 1, majorCode: 0, resume: 0 },
    files: { diploma: 1 },
  })
  examId = open.examId
  const owed = await buildExam(backdoor, { exam: exam(2, '微信内缴费') })
  const [member] = await backdoor.addCandidates(1)
  if (member === undefined) throw new Error('no candidate')
  await backdoor.db(async db => {
    const { id: userId } = await db.one(sql<{ id: string }>`select id::text as id from account where account = 'crowd1'`)
    const { id: signupId } = await db.one(sql<{ id: string }>`
      insert into signup (tenant_id, exam_id, user_id, code, type, unit, examine, name, id_card_mask, sign_no, sign_version)
      values (${ownTenant()}, ${owed.examId}, ${userId}, 'B001', 'B', 'H01', 'passed', '王·测', '3301**********301X', '2026070000000001', 1) returning id::text as id`)
    await db.run(sql`
      insert into exam_pay (tenant_id, exam_id, item_id, signup_id, user_id, pay_kind, pay_name, amount_fen, paid_fen, state, own_deadline, deadline)
      values (${ownTenant()}, ${owed.examId}, 1, ${signupId}, ${userId}, 3, '考务费', 4000, 0, 'due', true, ${db.now}::timestamptz + interval '6 days')`)
  })
  browser = await launchBrowser()
  person = await visit(browser, server.url, { name: 'crowd1', screen: 'inApp' })
  await person.context.addInitScript(oneWindow)
  await keepSession(person.context, server.url, member.token, {
    ...{ userId: '1', account: 'crowd1', realName: '王·测', nickName: '王·测', roleIds: [], roles: [], deptId: '', avatar: '' },
    ...{ tenantId: ownTenant(), oauthId: '', userType: 2, userCode: '' },
  })
})
afterAll(async () => {
  await browser?.close()
  await backdoor?.close()
})
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') throw new Error(await person.fail())
  expect(person.troubles()).toEqual([])
})

const where = (page: Page): string => new URL(page.url()).pathname + new URL(page.url()).search
const at = (page: Page) => expect.poll(() => where(page))

/** Fields that are typed into and, while they are, lie outside of what can be seen or under something else. */
const hiddenFields = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(async () => {
    const found = []
    const fields = [...document.querySelectorAll('dialog[open] :is(input, textarea), body:not(:has(dialog[open])) :is(input, textarea)')]
      .filter(field => field.checkVisibility() && !field.disabled && !/^(file|checkbox|radio|hidden)$/.test(field.type))
    for (const field of fields) {
      field.focus()
      visualViewport.dispatchEvent(new Event('resize'))
      const wrong = () => {
        const { left, top, width, height } = field.getBoundingClientRect()
        const { offsetTop, height: shown } = visualViewport
        const hit = document.elementFromPoint(left + width / 2, top + height / 2)
        if (top < offsetTop - 1 || top + height > offsetTop + shown + 1) return 'lies outside, from ' + top + ' of ' + offsetTop + ' to ' + (offsetTop + shown)
        return hit !== null && (hit === field || field.contains(hit) || hit.contains(field)) ? null : 'lies under ' + (hit?.className || hit?.localName)
      }
      // The browser scrolls there in some frames.
      for (let frames = 60; frames > 0 && wrong() !== null; frames--) await new Promise(requestAnimationFrame)
      if (wrong() !== null) found.push((field.name || field.getAttribute('aria-label') || field.type) + ' ' + wrong())
    }
    return found
  })()`)

describe('the portal in the browser of an app', () => {
  test('[issue 3 section 2] nothing waits for a pointer: what looks different under one does so only where there is one', async () => {
    const { page } = person
    const bare: string[] = []
    for (const path of ['/', '/signup/examPay', `/signup/form/${examId}`, '/info/index']) {
      await person.open(path)
      await whole(page)
      expect(await page.evaluate<boolean>("matchMedia('(hover: none)').matches")).toBe(true)
      bare.push(
        ...(await page.evaluate<string[]>(`(() => {
          const found = []
          const walk = (rules, asked) => {
            for (const rule of rules) {
              if (rule.selectorText?.includes(':hover') && !asked) found.push(rule.selectorText)
              if (rule.cssRules) walk(rule.cssRules, asked || /\\(hover: *hover\\)/.test(rule.conditionText ?? ''))
            }
          }
          for (const sheet of document.styleSheets) walk(sheet.cssRules, false)
          return found
        })()`)),
      )
    }
    expect([...new Set(bare)]).toEqual([])
  })

  test('[issue 3 section 2] “back” goes one step of the form at a time, closes what lies over it, and what was typed is there again', async () => {
    const { page } = person
    await person.open('/')
    await whole(page)
    await person.open(`/signup/exam/${examId}`)
    await page.getByRole('link', { name: '开始报名' }).tap()
    const form = `/signup/form/${examId}`
    await at(page).toBe(form)
    await page.getByRole('button', { name: '选择岗位' }).first().tap()
    const finder = page.getByRole('dialog', { name: '选择岗位' })
    await finder.waitFor()
    await page.goBack()
    await finder.waitFor({ state: 'detached' })
    await at(page).toBe(form)
    await page.getByRole('button', { name: '选择岗位' }).first().tap()
    await finder.getByRole('button', { name: '选这个岗位' }).first().tap()
    await finder.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: '下一步' }).tap()
    await at(page).toBe(`${form}?step=2`)
    await page.getByRole('button', { name: '学历信息' }).tap()
    await at(page).toBe(`${form}?step=2&part=2`)
    await page.locator('[name=major]').fill('护理学')
    const steps = page.getByRole('navigation', { name: '填写步骤' })
    await steps.getByRole('button', { name: /材料/ }).tap()
    await at(page).toBe(`${form}?step=3`)
    await steps.getByRole('button', { name: /提交/ }).tap()
    await at(page).toBe(`${form}?step=4`)
    for (const before of [`${form}?step=3`, `${form}?step=2&part=2`]) {
      await page.goBack()
      await at(page).toBe(before)
    }
    expect(await page.locator('[name=major]').inputValue()).toBe('护理学')
    await page.goBack()
    await at(page).toBe(`${form}?step=2`)
    await page.goBack()
    await at(page).toBe(form)
    await page.goBack()
    await at(page).toBe(`/signup/exam/${examId}`)
    await page.goForward()
    await at(page).toBe(form)
    await steps.getByRole('button', { name: /信息/ }).tap()
    await page.getByRole('button', { name: '学历信息' }).tap()
    await expect.poll(() => page.locator('[name=major]').inputValue()).toBe('护理学')
    // Whoever comes back goes on where they were.
    await page.goto('/signup/myExam')
    await page.goto(form)
    await at(page).toBe(`${form}?step=2&part=2`)
    await page.getByRole('heading', { name: /第 2 步，共 4 步：信息 2\/3/ }).waitFor({ state: 'attached' })
  })

  test('[S3.12] a row of a table says at each cell what is wrong with it until it is mended; a row nobody typed in does not stay', async () => {
    const { page } = person
    await person.open(`/signup/form/${examId}?step=2&part=3`)
    await whole(page)
    const table = page.locator('[data-field=resume]')
    const row = page.getByRole('dialog', { name: '个人简历 第 1 条' })
    const add = table.getByRole('button', { name: '添加一条' })
    await add.tap()
    await row.getByRole('button', { name: '关闭' }).tap()
    await row.waitFor({ state: 'detached' })
    await table.getByText('还没有').waitFor()
    await add.tap()
    await row.getByRole('button', { name: '确定' }).tap()
    const errors = row.locator('.p-error')
    await expect.poll(() => errors.allInnerTexts()).toEqual(['请选择起始年月', '请填写单位(学校)'])
    await person.look('table-row')
    await row.getByLabel('起始年月').fill('2015-09')
    await expect.poll(() => errors.allInnerTexts()).toEqual(['请填写单位(学校)'])
    await row.getByLabel('单位(学校)').fill('浙江中医药大学')
    await row.getByRole('button', { name: '确定' }).tap()
    await row.waitFor({ state: 'detached' })
    await table.getByText('2015-09 · 浙江中医药大学').waitFor()
  })

  test('[S3.12] the undertaking is signed with a finger where the examination asks for it', async () => {
    const { page } = person
    await person.open(`/signup/form/${examId}?step=4`)
    await whole(page)
    const sign = page.locator('[data-field=signature]')
    const pad = sign.locator('canvas')
    await pad.scrollIntoViewIfNeeded()
    expect(await sign.getByRole('button', { name: '使用这个签名' }).isDisabled()).toBe(true)
    const box = await pad.boundingBox()
    if (box === null) throw new Error('no pad')
    await page.mouse.move(box.x + 30, box.y + 30)
    await page.mouse.down()
    await page.mouse.move(box.x + 120, box.y + 60, { steps: 5 })
    await page.mouse.up()
    await person.look('sign-undertaking')
    await sign.getByRole('button', { name: '使用这个签名' }).tap()
    await sign.getByText('已签名').waitFor()
    await sign.getByRole('button', { name: '重新签名' }).tap()
    await pad.waitFor()
  })

  test('[issue 3 section 2] a file that would open beside is shown in its place, and “back” returns to the form as it was', async () => {
    const { page } = person
    await person.open(`/signup/form/${examId}?step=2&part=2`)
    await whole(page)
    await page.locator('[name=major]').fill('护理')
    await page.getByRole('navigation', { name: '填写步骤' }).getByRole('button', { name: /材料/ }).tap()
    const box = page.locator('[data-field="file:diploma"]')
    await box.locator('input[type=file]').setInputFiles(fileURLToPath(seedData('portraits/diploma.jpg')))
    const link = box.getByRole('link', { name: /diploma/ })
    await link.waitFor()
    await page
      .getByText(/已保存/)
      .first()
      .waitFor()
    await link.tap()
    await page.waitForURL(url => !url.pathname.startsWith('/signup'))
    // The browser's own frame around a picture may have no styles where a file is shown: nothing in it may run.
    expect(
      person
        .troubles()
        .filter(line => !line.includes("inline style violates the following Content Security Policy directive 'default-src 'none''")),
    ).toEqual([])
    await page.goBack()
    await at(page).toBe(`/signup/form/${examId}?step=3`)
    await link.waitFor()
    await page.getByRole('navigation', { name: '填写步骤' }).getByRole('button', { name: /信息/ }).tap()
    await page.getByRole('button', { name: '学历信息' }).tap()
    await expect.poll(() => page.locator('[name=major]').inputValue()).toBe('护理')
  })

  test('[S7.41][19.10] a payment is offered inside the app, without a second device; “back” leaves it and then the page', async () => {
    const { page } = person
    await person.open('/')
    await whole(page)
    await page.goto('/signup/examPay')
    const pay = page.getByRole('article').filter({ hasText: '考务费' }).getByRole('button', { name: '去缴费' })
    const sheet = page.getByRole('dialog', { name: '微信支付' })
    for (const _ of [1, 2]) {
      await pay.tap()
      // A code could not be scanned by the phone that shows it: none is shown, and nobody is told to try.
      await sheet.getByText('将在微信内完成支付').waitFor()
      expect(await sheet.getByRole('img', { name: '支付二维码' }).count()).toBe(0)
      expect(await sheet.innerText()).not.toMatch(/长按|相册|保存|另一台设备/)
      await page.goBack()
      await sheet.waitFor({ state: 'detached' })
      await at(page).toBe('/signup/examPay')
    }
    await page.goBack()
    await at(page).toBe('/')
    // Nor does a window that hands over a file keep silent about it.
    await person.open('/info/index')
    await page.getByRole('button', { name: '导出我的数据' }).tap()
    await page.getByRole('dialog', { name: '导出我的数据' }).getByText('选择“在浏览器打开”').waitFor()
  })

  test('[issue 3 section 2] the keyboard hides no field that is typed into, whether it shrinks the page or lies over it', async () => {
    const { page } = person
    const found: string[] = []
    const cdp = await person.context.newCDPSession(page)
    for (const path of [`/signup/form/${examId}?step=2&part=2`, '/info/index', '/login']) {
      await person.open(path)
      await whole(page)
      // What keeps the field in view comes after the first page, with the place of the messages.
      await page.locator('.toaster').waitFor({ state: 'attached' })
      // Android: the page itself becomes lower.
      await page.setViewportSize({ width: 390, height: 400 })
      await calm(page)
      found.push(...(await hiddenFields(page)).map(line => `${path}, a lower page: ${line}`))
      await page.setViewportSize({ width: 390, height: 780 })
      // iPhone: the page keeps its height, and less of it is seen.
      await cdp.send('Emulation.setPageScaleFactor', { pageScaleFactor: 1.8 })
      await calm(page)
      expect(await page.evaluate<number>('visualViewport.height')).toBeLessThan(450)
      found.push(...(await hiddenFields(page)).map(line => `${path}, a part of the page: ${line}`))
      await cdp.send('Emulation.setPageScaleFactor', { pageScaleFactor: 1 })
    }
    expect(found).toEqual([])
  })

  test('[issue 3 section 2] nothing that is tapped or read lies under the bars of the phone', async () => {
    const { page } = person
    const under: string[] = []
    const cdp = await person.context.newCDPSession(page)
    const check = async (what: string) =>
      under.push(
        ...(
          await page.evaluate<string[]>(`(() => {
            const found = []
            const inSheet = document.querySelector('dialog[open]')
            for (const one of (inSheet ?? document).querySelectorAll('.p-head a, .p-head button, .p-tabbar a, .p-actions .p-btn, .p-sheet-foot button')) {
              if (!one.checkVisibility()) continue
              const { top, bottom } = one.getBoundingClientRect()
              const inner = [...one.querySelectorAll('span, svg')].at(-1)?.getBoundingClientRect().bottom ?? bottom
              if (top < 47 && one.closest('.p-head')) found.push(one.textContent + ' begins at ' + top)
              if (Math.min(bottom, inner) > innerHeight - 34 + 1 && !one.closest('.p-head')) found.push(one.textContent + ' ends at ' + bottom)
            }
            return found
          })()`)
        ).map(line => `${what}: ${line}`),
      )
    for (const path of ['/', '/signup/examPay', `/signup/form/${examId}?step=1`]) {
      await person.open(path)
      await whole(page)
      await cdp.send('Emulation.setSafeAreaInsetsOverride', { insets: { top: 47, bottom: 34 } })
      await calm(page)
      expect(await page.evaluate<string>("getComputedStyle(document.querySelector('.p-head')).paddingTop")).toBe('47px')
      await check(path)
    }
    await page.getByRole('button', { name: '选择岗位' }).first().tap()
    await page.getByRole('dialog', { name: '选择岗位' }).waitFor()
    await calm(page)
    await check('the finder of posts')
    expect(under).toEqual([])
  })
})
