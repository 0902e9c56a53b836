import { useCallback } from 'react'
import { create } from 'zustand'
import { onStored, readStored, writeStored } from '../storage.ts'
import { en } from './en.ts'
import { zh } from './zh.ts'

export type Lang = 'zh' | 'en'
export interface Label {
  readonly zh: string
  readonly en: string
}

/** The names in braces of a text: `'{count} of {total}'` gives `'count' | 'total'`. */
export type ParamsOf<S extends string> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamsOf<Rest> : never
type Args<S extends string> = [ParamsOf<S>] extends [never] ? [] : [params: Readonly<Record<ParamsOf<S>, string | number>>]

export interface Texts<Z extends Record<string, string>> {
  readonly zh: Z
  readonly en: Readonly<Record<keyof Z, string>>
}

/**
 * Texts of one feature; they travel in the feature's chunk. `zh` is the source of the keys, `en` must have each of them.
 * @example const texts = defineTexts({ 'exam.release': '发布 {name}' }, { 'exam.release': 'Release {name}' })
 */
export const defineTexts = <const Z extends Record<string, string>>(zhTexts: Z, enTexts: Record<keyof Z, string>): Texts<Z> => ({
  zh: zhTexts,
  en: enTexts,
})

const kernelTexts = defineTexts(zh, en)
export type KernelKey = keyof typeof zh

/** zh unless the person chose otherwise (S9.05). */
const storedLang = (): Lang => (readStored<Lang>('lang') === 'en' ? 'en' : 'zh')

export const useLangStore = create<{ lang: Lang }>(() => ({ lang: 'zh' }))

const apply = (lang: Lang) => {
  useLangStore.setState({ lang })
  document.documentElement.lang = lang === 'zh' ? 'zh-CN' : 'en'
}

/** Call once per entry, before the first render. */
export const startI18n = (): void => {
  apply(storedLang())
  onStored('lang', () => apply(storedLang()))
}

export const setLang = (lang: Lang): void => {
  writeStored('lang', lang)
  apply(lang)
}

export const currentLang = (): Lang => useLangStore.getState().lang

export const fill = (text: string, params?: Readonly<Record<string, string | number>>): string =>
  params === undefined ? text : text.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole))

type KernelZ = typeof zh
/** A text by its key: of the feature when it has the key, else of the kernel. */
export type Translate<Z extends Record<string, string> = KernelZ> = <K extends (keyof Z | KernelKey) & string>(
  key: K,
  ...args: Args<K extends keyof Z ? Z[K] : K extends KernelKey ? KernelZ[K] : never>
) => string

/** A seam for tests only: e2e/pseudo.test.ts puts a longer, accented text in the place of each one, to find what is not a text of ours. */
const shown = (globalThis as { kaopuShown?: (text: string) => string }).kaopuShown ?? ((text: string) => text)

const lookUp = (texts: Texts<Record<string, string>>, lang: Lang, key: string): string =>
  shown(texts[lang][key] ?? (kernelTexts[lang] as Record<string, string>)[key] ?? key)

/** `t('key')` in the current language, for components. Pass a feature's texts to use its keys beside the kernel's. */
export const useT = <Z extends Record<string, string> = KernelZ>(texts?: Texts<Z>): Translate<Z> => {
  const lang = useLangStore(state => state.lang)
  return useCallback(
    (key: string, params?: Readonly<Record<string, string | number>>) =>
      fill(lookUp((texts ?? kernelTexts) as unknown as Texts<Record<string, string>>, lang, key), params),
    [lang, texts],
  ) as unknown as Translate<Z>
}

/** The same outside components (api client, error handlers). */
export const translate: Translate = ((key: string, params?: Readonly<Record<string, string | number>>) =>
  fill(lookUp(kernelTexts, currentLang(), key), params)) as Translate

/** Labels of the contract: `label({ zh, en })`. */
export const useLabel = (): ((label: Label) => string) => {
  const lang = useLangStore(state => state.lang)
  return useCallback((label: Label) => shown(label[lang]), [lang])
}

export const useLang = (): Lang => useLangStore(state => state.lang)
