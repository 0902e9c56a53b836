import { expect, test } from 'vitest'
import { examMachine } from '#contract/exam/exam.state.ts'
import { isTooEarly } from './advice.ts'

test('no advice is given while people of a released examination still pay; one that has ended shows what was advised', () => {
  const { released, closed } = examMachine.wire
  expect([
    isTooEarly({ examState: released, canDecide: false }),
    isTooEarly({ examState: released, canDecide: true }),
    isTooEarly({ examState: closed, canDecide: false }),
  ]).toEqual([true, false, false])
})
