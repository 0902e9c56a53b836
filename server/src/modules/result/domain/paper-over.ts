/** When a paper ends, as a decision about its scores needs it. */
export interface PaperEnd {
  readonly itemName: string
  readonly endTime: Date
}

/**
 * The first of these papers that is not over at `at`; undefined when all are. Nobody can have a score of a paper that has not been sat: no
 * score comes in, is changed or becomes public before its end, by whatever way.
 */
export const firstNotOver = <T extends PaperEnd>(papers: readonly T[], at: Date): T | undefined => papers.find(paper => at < paper.endTime)
