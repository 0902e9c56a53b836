import { describe, expect, test } from 'vitest'
import { deptPath, deptPaths, type KnownDept, placeRows } from './dept-sheet.ts'

const known: readonly KnownDept[] = [
  { id: '1', path: '卫健局', levels: 1 },
  { id: '2', path: '卫健局/医院', levels: 2 },
]
const none = () => false
const problemOf = (rows: readonly (readonly [parent: string, name: string])[], isBad: (row: number) => boolean = none, of = known) =>
  [
    ...placeRows(
      rows.map(([parent, name], at) => ({ row: at + 2, parent, name })),
      of,
      isBad,
    ).values(),
  ].map(one => one.problem)

test('[S7.15] a path is the same however its parts are spaced and divided', () => {
  expect([deptPath(' 卫健局 ／ 医院 ', '内科'), deptPath('', '内科'), deptPath('/卫健局/')]).toEqual(['卫健局/医院/内科', '内科', '卫健局'])
})

test('[S7.15] paths of a tree, and of a part of it', () => {
  const rows = [
    { id: '3', parentId: '2', deptName: '内科' },
    { id: '2', parentId: '1', deptName: '医院' },
  ]
  expect([...deptPaths(rows)]).toEqual([
    ['2', '医院'],
    ['3', '医院/内科'],
  ])
})

describe('[S7.15] where a row of a workbook of departments stands', () => {
  test('a row without a name, or of separators alone, is nobody’s parent and not its own', () => {
    expect(
      problemOf([
        ['医院', ''],
        ['诊所', '/'],
        ['医院', '内科'],
      ]),
    ).toEqual([{ code: 'parent-missing' }, { code: 'parent-missing' }, { code: 'parent-missing' }])
  })
  test('below a department that is there or another row, before or after it, or at the top', () => {
    const rows = [
      ['卫健局/医院/内科', '一组'],
      ['卫健局/医院', '内科'],
      ['', '教育局'],
    ] as const
    const placed = placeRows(
      rows.map(([parent, name], at) => ({ row: at + 2, parent, name })),
      known,
      none,
    )
    expect([...placed].sort(([a], [b]) => a - b)).toEqual([
      [2, { path: '卫健局/医院/内科/一组', levels: 4 }],
      [3, { path: '卫健局/医院/内科', levels: 3 }],
      [4, { path: '教育局', levels: 1 }],
    ])
  })
  test('not below what is nowhere, not twice, not where two have one path, not deeper than departments go', () => {
    expect(problemOf([['没有', '内科']])).toEqual([{ code: 'parent-missing' }])
    expect(
      problemOf([
        ['', 'A'],
        [' ', ' A '],
      ]),
    ).toEqual([undefined, { code: 'duplicate', first: 2 }])
    const twice = [...known, { id: '9', path: '卫健局/医院', levels: 1 }]
    expect(
      problemOf(
        [
          ['卫健局/医院', '内科'],
          ['卫健局', '医院'],
        ],
        none,
        twice,
      ),
    ).toEqual([{ code: 'ambiguous' }, { code: 'ambiguous' }])
    const deep = Array.from({ length: 11 }, (_, at) => [Array.from({ length: at }, (_, i) => `L${i}`).join('/'), `L${at}`] as const)
    expect(problemOf(deep).map(problem => problem?.code)).toEqual([...Array(10).fill(undefined), 'too-deep'])
  })
  test('not below a row that is refused itself', () => {
    const rows = [
      ['', 'A'],
      ['A', 'B'],
      ['A/B', 'C'],
    ] as const
    expect(problemOf(rows, row => row === 2)).toEqual([
      undefined,
      { code: 'parent-wrong', parentRow: 2 },
      { code: 'parent-wrong', parentRow: 3 },
    ])
  })
})
