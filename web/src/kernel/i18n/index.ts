import { useCallback } from 'react'
import { create } from 'zustand'
import { keepChoice } from '../personal.ts'
import { onStored, readStored } from '../storage.ts'
import type { deskZh } from './desk-texts.ts'
import { zh } from './zh.ts'

export type Lang = 'zh' | 'en'
export interface Label {
  readonly zh: string
  readonly en: string
}

/** The names in braces of a text: `'{count} of {total}'` gives `'count' | 'total'`. */
export type ParamsOf<S extends string> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamsOf<Rest> : never
type Args<S extends string> = [ParamsOf<S>] extends [never] ? [] : [params: Readonly<Record<ParamsOf<S>, string | number>>]

type English<Z> = Readonly<Record<keyof Z, string>>
export interface Texts<Z extends Record<string, string>> {
  readonly zh: Z
  readonly en: English<Z>
  /** Fetches the English texts, where they are a file of their own; without it they are there. */
  readonly load?: () => Promise<void>
}

/** What fetches English texts that have not been asked for yet. */
const unloaded = new Set<() => Promise<void>>()

/**
 * Texts of one feature; they travel in the feature's chunk. `zh` is the source of the keys, `en` must have each of them.
 * English that is given as an import is fetched for readers of English only.
 * @example const texts = defineTexts({ 'exam.release': '发布 {name}' }, { 'exam.release': 'Release {name}' })
 * @example const texts = defineTexts(zh, async () => (await import('./en.ts')).en)
 */
export const defineTexts = <const Z extends Record<string, string>>(
  zhTexts: Z,
  enTexts: English<Z> | (() => Promise<English<Z>>),
): Texts<Z> => {
  if (typeof enTexts !== 'function') return { zh: zhTexts, en: enTexts }
  const texts: { -readonly [K in keyof Texts<Z>]: Texts<Z>[K] } = { zh: zhTexts, en: zhTexts }
  let loading: Promise<void> | null = null
  const load = () => {
    // Without its file a text is shown in Chinese, which is better than no page.
    loading ??= enTexts()
      .then(loaded => {
        texts.en = loaded
      })
      .catch(() => {})
      .finally(() => {
        unloaded.delete(load)
        delete texts.load
      })
    return loading
  }
  unloaded.add(load)
  texts.load = load
  return texts
}

const kernelTexts = defineTexts(zh, async () => (await import('./en.ts')).en)
type KernelZ = typeof zh & typeof deskZh
export type KernelKey = keyof KernelZ

let added: Texts<Record<string, string>> | null = null
/** Texts of the kernel that not every program needs: `desk.ts` adds those of the console. */
export const addKernelTexts = (texts: Texts<Record<string, string>>): void => {
  added = texts
}

/** zh unless the person chose otherwise (S9.05). */
const storedLang = (): Lang => (readStored<Lang>('lang') === 'en' ? 'en' : 'zh')

type PlainTexts = Readonly<Record<Lang, Readonly<Record<string, string>>>>
export const useLangStore = create<{ lang: Lang; plain: PlainTexts | null }>(() => ({ lang: 'zh', plain: null }))

/** Simpler words that stand in for the texts of the same keys; null takes them away. */
export const setPlainTexts = (plain: PlainTexts | null): void => useLangStore.setState({ plain })

const apply = (lang: Lang) => {
  useLangStore.setState({ lang })
  document.documentElement.lang = lang === 'zh' ? 'zh-CN' : 'en'
}

/** Call once per entry, before the first render. */
export const startI18n = (): void => {
  apply(storedLang())
  onStored('lang', () => change(storedLang()))
}

/** Fetches what the current language needs of the files that are on this page; the boot script awaits it before the first drawing. */
export const loadTexts = async (lang: Lang = currentLang()): Promise<void> => {
  if (lang === 'en') await Promise.all([...unloaded].map(load => load()))
}

/** Nothing of a page turns Chinese for the time that its English takes to come. */
const change = (lang: Lang): void => void loadTexts(lang).then(() => apply(lang))

export const setLang = (lang: Lang): void => {
  keepChoice('lang', lang)
  change(lang)
}

export const currentLang = (): Lang => useLangStore.getState().lang

/** Fills parameters in: `{name}` is the value, `{count|post|posts}` the value and its noun, `1 post` or `2 posts`. */
export const fill = (text: string, params?: Readonly<Record<string, string | number>>): string =>
  params === undefined
    ? text
    : text.replace(/\{(\w+)(?:\|(.*?)\|(.*?))?\}/g, (whole, name: string, one?: string, more?: string) => {
        const value = `${params[name] ?? whole}`
        return one ? `${value} ${value === '1' ? one : more}` : value
      })

/** A text by its key: of the feature when it has the key, else of the kernel. */
export type Translate<Z extends Record<string, string> = KernelZ> = <K extends (keyof Z | KernelKey) & string>(
  key: K,
  ...args: Args<K extends keyof Z ? Z[K] : K extends KernelKey ? KernelZ[K] : never>
) => string

/** A seam for tests only: e2e/accessibility.test.ts puts a longer, accented text in the place of each English one, to find what is not a text of ours. */
const shown = (globalThis as { kaopuShown?: (text: string, lang: Lang) => string }).kaopuShown ?? ((text: string) => text)

const lookUp = (texts: Texts<Record<string, string>>, lang: Lang, key: string, plain: PlainTexts | null): string =>
  shown(plain?.[lang][key] ?? texts[lang][key] ?? (kernelTexts[lang] as Record<string, string>)[key] ?? added?.[lang][key] ?? key, lang)

/** `t('key')` in the current language, for components. Pass a feature's texts to use its keys beside the kernel's. */
export const useT = <Z extends Record<string, string> = KernelZ>(texts?: Texts<Z>): Translate<Z> => {
  const lang = useLangStore(state => state.lang)
  const plain = useLangStore(state => state.plain)
  // Not by `use`: a part that it kept waiting while the person went on was drawn with the hooks of the wrong turn (React's errors 467, 520).
  if (lang === 'en' && texts?.load !== undefined) throw texts.load()
  return useCallback(
    (key: string, params?: Readonly<Record<string, string | number>>) =>
      fill(lookUp((texts ?? kernelTexts) as unknown as Texts<Record<string, string>>, lang, key, plain), params),
    [lang, texts, plain],
  ) as unknown as Translate<Z>
}

/** The same outside components (api client, error handlers). */
export const translate: Translate = ((key: string, params?: Readonly<Record<string, string | number>>) =>
  fill(lookUp(kernelTexts, currentLang(), key, null), params)) as Translate

/** Labels of the contract: `label({ zh, en })`. */
export const useLabel = (): ((label: Label) => string) => {
  const lang = useLangStore(state => state.lang)
  return useCallback((label: Label) => shown(label[lang], lang), [lang])
}

export const useLang = (): Lang => useLangStore(state => state.lang)
