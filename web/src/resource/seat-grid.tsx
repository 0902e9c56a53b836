import { type ReactNode, useRef } from 'react'
import { type RoomPlan, seatKey, seatsOf } from '#contract/exam/room.ts'
import { useMoreBeside } from '../ui/more-beside.ts'
import './seat-grid.css'

interface SeatLook {
  /** Under the number. */
  readonly text?: ReactNode
  readonly tone?: 'free' | 'taken' | 'beside' | 'released' | 'out' | 'spare' | 'marked'
  readonly label: string
  readonly disabled?: boolean
}

interface Props {
  readonly room: RoomPlan
  readonly caption: string
  /** Where the front of the room is. */
  readonly front: string
  /** How a seat looks; `seatNo` is null for a seat out of use. */
  readonly look: (seat: {
    readonly seatNo: number | null
    readonly row: number
    readonly col: number
    readonly isSpare: boolean
  }) => SeatLook
  readonly onSeat?: (row: number, col: number, seatNo: number | null) => void
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** A room drawn from above, the front at the top. */
export const SeatGrid = ({ room, caption, front, look, onSeat }: Props) => {
  const box = useRef<HTMLElement>(null)
  useMoreBeside(box)
  const seats = seatsOf(room)
  const byPlace = new Map(seats.map(seat => [seatKey(seat.row, seat.col), seat.seatNo]))
  const firstSpare = seats.length - (room.spare ?? 0) + 1
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section ref={box} className="seat-grid" aria-label={caption} tabIndex={0}>
      <div className="seat-front">{front}</div>
      <table>
        <caption className="visually-hidden">{caption}</caption>
        <tbody>
          {upTo(room.rows).map(row => (
            <tr key={row}>
              {upTo(room.cols).map(col => {
                const seatNo = byPlace.get(seatKey(row, col)) ?? null
                const {
                  text,
                  tone = 'free',
                  label,
                  disabled,
                } = look({ seatNo, row, col, isSpare: seatNo !== null && seatNo >= firstSpare })
                const content = (
                  <>
                    <b aria-hidden="true">{seatNo === null ? '×' : String(seatNo).padStart(2, '0')}</b>
                    {text === undefined ? null : <span aria-hidden="true">{text}</span>}
                    <i className="visually-hidden">{label}</i>
                  </>
                )
                return (
                  <td key={col}>
                    {onSeat === undefined ? (
                      <div className="seat" data-tone={tone} title={label}>
                        {content}
                      </div>
                    ) : (
                      <button
                        type="button"
                        className="seat"
                        data-tone={tone}
                        title={label}
                        disabled={disabled}
                        onClick={() => onSeat(row, col, seatNo)}
                      >
                        {content}
                      </button>
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
