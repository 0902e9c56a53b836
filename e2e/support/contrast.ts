import type { Page } from 'playwright-core'
import { type AxeFinding, linesOf, loadAxe, settle } from './axe.ts'

/**
 * In the page: what can be read, each with the chain of what decides its colours: tags, classes, states and inline colours from the
 * element up to the root. Two elements with one chain have the same colours under one theme, which the root itself names.
 */
const install = `globalThis.kaopuColours ??= {
  own: element => element.matches('input, select, textarea') || [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim() !== ''),
  step(element) {
    const states = [...element.attributes].filter(({ name, value }) =>
      (/^(data-|aria-)/.test(name) && /^[a-z-]{0,16}$/i.test(value)) || name === 'disabled' || (name === 'style' && /color|background|opacity|filter/.test(value)))
    return element.localName + '.' + (element.getAttribute('class') ?? '') + states.map(({ name, value }) => name + '=' + value).join()
  },
  readable(isThemed) {
    const hashes = new Map(isThemed ? [] : [[document.documentElement, 7]])
    const hashOf = element => {
      if (element === null) return 7
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

/**
 * Finds of each chain the first two places that have not been measured yet.
 * @param isThemed - whether what has been measured holds for the present theme only
 */
export const newPlaces = async (page: Page, measured: Measured, isThemed: boolean): Promise<number[]> => {
  await loadAxe(page)
  const chains = await page.evaluate<number[]>(`${install}; kaopuColours.readable(${isThemed})`)
  return [...chains.entries()].flatMap(([place, chain]) => {
    const times = measured.get(chain) ?? 0
    measured.set(chain, times + 1)
    return times < 2 ? [place] : []
  })
}

/** What of these places (`newPlaces`) cannot be read for its colours, by axe's rule, a line each. */
export const measure = async (page: Page, places: readonly number[]): Promise<string[]> => {
  await settle(page)
  return linesOf(await page.evaluate<AxeFinding[]>(`kaopuColours.measure(${JSON.stringify(places)})`))
}

/**
 * What cannot be read for its colours as the page is now, by axe's rule. A page has hundreds of texts and few kinds of them: of each chain the
 * first two are measured, once for all that share `measured`.
 */
export const checkContrastNow = async (page: Page, measured: Measured): Promise<string[]> => {
  const places = await newPlaces(page, measured, true)
  return places.length === 0 ? [] : measure(page, places)
}
