import { expect, test } from 'vitest'
import { groupNumbers } from './interview-groups.ts'

test('[S7.39] a group has the number of its name, else the lowest free one, and keeps what it has', () => {
  expect([...groupNumbers(['第3组', 'A组', '03', '12', 'B组', 'A组'], new Map([['甲', 1]]))]).toEqual([
    ['甲', 1],
    ['第3组', 3],
    ['12', 12],
    ['A组', 2],
    ['03', 4],
    ['B组', 5],
  ])
})
