import { describe, expect, it } from 'vitest'
import { columnLetter, failRepeated, headerKey, isScientific, matchHeader, openSheet } from './sheet.ts'

describe('sheet', () => {
  it.each([
    [0, 'A'],
    [25, 'Z'],
    [26, 'AA'],
    [30, 'AE'],
    [701, 'ZZ'],
    [702, 'AAA'],
  ])('column %d is %s', (index, letter) => expect(columnLetter(index)).toBe(letter))

  it.each(['开考比例(如 3)', '开考比例（如3）', ' 开考比例 ', '开考比例*', '开考比例*(如 3)', '开考比例(如 3)*', '开考比例　（如 3）＊'])(
    'header %j is 开考比例',
    header => expect(headerKey(header)).toBe('开考比例'),
  )

  it('knows a column by its English name too, and as the same column', () => {
    const specs = { name: { header: '姓名', english: 'Name', required: true } }
    expect(matchHeader(specs, ['Name'])).toEqual({ indexOf: { name: 0 }, errors: [], warnings: [] })
    expect(matchHeader(specs, ['姓名', 'Name']).errors.map(error => error.code)).toEqual(['header-duplicate'])
  })

  it('fails each later row of a key and names the first', () => {
    const opened = openSheet({ code: { header: '编号', required: true } }, ['编号'])
    const first = new Map<string, number>()
    const repeated = opened.readers([['a'], ['b'], ['a'], ['a']]).map(reader => failRepeated(reader, 'code', reader.text('code'), first))
    expect(repeated).toEqual([false, false, true, true])
    expect(opened.checked([]).errors.map(({ row, code, reason }) => [row, code, reason.zh])).toEqual([
      [4, 'duplicate', '与第 2 行重复'],
      [5, 'duplicate', '与第 2 行重复'],
    ])
  })

  it('finds columns in any order and names missing, double and unknown ones', () => {
    const specs = {
      name: { header: '姓名', required: true },
      no: { header: '准考证号', required: true },
      remark: { header: '备注', required: false },
    }
    expect(matchHeader(specs, ['备注', '姓名*', '', '准考证号'])).toEqual({
      indexOf: { name: 1, no: 3, remark: 0 },
      errors: [],
      warnings: [],
    })
    const faulty = matchHeader(specs, ['姓名', '姓名（必填）', '身高'])
    expect(faulty.indexOf).toEqual({ name: 0, no: -1, remark: -1 })
    expect(faulty.errors.map(error => error.reason.zh)).toEqual(['列重复: 姓名（必填）', '缺少列: 准考证号'])
    expect(faulty.warnings.map(warning => warning.reason.en)).toEqual(['Unknown column, ignored: 身高'])
  })

  it('sees numbers that lost their digits', () => {
    expect(['3.20102E+17', '2.60301e11', '320102', '1E+5'].map(isScientific)).toEqual([true, true, false, true])
  })
})

it('[S7.15] a cell is read without the marks that turn text round or hide in it', () => {
  const opened = openSheet({ name: { header: '名称', required: true } }, ['名称'])
  expect(opened.readers([['\u202E内科\u200B ']]).map(reader => [reader.text('name'), reader.code('name')])).toEqual([['内科', '内科']])
})
