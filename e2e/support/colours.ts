import type { Page } from 'playwright-core'
import { lookOf } from '../../web/src/kernel/theme/look.ts'
import { type AxeFinding, linesOf, loadAxe, settle } from './browser.ts'
import { tell } from './tour.ts'

/** The default of the console, the dark one, and the one that is nothing but white. */
const themes = ['theme-bule', 'dark', 'white'] as const

/**
 * In the page: what can be read, each with the chain of what decides its colours: tags, classes, states and inline colours from the
 * element up to the root. Two elements with one chain have the same colours.
 */
const install = `globalThis.kaopuColours ??= {
  own: element => element.matches('input, select, textarea') || [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim() !== ''),
  step(element) {
    const states = [...element.attributes].filter(({ name, value }) =>
      (/^(data-|aria-)/.test(name) && /^[a-z-]{0,16}$/i.test(value)) || name === 'disabled' || (name === 'style' && /color|background|opacity|filter/.test(value)))
    return element.localName + '.' + (element.getAttribute('class') ?? '') + states.map(({ name, value }) => name + '=' + value).join()
  },
  readable() {
    const hashes = new Map()
    const hashOf = element => {
      if (element === null || element === document.documentElement) return 7
      let hash = hashes.get(element)
      if (hash === undefined) {
        hash = hashOf(element.parentElement)
        for (const letter of this.step(element)) hash = (Math.imul(hash, 31) + letter.codePointAt(0)) | 0
        hashes.set(element, hash)
      }
      return hash
    }
    this.elements = [...document.body.querySelectorAll('*')].filter(element => this.own(element) && element.checkVisibility())
    return this.elements.map(hashOf)
  },
  measure(places) {
    const include = places.map(place => this.elements[place]).filter(element => element.isConnected)
    return include.length === 0 ? [] : axe.run({ include }, { runOnly: ['color-contrast'], resultTypes: ['violations'], preload: false })
      .then(found => found.violations)
  },
}`

/** Chains that have been measured, each how often. */
export type Measured = Map<number, number>

/** Finds of each chain the first two places that have not been measured yet. */
const newPlaces = async (page: Page, measured: Measured): Promise<number[]> => {
  await loadAxe(page)
  const chains = await page.evaluate<number[]>(`${install}; kaopuColours.readable()`)
  return [...chains.entries()].flatMap(([place, chain]) => {
    const times = measured.get(chain) ?? 0
    measured.set(chain, times + 1)
    return times < 2 ? [place] : []
  })
}

const measure = async (page: Page, places: readonly number[]): Promise<string[]> => {
  await settle(page)
  return linesOf(await page.evaluate<AxeFinding[]>(`kaopuColours.measure(${JSON.stringify(places)})`))
}

/**
 * What cannot be read for its colours as the page is now, by axe's rule. A page has hundreds of texts and few kinds of them: of each chain the
 * first two are measured, once for all that share `measured`.
 */
export const checkContrastNow = async (page: Page, measured: Measured): Promise<string[]> => {
  const places = await newPlaces(page, measured)
  return places.length === 0 ? [] : measure(page, places)
}

/** The same in three themes. */
export const checkContrast = async (page: Page, measured: Measured): Promise<string[]> => {
  const places = await newPlaces(page, measured)
  if (places.length === 0) return []
  const lines: string[] = []
  for (const theme of themes) {
    await tell(page, { look: lookOf(theme, null, true) })
    await page.locator(`html[data-preset=${theme}]`).waitFor()
    lines.push(...(await measure(page, places)).map(line => `${theme} ${line}`))
  }
  return lines
}
