import { expect, it } from 'vitest'
import { partsOf, soundPattern } from './sound.ts'

const isFound = (name: string, typed: string): boolean => {
  const pattern = soundPattern(typed)
  return pattern !== null && new RegExp(pattern, 'u').test(name)
}

it('parts letters into characters, the fewest first', () => {
  const told = (letters: string) => partsOf(letters).map(parts => parts.map(part => part.letters).join(' '))
  expect([told('xian'), told('zjy'), told('zhouj'), told('iu')]).toEqual([
    ['xian', 'xia n', 'xi an', 'xi a n'],
    ['z j y'],
    ['zhou j', 'z hou j', 'z h ou j'],
    [],
  ])
})

it('names are found by pinyin, the beginning of it, initials and both mixed, from any character on', () => {
  expect(['zhoujingyi', 'zjy', 'zhoujy', 'ZhouJing', 'jingyi', 'jin', 'zhoujin', 'jy'].filter(typed => !isFound('周婧怡', typed))).toEqual(
    [],
  )
  expect(['zhouyi', 'zyj', '周', 'z', '7987', 'zhoujingyiyi', 'x'.repeat(40)].filter(typed => isFound('周婧怡', typed))).toEqual([])
  expect([
    isFound('单晓', 'shanx'),
    isFound('单晓', 'dx'),
    isFound('吕布', 'lvb'),
    isFound('吕布', 'lubu'),
    isFound('曾国藩', 'zgf'),
  ]).toEqual(Array(5).fill(true))
})
