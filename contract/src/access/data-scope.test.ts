import { expect, test } from 'vitest'
import { jobServer } from '../job/job-server.resource.ts'
import { post } from '../organisation/post.resource.ts'
import { conditionsProblem, targetOf, unitTargets } from './data-scope.ts'

const target = targetOf(post)
const english = (given: unknown) => conditionsProblem(target, given)?.en ?? null

test.each([
  [[{ field: 'postCode', operator: 'like', values: ['A'] }]],
  [
    [
      { field: 'sort', operator: 'ge', values: ['3'] },
      { field: 'category', operator: 'in', values: ['1', '2'] },
    ],
  ],
  [[{ field: 'postCode', operator: 'in', variable: 'userCodes' }]],
  [[{ field: 'remark', operator: 'empty' }]],
])('[S7.15] %j is a rule', given => expect(english(given)).toBeNull())

test.each([
  [[], 'at least one'],
  ['1=1', 'at least one'],
  [{ length: 1 }, 'at least one'],
  [[null], 'no form'],
  [[{ field: 'tenantId', operator: 'eq', values: ['x'] }], 'no such field'],
  [[{ field: 'sort) or (1=1', operator: 'eq', values: ['1'] }], 'no such field'],
  [[{ field: '__proto__', operator: 'eq', values: ['1'] }], 'no such field'],
  [[{ field: 'sort', operator: 'or', values: ['1'] }], 'not offered'],
  [[{ field: 'sort', operator: 'like', values: ['1'] }], 'not offered'],
  [[{ field: 'sort', operator: 'eq', values: ['1; drop table role'] }], 'no value of this field'],
  [[{ field: 'sort', operator: 'eq', values: ['1', '2'] }], 'too many'],
  [[{ field: 'sort', operator: 'eq', values: [{}] }], 'no form'],
  [[{ field: 'sort', operator: 'eq', sql: '1=1', values: ['1'] }], 'no form'],
  [[{ field: 'postCode', operator: 'eq', variable: 'userCodes' }], 'is one of'],
  [[{ field: 'postCode', operator: 'eq', variable: 'password' }], 'no such variable'],
  [[{ field: 'remark', operator: 'empty', values: ['x'] }], 'takes no value'],
  [Array.from({ length: 21 }, () => ({ field: 'remark', operator: 'empty' })), 'At most'],
])('[PF 16][V5] %j is refused', (given, why) => expect(english(given)).toContain(why))

test('[S7.15] what is kept sealed is offered to no rule: there is no column to compare', () => {
  const offered = targetOf(jobServer).fields.map(({ name }) => name)
  expect(Object.keys(jobServer.fields)).toContain('jobAppPassword')
  expect(offered).toContain('jobAppName')
  expect(offered).not.toContain('jobAppPassword')
})

test('[PF 16] sign-ups are narrowed by units only', () => {
  const [signup] = unitTargets
  expect(signup && conditionsProblem(signup, [{ field: 'idCard', operator: 'eq', values: ['1'] }])?.en).toContain('no such field')
})
