import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatHundredths, parseHundredths } from './score.ts'

describe('decimals of two places', () => {
  it.each([
    ['78.50', 7850],
    ['78.5', 7850],
    ['78.500', 7850],
    [' 0 ', 0],
    ['-0', 0],
    ['100', 10000],
    ['9999.99', 999999],
  ])('%j is %d hundredths', (text, hundredths) => expect(parseHundredths(text)).toEqual({ ok: true, hundredths }))

  it.each([
    ['', 'empty'],
    ['78.505', 'decimals'],
    ['-1', 'negative'],
    ['10000', 'too-large'],
    ['1e2', 'not-a-number'],
    ['.5', 'not-a-number'],
    ['5.', 'not-a-number'],
    ['1,000', 'not-a-number'],
    ['缺考', 'not-a-number'],
  ])('%j is refused: %s', (text, problem) => expect(parseHundredths(text)).toEqual({ ok: false, problem }))

  it('survive the round trip', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999 }), hundredths => {
        expect(parseHundredths(formatHundredths(hundredths))).toEqual({ ok: true, hundredths })
      }),
    )
    expect(formatHundredths(-5)).toBe('-0.05')
  })
})
