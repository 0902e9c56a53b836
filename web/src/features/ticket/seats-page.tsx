import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { ticketMachine } from '#contract/ticket/ticket.state.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { useCall } from '#web/kernel/query.ts'
import { CrudPage, type ListQuery } from '#web/resource/crud-page.tsx'
import { SeatGrid } from '#web/resource/seat-grid.tsx'
import { usePage, useTabTitle } from '#web/shell/page-context.tsx'
import type { Column, RowAction } from '#web/ui/data-table.tsx'
import { StateTag, useStateOptions, useStateWord } from '#web/ui/state-tag.tsx'
import { EmptyState, Loaded } from '#web/ui/states.tsx'
import { printTickets, type TicketRoom, type TicketRow, usePaperRooms } from './calls.ts'
import { papersBeside, seatsBeside, voided } from './room-print.ts'
import { ticketTexts } from './texts.ts'
import './ticket.css'

const PrintDialog = lazy(async () => ({ default: (await import('./print-dialog.tsx')).PrintDialog }))
const TicketDialog = lazy(async () => ({ default: (await import('./ticket-dialogs.tsx')).TicketDialog }))
const AdjustDialog = lazy(async () => ({ default: (await import('./ticket-dialogs.tsx')).AdjustDialog }))
const ReissueDialog = lazy(async () => ({ default: (await import('./ticket-dialogs.tsx')).ReissueDialog }))
const VoidDialog = lazy(async () => ({ default: (await import('./ticket-dialogs.tsx')).VoidDialog }))

const [released, downloaded] = [1, 2]
/** More than any room has seats. */
const roomful = 200
type Page_ = ApiOutput<'GET /blade-exam/examination/getExamTicketList'>

const Legend = () => {
  const t = useT(ticketTexts)
  return (
    <div className="seats-legend" aria-hidden="true">
      {(['free', 'taken', 'released', 'marked', 'beside', 'spare'] as const).map(tone => (
        <span key={tone}>
          <i className="seat" data-tone={tone} />
          {t(`seats.legend.${tone}`)}
        </span>
      ))}
    </div>
  )
}

const Room = ({
  room,
  tickets,
  beside,
  onTicket,
}: {
  readonly room: TicketRoom
  readonly tickets: readonly TicketRow[]
  /** Seats of the room that other papers of the same time have, with the paper's name. */
  readonly beside: ReadonlyMap<number, string>
  readonly onTicket: (ticket: TicketRow) => void
}) => {
  const t = useT(ticketTexts)
  const stateWord = useStateWord()
  const bySeat = useMemo(
    () => new Map(tickets.filter(ticket => ticket.ticketState !== voided).map(ticket => [Number(ticket.seatNo), ticket])),
    [tickets],
  )
  return (
    <>
      <SeatGrid
        room={room}
        caption={t('seats.caption', { site: room.siteName, room: room.roomNo })}
        front={t('seats.front')}
        look={({ seatNo, isSpare }) => {
          if (seatNo === null) return { tone: 'out', label: t('seats.out'), disabled: true }
          const ticket = bySeat.get(seatNo)
          const other = beside.get(seatNo)
          if (ticket === undefined && other !== undefined)
            return {
              text: other,
              tone: 'beside',
              label: t('seats.beside', { seat: String(seatNo).padStart(2, '0'), paper: other }),
              disabled: true,
            }
          if (ticket === undefined)
            return { tone: isSpare ? 'spare' : 'free', label: t('seats.free', { seat: String(seatNo).padStart(2, '0') }), disabled: true }
          const state = ticket.ticketState
          return {
            text: ticket.name,
            tone: state === downloaded ? 'marked' : state === released ? 'released' : 'taken',
            label: t('seats.taken', {
              seat: String(seatNo).padStart(2, '0'),
              name: ticket.name,
              ticketNo: ticket.ticketNo,
              state: stateWord(ticketMachine, state),
            }),
          }
        }}
        onSeat={(_row, _col, seatNo) => {
          const ticket = seatNo === null ? undefined : bySeat.get(seatNo)
          if (ticket !== undefined) onTicket(ticket)
        }}
      />
      <Legend />
    </>
  )
}

const rowId = (row: TicketRow) => row.id
const rowName = (row: TicketRow) => row.name

const useColumns = (): readonly Column<TicketRow>[] => {
  const t = useT(ticketTexts)
  return useMemo(
    () => [
      { key: 'ticketNo', field: 'ticket.ticketNo', title: t('list.ticketNo'), cell: row => row.ticketNo },
      { key: 'name', field: 'ticket.name', title: t('list.name'), cell: row => row.name },
      { key: 'idCard', field: 'ticket.idCard', title: t('list.idCard'), cell: row => row.idCardMask },
      { key: 'post', title: t('list.post'), cell: row => `${row.code} ${row.codeName}` },
      { key: 'room', title: t('list.room'), cell: row => `${row.siteCode}-${row.roomNo} ${row.roomName}` },
      { key: 'seat', title: t('list.seat'), align: 'right', cell: row => row.seatNo },
      {
        key: 'state',
        title: t('list.state'),
        cell: row => <StateTag of={ticketMachine} wire={row.ticketState} />,
      },
      { key: 'down', title: t('list.down'), align: 'right', cell: row => row.downCount },
    ],
    [t],
  )
}

/** One paper: its sites and rooms, the seats of a room drawn, and the list of all its tickets. */
export const Page = () => {
  const t = useT(ticketTexts)
  const can = useCan()
  const client = useQueryClient()
  const { params } = usePage()
  const { examId = '0', itemId = '0' } = params
  const paper = usePaperRooms(examId, itemId)
  const name = paper.data?.itemName
  useTabTitle(
    name === undefined ? null : { zh: `${ticketTexts.zh['ticket.seats']} ${name}`, en: `${ticketTexts.en['ticket.seats']} ${name}` },
  )
  const [place, setPlace] = useState<{ readonly siteCode: string; readonly roomNo: string } | null>(null)
  const [opened, setOpened] = useState<{ readonly kind: 'info' | 'adjust' | 'void' | 'reissue'; readonly ticket: TicketRow } | null>(null)
  const rooms = paper.data?.rooms ?? []
  const sites = [...new Map(rooms.map(room => [room.siteCode, room.siteName])).entries()]
  const room =
    rooms.find(each => place !== null && each.siteCode === place.siteCode && each.roomNo === place.roomNo) ??
    (rooms[0] as TicketRoom | undefined)
  const inRoom = useQuery({
    queryKey: ['ticket-room', examId, itemId, room?.siteCode, room?.roomNo],
    queryFn: ({ signal }) =>
      api.call(
        'GET /blade-exam/examination/getExamTicketList',
        { examId, itemId, siteCode: room?.siteCode ?? '', roomNo: room?.roomNo ?? '', current: 1, size: roomful },
        { signal },
      ),
    enabled: room !== undefined,
  })
  const papers = useCall('GET /blade-exam/examination/findTicketItems', { examId }, { enabled: examId !== '0' })
  const besideTickets = useQueries({
    queries: papersBeside(papers.data ?? [], itemId).map(other => ({
      queryKey: ['ticket-room', examId, other.itemId, room?.siteCode, room?.roomNo],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        api.call(
          'GET /blade-exam/examination/getExamTicketList',
          { examId, itemId: other.itemId, siteCode: room?.siteCode ?? '', roomNo: room?.roomNo ?? '', current: 1, size: roomful },
          { signal },
        ),
      enabled: room !== undefined,
    })),
    combine: answers => answers.flatMap(answer => answer.data?.records ?? []),
  })
  const beside = useMemo(() => seatsBeside(besideTickets), [besideTickets])
  const [printing, setPrinting] = useState(false)
  const columns = useColumns()
  // Until somebody chooses a room the list is of all of them.
  const listed = useMemo((): ListQuery => {
    if (place === null) return {}
    return { siteCode: place.siteCode, roomNo: place.roomNo }
  }, [place])
  const load = useCallback(
    (query: ListQuery, signal: AbortSignal) =>
      api.request<Page_>({
        method: 'GET',
        path: '/blade-exam/examination/getExamTicketList',
        query: { ...query, examId, itemId },
        signal,
      }),
    [examId, itemId],
  )
  const listName = `ticket-${itemId}`
  const refresh = () => {
    void client.invalidateQueries({ queryKey: ['list', listName] })
    void client.invalidateQueries({ queryKey: ['ticket-room'] })
    void client.invalidateQueries({ queryKey: ['GET /blade-exam/examination/findTicketItems'] })
  }
  const [mayEdit, mayVoid, mayPrint] = [can('ticket_edit'), can('ticket_delete'), can('ticket_print')]
  const actions = useCallback(
    (ticket: TicketRow): readonly RowAction[] => [
      { key: 'view', label: t('action.view'), onRun: () => setOpened({ kind: 'info', ticket }) },
      ...(mayEdit && ticket.ticketState !== voided
        ? [{ key: 'adjust', label: t('list.adjust'), onRun: () => setOpened({ kind: 'adjust', ticket }) }]
        : []),
      ...(mayEdit && ticket.ticketState === voided
        ? [{ key: 'reissue', label: t('list.reissue'), onRun: () => setOpened({ kind: 'reissue', ticket }) }]
        : []),
      ...(mayVoid && ticket.ticketState !== voided
        ? [{ key: 'void', label: t('list.void'), danger: true, onRun: () => setOpened({ kind: 'void', ticket }) }]
        : []),
    ],
    [mayEdit, mayVoid, t],
  )
  const states = useStateOptions(ticketMachine)
  const close = () => setOpened(null)
  const above = (
    <Loaded query={paper} skeletonRows={4}>
      {() =>
        room === undefined ? (
          <div className="card">
            <EmptyState text={t('seats.none')} />
          </div>
        ) : (
          <>
            <div className="card seats-head">
              <fieldset className="seats-chips" aria-label={t('seats.sites')}>
                <span>{t('seats.sites')}</span>
                {sites.map(([code, site]) => (
                  <button
                    key={code}
                    type="button"
                    className="button button-small"
                    aria-pressed={code === room.siteCode}
                    onClick={() => setPlace({ siteCode: code, roomNo: rooms.find(each => each.siteCode === code)?.roomNo ?? '' })}
                  >
                    {code} {site}
                  </button>
                ))}
              </fieldset>
              <fieldset className="seats-chips" aria-label={t('seats.rooms')}>
                <span>{t('seats.rooms')}</span>
                {rooms
                  .filter(each => each.siteCode === room.siteCode)
                  .map(each => (
                    <button
                      key={each.roomNo}
                      type="button"
                      className="button button-small"
                      aria-pressed={each.roomNo === room.roomNo}
                      onClick={() => setPlace({ siteCode: each.siteCode, roomNo: each.roomNo })}
                    >
                      {each.roomNo} {each.roomName}
                    </button>
                  ))}
                {mayPrint ? (
                  <button type="button" className="link-button" onClick={() => setPrinting(true)}>
                    {t('ticket.print')}
                  </button>
                ) : null}
              </fieldset>
            </div>
            <div className="card seats-room">
              <Loaded query={inRoom} skeletonRows={5}>
                {page => (
                  <Room room={room} tickets={page.records} beside={beside} onTicket={ticket => setOpened({ kind: 'info', ticket })} />
                )}
              </Loaded>
            </div>
            <p className="seats-listed">
              {place === null
                ? t('seats.listedAll')
                : t('seats.listed', { site: `${room.siteCode} ${room.siteName}`, room: `${room.roomNo} ${room.roomName}` })}{' '}
              {place === null ? null : (
                <button type="button" className="link-button" onClick={() => setPlace(null)}>
                  {t('seats.listAll')}
                </button>
              )}
            </p>
          </>
        )
      }
    </Loaded>
  )
  return (
    <>
      <CrudPage<TicketRow>
        name={listName}
        title={name === undefined ? t('ticket.seats') : `${t('ticket.seats')} · ${name}`}
        columns={columns}
        search={[
          { kind: 'text', key: 'keyword', label: t('list.keyword') },
          { kind: 'text', key: 'roomNo', label: t('list.roomNo') },
          { kind: 'select', key: 'ticketState', label: t('list.state'), options: states },
        ]}
        load={load}
        rowId={rowId}
        rowName={rowName}
        rowActions={actions}
        above={above}
        fixed={listed}
        empty={<EmptyState text={t(can('ticket_generate') ? 'list.empty' : 'list.empty.other')} />}
      />
      {printing && room !== undefined && paper.data !== undefined ? (
        <Suspense>
          <PrintDialog examId={examId} paper={{ ...paper.data, itemId }} room={room} onClose={() => setPrinting(false)} />
        </Suspense>
      ) : null}
      {opened === null ? null : (
        <Suspense>
          {opened.kind === 'info' ? (
            <TicketDialog
              ticket={opened.ticket}
              mayEdit={mayEdit}
              mayVoid={mayVoid}
              mayPrint={mayPrint}
              onAdjust={() => setOpened({ kind: 'adjust', ticket: opened.ticket })}
              onVoid={() => setOpened({ kind: 'void', ticket: opened.ticket })}
              onPrint={() => void printTickets({ examId, ids: opened.ticket.id })}
              onClose={close}
            />
          ) : opened.kind === 'adjust' ? (
            <AdjustDialog ticket={opened.ticket} onClose={close} onDone={refresh} />
          ) : opened.kind === 'reissue' ? (
            <ReissueDialog ticket={opened.ticket} onClose={close} onDone={refresh} />
          ) : (
            <VoidDialog ticket={opened.ticket} onClose={close} onDone={refresh} />
          )}
        </Suspense>
      )}
    </>
  )
}
