import { describe, expect, test } from 'vitest'
import type { Machine } from '#contract/kernel/machine.ts'
import { stateOfWire } from '#contract/kernel/machine.ts'
import { dueMachine, orderMachine, payStateOfDue, payStateWire, refundMachine } from './order.state.ts'

const reachable = <S extends string, E extends string>(machine: Machine<S, E>): S[] => {
  const seen = new Set([machine.initial])
  for (const state of seen) for (const next of Object.values<S | undefined>(machine.on[state])) if (next !== undefined) seen.add(next)
  return [...seen].sort()
}
const finals = <S extends string, E extends string>(machine: Machine<S, E>): string[] =>
  Object.entries<object>(machine.on)
    .filter(([, moves]) => Object.keys(moves).length === 0)
    .map(([state]) => state)

describe('states of money', () => {
  test('the numbers of the wire are those of domain 3.13', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7].map(wire => stateOfWire(orderMachine, wire))).toEqual(Object.keys(orderMachine.on))
    expect([0, 1, 2, 3, 4, 5, 6].map(wire => stateOfWire(dueMachine, wire))).toEqual(Object.keys(dueMachine.on))
    expect([0, 1, 2, 3, 4, 5].map(wire => stateOfWire(refundMachine, wire))).toEqual(Object.keys(refundMachine.on))
    expect(stateOfWire(orderMachine, 8)).toBeUndefined()
  })
  test('every state can be reached', () => {
    expect(reachable(orderMachine)).toEqual(Object.keys(orderMachine.on).sort())
    expect(reachable(dueMachine)).toEqual(Object.keys(dueMachine.on).sort())
    expect(reachable(refundMachine)).toEqual(Object.keys(refundMachine.on).sort())
  })
  test('only the named states are final', () => {
    expect(finals(orderMachine)).toEqual(['refunded'])
    expect(finals(dueMachine)).toEqual(['exempt', 'refunded', 'void'])
    expect(finals(refundMachine)).toEqual(['succeeded', 'closed', 'rejected'])
  })
  test('a sign-up mirrors its due', () => {
    expect(Object.values(payStateOfDue).map(state => payStateWire[state])).toEqual([0, 1, 2, 3, 4, 5, 0])
  })
})
