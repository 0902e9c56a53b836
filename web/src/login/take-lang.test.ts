import { expect, test, vi } from 'vitest'
import { takeLang } from './take-lang.ts'

const chosen: string[] = []
vi.mock('../kernel/i18n/index.ts', () => ({ setLang: (lang: string) => chosen.push(lang) }))

test('the language of the address, or of the page that is wanted, is chosen; another one is not', () => {
  const of = (search: string, wanted: string) => takeLang(new URLSearchParams(search), new URLSearchParams(wanted))
  of('lang=en', '')
  of('redirect=%2Fa', 'post=A1&lang=en')
  of('lang=zh', 'lang=en')
  of('lang=fr', '')
  of('', '')
  expect(chosen).toEqual(['en', 'en', 'zh'])
})
