import { expect, test } from 'vitest'
import { lineDiff } from './line-diff.ts'

const marked = (before: string, after: string): readonly string[] =>
  lineDiff(before, after).map(({ kind, text }) => `${{ same: ' ', added: '+', removed: '-' }[kind]}${text}`)

test.each([
  ['', '', []],
  ['a\nb\n', 'a\nb\n', [' a', ' b']],
  ['', 'a\n', ['+a']],
  ['a\n', '', ['-a']],
  ['a\nb\nc\n', 'a\nx\nc\n', [' a', '-b', '+x', ' c']],
  ['a\nb\n', 'b\na\n', ['-a', ' b', '+a']],
  ['a\na\nb\n', 'a\nb\nb\n', [' a', '-a', '+b', ' b']],
])('what became of %j in %j, line by line', (before, after, lines) => {
  expect(marked(before, after)).toEqual(lines)
})

test('what was and what is can be told from it, also where too much has changed to compare', () => {
  const before = Array.from({ length: 3_000 }, (_, at) => `old ${at}`)
  const after = Array.from({ length: 3_000 }, (_, at) => `new ${at}`)
  const lines = lineDiff(before.join('\n'), after.join('\n'))
  expect(lines.filter(({ kind }) => kind !== 'added').map(({ text }) => text)).toEqual(before)
  expect(lines.filter(({ kind }) => kind !== 'removed').map(({ text }) => text)).toEqual(after)
})
