import { describe, expect, it } from 'vitest'
import { dateDoubts, dateFacts, dateProblem, dayDoubts, dayProblem, examBegan } from './date-facts.ts'

const now = new Date('2026-03-17T02:00:00Z')

describe('facts with dates', () => {
  it('say in both languages what is wrong', () => {
    for (const rule of Object.values(dateFacts))
      for (const { says } of Object.values(rule).flat()) {
        expect(says.zh).toMatch(/[\u4e00-\u9fff]/)
        expect(says.en).toMatch(/^[A-Z]/)
      }
  })
  it('of a payment lie between the begin of the examination and now; before the sign-up and a year back it asks', () => {
    const signBegin = new Date('2026-03-16T01:00:00Z')
    const anchors = { now, signBegin, examBegan: examBegan({ createdAt: new Date('2025-01-10T01:00:00Z'), signBegin }) }
    const problem = (at: string) => dateProblem('paidTime', new Date(at), anchors)?.zh
    const doubts = (at: string) => dateDoubts('paidTime', 'paidTime', new Date(at), anchors)
    expect(problem('2020-01-01T00:00:00Z')).toBe('缴费时间不能早于报名开始')
    expect(problem('2026-03-18T00:00:00Z')).toBe('缴费时间不能晚于现在')
    expect([problem('2026-03-17T01:00:00Z'), doubts('2026-03-17T01:00:00Z')]).toEqual([undefined, []])
    expect([problem('2026-01-17T01:00:00Z'), doubts('2026-01-17T01:00:00Z')]).toEqual([
      undefined,
      [
        {
          id: 'paidTime.early.signBegin',
          field: 'paidTime',
          text: { zh: '缴费时间早于报名开始', en: 'It was paid before the sign-up began' },
        },
      ],
    ])
    expect(dateDoubts('paidTime', 'paidTime', new Date('2025-02-01T00:00:00Z'), { now }).map(({ id }) => id)).toEqual([
      'paidTime.early.now',
    ])
    expect(doubts('2020-01-01T00:00:00Z')).toEqual([])
    expect(dateProblem('paidTime', new Date('2020-01-01T00:00:00Z'), { now, signBegin: null })).toBeUndefined()
  })
  it.each([
    ['graduateDate', '2009-07-01', '1992-02-29', '毕业时不满 18 周岁'],
    ['graduateDate', '2010-02', '1992-02-29', undefined],
    ['graduateDate', '2027-04-01', '1992-02-29', '毕业时间晚于一年后'],
    ['firstWorkDate', '2007-07', '1992-02-29', '参加工作时不满 16 周岁'],
    ['titleDate', '2010-02-27', '1992-02-29', '取得职称时不满 20 周岁'],
    ['birthday', '1950-01-01', '', '年龄超过 70 周岁'],
    ['birthday', '2012-01-01', '', '年龄不满 16 周岁'],
    ['graduateDate', '1996-07-01', '1992-02-29', undefined],
  ] as const)('%s %s of somebody born %s asks: %s', (fact, typed, born, expected) => {
    const [first] = dayDoubts(fact, fact, typed, { now: '2026-03-17', ...(born === '' ? {} : { born }) })
    expect(first?.text.zh).toBe(expected)
  })
  it.each([
    ['graduateDate', '1996-07-01', '1992-02-29', '毕业时间不能早于年满 15 周岁'],
    ['graduateDate', '2007-02', '1992-02-29', undefined],
    ['graduateDate', '2027-07', '1992-02-29', undefined],
    ['firstWorkDate', '2030-01-01', '1992-02-29', '参加工作时间不能晚于今天'],
    ['firstWorkDate', '2026-03', '1992-02-29', undefined],
    ['firstWorkDate', '1991-01', '1992-02-29', '参加工作时间早于出生日期'],
    ['firstWorkDate', '1999-01', '1992-02-29', '参加工作时间不能早于年满 10 周岁'],
    ['graduateDate', '2099-07', '1992-02-29', '毕业时间不能晚于十年后'],
    ['titleDate', '2000-01-01', '1992-02-29', '取得职称时间不能早于年满 16 周岁'],
    ['titleDate', '2026-03-18', '1992-02-29', '取得职称时间不能晚于今天'],
    ['titleDate', '2015-06-01', '1992-02-29', undefined],
    ['titleDate', '无', '1992-02-29', undefined],
  ] as const)('%s %s of somebody born %s: %s', (fact, typed, born, expected) => {
    expect(dayProblem(fact, typed, { born, now: '2026-03-17' })?.zh).toBe(expected)
  })
})
