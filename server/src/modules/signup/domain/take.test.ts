import { expect, test } from 'vitest'
import { readOnlyReason, type TakeFacts } from './take.ts'

const fine: TakeFacts = { isOpen: true, level: 2, mayDecide: true, isRecused: false, didFirstReview: false, notTheirs: undefined }
const given = { zh: '给了别人', en: 'Given to somebody else' }
const reason = (facts: Partial<TakeFacts>) => readOnlyReason({ ...fine, ...facts })?.en

test('[S4.10] a reviewer reads only for the first reason that is theirs', () => {
  expect([
    reason({}),
    reason({ notTheirs: given }),
    reason({ notTheirs: given, mayDecide: false }),
    reason({ notTheirs: given, level: undefined }),
    reason({ didFirstReview: true, mayDecide: false }),
    reason({ isRecused: true, didFirstReview: true }),
    reason({ isOpen: false, isRecused: true }),
  ]).toEqual([
    undefined,
    'Given to somebody else',
    'Nothing to decide here for you',
    'Nothing to decide here for you',
    'You did the first review; somebody else does the second',
    'You have a conflict of interest with this candidate',
    'The examination is closed; nothing is reviewed any more',
  ])
})
