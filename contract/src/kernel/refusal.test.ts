import { describe, expect, test } from 'vitest'
import { defineErrors, refuserOf } from './refusal.ts'

const refuse = refuserOf(
  defineErrors({
    'test/window': { code: 1, status: 409, zh: '不在{what}时间（{from}）', en: 'Outside the time for {what} ({from})' },
  }),
)

describe('refusals', () => {
  test('a parameter in both languages is filled in in the language of its sentence', () => {
    expect(refuse('test/window', { what: { zh: '修改', en: 'corrections' }, from: '2026-03-16' }).text).toEqual({
      zh: '不在修改时间（2026-03-16）',
      en: 'Outside the time for corrections (2026-03-16)',
    })
  })
  test('text in a parameter is never taken for a placeholder', () => {
    expect(refuse('test/window', { what: '{from}', from: 1 }).text.en).toBe('Outside the time for {from} (1)')
  })
})
