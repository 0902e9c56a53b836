import { expect, test } from 'vitest'
import { type ConflictItem, type ConflictReviewer, conflictFinder, type Recusal } from './conflict.ts'

const reviewer = (userId: string, more: Partial<ConflictReviewer> = {}): ConflictReviewer => ({
  userId,
  name: `审核${userId}`,
  idCardIndex: null,
  phoneIndex: null,
  workplaces: [],
  ...more,
})
const item = (more: Partial<ConflictItem> = {}): ConflictItem => ({
  signupId: '100',
  ownerId: '200',
  idCardIndex: 'n'.repeat(64),
  phoneIndex: null,
  unit: 'H01',
  workUnit: '',
  relatives: [],
  ...more,
})
const recusal = (more: Partial<Recusal>): Recusal => ({ userId: '1', signupId: null, idCardIndex: null, unit: null, ...more })
const found = (of: ConflictItem, reviewers: ConflictReviewer[], recusals: Recusal[] = []) =>
  Object.fromEntries(conflictFinder(reviewers, recusals)(of))
const two = [reviewer('1'), reviewer('2')]

test.each([
  ['a sign-up', { signupId: '100' }],
  ['a person', { idCardIndex: 'n'.repeat(64) }],
  ['a unit', { unit: 'H01' }],
])('a recusal from %s concerns whoever declared it and nobody else', (_, of) =>
  expect(found(item(), two, [recusal(of)])).toEqual({ 1: 'declared' }),
)

test('a recusal from something else concerns nobody here', () =>
  expect(found(item(), two, [recusal({ signupId: '101' }), recusal({ idCardIndex: 'm'.repeat(64) }), recusal({ unit: 'H02' })])).toEqual(
    {},
  ))

test('the same person is known by number, phone or account', () => {
  expect(found(item(), [reviewer('1', { idCardIndex: 'n'.repeat(64) }), reviewer('2', { idCardIndex: 'x' })])).toEqual({ 1: 'samePerson' })
  expect(found(item({ phoneIndex: 'p' }), [reviewer('1', { phoneIndex: 'p' }), reviewer('2')])).toEqual({ 1: 'samePerson' })
  expect(found(item({ ownerId: '2' }), two)).toEqual({ 2: 'samePerson' })
})

test('a relative is known by name as people write it, a colleague by the name of the workplace', () => {
  const people = [reviewer('1', { name: '阿依·买买提' }), reviewer('2', { name: '王五', workplaces: ['区人民医院'] })]
  expect(found(item({ relatives: [{ name: ' 阿依•买买提 ', relation: '姐妹' }] }), people)).toEqual({ 1: 'relative' })
  expect(found(item({ workUnit: '区 人民医院' }), people)).toEqual({ 2: 'colleague' })
  expect(found(item({ relatives: [{ name: '' }, {}, null, 'x'], workUnit: '' }), people)).toEqual({})
  expect(found(item({ relatives: 'no list' }), people)).toEqual({})
})
