import { describe, expect, it } from 'vitest'
import { signupMachine } from '#contract/signup/signup.state.ts'
import { followingOf, placeOf } from './queue.ts'
import { clockOf, columnsOf, rowsOf, stepOf, waitOf, waitTone, wordsOf } from './show.ts'
import { adviceId, toFirstReviewer, withAdvice, withoutAdvice } from './work/advices.ts'

describe('what reviewers read', () => {
  it.each([
    [0, { unit: 'minutes', n: 0 }, 'fresh'],
    [59, { unit: 'minutes', n: 59 }, 'fresh'],
    [60, { unit: 'hours', h: 1 }, 'fresh'],
    [1_439, { unit: 'hours', h: 23 }, 'fresh'],
    [1_440, { unit: 'days', d: 1, h: 0 }, 'soon'],
    [2_880, { unit: 'days', d: 2, h: 0 }, 'long'],
  ] as const)('a wait of %d minutes', (minutes, wait, tone) => expect([waitOf(minutes), waitTone(minutes)]).toEqual([wait, tone]))

  it('the step of the review a sign-up is in: a decided one is in neither review', () => {
    const { waiting, second, returned, passed, refused, withdrawn, disqualified } = signupMachine.wire
    expect([waiting, second, returned, passed, refused, withdrawn, disqualified].map(stepOf)).toEqual([
      ...['level.1', 'level.2', 'level.0', 'level.0', 'level.0', 'level.0', 'level.0'],
    ])
  })

  it('a time spent', () => expect([0, 61_000, 3_729_000].map(clockOf)).toEqual(['0:00', '1:01', '1:02:09']))

  it('a value by the words of its choices', () => {
    const sex = [{ value: '1', label: '男' }]
    expect([wordsOf(sex, '1'), wordsOf(sex, 1), wordsOf(sex, '9'), wordsOf(null, ['a', 'b']), wordsOf(null, null)]).toEqual([
      '男',
      '男',
      '9',
      'a、b',
      '',
    ])
    expect(wordsOf(null, [{ unit: 'x' }])).toBeNull()
  })

  it('only real columns and rows of a table', () => {
    expect(columnsOf({ columns: [{ key: 'a', label: 'A' }, null, 'x'] })).toEqual([{ key: 'a', label: 'A' }])
    expect([rowsOf([{ a: 1 }, null, 'x']), rowsOf('x')]).toEqual([[{ a: 1 }], []])
  })
})

describe('the way through the list', () => {
  const ids = ['a', 'b', 'c']
  it.each([
    ['a', { at: 1, total: 9, previousId: null, nextId: 'b' }],
    ['b', { at: 2, total: 9, previousId: 'a', nextId: 'c' }],
    ['c', { at: 3, total: 9, previousId: 'b', nextId: null }],
    ['decided', { at: null, total: 9, previousId: null, nextId: 'a' }],
  ])('from %s', (id, place) => expect(placeOf(ids, 9, id)).toEqual({ ...place, isMore: false }))
  it('of a list that is counted to a bound', () =>
    expect(placeOf(ids, 1_000, 'a', true)).toMatchObject({ at: 1, total: 1_000, isMore: true }))
})

it('after a decision goes on within the list, and nowhere where nothing of it waits', () => {
  const rows = [
    { id: 'a', examine: 1 },
    { id: 'b', examine: 1 },
    { id: 'c', examine: 2 },
  ]
  const [only, last] = [[{ id: 'b', examine: 1 }], { id: 'b', examine: 1 }]
  expect([
    followingOf(rows, last, 'a', true),
    followingOf(rows, last, 'elsewhere', true),
    followingOf(rows, { id: 'a', examine: 1 }, 'elsewhere', true),
    followingOf(only, last, 'elsewhere', true),
    followingOf(only, last, null, true),
    followingOf(only, last, 'onTheNextPage', false),
    followingOf([{ id: 'x', examine: 1 }], last, null, true),
  ]).toEqual(['a', 'a', 'b', null, null, 'onTheNextPage', 'x'])
})

it('[S7.49] collects advice, one for each place', () => {
  const first = withAdvice({}, { kind: 'file', key: 'photo', label: '证件照', advice: 'x' })
  const both = withAdvice(withAdvice(first, { kind: 'item', key: 'major', label: '专业', advice: 'y' }), {
    kind: 'file',
    key: 'photo',
    label: '证件照',
    advice: 'z',
  })
  expect(Object.keys(both)).toEqual(['file:photo', 'item:major'])
  expect(withoutAdvice(both, adviceId('file', 'photo'))).toEqual({
    'item:major': { kind: 'item', key: 'major', label: '专业', advice: 'y' },
  })
  expect(toFirstReviewer('z'.repeat(300))).toEqual({ kind: 'other', key: 'reviewer', advice: 'z'.repeat(200) })
})
