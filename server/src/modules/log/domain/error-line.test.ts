import { describe, expect, test } from 'vitest'
import { digestOf, errorFacts } from './error-line.ts'

const thrown = (message: string, extra: object = {}): Error => Object.assign(new Error(message), extra)

describe('[S7.29] an error of the server', () => {
  test('has a kind, a place below the project and what the database says of its own things', () => {
    const facts = errorFacts(thrown('relation "param" is locked', { code: '55P03', table: 'param', detail: 'Key (phone)=(13800000001)' }))
    expect(facts).toMatchObject({
      exceptionName: 'Error',
      message: 'relation "param" is locked',
      fileName: 'server/src/modules/log/domain/error-line.test.ts',
      lineNumber: 4,
      info: '{"code":"55P03","table":"param"}',
    })
    expect(JSON.stringify(facts)).not.toMatch(/1380000|\/work|file:/)
  })
  test('never what somebody typed: quoted values, numbers, control characters', () => {
    const facts = errorFacts(
      thrown('invalid input syntax for type bigint: "张三 13800000001"\r\n\u001b[31mfake line (phone)=(13800000001) 330106199001013020'),
    )
    expect(facts.message).toBe('invalid input syntax for type bigint: "***" \n [31mfake line (phone)=(***) ***')
    expect(JSON.stringify(facts)).not.toMatch(/张三|1380000|3301061990|\\u001b/)
    expect(errorFacts('text').message).toBe('text')
  })
  test('has the digest of its cause, whatever its numbers are', () => {
    const at = (line: number) => `Error: x\n    at run (server/src/a.ts:${line}:3)`
    expect(digestOf('Error', 'row 1 of "a"', at(7))).toBe(digestOf('Error', 'row 22 of "b"', at(7)))
    expect(digestOf('Error', 'row 1', at(7))).not.toBe(digestOf('TypeError', 'row 1', at(7)))
    expect(digestOf('Error', 'row', at(7))).not.toBe(digestOf('Error', 'row', at(7).replace('a.ts', 'b.ts')))
  })
})
