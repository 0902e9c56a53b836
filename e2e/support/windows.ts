import type { BrowserContext, Page } from 'playwright-core'
import { settle } from './axe.ts'
import { calm } from './calm.ts'

/** Looks at a window that is open: what was pressed to come there, and where it is in the page. */
export type Look = (way: string, within: string) => Promise<void>

interface Options {
  /** Opens the page anew, as it was before anything was pressed. */
  readonly reopen: () => Promise<void>
  readonly look: Look
  /** Controls that are the same on every page, pressed once for all of them. Kept by the caller from page to page. */
  readonly known: Set<string>
  /** What is walked of the page; the shell around it is the same everywhere. */
  readonly root: string
}

/** Windows in windows that are walked: a menu, the dialog that it opens, and the list that drops down there. */
const deepest = 3

/**
 * In the page: marks the window on top with `data-top`, gives each control of it (without one: of the page) its key in `data-walk`, and
 * says which keys there are. A key stands for all controls that do the same: one row of a table is as good as another.
 */
const install = `globalThis.kaopuWalk = {
  kinds: '[role=dialog], dialog[open], [role=alertdialog], [role=menu], .popover, .ant-select-dropdown, .ant-picker-dropdown',
  seen: element => element.checkVisibility({ visibilityProperty: true, opacityProperty: false }) && element.getBoundingClientRect().width > 0,
  windows() {
    const all = [...document.querySelectorAll(this.kinds)].filter(one => this.seen(one) && !one.matches('.ant-select-dropdown-hidden, .ant-picker-dropdown-hidden'))
    return all.filter(one => !all.some(other => other !== one && other.contains(one)))
  },
  mark() {
    for (const one of this.windows()) one.dataset.walked = ''
  },
  isNew() {
    const fresh = this.windows().filter(one => one.dataset.walked === undefined)
    if (fresh.length === 0) return false
    for (const one of document.querySelectorAll('[data-top]')) delete one.dataset.top
    fresh.at(-1).dataset.top = ''
    return true
  },
  keyOf(control) {
    const text = (control.getAttribute('aria-label') || control.innerText || '').trim().replace(/\\d+/g, '#').replace(/\\s+/g, ' ').slice(0, 60)
    const kit = control.closest('.ant-select, .ant-picker')
    if (kit !== null) return 'shared ' + [...kit.classList].filter(name => /^ant-(select|picker)(-(multiple|range|tree|show-search))?$|^ant-(tree-select|cascader)$/.test(name)).join('.')
    for (const shared of ['.tool-button', '.sort-button', '.pager', '.tag-tabs', '.table-columns', '[data-reveal]', '[data-toggle]', '.ant-select-tree', '.ant-tree', '.ant-picker-panel'])
      if (control.closest(shared) !== null) return 'shared ' + shared + (shared === '.tool-button' ? ' ' + text : '')
    if (control.matches('[role=tab]')) return 'tab ' + text
    const row = control.closest('tr, li, .p-card')
    if (row === null) return text
    // Rows of another state offer other things.
    const state = [...row.querySelectorAll('.status-tag, .p-tag')].map(tag => tag.textContent.trim()).join(' ')
    if (control.dataset.more !== undefined) return 'more ' + state
    // The question before a deletion is one window for all lists.
    if (control.dataset.act === 'delete') return 'shared delete'
    if (control.dataset.act !== undefined) return 'row ' + control.dataset.act
    if (control.dataset.choose !== undefined) return 'choose'
    return row.matches('tr, li') ? 'in row ' + control.tagName + '.' + control.className : text
  },
  controls(root, fresh) {
    const top = fresh ? document.querySelector('[data-top]') : null
    const inside = top ?? [...document.querySelectorAll(root)].find(one => this.seen(one)) ?? document.body
    for (const one of document.querySelectorAll('[data-walk]')) delete one.dataset.walk
    const keys = new Set()
    for (const one of inside.querySelectorAll('button, [role=button], [role=tab], [role=menuitem], summary, .ant-select, .ant-picker')) {
      if (!this.seen(one) || one.disabled || one.closest('[aria-hidden=true], [inert], .ant-input-number, .ant-modal-close, .ant-drawer-close, .ant-select-disabled, .ant-picker-disabled') !== null) continue
      if (one.matches('[aria-disabled=true], [role=tab][aria-selected=true]')) continue
      if (one.matches('button, [role=button]') && one.closest('.ant-select, .ant-picker') !== null) continue
      const key = this.keyOf(one)
      if (key === '' || keys.has(key)) continue
      keys.add(key)
      one.dataset.walk = key
    }
    return [...keys]
  },
}`

const controls = (page: Page, root: string, fresh: boolean): Promise<string[]> =>
  page.evaluate<string[]>(`kaopuWalk.controls(${JSON.stringify(root)}, ${fresh})`)

/** React holds back for 0.3 s what it draws in place of a part that is being fetched: nothing tells that but its timer. */
const countTimers = `(() => {
  const { setTimeout: begin, clearTimeout: end } = globalThis
  const under = new Set()
  globalThis.setTimeout = (work, ms = 0, ...rest) => {
    const timer = begin((...all) => { under.delete(timer); work(...all) }, ms, ...rest)
    if (ms <= 350) under.add(timer)
    return timer
  }
  globalThis.clearTimeout = timer => { under.delete(timer); end(timer) }
  globalThis.kaopuTimers = () => under.size
})()`

/** Nothing is under way in the page, and nothing waits for its moment. */
const still = async (page: Page): Promise<void> => {
  await calm(page)
  await page.evaluate(`new Promise((done, fail) => {
    const deadline = performance.now() + 30_000
    const look = () => {
      if (kaopuTimers() === 0) done()
      else if (performance.now() > deadline) fail(new Error('timers of less than 0.4 s follow each other for ever'))
      else requestAnimationFrame(look)
    }
    look()
  })`)
  await calm(page)
  await settle(page)
}

/** Presses a control and waits for what it brings. @returns whether a window is there that was not */
const press = async (page: Page, key: string): Promise<boolean> => {
  await page.evaluate('kaopuWalk.mark()')
  await page
    .locator(`[data-walk=${JSON.stringify(key)}]`)
    .first()
    .click()
  await still(page)
  return page.evaluate<boolean>("typeof kaopuWalk !== 'undefined' && kaopuWalk.isNew()")
}

/** Closes what is open, from the top. @returns whether everything is closed */
const closeAll = async (page: Page): Promise<boolean> => {
  for (let left = deepest + 1; left > 0; left--) {
    if ((await page.evaluate<number>('kaopuWalk.windows().length')) === 0) return true
    await page.keyboard.press('Escape')
    await still(page)
  }
  return false
}

/**
 * Opens every window of a page by pressing what can be pressed, and the windows of those. Nothing is written: the server's answer to
 * anything but a question is a refusal, which some windows show (`prepareWalk`).
 */
export const walkWindows = async (page: Page, { reopen, look, known, root }: Options): Promise<void> => {
  const address = () => new URL(page.url()).pathname
  const here = address()
  const opened = async () => {
    await reopen()
    await page.evaluate(install)
  }
  /** Presses its way to a window again. */
  const goBack = async (way: readonly string[]) => {
    await still(page)
    const isHere = address() === here && (await page.evaluate<boolean>("typeof kaopuWalk !== 'undefined'"))
    if (!isHere || !(await closeAll(page))) await opened()
    let fresh = false
    for (const key of way) {
      // A tab that is chosen already is no control.
      if ((await controls(page, root, fresh)).includes(key)) fresh = (await press(page, key)) || fresh
    }
  }
  const walk = async (way: readonly string[], isWindow: boolean, before: readonly string[] = []): Promise<void> => {
    const all = await controls(page, root, isWindow)
    for (const key of all) {
      if (before.includes(key) || (before.length > 0 && key.startsWith('tab '))) continue
      const shared = key.startsWith('shared ') || way.length === 0 ? key : `${way.at(-1)} › ${key}`
      if (key.startsWith('shared ') && known.has(shared)) continue
      known.add(shared)
      await goBack(way)
      const keys = await controls(page, root, isWindow)
      // What a list offers may have changed by itself, as with a deadline that passed.
      if (!keys.includes(key)) continue
      const isNew = await press(page, key)
      // A tab brings what only it shows.
      const isTab = key.startsWith('tab ')
      if (address() !== here || !(isNew || isTab)) continue
      const now = [...way, key]
      await look(now.join(' › '), isNew || isWindow ? '[data-top]' : root)
      if (now.length < deepest) await walk(now, isWindow || !isTab, isTab ? all : [])
    }
  }
  await page.evaluate(install)
  await walk([], false)
}

/** Before the first page: questions are answered, everything else is refused in the server's own form; other tabs are closed again. */
export const prepareWalk = async (context: BrowserContext): Promise<void> => {
  await context.addInitScript(countTimers)
  await context.route('**/api/**', route =>
    ['GET', 'HEAD'].includes(route.request().method())
      ? route.fallback()
      : route.fulfill({ status: 400, json: { code: 400, success: false, data: null, msg: 'refused by the tour' } }),
  )
  const first = new Set(context.pages())
  context.on('page', page => void (first.has(page) ? null : page.close()))
  for (const page of first) page.on('dialog', asked => void asked.accept())
}
