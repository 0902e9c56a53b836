import { expect, test } from 'vitest'
import { type FlowValues, holds, namesIn, readCondition } from './condition.ts'

const types = { days: 'number', kind: 'text', urgent: 'boolean', from: 'day', head: 'user' } as const
const values: FlowValues = { days: 4, kind: 'a', urgent: true, from: '2026-11-25', head: '12', pass: false, starter: '7' }
const worth = (inner: string, given = values): boolean | string => {
  const read = readCondition(`\${${inner}}`, types)
  return 'problem' in read ? read.problem.en : holds(read, given)
}

test.each([
  ['days > 3', true],
  ['days>=4 && days<=4.0', true],
  ['days < -1 || urgent', true],
  ['!(days > 3) && urgent == true', false],
  ['pass == false', true],
  ['!pass', true],
  ['kind == \'a\' && kind != "b"', true],
  ["from < '2026-12-01'", true],
  ["head == '12'", true],
  ['urgent || days > 3 && pass', true],
  ['(urgent || days > 3) && pass', false],
])('%s is %s', (text, expected) => expect(worth(text)).toBe(expected))

test('what was not entered equals nothing and has no order', () => {
  expect(['days > 3', 'days <= 3', 'days == 4', 'days != 4', 'urgent'].map(text => worth(text, {}))).toEqual([
    ...[false, false, false, true, false],
  ])
})

test.each([
  ['', 'the condition is not complete'],
  ['days', 'only a yes-or-no variable can stand alone'],
  ['other > 3', 'the variable “other” is not declared'],
  ['constructor == 1', 'the variable “constructor” is not declared'],
  ["days == 'a'", 'the two sides are of different kinds'],
  ["kind > 'a'", 'only numbers and days have an order'],
  ['days > 3 days', '“days” is not expected here'],
  ['(days > 3', 'a closing parenthesis is missing'],
  ['execution.getId()', '“.getId()” is not understood'],
  ['days = 3', '“= 3” is not understood'],
  [`${'('.repeat(40)}urgent${')'.repeat(40)}`, 'there are too many parentheses in each other'],
])('%s is refused: %s', (text, problem) => expect(worth(text)).toBe(problem))

test('the variables a condition asks about are known', () => {
  const read = readCondition(`\${days > 3 && (!pass || kind == 'a')}`, types)
  expect('problem' in read ? [] : namesIn(read)).toEqual(['days', 'pass', 'kind'])
})

test('a condition stands within its braces', () =>
  expect(readCondition('days > 3', types)).toEqual({
    problem: { zh: '条件须以 $ 和花括号括起', en: 'a condition stands within $ and braces' },
  }))
