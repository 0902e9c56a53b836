/** S3.19: one step of a process as the server tells it. */
export interface FlowHistoryEntry {
  readonly historyActivityId: string
  readonly historyActivityType: string
  /** Empty while the step is being worked on. */
  readonly endTime?: string | null
}

export type Mark = 'done' | 'active' | 'highlight'

/**
 * S4.09: finished nodes are done, unfinished ones active, sequence lines highlighted. A node that was left and entered again is
 * active.
 */
export const marksOf = (history: readonly FlowHistoryEntry[]): ReadonlyMap<string, Mark> => {
  const marks = new Map<string, Mark>()
  for (const { historyActivityId: id, historyActivityType: type, endTime } of history) {
    if (type === 'sequenceFlow') marks.set(id, 'highlight')
    else if (!endTime) marks.set(id, 'active')
    else if (marks.get(id) !== 'active') marks.set(id, 'done')
  }
  return marks
}
