import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { auditEntities, auditWords, entityWords } from '../contract/src/log/audit-words.ts'
import { resources } from '../contract/src/nouns.ts'
import { importKinds } from '../contract/src/registry.ts'

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
      'add their words to contract/src/log/audit-words.ts',
    ).toEqual([])
  })

  test('codes that are put together have words: imports by their template, payments and refunds by their outcome', () => {
    const imports = importKinds.map(({ kind }) => `import.${kind}`)
    expect(imports).toEqual(expect.arrayContaining(['import.T0', 'import.T0p', 'import.T6']))
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

  test('what lines can be about is what a search of the trail chooses from, and has words', () => {
    const sources = globSync('**/*.ts', { cwd: server }).map(file => readFileSync(`${server}${file}`, 'utf8'))
    const literal = sources.flatMap(text => [...text.matchAll(/\bentity: '([a-z_-]+)'/g)].map(([, entity]) => entity))
    // Dictionaries and logs name theirs by their table.
    const put = ['dict', 'dictbiz', 'log_usual', 'log_api', 'log_error']
    const all = new Set([...literal, ...put, ...resources.map(({ name }) => name)])
    expect([...all].sort()).toEqual([...auditEntities].sort())
    expect(auditEntities.filter(entity => entityWords(entity) === null)).toEqual([])
  })

  test('a code without words stays a code', () => expect(auditWords('moon.landed')).toBeNull())
})
