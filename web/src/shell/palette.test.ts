import { expect, it } from 'vitest'
import { readAt } from '#contract/kernel/pinyin.ts'
import { commands, matchCommands } from './palette.ts'

const found = (typed: string, lang: 'zh' | 'en' = 'zh') =>
  matchCommands(commands, typed, lang, readAt).map(({ command, rest }) => [command.key, rest])

it('finds what is to be done by any part of its name, by pinyin, and takes the examination behind it', () => {
  expect(found('成绩')).toEqual([['results', '']])
  expect([found('fbcj'), found('chengji'), found('cj')]).toEqual([[['results', '']], [['results', '']], [['results', '']]])
  expect(found('发布成绩 HZ2026A')).toEqual([['results', 'hz2026a']])
  expect(found('release results of HZ2026A', 'en')).toEqual([['results', 'hz2026a']])
  expect(found('refunds', 'en')).toEqual([['refunds', '']])
  expect([found(''), found('x'), found('王小明')]).toEqual([[], [], []])
})
