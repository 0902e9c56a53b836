import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { unsolvedFormula } from '#contract/kernel/unsolved-formula.ts'
import { columnLetters, isNumber } from './cell.ts'
import { readSheet, streamSheet } from './read-sheet.ts'
import { type SheetLine, writeSheet } from './write-sheet.ts'

const folder = mkdtempSync(join(tmpdir(), 'kaopu-sheet-'))
afterAll(() => rmSync(folder, { recursive: true }))
let made = 0
const newPath = () => join(folder, `${++made}.xlsx`)

/** A workbook of hand-written parts; streams stand for parts too large to hold. */
async function pack(parts: Record<string, string | Readable>): Promise<string> {
  const zip = new ZipFile()
  const path = newPath()
  for (const [name, part] of Object.entries(parts)) {
    if (typeof part === 'string') zip.addBuffer(Buffer.from(part), name)
    else zip.addReadStream(part, name, { compressionLevel: 1 })
  }
  zip.end()
  writeFileSync(path, await buffer(zip.outputStream))
  return path
}

const REL = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const rels = (items: string) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${items}</Relationships>`
const skeleton = {
  '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
  '_rels/.rels': rels(`<Relationship Id="rId1" Type="${REL}/officeDocument" Target="xl/workbook.xml"/>`),
  'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${REL}"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': rels(
    `<Relationship Id="rId1" Type="${REL}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${REL}/sharedStrings" Target="sharedStrings.xml"/>`,
  ),
  'xl/sharedStrings.xml': `<sst xmlns="${MAIN}"><si><t>330199199001011234</t></si></sst>`,
}
const sheetOf = (rows: string) => `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`
const zeros = (bytes: number) =>
  Readable.from(
    (function* () {
      const chunk = Buffer.alloc(1 << 20, 48)
      for (let i = 0; i < bytes; i += chunk.length) yield chunk
    })(),
  )

test('sheet › what is written is read back: rare characters, formulas as text, money by digits, numbers as numbers', async () => {
  const path = newPath()
  const texts = ['䶮𬭎㼆·', '=1+1', "'quoted", '+86', '-1', '@x', 'a\tb\nc', ' spaces ', '<&">', '_x000D_', '330199199001011234']
  await writeSheet(path, {
    watermark: '报名信息 管理员 2026-11-20 内部资料 注意保密',
    sheets: [
      {
        name: '报名/信息',
        columns: [
          { header: '姓名', required: true },
          { header: '分数', kind: 'number' },
          { header: '金额(元)', kind: 'money' },
        ],
        rows: texts.map((text, i): SheetLine => [text, i + 0.5, i === 0 ? 900_719_925_474_099n : -5]),
      },
    ],
  })

  const read = await readSheet(path)

  expect(read).toEqual({
    rows: [
      { row: 1, cells: ['报名信息 管理员 2026-11-20 内部资料 注意保密'] },
      { row: 2, cells: ['姓名', '分数', '金额(元)'] },
      ...texts.map((text, i) => ({ row: i + 3, cells: [text, i + 0.5, i === 0 ? 9_007_199_254_740.99 : -0.05] })),
    ],
  })
})

test('sheet › rows that are hidden in the sheet that is read are told of, also where their tag comes in pieces; empty ones are not', async () => {
  const cell = (row: number) => `<c r="A${row}" t="inlineStr"><is><t>x</t></is></c>`
  const hiddenIn = (row: number, content = cell(row)) => `<row r="${row}" spans="1:1" hidden="1">${content}</row>`
  const parts = {
    ...skeleton,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${REL}"><sheets><sheet name="A" sheetId="7" r:id="rId3"/><sheet name="B" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': rels(
      `<Relationship Id="rId1" Type="${REL}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId3" Type="${REL}/worksheet" Target="/xl/worksheets/sheet2.xml"/>`,
    ),
    'xl/worksheets/sheet1.xml': sheetOf(`<row r="1">${cell(1)}</row>${hiddenIn(2)}`),
    'xl/worksheets/sheet2.xml': sheetOf(
      `<row r="1">${cell(1)}</row>${Array.from({ length: 4_000 }, (_, i) => hiddenIn(i + 2)).join('')}${hiddenIn(9_000, '')}<row r="9001" hidden="0">${cell(9_001)}</row>`,
    ),
  }
  const path = await pack(parts)
  const hidden = async (sheet: number | string) => {
    const read = await streamSheet(path, { sheet }, () => {})
    return 'problem' in read ? read.problem : [read.rowCount, read.hiddenRows.length, read.hiddenRows[0], read.hiddenRows.at(-1)]
  }
  expect([await hidden(0), await hidden('B')]).toEqual([
    [4_002, 4_000, 2, 4_001],
    [2, 1, 2, 2],
  ])
})

test('sheet › controls and lone surrogates do not break the workbook', async () => {
  const path = newPath()
  await writeSheet(path, { sheets: [{ name: 'A', columns: [{ header: 'h' }], rows: [['a\u0000b\u001f\ud800c'], ['x'.repeat(40_000)]] }] })
  const read = await readSheet(path)
  const cells = 'rows' in read ? read.rows.map(row => row.cells[0]) : []
  expect([cells[1], String(cells[2]).length, String(cells[2]).at(-1)]).toEqual(['a\u0000b\u001f\ufffdc', 32_767, '…'])
})

test('sheet › templates and error workbooks carry lists, fills, comments, frozen header and several sheets', async () => {
  const path = newPath()
  await writeSheet(path, {
    sheets: [
      {
        name: '模板',
        columns: [{ header: '性别', required: true, comment: '必填', choices: ['男', '女, 及其他'] }, { header: '姓名' }],
        rows: [['男', { value: '张三', fill: 'red', comment: '与第 37 行重复' }]],
      },
      { name: '模板', columns: [{ header: '说明' }], rows: [['一']] },
    ],
  })

  const book = await readXlsx(new Uint8Array(await readFile(path)), { readStyles: true })

  const [first, second] = book.sheets
  expect(book.sheets.map(sheet => [sheet.name, sheet.rows])).toEqual([
    [
      '模板',
      [
        ['性别', '姓名'],
        ['男', '张三'],
      ],
    ],
    ['模板_2', [['说明'], ['一']]],
    ['_lists', [['男'], ['女, 及其他']]],
  ])
  expect(first?.cells?.get('1,1')?.comment?.text).toBe('与第 37 行重复')
  expect(first?.cells?.get('0,0')?.comment?.text).toBe('必填')
  expect(first?.cells?.get('1,1')?.style?.fill).toMatchObject({ type: 'pattern', fgColor: { rgb: expect.stringMatching(/FFC7CE$/) } })
  expect(first?.cells?.get('0,0')?.style?.fill).toMatchObject({ type: 'pattern', fgColor: { rgb: expect.stringMatching(/C00000$/) } })
  expect(first?.dataValidations?.[0]).toMatchObject({ type: 'list', range: 'A2:A5001', formula1: "'_lists'!$A$1:$A$2" })
  expect([first?.freezePane?.rows, second?.freezePane?.rows]).toEqual([1, 1])
})

test('sheet › cells of other programs: shared text, number for an id card, date, boolean, cached formula, formula without a value', async () => {
  const path = await pack({
    ...skeleton,
    'xl/worksheets/sheet1.xml': sheetOf(
      '<row r="5"><c r="A5" t="s"><v>0</v></c><c r="B5"><v>3.30106E+17</v></c><c r="C5" t="b"><v>1</v></c><c r="D5"><f>1+1</f><v>2</v></c><c r="E5"><f>1+1</f></c><c r="F5" t="e"><v>#N/A</v></c><c r="H5"/></row><row r="6"><c r="A6"/></row>',
    ),
  })
  const read = await readSheet(path)
  expect(read).toEqual({
    rows: [
      {
        row: 5,
        cells: ['330199199001011234', 3.30106e17, true, 2, unsolvedFormula, '#N/A'],
        marks: { 1: { unshown: 'scientific' }, 4: { fault: 'formula' }, 5: { fault: 'error' } },
      },
    ],
  })
  expect('rows' in read && read.rows[0]?.cells.map(isNumber)).toEqual([false, true, false, true, false, false])
})

test('[19.15] a formula without a stored value never passes for an empty cell, wherever the pieces of the file end', async () => {
  const formulas = [
    '<c r="A2"><f>1+1</f></c>', // nothing stored
    '<c r="B2"><f>1+1</f><v></v></c>', // an empty number
    '<c r="C2"><f>1+1</f><v/></c>',
    '<c r="D2" t="str"><f>""</f><v></v></c>', // an empty text is a value
    '<c r="E2"><f>1+1</f><v>0</v></c>',
    '<c r="F2"><f t="shared" ref="F2:F3" si="0">1+1</f></c>',
    '<c r="G2"><f t="shared" si="0"/></c>',
    '<c r="H2"><v>7</v></c>',
  ].join('')
  const filler = Array.from(
    { length: 3_000 },
    (_, i) => `<row r="${i + 3}"><c r="B${i + 3}"><f>A${i}*${'1*'.repeat(i % 40)}2</f></c><c r="C${i + 3}"><v>${i}</v></c></row>`,
  ).join('')
  const path = await pack({ ...skeleton, 'xl/worksheets/sheet1.xml': sheetOf(`<row r="2">${formulas}</row>${filler}`) })
  const read = await readSheet(path)
  if ('problem' in read) throw new Error(read.problem)
  const [first, ...others] = read.rows
  expect(first).toEqual({
    row: 2,
    cells: [unsolvedFormula, unsolvedFormula, unsolvedFormula, null, 0, unsolvedFormula, unsolvedFormula, 7],
    marks: first?.marks,
  })
  expect(others).toEqual(
    Array.from({ length: 3_000 }, (_, i) => ({ row: i + 3, cells: [null, unsolvedFormula, i], marks: { 1: { fault: 'formula' } } })),
  )
})

const typed = (types: string) => ({
  ...skeleton,
  '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/>${types}</Types>`,
  'xl/worksheets/sheet1.xml': sheetOf('<row r="1"><c r="A1"><v>1</v></c></row>'),
})

test('sheet › reads a workbook that declares a macro type for an extension it has no part of, as SheetJS 0.18.5 does', async () => {
  const path = await pack(typed('<Default Extension="bin" ContentType="application/vnd.ms-excel.sheet.binary.macroEnabled.main"/>'))
  expect(await readSheet(path)).toEqual({ rows: [{ row: 1, cells: [1] }] })
})

test('sheet › a date is what its format shows: smaller units that are in the cell are left out', async () => {
  const codes = ['yyyy-mm-dd', 'yyyy"年"m"月"d"日"', 'yyyy-mm-dd hh', 'yyyy-mm-dd hh:mm', 'yyyy-mm-dd hh:mm:ss', 'm/d/yyyy h:mm AM/PM']
  const builtin = [14, 15, 22, 31]
  const styles = `<styleSheet xmlns="${MAIN}"><numFmts>${codes
    .map((code, i) => `<numFmt numFmtId="${170 + i}" formatCode="${code.replaceAll('"', '&quot;')}"/>`)
    .join(
      '',
    )}</numFmts><cellXfs>${[...codes.map((_, i) => 170 + i), ...builtin].map(id => `<xf numFmtId="${id}"/>`).join('')}</cellXfs></styleSheet>`
  // 43 seconds past midnight; 17:33:20; half a second before midnight.
  const serials = [46376.000497685185, 46376 + (17 * 3_600 + 33 * 60 + 20) / 86_400, 46376.999999]
  const row = (serial: number, at: number) =>
    `<row r="${at + 1}">${[...codes, ...builtin].map((_, i) => `<c r="${columnLetters(i)}${at + 1}" s="${i}"><v>${serial}</v></c>`).join('')}</row>`
  const path = await pack({
    ...skeleton,
    'xl/_rels/workbook.xml.rels': rels(
      `<Relationship Id="rId1" Type="${REL}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${REL}/styles" Target="styles.xml"/>`,
    ),
    'xl/styles.xml': styles,
    'xl/worksheets/sheet1.xml': sheetOf(serials.map(row).join('')),
  })
  const read = await readSheet(path)
  if ('problem' in read) throw new Error(read.problem)
  const day = '2026-12-20T00:00:00.000Z'
  const late = (time: string) => `2026-12-20T${time}.000Z`
  const dates = read.rows.map(({ cells }) => cells.map(cell => (cell instanceof Date ? cell.toISOString() : cell)))
  expect(dates[0]).toEqual([day, day, day, day, late('00:00:43'), day, day, day, day, day])
  expect(dates[1]).toEqual([
    ...[day, day, late('17:00:00'), late('17:33:00'), late('17:33:20'), late('17:33:00')],
    ...[day, day, late('17:33:00'), day],
  ])
  expect(dates[2]?.[0]).toBe('2026-12-21T00:00:00.000Z')
})

test('sheet › refuses what is no xlsx, each with its reason', async () => {
  const write = (bytes: Uint8Array | string) => {
    const path = newPath()
    writeFileSync(path, bytes)
    return path
  }
  const good = await pack({ ...skeleton, 'xl/worksheets/sheet1.xml': sheetOf('<row r="1"><c r="A1"><v>1</v></c></row>') })
  const ole = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)])
  const cases: [string, string][] = [
    [write(''), 'empty'],
    [write('姓名,证件号码\n张三,1'), 'text'],
    [write(ole), 'legacy-xls'],
    [write(Buffer.concat([ole, Buffer.from('EncryptedPackage', 'utf16le')])), 'encrypted'],
    [write((await readFile(good)).subarray(0, -40)), 'truncated'],
    [await pack({ 'a.txt': 'a' }), 'not-xlsx'],
    [await pack({ ...skeleton, 'xl/vbaProject.bin': 'x', 'xl/worksheets/sheet1.xml': sheetOf('') }), 'macros'],
    [
      await pack({ ...typed('<Default Extension="dat" ContentType="application/vnd.ms-office.vbaProject"/>'), 'xl/code.dat': 'x' }),
      'macros',
    ],
    [
      await pack(typed('<Override PartName="/xl/workbook.xml" ContentType="application/vnd.ms-excel.sheet.macroEnabled.main+xml"/>')),
      'macros',
    ],
    [await pack({ ...skeleton, 'xl/worksheets/sheet1.xml': `<!DOCTYPE a [<!ENTITY b "c">]>${sheetOf('')}` }), 'unsafe'],
    [await pack({ ...skeleton, 'xl/worksheets/sheet1.xml': '<worksheet><sheetData><row' }), 'malformed'],
  ]
  const got: string[] = []
  for (const [path] of cases) {
    const read = await readSheet(path)
    got.push('problem' in read ? read.problem : `${read.rows.length} rows`)
  }
  expect(got).toEqual(cases.map(([, reason]) => reason))
})

/** Ratios are judged from 10 MB on, long before a bomb of either size is unpacked. */
const bombBytes = process.env['KAOPU_LONG'] ? 600 << 20 : 32 << 20

test('sheet › refuses bombs in the sheet and in the shared strings, and more rows, columns, bytes, time than allowed', async () => {
  const inSheet = await pack({ ...skeleton, 'xl/worksheets/sheet1.xml': zeros(bombBytes) })
  const { 'xl/sharedStrings.xml': _, ...rest } = skeleton
  const inStrings = await pack({ ...rest, 'xl/worksheets/sheet1.xml': sheetOf(''), 'xl/sharedStrings.xml': zeros(bombBytes) })
  const rows = Array.from({ length: 30 }, (_, i) => `<row r="${i + 1}"><c r="A${i + 1}"><v>1</v></c><c r="C${i + 1}"><v>1</v></c></row>`)
  const small = await pack({ ...skeleton, 'xl/worksheets/sheet1.xml': sheetOf(rows.join('')) })
  const problems = await Promise.all([
    readSheet(inSheet),
    readSheet(inStrings),
    readSheet(small, { maxRows: 29 }),
    readSheet(small, { maxColumns: 2 }),
    readSheet(small, { maxUnpackedBytes: 1_000 }),
    readSheet(small, { timeoutMs: 1 }),
    readSheet(small, { signal: AbortSignal.abort() }),
  ])
  expect(problems.map(read => 'problem' in read && read.problem)).toEqual([
    'ratio',
    'ratio',
    'rows',
    'columns',
    'unpacked-size',
    'timeout',
    'cancelled',
  ])
  expect(await readSheet(small, { maxRows: 30, maxColumns: 3 })).toHaveProperty('rows.length', 30)
  // Packing two bombs takes as long as the machine is busy; no limit of the product is measured here.
}, 120_000)

test('sheet › a reader that runs out of memory is reported, not fatal', async () => {
  const texts = Array.from({ length: 500_000 }, (_, i) => `<si><t>${i} ${Math.sin(i)}</t></si>`).join('')
  const path = await pack({
    ...skeleton,
    'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${texts}</sst>`,
    'xl/worksheets/sheet1.xml': sheetOf(''),
  })
  expect(await readSheet(path, { maxMemoryMb: 20 })).toMatchObject({ problem: 'memory' })
})

test('sheet › rows arrive in batches, one at a time and all of them before the end; an error of the taker is thrown', async () => {
  const path = newPath()
  await writeSheet(path, {
    sheets: [{ name: 'A', columns: [{ header: 'n', kind: 'number' }], rows: Array.from({ length: 1_700 }, (_, i) => [i]) }],
  })
  const sizes: number[] = []
  let inside = 0
  const end = await streamSheet(path, {}, async rows => {
    expect(++inside).toBe(1)
    await new Promise(resolve => setImmediate(resolve))
    inside--
    sizes.push(rows.length)
  })
  expect([end, sizes]).toEqual([{ rowCount: 1_701, hiddenRows: [], hiddenColumns: [], isFiltered: false }, [500, 500, 500, 201]])
  await expect(streamSheet(path, {}, () => Promise.reject(new Error('taker')))).rejects.toThrow('taker')
})

test('sheet › when the rows fail or the taker of the bytes goes away, the write fails and the row source is closed', async () => {
  let closed = 0
  async function* endless(failAt: number) {
    try {
      for (let i = 0; ; i++) {
        if (i === failAt) throw new Error('rows')
        yield [`${i} ${Math.cos(i)}`]
      }
    } finally {
      closed++
    }
  }
  const columns = [{ header: 'h' }]
  const sink = new PassThrough().resume()
  await expect(writeSheet(sink, { sheets: [{ name: 'A', columns, rows: endless(5_000) }] })).rejects.toThrow('rows')
  const gone = new PassThrough()
  gone.once('data', () => gone.destroy())
  await expect(writeSheet(gone, { sheets: [{ name: 'A', columns, rows: endless(-1) }] })).rejects.toThrow()
  expect([closed, sink.destroyed]).toEqual([2, true])
})

test('sheet › column letters', () => {
  expect([0, 25, 26, 701, 702].map(columnLetters)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA'])
})

test('sheet › numbers are written as numbers, also the digits of a decimal in a column of numbers; masks, codes and long digits stay texts', async () => {
  const path = newPath()
  await writeSheet(path, {
    sheets: [
      {
        name: 'a',
        columns: [
          { header: 'score', kind: 'number' },
          { header: 'amount', kind: 'decimal' },
          { header: 'any' },
          { header: 'code', kind: 'text' },
        ],
        rows: [
          ['86.50', '1200.00', 7, 12],
          ['***', '-0.5', '7', '0101'],
          ['007', '1234567890.123456', '', 330106200001010011n],
        ],
      },
    ],
  })
  const read = await readSheet(path)
  expect('rows' in read && read.rows.slice(1).map(({ cells }) => cells)).toEqual([
    [86.5, 1200, 7, '12'],
    ['***', -0.5, '7', '0101'],
    ['007', '1234567890.123456', null, '330106200001010011'],
  ])
})
