/** Windows of an examination that decide who sits. */
export interface SeatWindows {
  readonly signEnd: Date | null
  readonly modifyEnd: Date | null
  readonly payEnd: Date | null
  /** 0 free: nobody pays. */
  readonly feeMode: number
}
export interface OpenWindow {
  readonly window: 'sign' | 'modify' | 'pay'
  readonly end: Date
}

/** What has not ended: whoever signs up, changes their post or pays until then has no seat of a release made before. */
export const openWindows = ({ signEnd, modifyEnd, payEnd, feeMode }: SeatWindows, now: Date): OpenWindow[] =>
  (
    [
      ['sign', signEnd],
      ['modify', modifyEnd],
      ['pay', feeMode === 0 ? null : payEnd],
    ] as const
  ).flatMap(([window, end]) => (end !== null && end > now ? [{ window, end }] : []))
