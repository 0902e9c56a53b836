import { describe, expect, it } from 'vitest'
import { funnelData, lineData, moneyOf, payData, planData, rankingData, typeData } from './figures.ts'

const names = { submitted: 's', passed: 'p', paid: 'm', deadline: 'd', axis: 'a' }
const line = { x: ['2026-03-01', '2026-03-02'], submitted: [3, 4], passed: [1, 0], paid: [0, 1], outside: 0 }

describe('the line over time', () => {
  it('[S7.51] goes on to the deadline by day, with nothing on the days to come', () => {
    expect(lineData(line, 'day', '2026-03-04 17:00:00', names)).toEqual({
      kind: 'line',
      categories: ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'],
      axis: 'a',
      series: [
        { name: 's', values: [3, 4, null, null] },
        { name: 'p', values: [1, 0, null, null] },
        { name: 'm', values: [0, 1, null, null] },
      ],
      mark: { at: '2026-03-04', label: 'd' },
    })
  })
  it('[19.9] marks a deadline at the end of a day on that day', () => {
    expect(lineData(line, 'day', '2026-03-03 00:00:00', names).mark).toEqual({ at: '2026-03-02', label: 'd' })
  })
  it('marks a deadline that has passed where it was', () => {
    expect(lineData(line, 'day', '2026-03-01 17:00:00', names)).toMatchObject({ categories: line.x, mark: { at: '2026-03-01' } })
  })
  it.each([
    ['day', '2027-03-01 17:00:00'],
    ['hour', '2026-03-04 17:00:00'],
    ['day', null],
  ] as const)('has no mark by %s for %s', (grain, deadline) => {
    const data = lineData(line, grain, deadline, names)
    expect([data.categories, data.mark]).toEqual([line.x, undefined])
  })
})

it('[S7.51] sets plan, sign-ups and passes of a category side by side, missing ones as 0', () => {
  const plan = [
    { type: 'A', typeName: 'Medical', planNum: 10, curNum: 8 },
    { type: 'B', typeName: 'Nursing', planNum: 5, curNum: 5 },
  ]
  const data = planData(plan, [{ type: 'B', typeName: 'Nursing', num: 40 }], [{ type: 'C', typeName: 'Other', num: 1 }], {
    plan: 'plan',
    signed: 'signed',
    passed: 'passed',
    axis: 'a',
  })
  expect(data.categories).toEqual(['Medical', 'Nursing', 'Other'])
  expect(data.series.map(series => series.values)).toEqual([
    [8, 5, 0],
    [0, 40, 0],
    [0, 0, 1],
  ])
})

it('leaves out what is nothing, biggest first', () => {
  const stat = [
    { type: 'A', typeName: 'Medical', num: 0 },
    { type: 'B', typeName: 'Nursing', num: 2 },
    { type: 'C', typeName: 'Other', num: 7 },
  ]
  expect(typeData(stat, 'n', 'a')).toMatchObject({ axis: 'a', categories: ['Other', 'Nursing'], series: [{ values: [7, 2] }] })
})

it('[S7.51] sums dues up by state and keeps the amount apart', () => {
  const stat = [
    { state: 1, stateName: 'Due', num: 3, amount: 13_500, paidFen: 0 },
    { state: 2, stateName: 'Paid', num: 2, amount: 9_000, paidFen: 8_500 },
    { state: 4, stateName: 'Refunded', num: 0, amount: 0, paidFen: 0 },
  ]
  const centre = { value: '90.00', label: 'c' }
  expect(payData(stat, { num: 'n', amount: 'yuan', axis: 'a' }, centre)).toEqual({
    kind: 'pie',
    categories: ['Due', 'Paid'],
    axis: 'a',
    series: [{ name: 'n', values: [3, 2] }],
    // The table says what the ring cannot: the money of each state.
    beside: [{ name: 'yuan', values: ['135.00', '90.00'] }],
    centre,
  })
  const late = { state: 5, stateName: 'Overdue', num: 1, amount: 600, paidFen: 0 }
  const goingBack = { state: 3, stateName: 'Being refunded', num: 1, amount: 4_500, paidFen: 4_500 }
  // Overdue money is still to come; money that is going back is here until it has gone.
  expect([moneyOf([...stat, late, goingBack]), moneyOf([])]).toEqual([
    { dueNum: 4, dueFen: 14_100, paidNum: 2, paidFen: 13_000 },
    { dueNum: 0, dueFen: 0, paidNum: 0, paidFen: 0 },
  ])
})

it('draws the funnel without the state of waiting', () => {
  const stat = [
    { stage: 'submitted', stageName: 'Signed up', num: 9, today: 1 },
    { stage: 'waiting', stageName: 'Waiting', num: 4, today: 1 },
    { stage: 'passed', stageName: 'Passed', num: 5, today: 0 },
  ]
  expect(funnelData(stat, 'n', 'a')).toMatchObject({ axis: 'a', categories: ['Signed up', 'Passed'], series: [{ values: [9, 5] }] })
})

it('lays the posts with the most applicants under each other, with their places in the table', () => {
  const posts = [{ code: 'A001', codeName: '医师', unitName: '医院', curNum: 2, num: 9 }]
  expect(rankingData({ posts, empty: [], emptyCount: 0, postCount: 1 }, { num: 'n', places: 'p', axis: 'a' })).toEqual({
    ...{ kind: 'bar', lying: true, categories: ['A001 医师'], axis: 'a' },
    series: [{ name: 'n', values: [9] }],
    beside: [{ name: 'p', values: ['2'] }],
  })
})
