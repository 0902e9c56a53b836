import { afterEach, expect, test, vi } from 'vitest'
import { currentLang, startI18n } from './index.ts'

afterEach(() => vi.unstubAllGlobals())

/** A page at this address, in a browser that keeps a language. */
const openAt = (href: string, kept: string | null) => {
  const stored = new Map(kept === null ? [] : [['kaopu-lang', JSON.stringify(kept)]])
  const replaced: string[] = []
  vi.stubGlobal('location', new URL(href))
  vi.stubGlobal('history', { state: 7, replaceState: (state: number, _: string, url: URL) => replaced.push(`${state} ${url.href}`) })
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => stored.set(name, text),
  })
  vi.stubGlobal('document', { documentElement: { lang: '' } })
  vi.stubGlobal('addEventListener', () => {})
  startI18n()
  return [currentLang(), document.documentElement.lang, stored.get('kaopu-lang') ?? null, replaced]
}

test('the language of an address is taken over and kept, and leaves the address', () => {
  expect(openAt('http://x/signup/form/1?post=A1&lang=en#top', 'zh')).toEqual(['en', 'en', '"en"', ['7 http://x/signup/form/1?post=A1#top']])
  expect(openAt('http://x/signup/form/1?lang=zh', 'en')).toEqual(['zh', 'zh-CN', '"zh"', ['7 http://x/signup/form/1']])
})

test('without one, or with one that there is not, the language stays as it was chosen', () => {
  expect(openAt('http://x/login?redirect=/a', 'en')).toEqual(['en', 'en', '"en"', []])
  expect(openAt('http://x/login?lang=fr', null)).toEqual(['zh', 'zh-CN', null, []])
})
