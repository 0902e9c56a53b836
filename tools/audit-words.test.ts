import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { auditWords } from '../web/src/features/monitor/audit-words.ts'

const server = fileURLToPath(new URL('../server/src/', import.meta.url))

/** Codes that stand in a source as they are written into the trail. */
const written = (): string[] =>
  globSync('**/*.ts', { cwd: server }).flatMap(file =>
    [
      ...readFileSync(`${server}${file}`, 'utf8').matchAll(/action: (?:[^\n'`]* \? )?'([a-z-]+\.[a-z-]+)'(?: : '([a-z-]+\.[a-z-]+)')?/g),
    ].flatMap(([, first, second]) => [first, second].filter(code => code !== undefined)),
  )

describe('words of the audit trail', () => {
  test('every code that the server writes can be read in both languages', () => {
    const codes = [...new Set(written())]
    expect(codes).toContain('region.exported')
    expect(codes).toContain('role.added')
    expect(
      codes.filter(code => auditWords(code) === null),
      'add their words to web/src/features/monitor/audit-words.ts',
    ).toEqual([])
  })

  test('what a plain noun writes has words as well', () => {
    expect(auditWords('param.updated')).toEqual({ zh: '参数 · 修改', en: 'Parameter · updated' })
    expect(auditWords('dictbiz.removed')?.zh).toBe('业务字典 · 删除')
  })

  test('a code without words stays a code', () => expect(auditWords('moon.landed')).toBeNull())
})
