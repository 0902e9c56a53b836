import type { BrowserContext, Page } from 'playwright-core'

const letters = ['aceginorsuyzACEGINORSUYZ', 'åçéĝîñöŕšüýžÅÇÉĜÎÑÖŔŠÜÝŽ'] as const

/**
 * A language nobody speaks in the place of English: every text of the dictionaries is marked, accented and a third longer. Runs in the page before its own scripts;
 * kernel/i18n looks for it. Names of parameters in braces stay, so that data can be told from text.
 */
const install = `(() => {
  const [from, to] = ${JSON.stringify(letters)}
  const accent = letter => to[from.indexOf(letter)] ?? letter
  globalThis.kaopuShown = (text, lang) => {
    if (lang !== 'en') return text
    const longer = text.split(/(\\{\\w+|\\||\\})/).map((part, at) => at % 2 ? part : Array.from(part, accent).join('')).join('')
    return '⟦' + longer + '·'.repeat(Math.ceil(text.length / 3)) + '⟧'
  }
  // What the server says is data. The session is what it said before.
  globalThis.kaopuHeard = [localStorage.getItem('kaopu-session') ?? '']
  const read = Blob.prototype.text
  Blob.prototype.text = async function () {
    const body = await read.call(this)
    globalThis.kaopuHeard.push(body)
    return body
  }
})()`

export const speakPseudo = (context: BrowserContext): Promise<unknown> => context.addInitScript(install)

/** Takes accents, marks and padding from what is on the page: it is as long as in English then. */
export const plainEnglish = (page: Page): Promise<unknown> =>
  page.evaluate(`(() => {
    const [from, to] = ${JSON.stringify(letters)}
    const plain = text => {
      const next = text.replace(/⟦([^⟦⟧]*?)·*⟧/g, (_, words) => Array.from(words, letter => from[to.indexOf(letter)] ?? letter).join(''))
      return next === text ? text : plain(next)
    }
    const walk = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT)
    while (walk.nextNode()) if (walk.currentNode.data.includes('⟦')) walk.currentNode.data = plain(walk.currentNode.data)
    for (const element of document.querySelectorAll('*'))
      for (const attribute of element.attributes) if (attribute.value.includes('⟦')) attribute.value = plain(attribute.value)
  })()`)

/** What no dictionary of ours says, and is right: formats of files and codes are the same in every language. */
export const sameEverywhere: readonly string[] = [
  ...['PDF', 'Excel', 'xlsx', 'CSV', 'JSON', 'PNG', 'JPG', 'JPEG', 'WebP', 'MB', 'KB', 'QR', 'SMS', 'ID', 'IP', 'URL', 'API'],
  ...['Ctrl', 'Enter', 'Esc', 'Shift', 'Alt'],
  // How a day and a month are written.
  ...['YYYY-MM-DD', 'YYYY-MM'],
  // The calendar has its words from the kit, in both languages.
  ...['Select date', 'Select time', 'Today', 'Now', 'OK', 'Clear'],
  ...['Previous month', 'Next month', 'Last year', 'Next year', 'Last decade', 'Next decade'],
  ...'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec Su Mo Tu We Th Fr Sa'.split(' '),
]

interface Shown {
  readonly text: string
  readonly where: string
}

/** What can be read on the page and in the names of its controls. */
const shownOn = (page: Page): Promise<Shown[]> =>
  page.evaluate<Shown[]>(`(() => {
    const place = element => {
      const name = one => one.tagName.toLowerCase() + (typeof one.className === 'string' && one.className !== '' ? '.' + one.className.trim().split(/\\s+/)[0] : '')
      return [element.parentElement, element].filter(Boolean).map(name).join(' > ')
    }
    const skipped = element => element.closest('[lang]:not(html), svg, script, style, noscript') !== null || !element.checkVisibility()
    const found = [{ text: document.title, where: 'title of the document' }]
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walk.nextNode()) {
      const { parentElement, data } = walk.currentNode
      if (data.trim() !== '' && !skipped(parentElement)) found.push({ text: data, where: place(parentElement) })
    }
    for (const element of document.body.querySelectorAll('[aria-label], [title], [placeholder], [alt]')) {
      if (skipped(element)) continue
      for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
        const text = element.getAttribute(name)
        if (text) found.push({ text, where: name + ' of ' + place(element) })
      }
    }
    return found
  })()`)

const withoutTexts = (text: string): string => {
  const next = text.replace(/⟦[^⟦⟧]*⟧/g, ' ')
  return next === text ? text : withoutTexts(next)
}

/** Words of two letters on, and Chinese; digits, signs and single letters are the same in every language. */
const wordsOf = (text: string): string[] => text.match(/\p{Script=Han}+|[\p{Script=Latin}][\p{Script=Latin}\d-]+/gu) ?? []

/** Words on the page that come neither from a dictionary nor from the server. @param known - what is the same in every language */
export const foreignTexts = async (page: Page, known: readonly string[]): Promise<string[]> => {
  // In this order: what comes in between is heard and not shown.
  const shown = await shownOn(page)
  const heard = await page.evaluate<string[]>('globalThis.kaopuHeard')
  const all = [...known, ...heard].join('\n').replaceAll('\\"', '"').toLowerCase()
  const words = new Set(wordsOf(all))
  const isData = (rest: string): boolean =>
    all.includes(rest.trim().toLowerCase()) ||
    wordsOf(rest.toLowerCase()).every(word => words.has(word) || (/\p{Script=Han}/u.test(word) && all.includes(word)))
  const found = shown.flatMap(({ text, where }) => {
    const rest = withoutTexts(text)
    return wordsOf(rest).length === 0 || isData(rest) ? [] : [`“${rest.trim().slice(0, 80)}” in ${where}`]
  })
  return [...new Set(found)]
}

/** Texts that are cut off where nobody can read the rest, and words that run over the edge of their control. */
export const clippedTexts = async (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const found = new Set()
    const hasText = element => [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim() !== '')
    for (const element of document.body.querySelectorAll('*')) {
      if (element.scrollWidth <= element.clientWidth + 1 || element.clientWidth <= 1 || !element.checkVisibility()) continue
      if (element.closest('svg, .visually-hidden, .p-hidden') !== null || /^(INPUT|SELECT|OPTION|TEXTAREA)$/.test(element.tagName)) continue
      // The hint in an empty field says what its label says.
      if (element.matches('.ant-select-placeholder')) continue
      const style = getComputedStyle(element)
      if (style.display === 'inline') continue
      const cut = style.overflowX === 'hidden' || style.overflowX === 'clip'
      const control = element.matches('button, a, [role=tab]')
      const scrolls = /auto|scroll/.test(style.overflowX)
      if (!hasText(element) && !control) continue
      if (scrolls) continue
      if (cut && element.closest('[title]') !== null) continue
      const name = typeof element.className === 'string' && element.className !== '' ? '.' + element.className.trim().split(/\\s+/)[0] : ''
      found.add((cut ? 'cut off' : 'over the edge') + ': ' + element.tagName.toLowerCase() + name + ' in ' + (element.parentElement.className || element.parentElement.tagName) + ' “' + element.textContent.trim().slice(0, 60) + '”')
    }
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth
    if (wide > 0) found.add('the page scrolls sideways by ' + wide + ' px')
    return [...found]
  })()`)

/** Controls that nobody can reach: outside of the page, and in nothing that scrolls there. */
export const controlsOutside = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const scrolls = element => element !== null && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement))
    const name = element => (element.getAttribute('aria-label') || element.textContent || element.localName).trim().slice(0, 40)
    return [...document.querySelectorAll('button, a[href], input, select, textarea')]
      .filter(element => element.checkVisibility({ visibilityProperty: true }) && element.closest('.visually-hidden, .p-hidden, .p-skip, [inert]') === null)
      .filter(element => {
        const { left, right, width, height } = element.getBoundingClientRect()
        return width > 1 && height > 1 && (left < -1 || right > innerWidth + 1) && !scrolls(element.parentElement)
      })
      .map(element => 'outside: ' + element.localName + ' “' + name(element) + '”')
  })()`)
