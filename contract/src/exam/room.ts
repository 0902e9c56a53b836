/** How the seats of a room are laid out and numbered (domain 3.18 `examitem.rooms`, 7.4): screens draw what the allocation fills. */
export interface RoomPlan {
  readonly rows: number
  readonly cols: number
  /** S: columns from the door side, up and down in turn. Z: row by row. */
  readonly layout?: 'S' | 'Z' | undefined
  /** Seats that cannot be used, as `r6c5`, counted from 1. */
  readonly disabled?: readonly string[] | undefined
  /** Seats kept free for late additions: the last of the numbering. */
  readonly spare?: number | undefined
}

export interface SeatPlace {
  /** From 1; printed with two digits. */
  readonly seatNo: number
  readonly row: number
  readonly col: number
}

/** The most seats of a room: a seat number has two digits. */
export const mostSeats = 99

export const seatKey = (row: number, col: number): string => `r${row}c${col}`

/** The usable seats of a room in the order of their numbers, spare ones last. */
export const seatsOf = (room: RoomPlan): SeatPlace[] => {
  const disabled = new Set(room.disabled)
  const seats: SeatPlace[] = []
  const put = (row: number, col: number) => {
    if (!disabled.has(seatKey(row, col))) seats.push({ seatNo: seats.length + 1, row, col })
  }
  if (room.layout === 'Z') for (let row = 1; row <= room.rows; row++) for (let col = 1; col <= room.cols; col++) put(row, col)
  else
    for (let col = 1; col <= room.cols; col++)
      for (let step = 1; step <= room.rows; step++) put(col % 2 === 1 ? step : room.rows + 1 - step, col)
  return seats
}

/** Seats that an allocation may fill. */
export const capacityOf = (room: RoomPlan): number => Math.max(0, seatsOf(room).length - (room.spare ?? 0))
