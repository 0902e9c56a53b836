import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseCsv, parseCsvRecords } from '#kernel/csv.ts'
import { missingErrors, openResultSheet, type ResultSheetContext, type ResultTicket } from './result-sheet.ts'

const HEADER = ['准考证号*', '姓名*', '科目代码*', '成绩', '考试状态(正常/缺考/违纪/零分/免试)*', '加分', '备注']
const context: ResultSheetContext = {
  items: new Map([
    ['01', { itemId: '901', fullScoreHundredths: 10000 }],
    ['11', { itemId: '911', fullScoreHundredths: 15000 }],
    ['12', { itemId: '912', fullScoreHundredths: 15000, closed: { zh: '成绩已发布', en: 'Released' } }],
  ]),
  tickets: new Map([
    ['260301001016', { signupId: '1', userId: '71', name: '阿卜杜拉·买买提', itemCodes: ['01', '11'] }],
    ['260301001024', { signupId: '2', userId: '72', name: '李𬭎', itemCodes: ['01', '12'] }],
  ]),
}
const complete = [
  ['260301001016', '阿卜杜拉•买买提', '01', '78.5', '正常', '2', ''],
  ['260301001016', '阿卜杜拉·买买提', '11', '', '缺考', '', ''],
  ['260301001024', '李𬭎', '01', '', '违纪', '', '携带通讯工具'],
]
const readResultSheet = (header: readonly string[], rows: readonly string[][], of: ResultSheetContext) => {
  const reading = openResultSheet(header, of)
  rows.forEach((cells, i) => {
    reading.take(cells, i + 2)
  })
  return reading.end()
}
const read = (rows: string[][]) => readResultSheet(HEADER, rows, context)
const faults = (row: string[]) => read([row]).errors.map(error => `${error.column}${error.row} ${error.code}`)

describe('result list (T6)', () => {
  it('reads scores, states and bonus as integers', () => {
    const result = read(complete)
    expect([result.errors, result.missing, result.warnings]).toEqual([[], [], []])
    expect(result.rows).toEqual([
      {
        row: 2,
        value: {
          ticketNo: '260301001016',
          signupId: '1',
          userId: '71',
          name: '阿卜杜拉·买买提',
          itemId: '901',
          itemCode: '01',
          scoreHundredths: 7850,
          resultState: 1,
          bonusHundredths: 200,
          finalHundredths: 8050,
          remark: '',
        },
      },
      { row: 3, value: expect.objectContaining({ itemId: '911', resultState: 2, scoreHundredths: null, finalHundredths: null }) },
      { row: 4, value: expect.objectContaining({ signupId: '2', resultState: 3, remark: '携带通讯工具' }) },
    ])
  })

  it.each([
    [['260301001016', '阿卜杜拉·买买提', '01', '100', '正常', '', ''], []],
    [['260301001016', '阿卜杜拉·买买提', '01', '0', '1', '', ''], []],
    [['260301001016', '阿卜杜拉·买买提', '01', '100.01', '正常', '', ''], ['D2 score-range']],
    [['260301001016', '阿卜杜拉·买买提', '11', '100.01', '正常', '', ''], []],
    [['260301001016', '阿卜杜拉·买买提', '01', '-1', '正常', '', ''], ['D2 score-range']],
    [['260301001016', '阿卜杜拉·买买提', '01', '60.005', '正常', '', ''], ['D2 score-decimals']],
    [['260301001016', '阿卜杜拉·买买提', '01', '六十', '正常', '', ''], ['D2 score-number']],
    [['260301001016', '阿卜杜拉·买买提', '01', '', '正常', '', ''], ['D2 required']],
    [['260301001016', '阿卜杜拉·买买提', '01', '0', '零分', '', ''], ['D2 score-not-empty']],
    [['260301001016', '阿卜杜拉·买买提', '01', '', '请假', '', ''], ['E2 dictionary']],
    [
      ['260301001016', '张三', '01', '60', '正常', 'x', ''],
      ['B2 name-mismatch', 'F2 bonus'],
    ],
    [['260301001024', '李𬭎', '11', '60', '正常', '', ''], ['C2 not-this-item']],
    [
      ['260301001024', '李𬭎', '77', '60', '正常', '', '长'.repeat(201)],
      ['C2 unknown-item', 'G2 too-long'],
    ],
    [['260301001024', '李𬭎', '12', '60', '正常', '', ''], ['C2 closed-item']],
    [['2.60301E+11', '李𬭎', '01', '60', '正常', '', ''], ['A2 scientific']],
    [['', '', '', '', '', '', ''], []],
    [
      ['', '', '', '60', '', '', ''],
      ['A2 required', 'B2 required', 'C2 required', 'E2 required'],
    ],
  ])('%j → %j', (row, expected) => expect(faults(row)).toEqual(expected))

  it('names both rows of a duplicate', () => {
    const double = complete[0] ?? []
    expect(read([...complete, double]).errors.map(error => [error.row, error.column, error.reason.zh])).toEqual([
      [2, 'A', '与第 5 行重复'],
      [5, 'A', '与第 2 行重复'],
    ])
  })

  it('the same ticket stands once in each paper, and what a room marked counts for its own paper', () => {
    const [first = [], other = []] = complete
    expect(read([first, other, other]).errors.map(error => [error.row, error.column, error.code])).toEqual([
      [3, 'A', 'duplicate'],
      [4, 'A', 'duplicate'],
    ])
    const seen = new Map([['11', 'there'] as const])
    const tickets = new Map([['260301001016', { signupId: '1', userId: '71', name: '阿卜杜拉·买买提', itemCodes: ['01', '11'], seen }]])
    const result = readResultSheet(HEADER, [first, other], { ...context, tickets })
    expect(result.warnings.map(({ row, reason }) => [row, reason.zh])).toEqual([[3, '考场登记为到考']])
  })

  it('lists ticket holders who stand in no row, for the papers of this file only', () => {
    expect(read(complete.slice(0, 1)).missing).toEqual([{ ticketNo: '260301001024', itemCode: '01' }])
    const result = read(complete.slice(1, 2).concat([['260301001024', '李𬭎', '01', '60', '正常', '', '']]))
    expect(result.missing).toEqual([{ ticketNo: '260301001016', itemCode: '01' }])
    expect(missingErrors(result.missing)[0]).toEqual({
      code: 'missing-person',
      reason: {
        zh: '名单缺少准考证号 260301001016 科目 01，缺考也须列出',
        en: 'Ticket 260301001016, paper 01 is not in the file; absent people must be listed too',
      },
    })
  })

  it('nobody is missing whose row is there, whatever else is wrong with it', () => {
    const ill = complete.map((row, at) =>
      at === 0 ? row.map((cell, column) => (column === HEADER.findIndex(title => title.startsWith('考试状态')) ? '病假' : cell)) : row,
    )
    const result = read(ill)
    expect([result.errors.map(error => [error.row, error.reason.zh]), result.missing]).toEqual([
      [[2, '考试状态只能填 正常、缺考、违纪、零分、免试、缓考']],
      [],
    ])
  })

  it('says once what is wrong with the whole file: another paper’s, or a template that nobody filled in', () => {
    const one: ResultSheetContext = {
      ...context,
      items: new Map([['01', { itemId: '901', fullScoreHundredths: 10000 }]]),
      others: new Map([['11', '护理学']]),
    }
    const other = complete.map(([ticket = '', name = '']) => [ticket, name, '11', '60', '正常', '', ''])
    const whole = readResultSheet(HEADER, other, one)
    expect([whole.errors, whole.missing, whole.fileErrors.map(error => error.reason.zh)]).toEqual([
      [],
      [],
      ['整个文件：这是另一个科目（11 护理学）的成绩'],
    ])
    const mixed = readResultSheet(HEADER, [complete[0] ?? [], ...other.slice(1)], one)
    expect([mixed.errors.map(error => `${error.column}${error.row} ${error.code}`), mixed.fileErrors]).toEqual([
      ['C3 other-item', 'C4 other-item'],
      [],
    ])
    const untouched = read(complete.map(row => row.slice(0, 3)))
    expect([untouched.errors, untouched.fileErrors.map(error => error.code)]).toEqual([[], ['untouched']])
  })

  it('refuses a file without a required column', () => {
    expect(readResultSheet(HEADER.slice(1), complete, context).fileErrors.map(error => error.code)).toEqual(['header-missing'])
  })

  it('scenario 13: 10,000 rows with three wrong ones give exactly these three', () => {
    const tickets = new Map<string, ResultTicket>()
    const rows: string[][] = []
    for (let i = 2; i <= 10_001; i++) {
      const ticketNo = String(260301000000 + i)
      tickets.set(ticketNo, { signupId: String(i), userId: String(i), name: '王测', itemCodes: ['01'] })
      rows.push([ticketNo, '王测', '01', '60.5', '正常', '', ''])
    }
    const set = (row: number, column: number, value: string) => {
      const cells = rows[row - 2]
      if (cells) cells[column] = value
    }
    set(57, 3, '101')
    tickets.delete(rows[4012 - 2]?.[0] ?? '')
    set(9999, 4, '缺考')
    const result = readResultSheet(HEADER, rows, { ...context, tickets })
    expect(result.errors.map(error => [error.row, error.column])).toEqual([
      [57, 'D'],
      [4012, 'A'],
      [9999, 'D'],
    ])
    expect([result.rows.length, result.missing]).toEqual([9997, []])
  })

  it('reads the sample list of 60 people without an error', () => {
    const seed = (name: string) => readFileSync(new URL(`../../../../seed/data/samples/${name}.csv`, import.meta.url), 'utf8')
    const tickets = new Map(
      parseCsvRecords(seed('tickets-60')).map((row, i) => [
        row.准考证号 ?? '',
        { signupId: String(i), userId: String(i), name: row.姓名 ?? '', itemCodes: ['01', '11'] },
      ]),
    )
    const [header = [], ...rows] = parseCsv(seed('results-60'))
    const result = readResultSheet(header, rows, { ...context, tickets })
    expect([result.errors, result.missing, result.rows.length]).toEqual([[], [], rows.length])
  })
})
