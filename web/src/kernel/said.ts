import { useCallback, useRef, useState } from 'react'
import { currentLang, useLang } from './i18n/index.ts'

type Set<T> = (next: T | ((before: T) => T)) => void

/**
 * State for texts that were made once, such as refusals of the server: they are of one language, so they go when the page's language changes.
 * @param none - the value without a text
 * @param again - says in the new language what the page itself can still say; without it nothing stays
 */
export function useSaid<T>(none: T, again?: (said: T) => T): readonly [T, Set<T>]
export function useSaid<T>(): readonly [T | undefined, Set<T | undefined>]
export function useSaid<T>(none?: T, again?: (said: T) => T): readonly [T, Set<T>] {
  const lang = useLang()
  const [said, setSaid] = useState(() => ({ lang, value: none as T }))
  const inLang = (of: typeof said, now: typeof lang): T =>
    of.lang === now ? of.value : again === undefined ? (none as T) : again(of.value)
  const latest = useRef(inLang)
  latest.current = inLang
  const set = useCallback<Set<T>>(
    next =>
      setSaid(before => {
        const now = currentLang()
        return { lang: now, value: typeof next === 'function' ? (next as (before: T) => T)(latest.current(before, now)) : next }
      }),
    [],
  )
  return [inLang(said, lang), set]
}
