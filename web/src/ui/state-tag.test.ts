import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { signupMachine } from '#contract/signup/signup.state.ts'
import { StateTag } from './state-tag.tsx'

const drawn = (wire: number) => renderToStaticMarkup(createElement(StateTag<keyof typeof signupMachine.wire>, { of: signupMachine, wire }))

test('a state is drawn with the word and the tone of its machine; a number that is no state shows itself', () => {
  expect(Object.values(signupMachine.wire).map(drawn)).toEqual(
    Object.entries(signupMachine.label).map(
      ([state, { zh }]) => `<span class="tag" data-tone="${signupMachine.tone[state as keyof typeof signupMachine.tone]}">${zh}</span>`,
    ),
  )
  expect(drawn(99)).toBe('99')
})
