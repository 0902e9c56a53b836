import { expect, test } from 'vitest'
import { parts } from '../web/src/features/kit/parts.ts'
import { checkAccess, rulesOfLanguage } from './support/axe.ts'
import { chineseTexts } from './support/browser.ts'
import { calm } from './support/calm.ts'
import { checkContrastNow, type Measured } from './support/contrast.ts'
import { openConsole } from './support/shell.ts'
import { tell } from './support/tour.ts'

const office = openConsole([{ account: 'guanli', realName: '周管理', roles: ['admin'] }])

test('every part in every state can be used by everybody in two pairs of language and mode, and none scrolls sideways', {
  timeout: 300_000,
}, async () => {
  const { page, open } = await office.enter('guanli')
  const found: string[] = []
  // The same on every page, and looked at once.
  const frame = ['.sider', '.header']
  const check = async (where: string, measured: Measured, only?: readonly string[]) => {
    const lines = await checkAccess(page, { apart: frame, colours: false, ...(only ? { only } : {}) })
    lines.push(...(await checkContrastNow(page, measured)))
    found.push(...lines.map(each => `${where}: ${each}`))
  }
  const measured: Readonly<Record<'light' | 'dark', Measured>> = { light: new Map(), dark: new Map() }
  await open('/test/index?kit.part=list')
  await page.locator('.kit-page h1').waitFor()
  await calm(page)
  found.push(...(await checkAccess(page)))
  for (const [part, states] of Object.entries(parts))
    for (const state of states) {
      const where = `${part} ${state}`
      // Within the page: forty loads would be most of the time.
      await page.evaluate(`history.pushState(null, '', '/test/index?kit.part=${part}&kit.state=${state}&detail.of=2')`)
      await page.locator(`.kit-page [data-view="${part} ${state}"] :is(table, .kit-block, .card, .state)`).first().waitFor()
      await calm(page)
      await check(`${where} zh light`, measured.light)
      // The four pairs in two: a fault of a language shows in either mode, one of a mode in either language.
      await tell(page, { lang: 'en', mode: 'dark' })
      await page.locator('html[lang=en][data-theme=dark]').waitFor()
      // What a form says about an answer keeps the language in which it was given.
      if (state === 'problems') await page.reload()
      await calm(page)
      await check(`${where} en dark`, measured.dark, rulesOfLanguage)
      found.push(...(await chineseTexts(page, ['区中医院', '周管理', '周'])).map(each => `${where} en: ${each}`))
      for (const width of state === states.at(-1) ? [1440, 1024, 768, 390] : []) {
        await page.setViewportSize({ width, height: 900 })
        await calm(page)
        const over = await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
        if (over > 0) found.push(`${where} at ${width}: ${over} px`)
      }
      await page.setViewportSize({ width: 1440, height: 900 })
      await tell(page, { lang: 'zh', mode: 'light' })
    }
  expect(found).toEqual([])
})
