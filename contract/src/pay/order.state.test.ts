import { expect, test } from 'vitest'
import { dueMachine, dueStates, orderMachine, orderStates, refundMachine, refundStates, stateName, stateNumber } from './order.state.ts'

const reachable = (machine: { initial: string; on: Record<string, Record<string, string>> }): string[] => {
  const seen = new Set([machine.initial])
  for (const state of seen) for (const next of Object.values(machine.on[state] ?? {})) seen.add(next)
  return [...seen].sort()
}

test('the numbers of the wire are those of domain 3.13', () => {
  expect(orderStates.map(name => stateNumber(orderStates, name))).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect([stateName(orderStates, 3), stateName(dueStates, 5), stateName(refundStates, 4)]).toEqual(['closed', 'overdue', 'abnormal'])
  expect(stateName(orderStates, 8)).toBeUndefined()
})

test('every state can be reached, and the last ones are final', () => {
  expect(reachable(orderMachine)).toEqual([...orderStates].sort())
  expect(reachable(dueMachine)).toEqual([...dueStates].sort())
  expect(reachable(refundMachine)).toEqual([...refundStates].sort())
  expect([orderMachine.on.refunded, dueMachine.on.refunded, refundMachine.on.succeeded]).toEqual([{}, {}, {}])
})
