import { describe, expect, it } from 'vitest'
import { generateScores } from './scores.ts'

const people = Array.from({ length: 1000 }, (_, i) => ({ ticketNo: String(260301000000 + i), name: '王测', itemCodes: ['01', '11'] }))

describe('made-up scores', () => {
  it('are the same for the same seed', () => {
    expect(generateScores(people, { seed: 1 })).toEqual(generateScores(people, { seed: 1 }))
    expect(generateScores(people, { seed: 2 })).not.toEqual(generateScores(people, { seed: 1 }))
  })

  it('have a score exactly when the state is 正常, within the full score, and believable shares', () => {
    const scores = generateScores(people, { seed: 1 })
    expect(scores).toHaveLength(2000)
    for (const { state, score } of scores) {
      if (state === '正常') expect(Number(score)).toBeLessThanOrEqual(100)
      expect(score !== '').toBe(state === '正常')
    }
    const absent = scores.filter(score => score.state === '缺考').length / scores.length
    expect(absent).toBeGreaterThan(0.08)
    expect(absent).toBeLessThan(0.17)
  })
})
