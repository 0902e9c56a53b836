import { describe, expect, test } from 'vitest'
import { dueDeadline, duesFor, type FeeMode, feeNameIn, formatFen, orderDescription, parseYuan, yuanToFen } from './fee.ts'

const items = [
  { itemId: '11', itemCode: '01', itemName: '公共基础', feeFen: 6000, typeCodes: [] },
  { itemId: '12', itemCode: '02', itemName: '护理学', feeFen: 5000, typeCodes: ['B001'] },
  { itemId: '13', itemCode: '03', itemName: '临床医学', feeFen: 5000, typeCodes: ['A001', 'A002'] },
  { itemId: '14', itemCode: '04', itemName: '模拟考试', feeFen: 0, typeCodes: [] },
]
const dues = (feeMode: FeeMode, feeFen = 10000, postFen = 8000, itemCodes: readonly string[] = []) =>
  duesFor({ feeMode, feeFen }, { code: 'B001', feeFen: postFen, itemCodes }, items)

describe('duesFor', () => {
  test('a free examination makes no due', () => expect(dues('free')).toEqual([]))
  test('per person: one due of the examination fee', () =>
    expect(dues('perPerson')).toEqual([{ itemId: '0', payKind: 'examFee', payName: '报名费', amountFen: 10000 }]))
  test('per item: one due for each item the post sits, none for an item that costs nothing', () =>
    expect(dues('perItem')).toEqual([
      { itemId: '11', payKind: 'examFee', payName: '报名费（公共基础）', amountFen: 6000 },
      { itemId: '12', payKind: 'examFee', payName: '报名费（护理学）', amountFen: 5000 },
    ]))
  test('per item: a post that names its papers owes for these alone', () =>
    expect(dues('perItem', 0, 0, ['02', '04']).map(due => due.itemId)).toEqual(['12']))
  test('per post: one due of the post fee', () =>
    expect(dues('perPost')).toEqual([{ itemId: '0', payKind: 'examFee', payName: '报名费', amountFen: 8000 }]))
  test('an amount of zero makes no due', () => {
    expect(dues('perPerson', 0)).toEqual([])
    expect(dues('perPost', 10000, 0)).toEqual([])
  })
  test('half a fen is a defect, not a rounding', () => expect(() => dues('perPerson', 0.5)).toThrow(RangeError))
})

test('one who passes after the pay window has 24 hours', () => {
  const payEnd = new Date('2026-03-22T17:00:00+08:00')
  expect(dueDeadline(payEnd, new Date('2026-03-22T16:59:59.999+08:00'))).toEqual(payEnd)
  expect(dueDeadline(payEnd, payEnd)).toEqual(new Date('2026-03-23T17:00:00+08:00'))
})

describe('money text to fen (domain 11.1)', () => {
  test.each([
    ['100', { ok: true, amountFen: 10000 }],
    ['100.1', { ok: true, amountFen: 10010 }],
    ['0.29', { ok: true, amountFen: 29 }],
    ['1,000.00', { ok: true, amountFen: 100000 }],
    [' 100 ', { ok: true, amountFen: 10000 }],
    ['１００', { ok: true, amountFen: 10000, warning: 'fullWidth' }],
    ['１，０００．５', { ok: true, amountFen: 100050, warning: 'fullWidth' }],
    ['100.105', { ok: false, problem: 'tooManyDecimals' }],
    ['-1', { ok: false, problem: 'negative' }],
    ['0', { ok: false, problem: 'zero' }],
    ['0.00', { ok: false, problem: 'zero' }],
    ['', { ok: false, problem: 'empty' }],
    ['10,00', { ok: false, problem: 'notAnAmount' }],
    ['1e3', { ok: false, problem: 'notAnAmount' }],
    ['100元', { ok: false, problem: 'notAnAmount' }],
    ['.5', { ok: false, problem: 'notAnAmount' }],
    ['10000000.01', { ok: false, problem: 'tooLarge' }],
    ['99999999999999999999', { ok: false, problem: 'tooLarge' }],
  ])('%j', (text, result) => expect(parseYuan(text)).toEqual(result))

  test('every amount below 1000 yuan survives the way out and back', () => {
    const lost = Array.from({ length: 100_000 }, (_, fen) => fen).filter(fen => yuanToFen(formatFen(fen)) !== fen)
    expect(lost).toEqual([])
  })
  test('a negative amount keeps its sign', () => expect(formatFen(-5)).toBe('-0.05'))
})

test('a description is cut at 127 characters, not inside one', () => {
  expect(orderDescription('2026年\t招聘\r\n考试🎉❤️👨‍👩‍👧 \u200b\ud83d（一）', '体检费\u0007')).toBe('2026年 招聘 考试 （一）-体检费')
  expect(orderDescription('🎉', '🎉')).toBe('报名费')
  const both = orderDescription('长'.repeat(100), '费'.repeat(60))
  expect([both, both.length]).toEqual([`${'长'.repeat(65)}…-${'费'.repeat(60)}`, 127])
  const text = orderDescription('𬭎'.repeat(200), '报名费')
  expect(text).toBe(`${'〓'.repeat(122)}…-报名费`)
  expect(text).toHaveLength(127)
})

test('a fee that the program named is read in the language of the reader, another as it was typed', () => {
  const names = ['报名费', '报名费（综合基础知识）', '体检费', '报名费（']
  expect(names.map(name => feeNameIn(name, 'en'))).toEqual(['Sign-up fee', 'Sign-up fee (综合基础知识)', '体检费', '报名费（'])
  expect(names.map(name => feeNameIn(name, 'zh'))).toEqual(names)
})
