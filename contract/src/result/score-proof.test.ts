import { describe, expect, it } from 'vitest'
import { leafText } from './score-proof.ts'

describe('the leaf of somebody’s scores', () => {
  it('writes a leaf in one way, whatever the order of the papers', () => {
    const scores = [
      { ticketNo: '260390010030', itemCode: '09', resultState: 1, score: '85.25', bonus: '0.00' },
      { ticketNo: '260301012173', itemCode: '02', resultState: 2, score: null, bonus: '0.00' },
      { ticketNo: '260301012173', itemCode: '01', resultState: 1, score: '78.50', bonus: '2.00' },
    ]
    const person = { tenantId: '000001', examCode: 'HZ2026A', salt: '00112233445566778899aabbccddeeff' }
    const text =
      'kaopu-score-1\n000001\nHZ2026A\n260301012173|01|1|78.50|2.00\n260301012173|02|2|-|0.00\n260390010030|09|1|85.25|0.00\n00112233445566778899aabbccddeeff'
    expect(leafText({ ...person, scores })).toBe(text)
    expect(leafText({ ...person, scores: [...scores].reverse() })).toBe(text)
  })
})
