import { expect, test } from 'vitest'
import { type FlowValues, holds, namesIn, readCondition } from './condition.ts'
import { variableFault } from './read-process.ts'

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

// Levels of the language, tightest first: ! and -, order, equality, and, or; each from left to right (Jakarta Expression Language 5.0, 1.15).
// server/test/flows/flow/flowable-conditions.test.ts asks the real engine about each pair of them.
test.each([
  ['!pass == false', false, false],
  ['!urgent == pass', true, false],
  ['pass == days > 3', false, false],
  ['days > 3 == urgent', true, false],
  ['urgent == pass == false', true, false],
  ['urgent != pass == urgent', true, false],
  ['(days) > (3)', true, false],
  ['urgent eq true and not pass or days ge 5', true, false],
  ['days lt 5 and days le 4 and days gt 3 and kind ne "b"', true, false],
  ['!!urgent', true, false],
  ['days <= days', true, true],
  ['days < days', false, false],
  ['days <= 4', true, false],
])('%s binds as in Flowable: %s, and %s where nothing was entered', (text, full, empty) => {
  expect([worth(text), worth(text, {})]).toEqual([full, empty])
})

test.each([
  ['', 'Character 3: the condition is not complete'],
  ['days', 'Character 3: something that is yes or no is expected here'],
  ['urgent && days', 'Character 13: something that is yes or no is expected here'],
  ['!days > 3', 'Character 4: something that is yes or no is expected here'],
  ['days > 3 > 2', 'Character 12: only numbers and days have an order'],
  ['other > 3', 'Character 3: the variable “other” is not declared'],
  ['constructor == 1', 'Character 3: the variable “constructor” is not declared'],
  ["days == 'a'", 'Character 8: the two sides are of different kinds'],
  ["kind > 'a'", 'Character 8: only numbers and days have an order'],
  ['days > 3 days', 'Character 12: “days” is not expected here'],
  ['(days > 3', 'Character 12: a closing parenthesis is missing'],
  ['execution.getId()', 'Character 12: “.getId()” is not understood'],
  ['urgent.x', 'Character 9: “.x” is not understood'],
  ['days = 3', 'Character 8: “= 3” is not understood'],
  ['days == null', 'Character 11: “null” is not understood'],
  ['empty kind', 'Character 3: “empty” is not understood'],
  ['days < 9223372036854775808', 'Character 10: this whole number is too large'],
  [`${'('.repeat(40)}urgent${')'.repeat(40)}`, 'Character 34: there are too many parentheses in each other'],
])('%s is refused: %s', (text, problem) => expect(worth(text)).toBe(problem))

test('the variables a condition asks about are known', () => {
  const read = readCondition(`\${days > 3 && (!pass || kind == 'a')}`, types)
  expect('problem' in read ? [] : namesIn(read)).toEqual(['days', 'pass', 'kind'])
})

test('a condition stands within its braces', () =>
  expect(readCondition('days > 3', types)).toEqual({
    problem: { zh: '条件须以 $ 和花括号括起', en: 'a condition stands within $ and braces' },
  }))

test.each(['and', 'ge', 'empty', 'null', 'true', 'pass', 'starter'])('a process declares no variable called %s', name =>
  expect(variableFault({ name, label: 'x' })).toBe('name'),
)
