import { expect, test } from 'vitest'
import { resultTexts } from './texts.ts'

test('[26.13] an empty list says what to do next, in both languages', () => {
  for (const key of ['result.noPapers', 'result.empty'] as const) {
    expect(resultTexts.zh[key]).toMatch(/：请/)
    expect(resultTexts.en[key]).toMatch(/: (add|press|go) /)
  }
})
