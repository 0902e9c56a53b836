import type { TenantDb } from '#kernel/db/scope.ts'
import { type CorrectionRecord, namesOf, type ResultRecord } from '../data/result.repo.ts'
import { readStandingFacts } from '../data/standing.repo.ts'
import { correctedResult } from '../domain/correction.ts'
import { type Standing, type StandingFacts, standings } from '../domain/standing.ts'

const placeOf = ({ written, interview, total, rank, shortlist }: Standing) => ({ score: written ?? interview, total, rank, shortlist })

const withResult = (facts: StandingFacts, row: ResultRecord, after: CorrectionRecord['after']): StandingFacts => ({
  ...facts,
  people: facts.people.map(person =>
    person.signupId === row.signupId ? { ...person, results: new Map([...person.results, [row.itemId, correctedResult(after)]]) } : person,
  ),
})

/** Whose place in the post a correction would change if it counted, the corrected person first, then by their new rank. */
export const effectOf = async (db: TenantDb, row: ResultRecord, { after }: CorrectionRecord) => {
  const facts = await readStandingFacts(db, row.examId, 'released', row.code)
  const rank = ({ people, papers, plans, rules }: StandingFacts) => standings(people, papers, plans, rules)
  const now = new Map(rank(facts).map(one => [one.signupId, one]))
  const called = new Set(facts.people.filter(person => person.calledAs !== 0).map(person => person.signupId))
  const moved = rank(withResult(facts, row, after)).flatMap(one => {
    const old = now.get(one.signupId)
    if (!old) return []
    const [before, next] = [placeOf(old), placeOf(one)]
    const isSame = before.rank === next.rank && before.shortlist === next.shortlist
    return one.signupId !== row.signupId && isSame
      ? []
      : [{ signupId: one.signupId, before, after: next, called: called.has(one.signupId) ? 1 : 0 }]
  })
  const names = await namesOf(
    db,
    moved.map(one => one.signupId),
  )
  return moved
    .map(one => ({ ...one, name: names.get(one.signupId) ?? '' }))
    .sort(
      (a, b) =>
        Number(b.signupId === row.signupId) - Number(a.signupId === row.signupId) ||
        (a.after.rank ?? Number.MAX_SAFE_INTEGER) - (b.after.rank ?? Number.MAX_SAFE_INTEGER),
    )
}
