import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { capacityOf } from '#contract/exam/room.ts'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { SeatGrid } from '#web/resource/seat-grid.tsx'
import { Dialog } from '#web/ui/modal.tsx'
import { EmptyState, Loaded } from '#web/ui/states.tsx'
import type { Paper, Room } from '../wire.ts'
import { faultsOf, nextRoom, resized, toggled } from './rooms.ts'
import { roomsTexts } from './rooms-texts.ts'
import './rooms.css'

interface Props {
  readonly basePath: string
  readonly paperId: string
  readonly paperName: string
  readonly mayEdit: boolean
  readonly onClose: () => void
}

const mostAtOnce = 50

const Labelled = ({ label, children }: { readonly label: string; readonly children: (id: string) => ReactNode }) => {
  const id = useId()
  return (
    <div className="room-field">
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  )
}

const RoomForm = ({
  room,
  frozen,
  onChange,
}: {
  readonly room: Room
  readonly frozen: boolean
  readonly onChange: (room: Room) => void
}) => {
  const t = useT(roomsTexts)
  const text = (name: 'siteCode' | 'siteName' | 'siteAddress' | 'roomNo' | 'roomName', max: number) => (
    <Labelled label={t(`rooms.${name}`)}>
      {id => (
        <input
          id={id}
          className="input"
          maxLength={max}
          readOnly={frozen}
          value={room[name]}
          onChange={event => onChange({ ...room, [name]: event.target.value })}
        />
      )}
    </Labelled>
  )
  const number = (name: 'floor' | 'rows' | 'cols' | 'spare', min: number, max: number) => (
    <Labelled label={t(`rooms.${name}`)}>
      {id => (
        <input
          id={id}
          className="input"
          type="number"
          min={min}
          max={max}
          readOnly={frozen}
          value={room[name]}
          onChange={event => {
            const value = Math.trunc(Number(event.target.value))
            onChange(name === 'rows' || name === 'cols' ? resized(room, { [name]: value }) : { ...room, [name]: value })
          }}
        />
      )}
    </Labelled>
  )
  return (
    <div className="room-form">
      {text('siteCode', 2)}
      {text('siteName', 60)}
      {text('siteAddress', 200)}
      {text('roomNo', 3)}
      {text('roomName', 60)}
      {number('floor', -5, 99)}
      {number('rows', 1, 30)}
      {number('cols', 1, 30)}
      {number('spare', 0, 99)}
      <Labelled label={t('rooms.layout')}>
        {id => (
          <select
            id={id}
            className="input"
            disabled={frozen}
            value={room.layout}
            onChange={event => onChange({ ...room, layout: event.target.value as Room['layout'] })}
          >
            <option value="S">{t('rooms.layout.S')}</option>
            <option value="Z">{t('rooms.layout.Z')}</option>
          </select>
        )}
      </Labelled>
      <label className="room-check">
        <input
          type="checkbox"
          disabled={frozen}
          checked={room.accessible}
          onChange={event => onChange({ ...room, accessible: event.target.checked })}
        />
        {t('rooms.accessible')}
      </label>
    </div>
  )
}

const Editor = ({ paper, basePath, paperName, mayEdit, onClose }: Props & { readonly paper: Paper }) => {
  const t = useT(roomsTexts)
  const client = useQueryClient()
  const [rooms, setRooms] = useState<readonly Room[]>(paper.rooms ?? [])
  const [at, setAt] = useState(0)
  const [count, setCount] = useState(1)
  const [busy, setBusy] = useState(false)
  const frozen = !mayEdit || (paper.ticketState ?? 0) > 0
  const faults = faultsOf(rooms)
  const isWrong = faults.some(list => list.length > 0)
  const changed = JSON.stringify(rooms) !== JSON.stringify(paper.rooms ?? [])
  const chosen = rooms[at]
  const set = (room: Room) => setRooms(rooms.map((old, index) => (index === at ? room : old)))
  const add = () => {
    let next: readonly Room[] = rooms
    for (let made = 0; made < count; made += 1) next = [...next, nextRoom(next)]
    setRooms(next)
    setAt(rooms.length)
  }
  const save = async () => {
    if (busy || isWrong) return
    setBusy(true)
    try {
      await api.request({
        method: 'POST',
        path: `${basePath}/submit`,
        body: { id: paper.id, ...(paper.version === undefined ? {} : { version: paper.version }), rooms },
      })
      notify('success', t('rooms.saved'))
      await client.invalidateQueries({ queryKey: ['paper-rooms', paper.id] })
      onClose()
    } catch {
      // The api client has said why.
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={t('rooms.title', { name: paperName })}
      size="three"
      onClose={onClose}
      hasChanges={() => changed}
      footer={close => (
        <div className="form-footer">
          <span className="rooms-total" role="status">
            {t('rooms.total', { rooms: rooms.length, seats: rooms.reduce((sum, room) => sum + capacityOf(room), 0) })}
          </span>
          <button type="button" className="button" onClick={close}>
            {t(frozen ? 'action.close' : 'action.cancel')}
          </button>
          {frozen ? null : (
            <button type="button" className="button button-primary" disabled={busy || isWrong || !changed} onClick={() => void save()}>
              {t('action.save')}
            </button>
          )}
        </div>
      )}
    >
      {mayEdit && frozen ? <p className="rooms-frozen">{t('rooms.frozen')}</p> : null}
      <div className="rooms">
        <div className="rooms-side">
          {frozen ? null : (
            <div className="rooms-add">
              <input
                className="input"
                type="number"
                aria-label={t('rooms.count')}
                min={1}
                max={mostAtOnce}
                value={count}
                onChange={event => setCount(Math.min(mostAtOnce, Math.max(1, Math.trunc(Number(event.target.value)) || 1)))}
              />
              <button type="button" className="button" onClick={add}>
                {count === 1 ? t('rooms.add') : t('rooms.addMany', { count })}
              </button>
            </div>
          )}
          <ul aria-label={t('rooms.list')}>
            {rooms.map((room, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two rooms may bear the same numbers while they are being typed
              <li key={index}>
                <button
                  type="button"
                  aria-pressed={index === at}
                  data-wrong={(faults[index]?.length ?? 0) > 0}
                  onClick={() => setAt(index)}
                >
                  <span>{t('rooms.name', { site: room.siteCode, room: room.roomNo })}</span>
                  <small>
                    {[room.siteName, room.roomName].filter(text => text !== '').join(' ')} {t('rooms.seats', { seats: capacityOf(room) })}
                  </small>
                </button>
              </li>
            ))}
          </ul>
        </div>
        {chosen === undefined ? (
          <EmptyState text={t('rooms.empty')} />
        ) : (
          <div className="rooms-main">
            <RoomForm room={chosen} frozen={frozen} onChange={set} />
            {(faults[at] ?? []).map(fault => (
              <p key={fault} className="field-error" role="alert">
                {t(`fault.${fault}`)}
              </p>
            ))}
            {faults[at]?.includes('size') ? null : (
              <SeatGrid
                room={chosen}
                caption={t('rooms.grid')}
                front={t('rooms.front')}
                look={({ seatNo, row, col, isSpare }) =>
                  seatNo === null
                    ? { tone: 'out', label: t('rooms.seatOut', { row, col }), disabled: frozen }
                    : {
                        tone: isSpare ? 'spare' : 'free',
                        label: t(isSpare ? 'rooms.seatSpare' : 'rooms.seat', { seat: String(seatNo).padStart(2, '0'), row, col }),
                        disabled: frozen,
                      }
                }
                onSeat={(row, col) => set(toggled(chosen, row, col))}
              />
            )}
            {frozen ? null : (
              <div>
                <button
                  type="button"
                  className="button button-danger button-small"
                  onClick={() => {
                    setRooms(rooms.filter((_, index) => index !== at))
                    setAt(Math.max(0, at - 1))
                  }}
                >
                  {t('rooms.remove')}
                </button>
              </div>
            )}
          </div>
        )}
      </div>
    </Dialog>
  )
}

/** The rooms of a paper: a list, the data of one, and its seats drawn. */
export const RoomsDialog = (props: Props) => {
  const t = useT(roomsTexts)
  const paper = useQuery({
    queryKey: ['paper-rooms', props.paperId],
    queryFn: ({ signal }) => api.request<Paper>({ method: 'GET', path: `${props.basePath}/detail`, query: { id: props.paperId }, signal }),
    staleTime: 0,
    gcTime: 0,
  })
  if (paper.data !== undefined) return <Editor {...props} paper={paper.data} />
  return (
    <Dialog title={t('rooms.title', { name: props.paperName })} size="three" onClose={props.onClose}>
      <Loaded query={paper}>{() => null}</Loaded>
    </Dialog>
  )
}
