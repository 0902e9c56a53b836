import { expect, it } from 'vitest'
import { strengthOf } from './password-strength.ts'

it('[S2.51] tells weak, fair and strong passwords apart', () => {
  const level = (password: string) => strengthOf(password, 12)
  expect(['', 'abcdefghijklmnop', '111111111111111', 'Kurz-9!'].map(level)).toEqual([1, 1, 1, 1])
  expect(['plumriverstone', 'qwpoeiruty01'].map(level)).toEqual([2, 2])
  expect(['Sunny-river-27', 'plum river stone hat', '晴天-River-2027-河'].map(level)).toEqual([3, 3, 3])
})
