import { expect, test } from 'vitest'
import { changesOf, isBeyond, levelsOf, rulesOf, withLevel } from './levels.ts'

const saved = levelsOf([
  { noun: 'user', field: 'phone', level: 'masked' },
  { noun: 'user', field: 'email', level: 'hidden' },
])

test('[S6.03] a field that is shown in full has no rule, and rules come back as they were read', () => {
  expect(rulesOf(withLevel(saved, 'user.phone', 'full'))).toEqual([{ noun: 'user', field: 'email', level: 'hidden' }])
  expect(rulesOf(withLevel(saved, 'signup.name', 'masked'))).toEqual([
    { noun: 'user', field: 'phone', level: 'masked' },
    { noun: 'user', field: 'email', level: 'hidden' },
    { noun: 'signup', field: 'name', level: 'masked' },
  ])
})

test('[S6.03] changes are counted against what is saved, whatever the way there', () => {
  expect(changesOf(saved, saved)).toBe(0)
  expect(changesOf(saved, withLevel(withLevel(saved, 'user.phone', 'hidden'), 'user.phone', 'masked'))).toBe(0)
  expect(changesOf(saved, withLevel(withLevel(saved, 'user.phone', 'full'), 'signup.name', 'hidden'))).toBe(2)
})

test('[S6.04] nobody can choose to show more than they see, taking away is always a choice', () => {
  expect(isBeyond('full', 'masked', 'hidden')).toBe(true)
  expect(isBeyond('masked', 'masked', 'hidden')).toBe(false)
  expect(isBeyond('full', 'masked', 'full')).toBe(false)
  expect(isBeyond('hidden', 'hidden', 'full')).toBe(false)
  expect(isBeyond('masked', 'hidden', 'full')).toBe(false)
})
