import type { Label, Language } from '#contract/kernel/label.ts'
import { escapeHtml, type PublicAnswer, type PublicCall } from '#kernel/http/public-page.ts'
import type { Addresses } from '#modules/tenancy/index.ts'
import { script, style } from './look.ts'
import { type Word, words } from './words.ts'

/** HTML that is finished: everything that came from elsewhere was escaped where it was put in. */
export type Html = string

export interface Voice {
  readonly language: Language
  readonly say: (label: Label) => string
  /** A text of the page, for where no HTML is. */
  readonly plain: (word: Word, values?: Readonly<Record<string, string | number>>) => string
  /** The same, escaped. */
  readonly t: (word: Word, values?: Readonly<Record<string, string | number>>) => Html
  /** An address of these pages that keeps language and tenant. */
  readonly to: (path: string, query?: Readonly<Record<string, string | undefined>>) => Html
}

export const voiceOf = ({ language, query }: Pick<PublicCall, 'language' | 'query'>): Voice => {
  const say = (label: Label) => label[language]
  const plain: Voice['plain'] = (word, values = {}) =>
    Object.entries(values).reduce((text, [name, value]) => text.replace(`{${name}}`, () => String(value)), say(words[word]))
  return {
    language,
    say,
    plain,
    t: (word, values) => escapeHtml(plain(word, values)),
    to: (path, more = {}) => {
      const kept = { lang: query['lang'], tenantId: query['tenantId'], ...more }
      const given = new URLSearchParams(Object.entries(kept).flatMap(([name, value]) => (value ? [[name, value]] : [])))
      const text = given.toString()
      return escapeHtml(text === '' ? path : `${path}?${text}`)
    },
  }
}

/** What an office has written is Chinese, whatever the page around it is. */
export const own = ({ language }: Voice, text: string): Html =>
  language === 'zh' ? escapeHtml(text) : `<span lang="zh-CN">${escapeHtml(text)}</span>`

export interface PageParts {
  readonly title: string
  readonly siteTitle: string
  readonly description: string
  readonly path: string
  readonly addresses: Addresses
  readonly main: Html
  /** Structured data (schema.org). */
  readonly data?: object
  /** Seconds for which everybody may keep it; undefined: what it shows is one person's. */
  readonly maxAgeS?: number
  readonly status?: number
}

const policyOf = (addresses: Addresses, path: string, lang: string): string => {
  const address = addresses.of(path)
  return `${address}${address.includes('?') ? '&' : '?'}lang=${lang}`
}

/** The whole document: what a messenger shows of a shared address, what a search engine reads, and the page itself. */
export const pageOf = (call: PublicCall, voice: Voice, parts: PageParts): PublicAnswer => {
  const { t, to, language } = voice
  const { title, siteTitle, description, path, addresses, main, data, maxAgeS, status = 200 } = parts
  const url = escapeHtml(addresses.of(path))
  const [name, about] = [escapeHtml(`${title} - ${siteTitle}`), escapeHtml(description)]
  const isListed = maxAgeS !== undefined && status === 200
  const head = [
    `<meta name="description" content="${about}">`,
    isListed ? '' : '<meta name="robots" content="noindex">',
    `<link rel="canonical" href="${url}"><link rel="alternate" hreflang="zh-CN" href="${escapeHtml(policyOf(addresses, path, 'zh'))}"><link rel="alternate" hreflang="en" href="${escapeHtml(policyOf(addresses, path, 'en'))}">`,
    `<meta property="og:title" content="${escapeHtml(title)}"><meta property="og:description" content="${about}"><meta property="og:type" content="website"><meta property="og:url" content="${url}"><meta property="og:site_name" content="${escapeHtml(siteTitle)}"><meta property="og:locale" content="${language === 'zh' ? 'zh_CN' : 'en'}">`,
    data === undefined ? '' : `<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`,
  ].join('')
  const here = to(path, { ...call.query, lang: language === 'zh' ? 'en' : 'zh' })
  const html = `<!doctype html><html lang="${language === 'zh' ? 'zh-CN' : 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="format-detection" content="telephone=no"><title>${name}</title>${head}<link rel="icon" href="/favicon.svg"><style>${style}</style></head><body>
<a class="skip" href="#main">${t('skip')}</a>
<header><a href="${to('/open')}">${own(voice, siteTitle)}</a><nav class="row small"><a href="${here}" lang="${language === 'zh' ? 'en' : 'zh-CN'}">${t('other')}</a><a href="${to('/login', { redirect: path })}">${t('login')}</a></nav></header>
<main id="main" tabindex="-1">${main}</main>
<footer class="links"><a href="${to('/open')}">${t('platform')}</a> · <a href="${to('/notices')}">${t('noticesTitle')}</a> · <a href="${to('/open/questions')}">${t('problems')}</a></footer>
<script>${script}</script></body></html>`
  return { status, html, script, ...(maxAgeS === undefined || status !== 200 ? {} : { maxAgeS }) }
}
