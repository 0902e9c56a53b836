import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  checkPaper,
  checkWindows,
  countWorkingDays,
  examPhase,
  formatDay,
  formatInstant,
  isWithin,
  parseInstant,
  windowWarnings,
} from './window.ts'

const at = (text: string): number => {
  const ms = parseInstant(text)
  if (ms === undefined) throw new Error(`not an instant: ${text}`)
  return ms
}

describe('instants on the wire', () => {
  it('are Asia/Shanghai without milliseconds', () => {
    expect(formatInstant(Date.UTC(2026, 2, 20, 8, 59, 59, 999))).toBe('2026-03-20 16:59:59')
    expect(formatInstant(Date.UTC(2025, 11, 31, 16))).toBe('2026-01-01 00:00:00')
    expect(formatDay(Date.UTC(2025, 11, 31, 15, 59, 59))).toBe('2025-12-31')
    expect(at('2026-03-20 17:00:00')).toBe(Date.UTC(2026, 2, 20, 9))
    expect(at('2024-02-29')).toBe(Date.UTC(2024, 1, 28, 16))
  })

  it.each([
    '',
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-04-31 10:00:00',
    '2026-03-20 24:00:01',
    '2026-03-20 10:60:00',
    '2026-3-2',
    ' 2026-03-20',
    '2026-03-20T10:00:00',
  ])('%j is none', text => expect(parseInstant(text)).toBeUndefined())

  it('agree with the machine’s calendar and survive the round trip', () => {
    const seconds = fc.integer({ min: Date.UTC(1900, 0, 1) / 1000, max: Date.UTC(2999, 0, 1) / 1000 })
    fc.assert(
      fc.property(seconds, s => {
        const text = formatInstant(s * 1000)
        expect(text).toBe(new Date(s * 1000 + 8 * 3600_000).toISOString().slice(0, 19).replace('T', ' '))
        expect(parseInstant(text)).toBe(s * 1000)
      }),
    )
  })
})

describe('half-open windows', () => {
  const begin = at('2026-03-16 09:00:00')
  const end = at('2026-03-20 17:00:00')

  it.each([
    [begin - 1, false],
    [begin, true],
    [end - 1, true],
    [end, false],
  ])('at %d: %j', (now, expected) => expect(isWithin(now, begin, end)).toBe(expected))

  it('are open on the side that is not set', () => {
    expect(isWithin(0, null, end)).toBe(true)
    expect(isWithin(end, undefined, null)).toBe(true)
    expect(isWithin(begin - 1, begin, null)).toBe(false)
  })

  it('split time: two that touch hold every moment between exactly once', () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat(1000), fc.nat(1000), fc.nat(2000), (start, a, b, offset) => {
        const now = start + offset
        const inside = Number(isWithin(now, start, start + a)) + Number(isWithin(now, start + a, start + a + b))
        expect(inside).toBe(offset < a + b ? 1 : 0)
      }),
    )
  })
})

describe('working days', () => {
  it('count Monday to Friday, both ends, with holidays and exchanged days', () => {
    const monday = at('2026-03-16 09:00:00')
    const sunday = at('2026-03-22 17:00:00')
    expect(countWorkingDays(monday, sunday)).toBe(5)
    expect(countWorkingDays(monday, sunday, new Set(['2026-03-17']), new Set(['2026-03-22']))).toBe(5)
    expect(countWorkingDays(at('2026-03-21 00:00:00'), at('2026-03-22 23:59:59'))).toBe(0)
  })

  it('warn regulated recruitment only', () => {
    const short = { signBegin: at('2026-03-20 09:00:00'), signEnd: at('2026-03-23 17:00:00'), announcedAt: at('2026-03-18 10:00:00') }
    expect(windowWarnings({ examType: 1, ...short })).toEqual([
      { field: 'signEnd', message: { zh: '报名时间仅 2 个工作日，一般不少于 3 个', en: 'Sign-up lasts 2 working days; 3 are usual' } },
      {
        field: 'signBegin',
        message: { zh: '公告发布距报名开始仅 2 个工作日，一般不少于 7 个', en: 'Announced 2 working days before sign-up; 7 are usual' },
      },
    ])
    expect(windowWarnings({ examType: 2, ...short })).toEqual([])
    expect(windowWarnings({ examType: 1, signBegin: at('2026-03-16 09:00:00'), signEnd: at('2026-03-20 17:00:00') })).toEqual([])
  })
})

const windows = {
  signBegin: at('2026-03-16 09:00:00'),
  signEnd: at('2026-03-20 17:00:00'),
  modifyEnd: at('2026-03-21 12:00:00'),
  examineEnd: at('2026-03-21 17:00:00'),
  payBegin: at('2026-03-16 09:00:00'),
  payEnd: at('2026-03-22 17:00:00'),
  ticketBegin: at('2026-04-01 09:00:00'),
  ticketEnd: at('2026-04-11 09:00:00'),
}
const written = { itemName: '综合基础知识', itemType: 1, startTime: at('2026-04-11 09:00:00'), endTime: at('2026-04-11 10:30:00') } as const
const interview = { itemName: '专业面试', itemType: 2, startTime: at('2026-05-16 09:00:00'), endTime: at('2026-05-16 18:00:00') } as const

describe('release check of the windows', () => {
  it('finds nothing in the acceptance examination', () => expect(checkWindows(windows, [written, interview], 1)).toEqual([]))

  it('names every fault by field', () => {
    const faulty = {
      ...windows,
      signEnd: windows.signBegin,
      modifyEnd: windows.signBegin - 1,
      examineEnd: windows.signBegin - 1,
      payEnd: windows.signBegin - 2,
      ticketEnd: null,
    }
    const late = { ...written, endTime: written.startTime, reportTime: written.startTime + 1 }
    expect(checkWindows(faulty, [late, interview], 1).map(problem => problem.field)).toEqual([
      'signEnd',
      'payEnd',
      'ticketEnd',
      'modifyEnd',
      'examineEnd',
      'payEnd',
      'items',
      'items',
    ])
    expect(checkWindows({ ...windows, payBegin: null, payEnd: null }, [], 3).map(problem => problem.field)).toEqual(['payBegin'])
    expect(checkWindows({ ...windows, payBegin: null, payEnd: null }, [], 0)).toEqual([])
    // One mistake is told once: a payment window without its end.
    expect(checkWindows({ ...windows, payEnd: null }, [], 3).map(problem => problem.message.zh)).toEqual(['请设置缴费结束时间'])
  })

  it('a paper keeps its pass line within its full score, and says so by its name', () => {
    const hard = { ...written, fullScore: '100.00', passScore: '100.01' }
    expect(checkPaper(hard)).toEqual([
      { field: 'passScore', message: { zh: '合格线不能高于满分', en: 'The pass line must not be above the full score' } },
    ])
    expect(checkWindows(windows, [hard], 0).map(problem => problem.message.zh)).toEqual(['综合基础知识：合格线不能高于满分'])
    expect(checkPaper({ ...written, fullScore: '100', passScore: '100' })).toEqual([])
    expect(checkPaper({ ...written, fullScore: '100', passScore: null })).toEqual([])
  })
})

describe('phase', () => {
  const facts = {
    state: 1,
    windows,
    items: [written, interview],
    writtenReleased: false,
    interviewReleased: false,
    hasReview: false,
    hasPublicity: false,
  }
  const adjusting = { ...windows, adjustBegin: at('2026-03-23 00:00:00'), adjustEnd: at('2026-03-25 00:00:00') }

  it.each([
    ['2026-03-16 08:59:59', {}, 'notStarted'],
    ['2026-03-16 09:00:00', {}, 'signing'],
    ['2026-03-20 17:00:00', {}, 'examining'],
    ['2026-03-21 17:00:00', {}, 'paying'],
    ['2026-03-23 12:00:00', { windows: adjusting }, 'adjusting'],
    ['2026-03-22 17:00:00', {}, 'ticketing'],
    ['2026-04-11 09:00:00', {}, 'examDay'],
    ['2026-04-11 10:30:00', {}, 'scoring'],
    ['2026-04-20 00:00:00', { writtenReleased: true }, 'reviewing'],
    ['2026-05-14 00:00:00', { writtenReleased: true, windows: { ...windows, msTicketBegin: at('2026-05-10 00:00:00') } }, 'interviewing'],
    ['2026-05-16 09:00:00', { writtenReleased: true }, 'interviewing'],
    ['2026-05-17 09:00:00', { writtenReleased: true }, 'scoring'],
    ['2026-05-20 09:00:00', { writtenReleased: true, interviewReleased: true, hasPublicity: true }, 'publicity'],
    ['2026-05-20 09:00:00', { writtenReleased: true, interviewReleased: true, hasReview: true }, 'reviewing'],
    ['2026-05-20 09:00:00', { writtenReleased: true, interviewReleased: true }, 'finished'],
    ['2026-03-17 09:00:00', { state: 2 }, 'closed'],
    ['2026-03-17 09:00:00', { state: 3 }, 'finished'],
  ] as const)('%s %j → %s', (now, change, phase) => expect(examPhase({ ...facts, ...change }, at(now))).toBe(phase))

  it('is examDay between two papers of one examination', () => {
    const second = { ...written, startTime: at('2026-04-11 14:00:00'), endTime: at('2026-04-11 16:00:00') }
    expect(examPhase({ ...facts, items: [written, second] }, at('2026-04-11 12:00:00'))).toBe('examDay')
  })
})
