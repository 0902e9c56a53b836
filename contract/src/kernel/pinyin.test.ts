import { expect, it } from 'vitest'
import { pinyinOf, readAt } from './pinyin.ts'

it.each([
  ['周婧怡', ['zhou', 'jing', 'yi']],
  ['成绩管理', ['cheng', 'ji', 'guan', 'li']],
  ['欧阳翀', ['ou', 'yang', 'chong']],
  ['褚遂良', ['chu', 'sui', 'liang']],
  ['韩财务', ['han', 'cai', 'wu']],
])('reads %s', (text, syllables) => {
  expect(Array.from(text, character => pinyinOf(character)[0])).toEqual(syllables)
})

it('knows both ways to read a surname, and both to type ü', () => {
  expect(['单', '曾', '重', '吕', 'A', '𬭎'].map(character => pinyinOf(character))).toEqual([
    ['dan', 'shan'],
    ['ceng', 'zeng'],
    ['zhong', 'chong'],
    ['lv', 'lu'],
    [],
    [],
  ])
})

it('finds pinyin, the beginning of it and initials, from any character on', () => {
  const ways = ['chengji', 'cjgl', 'ChengJi GuanLi', 'chengjigl', 'cjguan', 'ji', 'jigl', 'gl', 'guanl']
  expect(ways.map(typed => readAt('成绩管理', typed))).toEqual([0, 0, 0, 0, 0, 1, 1, 2, 2])
  expect(['chengli', 'c', '成绩', 'jigll', ''].map(typed => readAt('成绩管理', typed))).toEqual([-1, -1, -1, -1, -1])
  expect([readAt('OSS 存储', 'osscun'), readAt('A栋301', 'dong301'), readAt('重庆', 'cq'), readAt('重庆', 'zhongq')]).toEqual([0, 1, 0, 0])
})
