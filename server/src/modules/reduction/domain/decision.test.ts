import { expect, test } from 'vitest'
import { cutProblem, cutsOf, type WantedCut, wantedCut } from './decision.ts'

const posts = new Map(
  [
    { code: 'A001', codeName: '内科医师', curNum: 2, postState: 0 },
    { code: 'A002', codeName: '全科医师', curNum: 1, postState: 0 },
    { code: 'B001', codeName: '护士', curNum: 4, postState: 0 },
    { code: 'C001', codeName: '检验', curNum: 0, postState: 2 },
  ].map(post => [post.code, post]),
)
const cut = (change: Partial<WantedCut>): WantedCut => ({
  ...{ code: 'B001', action: 'reduce', afterNum: 3, toCodes: [], reason: '不足开考比例', approveFile: undefined },
  ...change,
})
const problem = (change: Partial<WantedCut>, leaving: readonly string[] = []) => cutProblem(cut(change), posts, new Set(leaving))?.en

test('a decision is told what it lacks: reason, places, target, approval', () => {
  expect(problem({})).toBeUndefined()
  expect(problem({ code: 'X' })).toBe('There is no post X')
  expect(problem({ code: 'C001' })).toBe('Post C001: it is cancelled already')
  expect(problem({ reason: '' })).toBe('Post B001: give a reason')
  expect([0, 4, 1, 3].map(afterNum => problem({ afterNum }))).toEqual([
    'Post B001: the places kept must be 1 to 3',
    'Post B001: the places kept must be 1 to 3',
    undefined,
    undefined,
  ])
  expect(problem({ action: 'merge', afterNum: 2 })).toBe('Post B001: say which post it is merged into')
  expect(problem({ action: 'merge', afterNum: 5, toCodes: ['A002'] })).toBe('Post B001: at most 4 places can be moved')
  expect(problem({ action: 'keep' })).toBe('Post B001: keeping it needs the approval')
  expect(problem({ action: 'keep', approveFile: '7' })).toBeUndefined()
  expect(problem({ action: 'cancel', toCodes: ['X'] })).toBe('Post B001: the recommended post X does not exist')
  for (const code of ['B001', 'C001'])
    expect(problem({ action: 'cancel', toCodes: [code] })).toBe(`Post B001: post ${code} cannot be recommended`)
  expect(problem({ action: 'cancel', toCodes: ['A002'] }, ['A002'])).toBe('Post B001: post A002 cannot be recommended')
})

test('what an action settles is not asked: none is left of a cancelled post, all of a kept one', () => {
  const row = { code: 'B001', afterNum: 2, reason: ' 原因 ', toCodes: ['A002', 'A002'] }
  expect([1, 2, 3, 4].map(action => wantedCut({ ...row, action }, 4).afterNum)).toEqual([2, 0, 2, 4])
  expect(wantedCut({ ...row, action: 2 }, 4)).toEqual({
    ...{ code: 'B001', action: 'cancel', afterNum: 0, toCodes: ['A002'], reason: '原因', approveFile: undefined },
  })
})

test('[S4.04] posts after decisions: reduced, cancelled, receiving, and larger by what is merged into them', () => {
  const after = cutsOf(
    [
      cut({}),
      cut({ code: 'A001', action: 'merge', afterNum: 1, toCodes: ['A002'] }),
      cut({ code: 'A003', action: 'keep', afterNum: 9, approveFile: '7' }),
    ],
    posts,
  )
  expect(after).toEqual([
    { code: 'A001', curNum: 0, postState: 2 },
    { code: 'A002', curNum: 2, postState: 3 },
    { code: 'B001', curNum: 3, postState: 1 },
  ])
})
