import { type StandingFacts, standings } from './standing.ts'

/** The lines that results are measured by, in hundredths; null = none. */
export interface Lines {
  readonly written: number | null
  readonly interview: number | null
  /** By paper id; a paper that is not named keeps its own. */
  readonly papers: ReadonlyMap<string, number | null>
}

/** For how many people another line makes another outcome. */
export interface Moves {
  readonly people: number
  readonly nowPass: number
  readonly nowFail: number
  /** Come onto a shortlist, or leave one. */
  readonly shortlist: number
}

/** The same facts, measured by other lines. */
export const measuredBy = (facts: StandingFacts, lines: Lines): StandingFacts => ({
  ...facts,
  papers: facts.papers.map(paper => {
    const line = lines.papers.get(paper.itemId)
    return line === undefined ? paper : { ...paper, passHundredths: line }
  }),
  rules: { ...facts.rules, passHundredths: lines.written, interviewPassHundredths: lines.interview },
})

const isListed = (shortlist: number): boolean => shortlist === 1 || shortlist === 2

/** Whose outcome differs between two sets of lines: passed or not, on the shortlist or not. Who takes no part has none. */
export const movesBetween = (before: StandingFacts, after: StandingFacts): Moves => {
  const valid = new Set(before.people.filter(person => person.isValid).map(person => person.signupId))
  const run = ({ people, papers, plans, rules }: StandingFacts) => standings(people, papers, plans, rules)
  const old = new Map(run(before).map(row => [row.signupId, row]))
  const moved = run(after).flatMap(row => {
    const was = old.get(row.signupId)
    if (was === undefined || !valid.has(row.signupId)) return []
    const move = {
      pass: row.passed === was.passed ? 0 : row.passed ? 1 : -1,
      listed: isListed(row.shortlist) !== isListed(was.shortlist),
    }
    return move.pass !== 0 || move.listed ? [move] : []
  })
  return {
    people: moved.length,
    nowPass: moved.filter(move => move.pass > 0).length,
    nowFail: moved.filter(move => move.pass < 0).length,
    shortlist: moved.filter(move => move.listed).length,
  }
}
