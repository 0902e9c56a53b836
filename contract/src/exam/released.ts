import type { Label } from '../kernel/label.ts'

/**
 * What a released examination still lets change (domain 4.1): windows end later at will, earlier only with a day's notice, a beginning that has
 * passed stays, and what candidates relied on when they signed up stays. Shared by the server, which refuses, and the pages, which say so before.
 */

/** Candidates relied on these when they signed up. */
export const frozenOnceReleased: ReadonlySet<string> = new Set(
  (
    'examCode examNo year examType feeMode feeFen payWhen promise examineLevels allowSecond openRatio ratioBasis shortlistRatio ' +
    'writtenWeight interviewWeight scoreScale tieBreak regionLabel needSignature freshYears freshEndsBy freshDay residencyFresh residencyMaster'
  ).split(' '),
)
export const windowEnds: ReadonlySet<string> = new Set([
  'signEnd',
  'modifyEnd',
  'examineEnd',
  'appealEnd',
  'payEnd',
  'adjustEnd',
  'ticketEnd',
  'msTicketEnd',
])
export const windowBegins: ReadonlySet<string> = new Set([
  'signBegin',
  'examineBegin',
  'payBegin',
  'adjustBegin',
  'ticketBegin',
  'msTicketBegin',
  'scoreBegin',
])

/** A shortened window must leave people this long. */
export const shortenNoticeMs = 24 * 3_600_000

/** Whether a window's beginning has passed, so that it stays. @param beginMs null where it is not set */
export const hasBegun = (beginMs: number | null, nowMs: number): boolean => beginMs !== null && beginMs <= nowMs

/** Whether an end moves nearer, or is taken away, both in milliseconds; null where it is not set. */
export const isShortened = (beforeMs: number | null, afterMs: number | null): boolean =>
  beforeMs !== null && (afterMs === null || afterMs < beforeMs)

/** Whether a shortened end leaves people too little time. */
export const isTooShort = (beforeMs: number | null, afterMs: number | null, nowMs: number): boolean =>
  isShortened(beforeMs, afterMs) && (afterMs === null || afterMs <= nowMs + shortenNoticeMs)

/** What every released examination asks everybody for: required and always shown. */
export const neededItems: readonly { readonly key: string; readonly label: Label }[] = [
  { key: 'name', label: { zh: '姓名', en: 'name' } },
  { key: 'idCard', label: { zh: '证件号码', en: 'id card number' } },
  { key: 'phone', label: { zh: '手机号', en: 'mobile phone' } },
]
/** Number of domain 3.4 `kind`: a portrait photo. */
export const portraitKind = 1
/** Whether a file is a portrait that everybody hands in at sign-up; a released examination has one. */
export const isNeededPortrait = (file: {
  readonly kind: number
  readonly required: number
  readonly stage: number
  readonly visibleWhen: unknown
}): boolean => file.kind === portraitKind && file.required === 1 && file.stage === 1 && !file.visibleWhen

/** Fields of a paper that stay: where it has seats, where it has results, and its fee once the examination that charges by paper is released. */
export const frozenOfPaper = (of: {
  readonly isSeated: boolean
  readonly isScored: boolean
  readonly isPaid: boolean
}): ReadonlySet<string> =>
  new Set([
    ...(of.isSeated ? ['itemCode', 'itemType', 'startTime', 'endTime', 'seatGroup', 'rooms'] : []),
    ...(of.isScored ? ['itemCode', 'itemType', 'startTime', 'endTime', 'fullScore', 'weight'] : []),
    ...(of.isPaid ? ['feeFen'] : []),
  ])
