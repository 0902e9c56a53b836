/** A text in both languages of the product. Chinese is what is shown without an `Accept-Language`. */
export type Label = { readonly zh: string; readonly en: string }
export type Language = keyof Label

export const label = (zh: string, en: string): Label => ({ zh, en })
export const languageOf = (acceptLanguage: string | undefined): Language => (/^\s*en\b/i.test(acceptLanguage ?? '') ? 'en' : 'zh')
