import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCsv, parseCsvRecords } from './csv.ts'

describe('parseCsv', () => {
  it('reads quotes, doubled quotes, commas and line breaks inside quotes', () => {
    expect(parseCsv('a,"b,1","c ""x"""\r\n"line 1\r\nline 2",,\n')).toEqual([
      ['a', 'b,1', 'c "x"'],
      ['line 1\r\nline 2', '', ''],
    ])
  })

  it('drops a byte-order mark and blank lines, keeps spaces', () => {
    expect(parseCsv('\uFEFFx,y\r\n\r\n 1 ,2')).toEqual([
      ['x', 'y'],
      [' 1 ', '2'],
    ])
  })

  it('takes a quote in the middle of a bare cell as text', () => {
    expect(parseCsv('=HYPERLINK("x"),b')).toEqual([['=HYPERLINK("x")', 'b']])
  })

  it('reads back what a quoting writer wrote', () => {
    const write = (rows: string[][]) => rows.map(r => r.map(c => `"${c.replaceAll('"', '""')}"`).join(',')).join('\r\n')
    const rows = fc.array(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2, maxLength: 4 }), { maxLength: 5 })
    fc.assert(
      fc.property(rows, value => {
        expect(parseCsv(write(value))).toEqual(value)
      }),
    )
  })
})

describe('parseCsvRecords', () => {
  it('keys cells by header and fills missing ones', () => {
    expect(parseCsvRecords('name,code\r\n王,01\r\n李')).toEqual([
      { name: '王', code: '01' },
      { name: '李', code: '' },
    ])
  })
})
