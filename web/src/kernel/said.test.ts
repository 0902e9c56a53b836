import { createElement, useState } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, expect, test, vi } from 'vitest'
import { useSaid } from './said.ts'

const page = vi.hoisted(() => ({ lang: 'zh' }))
vi.mock('./i18n/index.ts', () => ({ useLang: () => page.lang, currentLang: () => page.lang }))
beforeEach(() => {
  page.lang = 'zh'
})

/** What is shown after each act, each followed by a drawing. */
const drawn = <T>(none: T, acts: readonly ((set: (next: T | ((before: T) => T)) => void) => void)[], again?: (said: T) => T): T[] => {
  const seen: T[] = []
  const Part = () => {
    const [turn, setTurn] = useState(0)
    const [said, set] = useSaid(none, again)
    seen.push(said)
    const act = acts[turn]
    if (act !== undefined) {
      act(set)
      setTurn(turn + 1)
    }
    return null
  }
  renderToStaticMarkup(createElement(Part))
  return seen
}
const english = () => {
  page.lang = 'en'
}

test('[S1.07] a refusal goes when the language of the page changes, and the next one is shown', () => {
  const acts = [set => set('验证码不正确'), english, set => set('The code is not right')] satisfies Parameters<
    typeof drawn<string | null>
  >[1]
  expect(drawn<string | null>(null, acts)).toEqual([null, '验证码不正确', null, 'The code is not right'])
})

test('[S1.07] what the page can say itself is said in the new language, and only of that', () => {
  const acts = [set => set({ phone: '手机号不正确' }), english, set => set(before => ({ ...before, name: 'Needed' }))] satisfies Parameters<
    typeof drawn<Record<string, string>>
  >[1]
  const again = (said: Record<string, string>) => Object.fromEntries(Object.keys(said).map(key => [key, 'Not a number']))
  expect(drawn({}, acts, again)).toEqual([
    {},
    { phone: '手机号不正确' },
    { phone: 'Not a number' },
    { phone: 'Not a number', name: 'Needed' },
  ])
})
