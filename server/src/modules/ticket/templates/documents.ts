import { type RoomJob, renderRooms } from './room-sheets.ts'
import { render as renderTickets, type TicketJob } from './ticket.ts'

/** What the rendering threads draw: tickets of people, or the sheets of rooms. */
export type DocumentJob = TicketJob | RoomJob

/** Template of the rendering threads. */
export const render = (job: DocumentJob): Promise<Uint8Array> => ('rooms' in job ? renderRooms(job) : renderTickets(job))
