import { setLang } from '../kernel/i18n/index.ts'

/** Who comes from an open page in English logs in in English, and goes on so: the language stands in the address, or in that of the page they want. */
export const takeLang = (search: URLSearchParams, wanted: URLSearchParams): void => {
  const lang = search.get('lang') ?? wanted.get('lang')
  if (lang === 'en' || lang === 'zh') setLang(lang)
}
