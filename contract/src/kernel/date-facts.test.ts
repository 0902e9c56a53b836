import { describe, expect, it } from 'vitest'
import { dateFacts, dateProblem, dayProblem } from './date-facts.ts'

const now = new Date('2026-03-17T02:00:00Z')

describe('facts with dates', () => {
  it('say in both languages what is wrong', () => {
    for (const rule of Object.values(dateFacts))
      for (const { says } of Object.values(rule)) {
        expect(says.zh).toMatch(/[\u4e00-\u9fff]/)
        expect(says.en).toMatch(/^[A-Z]/)
      }
  })
  it('of a payment lie between the begin of the sign-up and now', () => {
    const signBegin = new Date('2026-03-16T01:00:00Z')
    expect(dateProblem('paidTime', new Date('2020-01-01T00:00:00Z'), { now, signBegin })?.zh).toBe('缴费时间不能早于报名开始')
    expect(dateProblem('paidTime', new Date('2026-03-18T00:00:00Z'), { now, signBegin })?.zh).toBe('缴费时间不能晚于现在')
    expect(dateProblem('paidTime', new Date('2026-03-17T01:00:00Z'), { now, signBegin })).toBeUndefined()
    expect(dateProblem('paidTime', new Date('2020-01-01T00:00:00Z'), { now, signBegin: null })).toBeUndefined()
  })
  it.each([
    ['graduateDate', '1996-07-01', '1992-02-29', '毕业时间不能早于年满 15 周岁'],
    ['graduateDate', '2007-02', '1992-02-29', undefined],
    ['graduateDate', '2027-07', '1992-02-29', undefined],
    ['firstWorkDate', '2030-01-01', '1992-02-29', '参加工作时间不能晚于今天'],
    ['firstWorkDate', '2026-03', '1992-02-29', undefined],
    ['firstWorkDate', '1991-01', '1992-02-29', '参加工作时间早于出生日期'],
    ['titleDate', '2000-01-01', '1992-02-29', '取得职称时间不能早于年满 16 周岁'],
    ['titleDate', '2026-03-18', '1992-02-29', '取得职称时间不能晚于今天'],
    ['titleDate', '2015-06-01', '1992-02-29', undefined],
    ['titleDate', '无', '1992-02-29', undefined],
  ] as const)('%s %s of somebody born %s: %s', (fact, typed, born, expected) => {
    expect(dayProblem(fact, typed, { born, now: '2026-03-17' })?.zh).toBe(expected)
  })
})
