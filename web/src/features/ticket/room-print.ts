import type { Layout } from './calls.ts'
import { interview } from './fitting.ts'

export interface RoomToPrint {
  readonly siteCode: string
  readonly roomNo: string
}

/** What the print dialog offers first: beside the drawn seats of a room the sheet that shows them, never tickets that nobody asked for. */
export const firstLayout = (room: RoomToPrint | null): Layout => (room === null ? 'ticket' : 'door')

/** What is asked of the server for a choice of the dialog. */
export const wishOf = (
  examId: string,
  paper: { readonly itemId: string; readonly itemType: number },
  layout: Layout,
  room: RoomToPrint | null,
) => ({
  ...{ examId, itemId: paper.itemId, layout },
  type: paper.itemType === interview ? (2 as const) : (1 as const),
  ...(room === null ? {} : { siteCode: room.siteCode, roomNo: room.roomNo }),
})

interface Paper {
  readonly itemId: string
  readonly itemType: number
  readonly startTime: string
}
/** The other papers that are written at the same time: their people may sit in the same room. */
export const papersBeside = <P extends Paper>(all: readonly P[], itemId: string): readonly P[] => {
  const own = all.find(paper => paper.itemId === itemId)
  if (own === undefined) return []
  return all.filter(
    paper =>
      paper.itemId !== itemId && paper.startTime === own.startTime && (paper.itemType === interview) === (own.itemType === interview),
  )
}

/** Which seats of a room the other papers have, with the name of the paper; void tickets free theirs. */
export const seatsBeside = (
  tickets: readonly { readonly seatNo: string; readonly itemName: string; readonly ticketState: number }[],
): ReadonlyMap<number, string> =>
  new Map(tickets.filter(({ ticketState }) => ticketState !== voided).map(({ seatNo, itemName }) => [Number(seatNo), itemName]))
/** Number of domain 3.10 `ticketState`. */
export const voided = 3
