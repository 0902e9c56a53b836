import { expect, test } from 'vitest'
import { measuredBy, movesBetween } from './lines.ts'
import type { PersonFacts, StandingFacts } from './standing.ts'

const person = (signupId: string, score: number, more: Partial<PersonFacts> = {}): PersonFacts => ({
  ...{ signupId, userId: `u${signupId}`, code: 'A001', isValid: true, isOut: false, calledAs: 0, degree: null, graduateDate: null },
  results: new Map([['w', { state: 1 as const, finalHundredths: score, bonusHundredths: 0 }]]),
  ...more,
})
const facts: StandingFacts = {
  people: [person('1', 9000), person('2', 5999), person('3', 6000), person('4', 6500, { isValid: false })],
  papers: [{ itemId: 'w', itemCode: 'w', itemType: 1, weightHundredths: 10_000, passHundredths: null, typeCodes: [], isReleased: true }],
  plans: new Map([['A001', 1]]),
  rules: {
    writtenWeightHundredths: 10_000,
    interviewWeightHundredths: 0,
    scale: 2,
    passHundredths: 6000,
    interviewPassHundredths: null,
    shortlistRatio: 1,
    tieBreak: [],
  },
}
const moves = (written: number | null, papers: ReadonlyMap<string, number | null> = new Map()) =>
  movesBetween(facts, measuredBy(facts, { written, interview: null, papers }))

test('[19.14] another line moves those between the two, either way; who takes no part is not counted', () => {
  expect(moves(6000)).toEqual({ people: 0, nowPass: 0, nowFail: 0, shortlist: 0 })
  expect(moves(null)).toEqual({ people: 1, nowPass: 1, nowFail: 0, shortlist: 0 })
  expect(moves(7000)).toEqual({ people: 1, nowPass: 0, nowFail: 1, shortlist: 0 })
  // Nobody reaches it: the one on the shortlist leaves it, too.
  expect(moves(9001)).toEqual({ people: 2, nowPass: 0, nowFail: 2, shortlist: 1 })
})

test('[19.14] the line of a paper counts beside that of the examination; a paper that is not named keeps its own', () => {
  expect(moves(6000, new Map([['w', 6001]]))).toEqual({ people: 1, nowPass: 0, nowFail: 1, shortlist: 0 })
  expect(moves(6000, new Map([['other', 9999]]))).toEqual({ people: 0, nowPass: 0, nowFail: 0, shortlist: 0 })
})
