/** What grouping needs of a paper. */
export interface GroupedPaper {
  readonly id: string
  readonly seatGroup: string | null
  readonly itemType: 1 | 2 | 3 | 4
  readonly startTime: Date
}

/** Interviews have tickets of their own; all other papers share one (domain 3.10). */
export const typeOfPaper = (paper: Pick<GroupedPaper, 'itemType'>): 1 | 2 => (paper.itemType === 2 ? 2 : 1)

const keyOf = (paper: GroupedPaper): string => `${typeOfPaper(paper)}|${paper.seatGroup ?? `#${paper.id}`}`

/** Papers that share room and seat stand together; groups in the order of their first paper. */
export const groupPapers = <P extends GroupedPaper>(papers: readonly P[]): P[][] => {
  const groups = new Map<string, P[]>()
  for (const paper of [...papers].sort((a, b) => a.startTime.getTime() - b.startTime.getTime() || (a.id < b.id ? -1 : 1)))
    groups.set(keyOf(paper), [...(groups.get(keyOf(paper)) ?? []), paper])
  return [...groups.values()]
}

/** The rooms of papers that share their seats: one of them carries them for all. */
export const roomsOfGroup = <R>(group: readonly { readonly rooms: readonly R[] }[]): readonly R[] =>
  group.find(paper => paper.rooms.length > 0)?.rooms ?? []

/** The chosen papers with all that share a seat with one of them. */
export const withGroups = <P extends GroupedPaper>(all: readonly P[], chosen: readonly string[]): P[] => {
  const keys = new Set(all.filter(paper => chosen.includes(paper.id)).map(keyOf))
  return all.filter(paper => keys.has(keyOf(paper)))
}
