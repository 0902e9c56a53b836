import { type GroupedPaper, groupPapers, typeOfPaper } from './paper-group.ts'

/** So many people write a paper in a room. */
export interface PaperInRoom {
  readonly itemId: string
  readonly siteCode: string
  readonly roomNo: string
  readonly people: number
}

/** What one sheet is of: a room with the papers written in it together. */
export interface SheetOfRoom {
  readonly itemIds: readonly string[]
  readonly siteCode: string
  readonly roomNo: string
  /** As many as sit there at once. */
  readonly people: number
  /** Of the first paper. */
  readonly itemCode: string
}

/**
 * The sheets of rooms, in the order of the rooms given. Papers that begin in a room at the same time stand on one sheet: a room has one door, and one
 * list to sign. Papers that share their seats stand with them, or apart by time where each time has a sheet of its own (`byTime`). Interviews have
 * a sheet for each paper: their rooms are groups with an order of their own.
 */
export const sheetsOfRooms = <P extends GroupedPaper & { readonly itemCode: string }>(
  papers: readonly P[],
  rooms: readonly PaperInRoom[],
  byTime: boolean,
): SheetOfRoom[] => {
  const paperOf = new Map(papers.map(paper => [paper.id, paper]))
  const groupOf = new Map(groupPapers(papers).flatMap(group => group.map(paper => [paper.id, group[0]?.id ?? paper.id] as const)))
  const joins = (a: P, b: P): boolean =>
    typeOfPaper(a) === 2 || typeOfPaper(b) === 2
      ? a.id === b.id || (!byTime && groupOf.get(a.id) === groupOf.get(b.id))
      : a.startTime.getTime() === b.startTime.getTime() || (!byTime && groupOf.get(a.id) === groupOf.get(b.id))
  const drafts = [...Map.groupBy(rooms.entries(), ([, { siteCode, roomNo }]) => `${siteCode} ${roomNo}`).values()].flatMap(inRoom => {
    let parts: readonly Part<P>[] = []
    for (const [at, { itemId, siteCode, roomNo, people }] of inRoom) {
      const paper = paperOf.get(itemId)
      if (!paper) continue
      const near = parts.filter(part => part.members.some(member => joins(member.paper, paper)))
      const members = [...near.flatMap(part => part.members), { paper, people }]
      parts = [
        ...parts.filter(part => !near.includes(part)),
        { ...{ siteCode, roomNo, members }, at: Math.min(at, ...near.map(part => part.at)) },
      ]
    }
    return parts
  })
  return drafts
    .sort((a, b) => a.at - b.at)
    .map(({ siteCode, roomNo, members }) => ({
      ...{ siteCode, roomNo },
      itemIds: members.map(({ paper }) => paper.id),
      people: Math.max(...[...Map.groupBy(members, ({ paper }) => paper.startTime.getTime()).values()].map(sumOf)),
      itemCode: members[0]?.paper.itemCode ?? '',
    }))
}

interface Part<P> {
  readonly siteCode: string
  readonly roomNo: string
  readonly members: readonly { readonly paper: P; readonly people: number }[]
  /** Where its first paper stood among the rooms. */
  readonly at: number
}

const sumOf = (members: readonly { readonly people: number }[]): number => members.reduce((sum, { people }) => sum + people, 0)
