/** A text in both languages of the product. Chinese is what is shown without an `Accept-Language`. */
export type Label = { readonly zh: string; readonly en: string }
export type Language = keyof Label

export const label = (zh: string, en: string): Label => ({ zh, en })
/** An English label within a sentence: abbreviations and names of languages keep their capitals. */
export const inSentence = (en: string): string => (/^(English|Chinese|[A-Z]{2})/.test(en) ? en : en.charAt(0).toLowerCase() + en.slice(1))
export const languageOf = (acceptLanguage: string | undefined): Language => (/^\s*en\b/i.test(acceptLanguage ?? '') ? 'en' : 'zh')
