import { expect, it } from 'vitest'
import { codesOf, lowestOf, namesOf, typedOf, wordsOf } from './condition-words.ts'

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

it('[S7.61] shows majors and household as they are typed', () => {
  const majors = [
    { code: '100201K', name: '临床医学', level: '本科' },
    { code: '100201K', name: '临床医学', level: '专科' },
    { code: '', name: '麻醉学', level: '' },
    { code: '1002', name: '临床医学', level: '研究生' },
  ]
  expect([majors, [{ code: '', name: '麻醉学', level: '' }], '100201k;', null].map(codesOf)).toEqual(['100201K；1002', '', '100201k;', ''])
  expect([{ text: '330106;330108', prefixes: ['330106', '330108'] }, '本区', null].map(typedOf)).toEqual(['330106;330108', '本区', ''])
})
