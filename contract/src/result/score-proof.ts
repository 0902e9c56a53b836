/**
 * What anybody can check about released scores without trusting the program: at each release the root of a tree over all scores is published, and
 * everybody gets the hashes that lead from their own score to it. docs/howto/verify-a-score.md says how to check one by hand.
 */

/** One released score, in the words of the text that is hashed. */
export interface ProvenScore {
  readonly ticketNo: string
  readonly itemCode: string
  /** 1 normal, 2 absent, 3 disciplined, 4 zero, 5 exempt. */
  readonly resultState: number
  readonly score: string | null
  readonly bonus: string
}

export interface ProvenPerson {
  readonly tenantId: string
  readonly examCode: string
  readonly scores: readonly ProvenScore[]
  /** 32 hexadecimal digits: without them nobody can try all scores of somebody else until the hash fits. */
  readonly salt: string
}

/** How the text of a leaf begins; another way of writing it would get another number. */
export const leafHead = 'kaopu-score-1'

/** The text of one person's leaf, a line for each paper in the order of ticket numbers and papers. */
export const leafText = ({ tenantId, examCode, scores, salt }: ProvenPerson): string => {
  const lines = scores
    .map(one => [one.ticketNo, one.itemCode, String(one.resultState), one.score ?? '-', one.bonus].join('|'))
    // By code units, as every language sorts: no locale has a say in a hash.
    .sort((a, b) => (a < b ? -1 : 1))
  return [leafHead, tenantId, examCode, ...lines, salt].join('\n')
}
