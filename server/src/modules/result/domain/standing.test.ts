import { describe, expect, test } from 'vitest'
import { type PaperFacts, type PersonFacts, type RankRules, type ResultState, type Standing, standings } from './standing.ts'

const paper = (itemId: string, itemType: 1 | 2, isReleased = true, more: Partial<PaperFacts> = {}): PaperFacts => ({
  itemId,
  itemCode: itemId,
  itemType,
  weightHundredths: 10_000,
  passHundredths: null,
  typeCodes: [],
  isReleased,
  ...more,
})
const person = (signupId: string, scores: Record<string, number | ResultState[]>, more: Partial<PersonFacts> = {}): PersonFacts => ({
  signupId,
  userId: `u${signupId}`,
  code: 'A001',
  isValid: true,
  isOut: false,
  calledAs: 0,
  degree: '3',
  graduateDate: '2020-06-30',
  results: new Map(
    Object.entries(scores).map(([itemId, value]) => [
      itemId,
      typeof value === 'number'
        ? { state: 1 as const, finalHundredths: value, bonusHundredths: 0 }
        : { state: value[0] ?? 2, finalHundredths: null, bonusHundredths: 0 },
    ]),
  ),
  ...more,
})
const rules: RankRules = {
  writtenWeightHundredths: 5_000,
  interviewWeightHundredths: 5_000,
  scale: 2,
  passHundredths: null,
  interviewPassHundredths: null,
  shortlistRatio: 3,
  tieBreak: ['written'],
}
/** Of an examination without an interview: the written score is the total. */
const writtenOnly: RankRules = { ...rules, writtenWeightHundredths: 10_000, interviewWeightHundredths: 0 }
const plans = new Map([['A001', 1]])
const brief = (rows: readonly Standing[]) => rows.map(row => [row.signupId, row.written, row.total, row.rank, row.shortlist])

describe('standings', () => {
  test('one written paper: the total is the written score, ties share a rank and a place', () => {
    const people = [
      person('1', { w: 7850 }),
      person('2', { w: 9000 }),
      person('3', { w: 7000 }),
      person('4', { w: 7000 }),
      person('5', { w: 1 }),
    ]
    expect(standings(people, [paper('w', 1)], plans, writtenOnly)).toEqual([
      expect.objectContaining({
        signupId: '1',
        written: '78.50',
        interview: null,
        total: '78.50',
        rank: 2,
        postCount: 5,
        shortlist: 1,
        line: '70.00',
      }),
      expect.objectContaining({ signupId: '2', written: '90.00', rank: 1, shortlist: 1 }),
      expect.objectContaining({ signupId: '3', rank: 3, shortlist: 1 }),
      expect.objectContaining({ signupId: '4', rank: 3, shortlist: 1 }),
      expect.objectContaining({ signupId: '5', rank: 5, shortlist: 0 }),
    ])
  })

  test('[19.12] a written score is no total while an interview with weight is still to be set up; ranks follow the written score', () => {
    const people = [person('1', { w: 7850 }), person('2', { w: 8525 })]
    expect(brief(standings(people, [paper('w', 1)], plans, rules))).toEqual([
      ['1', '78.50', null, 2, 1],
      ['2', '85.25', null, 1, 1],
    ])
  })

  test('there is no total while the interview is not released, and ranks follow the written score', () => {
    const people = [person('1', { w: 7850 }), person('2', { w: 8525 })]
    expect(brief(standings(people, [paper('w', 1), paper('m', 2, false)], plans, rules))).toEqual([
      ['1', '78.50', null, 2, 1],
      ['2', '85.25', null, 1, 1],
    ])
  })

  test('78.50 and 85.25 at 50/50 are 81.88; people without an interview stand behind', () => {
    const people = [person('1', { w: 7850, m: 8525 }), person('2', { w: 9000 }), person('3', { w: 8000, m: 7000 })]
    expect(brief(standings(people, [paper('w', 1), paper('m', 2)], plans, rules))).toEqual([
      ['1', '78.50', '81.88', 1, 1],
      ['2', '90.00', null, 3, 1],
      ['3', '80.00', '75.00', 2, 1],
    ])
  })

  test('two papers by weight; an exempt one leaves its weight, absence forbids rank and shortlist', () => {
    const papers = [paper('a', 1, true, { weightHundredths: 6_000 }), paper('b', 1, true, { weightHundredths: 4_000 })]
    const people = [
      person('1', { a: 8000, b: 7000 }),
      person('2', { a: 8000, b: [5] }),
      person('3', { a: 9000, b: [2] }),
      person('4', { a: [2], b: [2] }),
    ]
    expect(brief(standings(people, papers, plans, writtenOnly))).toEqual([
      ['1', '76.00', '76.00', 2, 1],
      ['2', '80.00', '80.00', 1, 1],
      ['3', '54.00', '54.00', null, 0],
      ['4', null, null, null, 0],
    ])
  })

  test('a paper for other posts does not count, one for this post that is not released holds the score back', () => {
    const papers = [paper('a', 1), paper('b', 1, false, { typeCodes: ['B001'] })]
    expect(brief(standings([person('1', { a: 8000 }), person('2', { a: 8000 }, { code: 'B001' })], papers, plans, writtenOnly))).toEqual([
      ['1', '80.00', '80.00', 1, 1],
      ['2', null, null, null, 0],
    ])
  })

  test('below the line, disqualified and given up: not on the list; the next moves up', () => {
    const strict = { ...writtenOnly, passHundredths: 6_000, shortlistRatio: 1 }
    const people = [
      person('1', { w: 9000 }, { isValid: false }),
      person('2', { w: 8000 }, { isOut: true }),
      person('3', { w: 7000 }),
      person('4', { w: 5999 }),
    ]
    expect(brief(standings(people, [paper('w', 1)], plans, strict))).toEqual([
      ['1', '90.00', '90.00', null, 0],
      ['2', '80.00', '80.00', 1, 3],
      ['3', '70.00', '70.00', 2, 2],
      ['4', '59.99', '59.99', 3, 0],
    ])
  })

  test('[19.14] lines are compared with the score that is published: 59.996 is shown as 60.00 and reaches 60.00', () => {
    // 55.55 at 33.33 % and 62.22 at 66.67 % are 59.9969…: the papers were too fine for what is shown.
    const papers = [paper('a', 1, true, { weightHundredths: 3_333 }), paper('b', 1, true, { weightHundredths: 6_667 })]
    const strict = { ...writtenOnly, passHundredths: 6_000, shortlistRatio: 5 }
    const people = [person('1', { a: 5_555, b: 6_222 }), person('2', { a: 6_000, b: 6_000 }), person('3', { a: 5_999, b: 5_999 })]
    const rows = standings(people, papers, plans, strict)
    expect(rows.map(row => [row.written, row.rank, row.passed, row.shortlist, row.line])).toEqual([
      ['60.00', 1, true, 1, '60.00'],
      ['60.00', 1, true, 1, '60.00'],
      ['59.99', 3, false, 0, '60.00'],
    ])
  })

  test.each([
    [0, 6_000, { w: 5_950 }, '60', true],
    [0, 6_000, { w: 5_949 }, '59', false],
    [0, 6_050, { w: 6_049 }, '60', false],
    [0, 6_050, { w: 6_050 }, '61', true],
    [1, 6_000, { w: 5_995 }, '60.0', true],
    [4, 6_000, { w: 5_999 }, '59.9900', false],
  ])('[19.14] at %i decimals a line of %i hundredths and a score of %j: shown as %s, passed %s', (scale, line, scores, shown, passed) => {
    const [row] = standings([person('1', scores)], [paper('w', 1)], plans, { ...writtenOnly, scale, passHundredths: line })
    expect([row?.written, row?.passed, row?.shortlist]).toEqual([shown, passed, passed ? 1 : 0])
  })

  test('[19.14] the line of the interview and that of the written part are both compared as published', () => {
    const papers = [paper('w', 1), paper('m', 2, true, { weightHundredths: 3_333 }), paper('n', 2, true, { weightHundredths: 6_667 })]
    const strict = { ...rules, passHundredths: 6_000, interviewPassHundredths: 6_000, shortlistRatio: 5 }
    const people = [
      person('1', { w: 6_000, m: 5_555, n: 6_222 }),
      person('2', { w: 6_000, m: 5_999, n: 5_999 }),
      // Sat the interview below the line of the written part: no list may say otherwise.
      person('3', { w: 5_999, m: 9_000, n: 9_000 }),
    ]
    expect(standings(people, papers, plans, strict).map(row => [row.written, row.interview, row.passed, row.shortlist])).toEqual([
      ['60.00', '60.00', true, 1],
      ['60.00', '59.99', false, 1],
      ['59.99', '90.00', false, 0],
    ])
  })

  test('[19.14] whoever is shown the same total has the same rank, unless a tie rule of the examination says otherwise', () => {
    const papers = [paper('w', 1), paper('m', 2)]
    const people = [person('1', { w: 8_000, m: 6_000 }), person('2', { w: 6_000, m: 8_000 }), person('3', { w: 6_999, m: 7_000 })]
    const ranks = (tieBreak: string[]) =>
      standings(people, papers, plans, { ...rules, scale: 1, tieBreak }).map(row => [row.total, row.rank])
    expect(ranks([])).toEqual([
      ['70.0', 1],
      ['70.0', 1],
      ['70.0', 1],
    ])
    expect(ranks(['written'])).toEqual([
      ['70.0', 1],
      ['70.0', 3],
      ['70.0', 2],
    ])
  })

  test.each([
    ['degree', { degree: '1' }, { degree: '3' }],
    ['graduateDate', { graduateDate: '2018-06-30' }, { graduateDate: '2019-06-30' }],
  ])('%s breaks a tie', (rule, better, worse) => {
    const people = [person('1', { w: 7000 }, worse), person('2', { w: 7000 }, better)]
    expect(standings(people, [paper('w', 1)], plans, { ...rules, tieBreak: [rule] }).map(row => row.rank)).toEqual([2, 1])
  })
})
