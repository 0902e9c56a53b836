import { expect, test } from 'vitest'
import { fewOf } from './few.ts'

test('[19.13] a refusal spells out three problems and counts the rest', () => {
  const say = (n: number) => Array.from({ length: n }, (_, at) => ({ zh: `问题${at + 1}`, en: `problem ${at + 1}` }))
  expect(fewOf(say(1))).toEqual({ zh: '问题1', en: 'problem 1' })
  expect(fewOf(say(3))).toEqual({ zh: '问题1；问题2；问题3', en: 'problem 1; problem 2; problem 3' })
  expect(fewOf(say(120))).toEqual({ zh: '问题1；问题2；问题3；另有 117 处', en: 'problem 1; problem 2; problem 3; and 117 more' })
})
