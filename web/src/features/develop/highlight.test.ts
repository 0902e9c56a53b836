import { expect, test } from 'vitest'
import { highlight } from './highlight.ts'

const shown = (path: string, line: string): string =>
  highlight(path, line)
    .map(({ kind, text }) => (kind === 'plain' ? text : `<${kind}:${text}>`))
    .join('')

test.each([
  [
    'a.ts',
    "export const a = text(50, { zh: 'it // is' }) // said",
    "<word:export> <word:const> a = text(<number:50>, { zh: <text:'it // is'> }) <comment:// said>",
  ],
  ['a.ts', '  zh: "a \\" b",', '  zh: <text:"a \\" b">,'],
  [
    'a.sql',
    "create table x ('it''s -- no', 5); -- yes",
    "<word:create> <word:table> x (<text:'it''s -- no'>, <number:5>); <comment:-- yes>",
  ],
  ['a.md', '## Use `x`', '<comment:## Use `x`>'],
  ['a.bin', 'const', 'const'],
])('%s: %s', (path, line, expected) => {
  expect(shown(path, line)).toBe(expected)
  expect(
    highlight(path, line)
      .map(({ text }) => text)
      .join(''),
  ).toBe(line)
})
