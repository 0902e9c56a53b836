import { describe, expect, test } from 'vitest'
import { randomBytes, token } from './random.ts'

describe('random bytes', () => {
  test('have the length that was asked for, small or large, and none comes twice', () => {
    const drawn = Array.from({ length: 3_000 }, (_, i) => randomBytes(i % 7 === 0 ? 65 : 12 + (i % 50)))
    expect(drawn.map(bytes => bytes.length)).toEqual(Array.from({ length: 3_000 }, (_, i) => (i % 7 === 0 ? 65 : 12 + (i % 50))))
    expect(new Set(drawn.map(bytes => bytes.subarray(0, 12).toString('hex'))).size).toBe(3_000)
  })

  test('belong to whoever asked: writing into them changes nothing that is given out later', () => {
    const first = randomBytes(16)
    first.fill(7)
    const later = Array.from({ length: 600 }, () => randomBytes(16).toString('hex'))
    expect(new Set(later).size).toBe(600)
    expect(later).not.toContain('07'.repeat(16))
  })

  test('are all used: every value of a byte turns up', () => {
    const seen = new Set(Array.from({ length: 400 }, () => [...randomBytes(32)]).flat())
    expect(seen.size).toBe(256)
  })

  test('a token is URL-safe and has 43 characters', () => {
    expect(token()).toMatch(/^[\w-]{43}$/)
  })
})
