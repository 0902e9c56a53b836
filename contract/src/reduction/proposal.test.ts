import { describe, expect, test } from 'vitest'
import { proposeReduction } from './proposal.ts'

describe('what the ratio makes of a post', () => {
  // The worked numbers of domain 11.1.
  test.each([
    [4, 12, 3, 'none', 4],
    [4, 11, 3, 'reduce', 3],
    [4, 10, 3, 'reduce', 3],
    [4, 5, 3, 'reduce', 1],
    [4, 2, 3, 'cancel', 0],
    [2, 3, 2, 'reduce', 1],
    [4, 0, 0, 'none', 4],
    // Scenario 11: two paid people for two places at 1:3.
    [2, 2, 3, 'cancel', 0],
  ] as const)('%i places, %i valid, 1:%i: %s, %i', (places, valid, ratio, action, afterNum) => {
    expect(proposeReduction(places, valid, ratio)).toEqual({ action, afterNum })
  })
})
