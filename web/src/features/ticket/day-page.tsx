import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState, useSyncExternalStore } from 'react'
import { violationMachine } from '#contract/ticket/violation.state.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { endMinuteOf, minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { useCall } from '#web/kernel/query.ts'
import { CrudPage, type ListQuery } from '#web/resource/crud-page.tsx'
import { ExamMissing } from '#web/resource/exam-missing.tsx'
import { useDict } from '#web/resource/use-dict.ts'
import { useExamChoice } from '#web/resource/within.tsx'
import { type Column, DataTable, type RowAction } from '#web/ui/data-table.tsx'
import { StateTag, useStateOptions } from '#web/ui/state-tag.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { dayTexts } from './day-texts.ts'
import { openOf, totalOf } from './day-totals.ts'
import './ticket.css'

const ViolationDialog = lazy(async () => ({ default: (await import('./violation-dialog.tsx')).ViolationDialog }))

type Room = ApiOutput<'GET /blade-ticket/day/rooms'>[number]
type ViolationPage = ApiOutput<'GET /blade-ticket/day/violations'>
type Violation = ViolationPage['records'][number]

const roomId = (row: Room) => `${row.itemId}.${row.siteCode}.${row.roomNo}`
const roomName = (row: Room) => row.roomNo
const rowId = (row: Violation) => row.id
const rowName = (row: Violation) => row.name

const narrow = matchMedia('(max-width: 767px)')
const watchNarrow = (tell: () => void) => {
  narrow.addEventListener('change', tell)
  return () => narrow.removeEventListener('change', tell)
}
const useNarrow = () => useSyncExternalStore(watchNarrow, () => narrow.matches)

/** `2026-03-28 09:00–11:00` */
const timeOf = (row: Room) => `${minuteOf(row.startTime)}–${endMinuteOf(row.endTime).slice(-5)}`

/** On a phone a room is a card: no figure is beside the screen. */
const RoomCards = ({ rows }: { readonly rows: readonly Room[] }) => {
  const t = useT(dayTexts)
  return (
    <ul className="day-rooms" aria-label={t('rooms')}>
      {rows.map(row => (
        <li key={roomId(row)} className="card">
          <b>
            {row.roomNo} {row.roomName}
          </b>
          <small>
            {row.siteName} · {row.itemName} · {timeOf(row)}
          </small>
          <dl>
            {(['seated', 'present', 'late', 'absent', 'open', 'violations', 'notes'] as const).map(key => (
              <div key={key}>
                <dt>{t(key)}</dt>
                <dd>{key === 'open' ? openOf(row) : row[key]}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  )
}

const useRoomColumns = (): readonly Column<Room>[] => {
  const t = useT(dayTexts)
  return useMemo(() => {
    const count = (key: 'seated' | 'present' | 'late' | 'absent' | 'violations' | 'notes'): Column<Room> => ({
      key,
      title: t(key),
      align: 'right',
      cell: row => row[key],
    })
    return [
      { key: 'paper', title: t('paper'), cell: row => row.itemName },
      { key: 'time', title: t('time'), cell: timeOf },
      { key: 'site', title: t('site'), cell: row => row.siteName },
      { key: 'room', title: t('room'), cell: row => `${row.roomNo} ${row.roomName}` },
      count('seated'),
      count('present'),
      count('late'),
      count('absent'),
      { key: 'open', title: t('open'), align: 'right', cell: openOf },
      count('violations'),
      count('notes'),
    ]
  }, [t])
}

const useColumns = (): readonly Column<Violation>[] => {
  const t = useT(dayTexts)
  const clauses = useDict('violation_clause')
  return useMemo(
    () => [
      { key: 'ticketNo', field: 'ticket.ticketNo', title: t('ticketNo'), cell: row => row.ticketNo },
      { key: 'name', field: 'ticket.name', title: t('name'), cell: row => row.name },
      { key: 'paper', title: t('paper'), cell: row => row.itemName },
      { key: 'seat', title: t('seat'), cell: row => `${row.siteName} ${row.roomNo}-${row.seatNo}` },
      { key: 'clause', title: t('clause'), cell: row => clauses.find(one => one.value === row.clause)?.label ?? row.clause },
      { key: 'facts', title: t('facts'), cell: row => row.facts, hidden: true },
      { key: 'happened', title: t('happened'), cell: row => minuteOf(row.happenedTime) },
      { key: 'signers', title: t('signers'), cell: row => `${row.firstSigner}、${row.secondSigner}`, hidden: true },
      {
        key: 'state',
        title: t('state'),
        cell: row => <StateTag of={violationMachine} wire={row.state} />,
      },
    ],
    [t, clauses],
  )
}

type Note = ApiOutput<'GET /blade-ticket/day/notes'>['records'][number]
const noteId = (row: Note) => row.id
const noteName = (row: Note) => row.name
const [first, pageful] = [1, 20]

/** What was written down at the doors, the latest first. */
const Notes = ({ examId }: { readonly examId: string }) => {
  const t = useT(dayTexts)
  const [current, setCurrent] = useState(first)
  const notes = useCall('GET /blade-ticket/day/notes', { examId, current, size: pageful }, { staleTimeMs: 0 })
  const columns = useMemo<readonly Column<Note>[]>(
    () => [
      { key: 'ticketNo', field: 'ticket.ticketNo', title: t('ticketNo'), cell: row => row.ticketNo },
      { key: 'name', field: 'ticket.name', title: t('name'), cell: row => row.name },
      { key: 'paper', title: t('paper'), cell: row => row.itemName },
      { key: 'seat', title: t('seat'), cell: row => `${row.siteName} ${row.roomNo}-${row.seatNo}` },
      { key: 'marked', title: t('marked'), cell: row => t(`mark.${row.state as 0 | 1 | 2 | 3}`) },
      { key: 'note', title: t('note'), cell: row => row.note },
      { key: 'noted', title: t('noted'), cell: row => minuteOf(row.madeTime) },
      { key: 'by', title: t('notedBy'), cell: row => row.by },
    ],
    [t],
  )
  return (
    <DataTable<Note>
      name="day-notes"
      caption={t('nTitle')}
      rows={notes.data?.records}
      rowId={noteId}
      rowName={noteName}
      columns={columns}
      busy={notes.isFetching && notes.data !== undefined}
      error={notes.isError ? { message: notes.error.message, onRetry: () => void notes.refetch() } : null}
      empty={<EmptyState text={t('nEmpty')} />}
      onRefresh={() => void notes.refetch()}
      page={{ current, size: pageful, total: notes.data?.total ?? 0, onChange: setCurrent }}
    />
  )
}

const load = (query: ListQuery, signal: AbortSignal) =>
  api.request<ViolationPage>({ method: 'GET', path: '/blade-ticket/day/violations', query, signal })

/** The day seen from the office: which rooms have come how far, and violations to decide about. */
export const Page = () => {
  const t = useT(dayTexts)
  const states = useStateOptions(violationMachine)
  const can = useCan()
  const mayDecide = can('examday_decide')
  const client = useQueryClient()
  const { examId, bar, none } = useExamChoice(true)
  const [opened, setOpened] = useState<string | null>(null)
  const rooms = useCall('GET /blade-ticket/day/rooms', { examId: examId ?? '0' }, { enabled: examId !== null, staleTimeMs: 0 })
  const roomColumns = useRoomColumns()
  const isNarrow = useNarrow()
  const byResult = (rooms.data ?? []).reduce((sum, row) => sum + row.byResult, 0)
  const total = totalOf(rooms.data ?? [])
  const columns = useColumns()
  const refresh = useCallback(() => {
    void client.invalidateQueries({ queryKey: ['list', 'violation'] })
    void client.invalidateQueries({ queryKey: ['GET /blade-ticket/day/rooms'] })
  }, [client])
  const actions = useCallback(
    (row: Violation): readonly RowAction[] => [
      { key: 'look', label: t(row.state === 0 && mayDecide ? 'decide' : 'look'), onRun: () => setOpened(row.id) },
    ],
    [mayDecide, t],
  )
  if (none || examId === null) return <ExamMissing text={t('noExam')} />
  return (
    <>
      <CrudPage<Violation>
        name="violation"
        title={t('title')}
        columns={columns}
        search={[
          {
            kind: 'select',
            key: 'state',
            label: t('state'),
            options: states,
          },
        ]}
        load={load}
        rowId={rowId}
        rowName={rowName}
        rowActions={actions}
        fixed={{ examId }}
        above={
          <>
            {bar}
            <p className="day-lead">
              {t('lead', { url: `${location.origin}/site` })} <a href="/site">{t('toSite')}</a>
            </p>
            <h2 className="day-head">{t('rooms')}</h2>
            {total.sessions === 0 ? null : <p className="day-lead">{t('total', { ...total })}</p>}
            {byResult === 0 ? null : <p className="day-lead">{t('byResult', { count: byResult })}</p>}
            {isNarrow && rooms.data !== undefined && rooms.data.length > 0 ? (
              <RoomCards rows={rooms.data} />
            ) : (
              <DataTable<Room>
                name="day-rooms"
                caption={t('rooms')}
                rows={rooms.data}
                rowId={roomId}
                rowName={roomName}
                columns={roomColumns}
                busy={rooms.isFetching && rooms.data !== undefined}
                error={rooms.isError ? { message: rooms.error.message, onRetry: () => void rooms.refetch() } : null}
                empty={<EmptyState text={t(can('ticket_release') ? 'noRooms' : 'noRooms.other')} />}
                onRefresh={() => void rooms.refetch()}
              />
            )}
            <h2 className="day-head">{t('nTitle')}</h2>
            <Notes key={examId} examId={examId} />
            <h2 className="day-head">{t('vTitle')}</h2>
          </>
        }
        empty={<EmptyState text={t('vEmpty')} />}
      />
      {opened === null ? null : (
        <Suspense>
          <ViolationDialog id={opened} mayDecide={mayDecide} onClose={() => setOpened(null)} onDone={refresh} />
        </Suspense>
      )}
    </>
  )
}
