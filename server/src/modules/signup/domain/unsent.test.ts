import { expect, test } from 'vitest'
import { openParts } from '#contract/signup/content-diff.ts'
import { post2Part, postPart } from '#contract/signup/draft-merge.ts'
import { regionKey } from '#contract/signup/region.ts'
import { sortUnsent } from './unsent.ts'

const changed = ['file:degree', 'major', post2Part, 'school', regionKey, postPart]

test('without a return all is open: post, second choice, region, answers in the order of the form, files', () => {
  expect(sortUnsent(changed, ['school', 'major'], null)).toEqual({
    open: [postPart, post2Part, regionKey, 'school', 'major', 'file:degree'],
    locked: [],
  })
})

test('a return opens what it names', () => {
  const open = openParts([{ kind: 'item', key: 'major', advice: 'which one?' }], [])
  expect(sortUnsent(changed, ['school', 'major'], open)).toEqual({
    open: ['major'],
    locked: [postPart, post2Part, regionKey, 'school', 'file:degree'],
  })
})
