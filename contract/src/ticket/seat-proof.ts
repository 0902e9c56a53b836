/** One seat as a draw gave it. */
export interface DrawnSeat {
  readonly examId: string
  /** The paper, or the group of papers that share their seats. */
  readonly itemGroup: string
  readonly version: number
  readonly signNo: string
  readonly siteCode: string
  readonly roomNo: string
  readonly seatNo: number
  /** 32 hexadecimal digits: without them nobody can try all seats of somebody else until the hash fits. */
  readonly salt: string
}

/** The text of somebody’s leaf in the tree over the seats of a draw; docs/howto/verify-a-score.md says how it is checked. */
export const seatLeafText = ({ examId, itemGroup, version, signNo, siteCode, roomNo, seatNo, salt }: DrawnSeat): string =>
  ['kaopu-seat-1', `${examId}|${itemGroup}|${version}`, `${signNo}|${siteCode}|${roomNo}|${seatNo}`, salt].join('\n')
