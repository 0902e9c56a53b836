import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { capacityOf } from '#contract/exam/room.ts'
import { api } from '#web/kernel/api.ts'
import type { Page, Paper, Room } from '../wire.ts'
import type { SiteRoomRow, SiteRow } from './library-rooms.ts'

/** A paper with its rooms. */
export type RoomPaper = Paper & { readonly id: string }

const most = 200
const all = { current: 1, size: most }

export const papersQuery = (examId: string) =>
  queryOptions({
    queryKey: ['room-papers', examId],
    queryFn: async ({ signal }) => {
      const { records } = await api.request<Page<RoomPaper>>({
        method: 'GET',
        path: '/blade-examitem/examitem/list',
        query: { examId, ...all },
        signal,
      })
      // Rooms are no column of the list.
      return Promise.all(
        records.map(({ id }) => api.request<RoomPaper>({ method: 'GET', path: '/blade-examitem/examitem/detail', query: { id }, signal })),
      )
    },
    staleTime: 0,
  })

export const libraryQuery = queryOptions({
  queryKey: ['site-rooms'],
  queryFn: async ({ signal }) => {
    const [sites, rooms] = await Promise.all([
      api.request<Page<SiteRow>>({ method: 'GET', path: '/blade-examSite/examsite/list', query: all, signal }),
      everyRoom(signal),
    ])
    return { sites: sites.records, rooms }
  },
  staleTime: 0,
})
/** A tenant may have more rooms than one page holds. */
const everyRoom = async (signal: AbortSignal): Promise<readonly SiteRoomRow[]> => {
  const found: SiteRoomRow[] = []
  for (let current = 1; ; current += 1) {
    const { records, total } = await api.request<Page<SiteRoomRow>>({
      method: 'GET',
      path: '/blade-siteRoom/siteroom/list',
      query: { current, size: most },
      signal,
    })
    found.push(...records)
    if (records.length === 0 || found.length >= total) return found
  }
}

export const seatsOfRooms = (rooms: readonly Room[]): number => rooms.reduce((sum, room) => sum + capacityOf(room), 0)

export const saveRooms = async (client: QueryClient, { id, version }: RoomPaper, rooms: readonly Room[]): Promise<void> => {
  await api.request({
    method: 'POST',
    path: '/blade-examitem/examitem/submit',
    body: { id, ...(version === undefined ? {} : { version }), rooms },
  })
  await Promise.all([
    client.invalidateQueries({ queryKey: ['room-papers'] }),
    client.invalidateQueries({ queryKey: ['paper-rooms', id] }),
    client.invalidateQueries({ queryKey: ['GET /blade-exam/examination/findTicketItems'] }),
  ])
}
