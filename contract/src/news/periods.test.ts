import { expect, test } from 'vitest'
import { fromWireTime } from '../kernel/when.ts'
import { lastWorkingDay, type PeriodFacts, periodWarnings } from './periods.ts'

const at = (text: string): Date => fromWireTime(text) ?? new Date(Number.NaN)
const policy = { announceDays: 7, signDays: 5, publicityDays: 5, holidays: new Set<string>(), workdays: new Set<string>() }
// 16 March 2026 is a Monday.
const exam = { examType: 1, signBegin: at('2026-03-18 09:00:00'), signEnd: at('2026-03-24 17:00:00') }
const warn = (facts: Partial<PeriodFacts>, more = {}) =>
  periodWarnings({ noticeType: 1, releaseTime: at('2026-03-16 09:00:00'), endTime: null, exam, ...facts }, { ...policy, ...more }).map(
    ({ field, text }) => [field, text.zh],
  )

test('an announcement has seven working days to the end of sign-up, and sign-up five', () => {
  expect(warn({})).toEqual([])
  expect(warn({ releaseTime: at('2026-03-17 09:00:00') })).toEqual([['releaseTime', '从公告发布到报名截止仅 6 个工作日，一般不少于 7 个']])
  expect(warn({ releaseTime: at('2026-03-25 09:00:00') })).toEqual([['releaseTime', '从公告发布到报名截止仅 0 个工作日，一般不少于 7 个']])
  expect(warn({ exam: { ...exam, signBegin: at('2026-03-19 09:00:00') } })).toEqual([['examId', '报名时间仅 4 个工作日，一般不少于 5 个']])
  expect(warn({ exam: null })).toEqual([['examId', '招聘公告没有关联考试，无法核对公告期']])
})

test('other kinds of examinations and of notices have no such period', () => {
  expect(warn({ releaseTime: at('2026-03-24 09:00:00'), exam: { ...exam, examType: 3 } })).toEqual([])
  expect(warn({ noticeType: 2, releaseTime: at('2026-03-24 09:00:00') })).toEqual([])
})

test('a publicity lasts five working days by the calendar of the tenant', () => {
  const publicity = { noticeType: 3, exam: null }
  expect(warn(publicity)).toEqual([['endTime', '没有填写公示结束时间；公示一般不少于 5 个工作日']])
  expect(warn({ ...publicity, endTime: at('2026-03-21 00:00:00') })).toEqual([])
  expect(warn({ ...publicity, endTime: at('2026-03-20 00:00:00') })).toEqual([['endTime', '公示仅 4 个工作日，一般不少于 5 个']])
  expect(warn({ ...publicity, endTime: at('2026-03-21 00:00:00') }, { holidays: new Set(['2026-03-17']) })).toEqual([
    ['endTime', '公示仅 4 个工作日，一般不少于 5 个'],
  ])
  expect(
    warn({ ...publicity, endTime: at('2026-03-22 00:00:00') }, { holidays: new Set(['2026-03-17']), workdays: new Set(['2026-03-21']) }),
  ).toEqual([])
})

test('so many working days end after weekends and days off', () => {
  const calendar = { holidays: new Set(['2026-03-18']), workdays: new Set(['2026-03-21']) }
  const none = { holidays: new Set<string>(), workdays: new Set<string>() }
  // Tuesday.
  const from = new Date('2026-03-17T10:00:00+08:00')
  expect([lastWorkingDay(from, 5, none), lastWorkingDay(from, 5, calendar), lastWorkingDay(from, 1, none)]).toEqual([
    '2026-03-23',
    '2026-03-23',
    '2026-03-17',
  ])
})
