import type { Browser } from 'playwright-core'
import { slowCpu } from './browser.ts'

/** What is measured beside the product, under the same slow-down: how quick this machine is just now. */
export interface Floor {
  /** Milliseconds until a page without any library shows a hundred rows, as a list of the product has them. */
  measure(): Promise<number>
  close(): Promise<void>
}

const html = `<!doctype html><meta charset="utf-8"><style>
body { margin: 0; font: 14px/22px system-ui, 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif }
table { width: 100%; border-spacing: 0 }
td { height: 36px; padding: 0 12px; border-bottom: 1px solid #e5e7eb; background: #fff; white-space: nowrap }
td:last-child { position: sticky; right: 0 }
</style><div style="height: 700px; overflow: auto"><table><tbody></tbody></table></div>`

/** Elements one by one, as a framework makes them; every run the same texts in another order, so that nothing is kept from before. */
const work = `new Promise((done, failed) => {
  setTimeout(() => failed(new Error('No frame came for a minute')), 60_000)
  const began = performance.now()
  const body = document.querySelector('tbody')
  const shift = globalThis.floorRuns = (globalThis.floorRuns ?? 0) + 1
  const rows = Array.from({ length: 100 }, (_, at) => ({ id: (at * 37 + shift) % 100, name: '徐耀东陈子涵林夏周考务'.slice(at % 8, at % 8 + 3) }))
  rows.sort((a, b) => a.id - b.id)
  const made = rows.map(({ id, name }) => {
    const row = document.createElement('tr')
    const texts = [String(20260300000000 + id + shift), name, '3101**********' + (3000 + id), '160****' + (1000 + id), '某区人民医院', 'D0' + id + ' 药师', '研究生', '药学', '审核通过', '已缴', '2026-11-22 09:' + (10 + id % 50)]
    const box = row.appendChild(document.createElement('td')).appendChild(document.createElement('input'))
    box.type = 'checkbox'
    box.setAttribute('aria-label', '选择 ' + name)
    for (const text of texts) {
      const cell = row.appendChild(document.createElement('td'))
      cell.title = text
      cell.append(text)
    }
    const acts = row.appendChild(document.createElement('td'))
    for (const text of ['查看', '编辑', '更多']) acts.appendChild(document.createElement('button')).append(text)
    return row
  })
  body.replaceChildren(...made)
  requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began)))
})`

/** Once to warm it up; then each measure is the middle of three. */
export const openFloor = async (browser: Browser): Promise<Floor> => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN' })
  const page = await context.newPage()
  await page.setContent(html)
  const cdp = await context.newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowCpu })
  const once = async (): Promise<number> => {
    const took = await page.evaluate<number>(work)
    await page.evaluate(`document.querySelector('tbody').replaceChildren()`)
    return took
  }
  await once()
  return {
    measure: async () => [await once(), await once(), await once()].toSorted((a, b) => a - b)[1] ?? 0,
    close: () => context.close(),
  }
}
