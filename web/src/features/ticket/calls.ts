import { useQuery } from '@tanstack/react-query'
import { examItem } from '#contract/exam/exam.resources.ts'
import type { RoomPlan } from '#contract/exam/room.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { saveFile } from '#web/kernel/save-file.ts'
import { newKey } from '#web/kernel/send.ts'
import { openExports } from '#web/resource/export-jobs.ts'
import { seatSharersOf } from './fitting.ts'

export type PaperRow = ApiOutput<'GET /blade-exam/examination/findTicketItems'>[number]
export type Plan = ApiOutput<'POST /blade-exam/examination/creTicketEnd'>
export type TicketRow = ApiOutput<'GET /blade-exam/examination/getExamTicketList'>['records'][number]
export type Rendering = NonNullable<ApiOutput<'GET /blade-exam/examination/releaseProgress'>>

export interface TicketRoom extends RoomPlan {
  readonly siteCode: string
  readonly siteName: string
  readonly roomNo: string
  readonly roomName: string
}
interface PaperRooms {
  readonly itemName: string
  readonly itemType: number
  readonly rooms: readonly TicketRoom[] | null
}
/** The rooms of a paper with their seats, as the administrator set them up: its own, or those of the first paper it shares its seats with that has any. */
export const usePaperRooms = (examId: string, itemId: string) =>
  useQuery({
    queryKey: ['ticket-rooms', examId, itemId],
    queryFn: async ({ signal }): Promise<PaperRooms> => {
      const detail = (id: string) => api.request<PaperRooms>({ method: 'GET', path: `${examItem.basePath}/detail`, query: { id }, signal })
      const own = await detail(itemId)
      if ((own.rooms ?? []).length > 0) return own
      const all = await api.call('GET /blade-exam/examination/findTicketItems', { examId }, { signal })
      for (const paper of seatSharersOf(all, itemId)) {
        const { rooms } = await detail(paper.itemId)
        if (rooms !== null && rooms.length > 0) return { ...own, rooms }
      }
      return own
    },
  })

/** Tickets, or what is laid and hung out in rooms. */
export const layouts = ['ticket', 'desk', 'door', 'sign', 'photo'] as const
export type Layout = (typeof layouts)[number]

/** Opens printable tickets in a window of their own, or saves them where the browser opens none. */
export const printTickets = async (of: {
  readonly examId: string
  readonly itemId?: string
  readonly type?: 1 | 2
  readonly layout?: Layout
  readonly ids?: string
  readonly siteCode?: string
  readonly roomNo?: string
}): Promise<void> => {
  const got = await api
    .blob({ method: 'POST', path: '/blade-exam/examination/exportPDFView', body: of, idempotencyKey: newKey() })
    .catch(() => null)
  if (got === null) return
  // More than 300 people come as an archive that the queue makes, with the other exports.
  if (got.kind !== 'file') return openExports((got.data as { readonly id?: string } | null)?.id ?? null)
  const url = URL.createObjectURL(new Blob([got.blob], { type: 'application/pdf' }))
  // Asked for without its opener, a window that opened could not be told from one that did not: it loses its opener afterwards.
  const opened = window.open(url, '_blank')
  if (opened === null) saveFile(got.blob, got.fileName ?? 'tickets.pdf')
  else opened.opener = null
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
