import { expect, test } from 'vitest'
import { signupMachine } from '#contract/signup/signup.state.ts'
import { statesAsked, statesWaitingFor } from './review-list.ts'

test('a list keeps to the state that is asked for, else to what waits at the level, else to nothing', () => {
  expect(statesAsked({ examine: signupMachine.wire.returned, level: 1 })).toEqual(['returned'])
  expect(statesAsked({ level: 1 })).toEqual(['waiting'])
  expect(statesAsked({ level: 2 })).toEqual(['second'])
  expect(statesAsked({ examine: 999, level: 2 })).toEqual(['second'])
  expect(statesAsked({})).toBeUndefined()
})

test('what waits for somebody follows from the levels they decide at; who decides nothing sees all that waits', () => {
  expect(statesWaitingFor([1])).toEqual(['waiting'])
  expect(statesWaitingFor([2])).toEqual(['second'])
  expect(statesWaitingFor([1, 2])).toEqual(['waiting', 'second'])
  expect(statesWaitingFor([])).toEqual(['waiting', 'second'])
})
