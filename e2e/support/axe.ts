import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export interface AxeFinding {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[]
}

/** By the browser's own protocol: what a page has compiled once is at hand for the next, and it takes half the time. */
export const loadAxe = async (page: Page): Promise<void> => {
  if (await page.evaluate(() => 'axe' in globalThis)) return
  const session = await page.context().newCDPSession(page)
  // What it comes to would be sent back.
  await session.send('Runtime.evaluate', { expression: `${source};0` })
  await session.detach()
}

/** What keeps somebody out, of axe's levels serious and critical. */
export const linesOf = (findings: readonly AxeFinding[]): string[] =>
  findings
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.slice(0, 3).map(node => `${id}: ${node.target.join(' ')} — ${node.failureSummary.replace(/\s+/g, ' ')}`),
    )

/** The rules of axe whose findings can differ from one language to another: names, and the room that words take. */
export const rulesOfLanguage: readonly string[] = [
  ...[
    'aria-command-name',
    'aria-dialog-name',
    'aria-input-field-name',
    'aria-meter-name',
    'aria-progressbar-name',
    'aria-toggle-field-name',
  ],
  ...['aria-tooltip-name', 'aria-treeitem-name', 'area-alt', 'button-name', 'document-title', 'empty-heading', 'empty-table-header'],
  ...[
    'frame-title',
    'html-has-lang',
    'html-lang-valid',
    'html-xml-lang-mismatch',
    'image-alt',
    'input-button-name',
    'input-image-alt',
    'label',
  ],
  ...[
    'label-content-name-mismatch',
    'label-title-only',
    'link-name',
    'object-alt',
    'role-img-alt',
    'scrollable-region-focusable',
    'select-name',
  ],
  ...['summary-name', 'svg-img-alt', 'target-size', 'valid-lang'],
]

/**
 * What keeps somebody out, by all rules of axe.
 * @param within - a part of the page, without it all of it
 * @param colours - false where contrast is measured by `checkContrast`
 * @param only - these rules instead of all
 * @param apart - what was looked at before
 */
export const checkAccess = async (
  page: Page,
  {
    within = 'html',
    colours = true,
    only,
    apart = [],
  }: { readonly within?: string; readonly colours?: boolean; readonly only?: readonly string[]; readonly apart?: readonly string[] } = {},
): Promise<string[]> => {
  await loadAxe(page)
  // A window that has shut meanwhile keeps nobody out.
  if ((await page.locator(within).count()) === 0) return []
  const options = JSON.stringify({
    resultTypes: ['violations'],
    preload: false,
    ...(only === undefined ? { rules: { 'color-contrast': { enabled: colours } } } : { runOnly: only }),
  })
  return linesOf(
    await page.evaluate<AxeFinding[]>(
      `axe.run(${JSON.stringify({ include: [within], exclude: apart })}, ${options}).then(found => found.violations)`,
    ),
  )
}

/** Nothing moves when a picture is taken and contrast is measured. */
export const settle = async (page: Page): Promise<void> => {
  await page.evaluate('document.fonts.ready.then(() => {})')
  await page.evaluate(`Promise.all(document.getAnimations()
    .filter(one => one.playState === 'running' && one.effect?.getComputedTiming().endTime !== Infinity)
    .map(one => one.finished.catch(() => {}))).then(() => {})`)
}
