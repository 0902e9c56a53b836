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
