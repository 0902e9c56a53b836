import { describe, expect, test } from 'vitest'
import { actionLink, mostPressing } from './next-action.ts'
import type { NextAction } from './wire.ts'

const row = (examId: string, code: NextAction['code'], deadline?: string) => ({
  examId,
  nextAction: { code, text: code, hint: null, deadline: deadline ?? null, link: null },
})

describe('the next action card', () => {
  test('a task comes before waiting, the nearest deadline first', () => {
    const rows = [row('1', 'wait'), row('2', 'pay', '2026-12-02 17:00:00'), row('3', 'fix', '2026-12-01 17:00:00'), row('4', 'none')]
    expect(mostPressing(rows)?.examId).toBe('3')
    expect(mostPressing(rows.slice(0, 2))?.examId).toBe('2')
    expect(mostPressing(rows.slice(0, 1))?.examId).toBe('1')
    expect(mostPressing(rows.slice(3))).toBeUndefined()
  })

  test('[19.9] what was missed and money going back stand before all that is only waited for', () => {
    const rows = [row('1', 'wait', '2026-12-01 17:00:00'), row('2', 'refund'), row('3', 'waitTicket'), row('4', 'missed')]
    expect(mostPressing(rows)?.examId).toBe('2')
    expect(mostPressing(rows.toReversed())?.examId).toBe('4')
    expect(mostPressing([...rows, row('5', 'downloadTicket')])?.examId).toBe('5')
    expect(mostPressing([row('1', 'none'), row('2', 'missed')])?.examId).toBe('2')
    // What is waited for stands as the list has it: the newest sign-up before last year's score.
    expect(mostPressing([row('2', 'waitTicket'), row('1', 'viewScore')])?.examId).toBe('2')
    expect(actionLink({ code: 'missed', text: '', hint: null, deadline: null, link: '/signup/exam/9' }, '9')).toBe('/signup/exam/9')
  })

  test('a link of the server is followed only inside the portal', () => {
    expect(actionLink({ code: 'pay', text: '', hint: null, deadline: null, link: '/signup/examPay?examId=1' }, '1')).toBe(
      '/signup/examPay?examId=1',
    )
    expect(actionLink({ code: 'fix', text: '', hint: null, deadline: null, link: '//elsewhere.example/x' }, '7')).toBe('/signup/form/7')
    expect(actionLink({ code: 'downloadTicket', text: '', hint: null, deadline: null, link: '/signup/ticket' }, '7')).toBe(
      '/signup/ticket?examId=7',
    )
  })
})
