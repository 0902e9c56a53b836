import { expect, test } from 'vitest'
import type { States } from '#contract/kernel/machine.ts'
import { dueMachine } from '#contract/pay/order.state.ts'
import { signupMachine } from '#contract/signup/signup.state.ts'
import { toneOf } from './kit/tone-of.ts'
import { payTone } from './pay/state-text.ts'
import { examineTone } from './state-text.ts'

test('sign-ups and dues have the colours of the contract; amber is what waits for the candidate', () => {
  const tones = <S extends string>(of: States<S>, own: S) =>
    Object.values<number>(of.wire).map(wire => (wire === of.wire[own] ? 'warning' : toneOf(of, wire)))
  expect(Object.values(signupMachine.wire).map(examineTone)).toEqual(tones(signupMachine, 'returned'))
  expect(Object.values(dueMachine.wire).map(payTone)).toEqual(tones(dueMachine, 'due'))
})
