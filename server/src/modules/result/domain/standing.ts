import { divideHalfUp, type Published, publish, rankOf, reachesLine, roundToScale, shortlist, weightedSum } from './totals.ts'

/** `result.resultState`: 1 normal, 2 absent, 3 disciplined, 4 zero, 5 exempt. */
export type ResultState = 1 | 2 | 3 | 4 | 5

export interface PaperFacts {
  readonly itemId: string
  readonly itemCode: string
  /** 1 written; 2 interview, 3 practical and 4 physical make up the interview score together. */
  readonly itemType: 1 | 2 | 3 | 4
  readonly weightHundredths: number
  readonly passHundredths: number | null
  /** Post codes the paper applies to; empty = all. */
  readonly typeCodes: readonly string[]
  readonly isReleased: boolean
}
export interface PaperResult {
  readonly state: ResultState
  /** Score with bonus; null unless the state is 1. */
  readonly finalHundredths: number | null
  readonly bonusHundredths: number
}
export interface PersonFacts {
  readonly signupId: string
  readonly userId: string
  readonly code: string
  /** Takes the examination: passed, the fee not given back, the post not lost. */
  readonly isValid: boolean
  /** Gave up or failed the re-review. */
  readonly isOut: boolean
  /** Called to the re-review and still in it: 1 by rank, 2 for somebody who left; 0 not called. */
  readonly calledAs: 0 | 1 | 2
  readonly degree: string | null
  /** `yyyy-MM-dd`. */
  readonly graduateDate: string | null
  /** By paper id, of released papers only. */
  readonly results: ReadonlyMap<string, PaperResult>
}
export interface RankRules {
  readonly writtenWeightHundredths: number
  readonly interviewWeightHundredths: number
  readonly scale: number
  readonly passHundredths: number | null
  readonly interviewPassHundredths: number | null
  readonly shortlistRatio: number
  /** `written`, `itemCode:xx`, `degree`, `graduateDate` (domain 3.1). */
  readonly tieBreak: readonly string[]
}

/** Everything totals and ranks depend on: papers, plans, rules, and who has a result that counts. */
export interface StandingFacts {
  readonly people: readonly PersonFacts[]
  readonly papers: readonly PaperFacts[]
  /** Places by post code after reductions. */
  readonly plans: ReadonlyMap<string, number>
  readonly rules: RankRules
}

/** What `score_total` holds for one sign-up. Decimals are texts at the examination's scale. */
export interface Standing {
  readonly signupId: string
  readonly userId: string
  readonly code: string
  readonly written: string | null
  readonly interview: string | null
  readonly total: string | null
  readonly bonus: string
  readonly rank: number | null
  readonly postCount: number
  readonly shortlist: 0 | 1 | 2 | 3
  readonly passed: boolean | null
  /** Score of the last person on the shortlist of the post. */
  readonly line: string | null
}

const isWritten = (paper: PaperFacts): boolean => paper.itemType === 1
const appliesTo = (code: string) => (paper: PaperFacts) => paper.typeCodes.length === 0 || paper.typeCodes.includes(code)

/**
 * Score of one group of papers in ten-thousandths, not rounded to the examination's scale yet; undefined while a paper of it is not released or there is nothing to count.
 * Absent, disciplined and zero count as 0, an exempt paper leaves its weight to the others.
 */
const groupScore = (person: PersonFacts, papers: readonly PaperFacts[]): number | undefined => {
  if (papers.length === 0 || papers.some(paper => !paper.isReleased)) return undefined
  const parts = papers.flatMap(paper => {
    const result = person.results.get(paper.itemId)
    return result?.state === 5 ? [] : [{ result, scoreHundredths: result?.finalHundredths ?? 0, weightHundredths: paper.weightHundredths }]
  })
  if (!parts.some(part => part.result?.state === 1 || part.result?.state === 4)) return undefined
  const weight = parts.reduce((sum, part) => sum + part.weightHundredths, 0)
  if (weight === 10_000) return weightedSum(parts)
  if (weight === 0) return undefined
  return divideHalfUp(parts.reduce((sum, part) => sum + part.scoreHundredths * part.weightHundredths, 0) * 100, weight)
}

/** Larger is better; whoever has no score stands behind everybody who has one. */
const comparable = (score: Published | undefined): number => score ?? -1

interface Scored {
  readonly person: PersonFacts
  readonly written: Published | undefined
  readonly interview: Published | undefined
  readonly total: Published | undefined
  readonly isRanked: boolean
  readonly passed: boolean | null
  /** Reached what the way to the interview demands: the lines of the written part, or of the interview where nothing is written. */
  readonly isEntitled: boolean
  readonly ties: readonly number[]
}

const tieValue = (rule: string, scored: Omit<Scored, 'ties'>, papers: readonly PaperFacts[]): number => {
  const { person } = scored
  if (rule === 'written') return comparable(scored.written)
  if (rule.startsWith('itemCode:')) {
    const paper = papers.find(one => one.itemCode === rule.slice('itemCode:'.length))
    return (paper && person.results.get(paper.itemId)?.finalHundredths) ?? -1
  }
  // Key 1 is the doctor's degree, 4 is none.
  if (rule === 'degree') return /^\d$/.test(person.degree ?? '') ? -Number(person.degree) : -9
  // Who graduated earlier stands first.
  if (rule === 'graduateDate') return -Number((person.graduateDate ?? '9999-12-31').replaceAll('-', ''))
  return 0
}

const score = (person: PersonFacts, papers: readonly PaperFacts[], rules: RankRules): Scored => {
  const mine = papers.filter(appliesTo(person.code))
  const writtenPapers = mine.filter(isWritten)
  const interviewPapers = mine.filter(paper => !isWritten(paper))
  const [written, interview] = [groupScore(person, writtenPapers), groupScore(person, interviewPapers)]
  // Parts keep their four decimals inside a total (domain 3.1); from here on everything is as it is published.
  const both =
    written === undefined || interview === undefined
      ? undefined
      : divideHalfUp(written * rules.writtenWeightHundredths + interview * rules.interviewWeightHundredths, 10_000)
  const shown = (value: number | undefined) => (value === undefined ? undefined : publish(value, rules.scale))
  const published = {
    written: shown(written),
    interview: shown(interview),
    // What the interview will add is not known yet: a written score alone is the total only where the interview has no weight.
    total: shown(
      interviewPapers.length === 0
        ? rules.interviewWeightHundredths === 0
          ? written
          : undefined
        : writtenPapers.length === 0
          ? interview
          : both,
    ),
  }
  const entry = published.written ?? published.interview
  const missed = mine.some(paper => {
    const result = person.results.get(paper.itemId)
    return paper.isReleased && (result?.state === 2 || result?.state === 3)
  })
  const reaches = (value: Published | undefined, line: number | null) => value === undefined || reachesLine(value, line)
  const reachesPapers = (group: readonly PaperFacts[]) =>
    group.every(paper => {
      const result = person.results.get(paper.itemId)
      // The score of one paper has two decimals and is published with both.
      return (
        result === undefined || result.state === 5 || reachesLine(publish((result.finalHundredths ?? 0) * 100, 2), paper.passHundredths)
      )
    })
  const passesWritten = reachesPapers(writtenPapers) && reaches(published.written, rules.passHundredths)
  const passesInterview = reachesPapers(interviewPapers) && reaches(published.interview, rules.interviewPassHundredths)
  const scored = {
    person,
    ...published,
    isRanked: person.isValid && !missed && entry !== undefined,
    passed: entry === undefined ? null : !missed && passesWritten && passesInterview,
    isEntitled: published.written === undefined ? passesInterview : passesWritten,
  }
  return { ...scored, ties: rules.tieBreak.map(rule => tieValue(rule, scored, papers)) }
}

const ofPost = (scored: readonly Scored[], plan: number, rules: RankRules): Standing[] => {
  const { scale } = rules
  const ranked = scored.filter(one => one.isRanked)
  const ranks = rankOf(
    ranked.map(one => ({
      id: one.person.signupId,
      // Whoever has a total stands before whoever was not called to the interview; these stand by what they have.
      values: [comparable(one.total), one.total === undefined ? comparable(one.written ?? one.interview) : 0, ...one.ties],
    })),
  )
  const entry = (one: Scored) => one.written ?? one.interview
  const listed = shortlist(
    ranked
      .filter(one => one.isEntitled)
      .map(one => ({ id: one.person.signupId, values: [comparable(entry(one)), ...one.ties], isOut: one.person.isOut })),
    plan,
    rules.shortlistRatio,
  )
  const inside = ranked.filter(one => [1, 2].includes(listed.get(one.person.signupId) ?? 0)).flatMap(one => entry(one) ?? [])
  const line = inside.length === 0 ? null : roundToScale(Math.min(...inside), scale)
  const text = (value: number | undefined) => (value === undefined ? null : roundToScale(value, scale))
  // Whoever was called stays called as they were: a correction that changes the order of those inside makes nobody a substitute who was none.
  const standsAs = ({ person: { signupId, calledAs } }: Scored): 0 | 1 | 2 | 3 => {
    const place = listed.get(signupId) ?? 0
    return calledAs !== 0 && (place === 1 || place === 2) ? calledAs : place
  }
  return scored.map(one => ({
    signupId: one.person.signupId,
    userId: one.person.userId,
    code: one.person.code,
    written: text(one.written),
    interview: text(one.interview),
    total: text(one.total),
    bonus: roundToScale([...one.person.results.values()].reduce((sum, result) => sum + result.bonusHundredths, 0) * 100, 2),
    rank: ranks.get(one.person.signupId) ?? null,
    postCount: ranked.length,
    shortlist: standsAs(one),
    passed: one.passed,
    line,
  }))
}

/**
 * Totals, ranks within the post and shortlists of everybody who has a released result (domain 3.12, 4.11). Absent and disciplined
 * people keep what they scored but are neither ranked nor shortlisted.
 * @param plans places by post code after reductions
 */
export const standings = (
  people: readonly PersonFacts[],
  papers: readonly PaperFacts[],
  plans: ReadonlyMap<string, number>,
  rules: RankRules,
): Standing[] => {
  const byPost = new Map<string, Scored[]>()
  for (const person of people) {
    const list = byPost.get(person.code) ?? []
    list.push(score(person, papers, rules))
    byPost.set(person.code, list)
  }
  return [...byPost].flatMap(([code, scored]) => ofPost(scored, plans.get(code) ?? 0, rules))
}
