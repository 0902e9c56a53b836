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

  test('codes that are put together have words: imports by their template, payments and refunds by their outcome', () => {
    const sources = globSync('modules/**/*.ts', { cwd: server }).map(file => readFileSync(`${server}${file}`, 'utf8'))
    const imports = sources.flatMap(text => [...text.matchAll(/^ {2,4}kind: '(T\w+)',$/gm)].map(([, kind]) => `import.${kind}`))
    expect(imports.sort()).toEqual(['import.T0', 'import.T0d', 'import.T0r', 'import.T1', 'import.T6', 'import.T7a', 'import.T7b'])
    const payments = ['posted', 'postedAfterClose', 'late', 'duplicate', 'notOwed', 'amountMismatch', 'merchantMismatch', 'conflict']
    const refunds = ['succeeded', 'closed', 'abnormal']
    const codes = [...imports, ...payments.map(kind => `payorder.${kind}`), ...refunds.map(kind => `refund.${kind}`)]
    expect(codes.filter(code => auditWords(code) === null)).toEqual([])
    expect(auditWords('import.T6')).toEqual({ zh: '导入 · 成绩', en: 'Import · results' })
  })

  test('what a plain noun writes has words as well', () => {
    expect(auditWords('param.updated')).toEqual({ zh: '参数 · 修改', en: 'Parameter · updated' })
    expect(auditWords('dictbiz.removed')?.zh).toBe('业务字典 · 删除')
  })

  test('a code without words stays a code', () => expect(auditWords('moon.landed')).toBeNull())
})
