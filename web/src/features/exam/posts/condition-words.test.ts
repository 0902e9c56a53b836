import { expect, it } from 'vitest'
import { lowestOf, namesOf, wordsOf } from './condition-words.ts'

const words = (value: unknown) =>
  wordsOf(
    value,
    key => `「${key}」`,
    name => `${name}及以上`,
  )

it('says the conditions of a post in words, whichever shape the workbook gave them', () => {
  expect(words({ min: '20' })).toBe('「20」及以上')
  expect(words(['10', '20'])).toBe('「10」、「20」')
  expect(words([{ code: '100201K', name: '临床医学', level: '本科' }])).toBe('临床医学 100201K')
  expect(words({ text: '限本区户籍', prefixes: ['330106'] })).toBe('限本区户籍')
  expect([null, undefined, [], {}, ''].map(words)).toEqual(['', '', '', '', ''])
})

it('gives a control what it can show', () => {
  expect([namesOf(['01', 7]), namesOf({ min: '20' }), namesOf(null)]).toEqual([['01'], [], []])
  expect([lowestOf({ min: '20' }), lowestOf(['20']), lowestOf(null)]).toEqual(['20', undefined, undefined])
})
