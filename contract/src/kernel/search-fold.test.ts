import { expect, it, test } from 'vitest'
import { pinyinInitials } from './pinyin-initials.ts'
import { isFoundIn, searchFold, searchWords } from './search-fold.ts'

test('[21.4] dots, width, case, apostrophes, groups and what cannot be seen make no difference', () => {
  for (const dot of ['·', '•', '・', '‧', '．', '.', '･', '⋅', ' ', '']) expect(searchFold(`买买提${dot}艾力`)).toBe('买买提艾力')
  expect(['ＣＴ室', 'ct 室', 'C-T室', 'c\u200Bt室', 'ct\u3000室'].map(searchFold)).toEqual(Array(5).fill('ct室'))
  expect(['8101-0101-0001', '8101 0101 0001', '８１０１０１０１０００１', '8101–0101‐0001'].map(searchFold)).toEqual(
    Array(4).fill('810101010001'),
  )
  expect(["O'Neil", 'O’Neil', 'oneil'].map(searchFold)).toEqual(Array(3).fill('oneil'))
  expect(['葛\u{E0100}', 'İΣΑΣ', '㎏', '⼦', '\u2EE9\u2E85\u2E9A'].map(searchFold)).toEqual(['葛', 'iσασ', 'kg', '子', '黄亻\u2E9A'])
})

test('[21.4] a search is words in any order, a printed number is one', () => {
  expect([
    searchWords(' 人民医院　内科 ＣＴ '),
    searchWords('8101 0101-0001'),
    searchWords('101 102'),
    searchWords('· -'),
    searchWords('内科 内科'),
  ]).toEqual([['人民医院', '内科', 'ct'], ['810101010001'], ['101', '102'], [], ['内科']])
})

it.each([
  ['区人民医院', 'qrmyy'],
  ['重庆市长寿区', 'cqscsq'],
  ['长乐市', 'clsh'.slice(0, 3)],
  ['厦门', 'xm'],
  ['单县中医院', 'sxzyy'],
  ['行政', 'xz'],
  ['A栋301', 'ad301'],
  ['ＣＴ室', 'cts'],
  ['𬭎一', 'y'],
])('[21.4] %s is read as %s', (text, initials) => {
  expect(pinyinInitials(text)).toContain(initials)
  expect(isFoundIn(text, initials.toUpperCase())).toBe(true)
})

test('[21.4] both ways to read a character are taken, and no more ways than can be kept', () => {
  expect(pinyinInitials('重庆')).toEqual(['zq', 'cq'])
  expect(pinyinInitials('长'.repeat(9)).length).toBe(16)
  expect(isFoundIn('区人民医院 内科', 'nk qrmyy')).toBe(true)
  expect(isFoundIn('区人民医院 内科', '内科 外科')).toBe(false)
  expect(isFoundIn('区人民医院', '')).toBe(true)
})
