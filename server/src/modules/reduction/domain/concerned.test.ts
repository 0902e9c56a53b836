import { expect, it } from 'vitest'
import { payStateWire } from '#contract/pay/order.state.ts'
import { signupMachine } from '#contract/signup/signup.state.ts'
import { concernOf } from './concerned.ts'

it('[S7.47] every state of a sign-up has its answer to a cancelled post', () => {
  const table = Object.keys(signupMachine.wire).flatMap(examine =>
    Object.keys(payStateWire).map(payState => [
      `${examine} ${payState}`,
      concernOf({ examine: examine as never, payState: payState as never, isMoving: false }) ?? '-',
    ]),
  )
  const answers = Object.fromEntries(table)
  for (const pay of Object.keys(payStateWire)) {
    expect([answers[`draft ${pay}`], answers[`refused ${pay}`], answers[`withdrawn ${pay}`], answers[`disqualified ${pay}`]]).toEqual([
      'draft',
      'refused',
      '-',
      '-',
    ])
    for (const state of ['waiting', 'second', 'returned']) expect(answers[`${state} ${pay}`]).toBe('review')
  }
  expect(Object.keys(payStateWire).map(pay => answers[`passed ${pay}`])).toEqual([
    'chooses',
    'chooses',
    'chooses',
    'lapsed',
    'lapsed',
    'lapsed',
  ])
  expect(concernOf({ examine: 'passed', payState: 'paid', isMoving: true })).toBeUndefined()
})
