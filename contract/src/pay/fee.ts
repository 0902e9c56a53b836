import { sitsPaper } from '../exam/sits-paper.ts'
import type { Label, Language } from '../kernel/label.ts'
import { maxFen } from '../kernel/money.ts'

/** How an examination is charged; the position is the number on the wire (domain 3.1 `feeMode`). */
export const feeModes = ['free', 'perPerson', 'perItem', 'perPost'] as const
export type FeeMode = (typeof feeModes)[number]

/** What is charged for; the position plus one is the number on the wire (domain 3.13 `payKind`). */
export const payKinds = ['examFee', 'postDifference', 'other'] as const
export type PayKind = (typeof payKinds)[number]

export type Due = {
  /** `'0'` when the fee is for the examination as a whole. */
  readonly itemId: string
  readonly payKind: PayKind
  readonly payName: string
  readonly amountFen: number
}

const requireFen = (amountFen: number): number => {
  if (!Number.isSafeInteger(amountFen) || amountFen < 0 || amountFen > maxFen) throw new RangeError(`not an amount in fen: ${amountFen}`)
  return amountFen
}

/**
 * The dues that arise for one sign-up, in the order of the items. Amounts of zero make no due (domain 8.1).
 *
 * @param exam - `feeFen` counts in mode `perPerson` only
 * @param post - the chosen post; `feeFen` counts in mode `perPost` only
 * @param items - papers of the examination, of which the post sits some (`sitsPaper`)
 */
export const duesFor = (
  exam: { readonly feeMode: FeeMode; readonly feeFen: number },
  post: { readonly code: string; readonly feeFen: number; readonly itemCodes: readonly string[] },
  items: readonly {
    readonly itemId: string
    readonly itemName: string
    readonly itemCode: string
    readonly feeFen: number
    readonly typeCodes: readonly string[]
  }[],
): readonly Due[] => {
  const whole = (amountFen: number): Due => ({ itemId: '0', payKind: 'examFee', payName: wholeFee.zh, amountFen: requireFen(amountFen) })
  const candidates: Record<FeeMode, () => readonly Due[]> = {
    free: () => [],
    perPerson: () => [whole(exam.feeFen)],
    perItem: () =>
      items
        .filter(item => sitsPaper(item, post))
        .map(item => ({
          itemId: item.itemId,
          payKind: 'examFee',
          payName: `报名费（${item.itemName}）`,
          amountFen: requireFen(item.feeFen),
        })),
    perPost: () => [whole(post.feeFen)],
  }
  return candidates[exam.feeMode]().filter(due => due.amountFen > 0)
}

const wholeFee: Label = { zh: '报名费', en: 'Sign-up fee' }
const paperFee = /^报名费（(.+)）$/u
/** The fee for another post is higher; one for each post that somebody moves to. */
export const differenceFee = (code: string): string => `改报补差（${code}）`
const postDifference = /^改报补差（(.+)）$/u

/** The name of a fee that the program gives is stored in Chinese and read in the reader's language; others are as they were typed. */
export const feeNameIn = (payName: string, language: Language): string =>
  language === 'zh'
    ? payName
    : payName === wholeFee.zh
      ? wholeFee.en
      : payName.replace(paperFee, `${wholeFee.en} ($1)`).replace(postDifference, 'Difference for another post ($1)')

const LATE_APPEAL_MS = 24 * 60 * 60 * 1000

/** When a due must be paid: the end of the pay window, or 24 hours from now for one who passed after it (domain 8.1). */
export const dueDeadline = (payEnd: Date, now: Date): Date =>
  now.getTime() < payEnd.getTime() ? payEnd : new Date(now.getTime() + LATE_APPEAL_MS)

/** What the provider takes in a description. */
const maxDescription = 127
const maxFeeName = 60

/** Cut short with a sign that it was. */
const shortened = (text: string, count: number): string => (text.length <= count ? text : `${text.slice(0, count - 1)}…`)

/**
 * A text as the provider takes it: one line, without control characters, without what cannot be seen, and without what takes four bytes, which it
 * refuses (PARAM_ERROR). Pictures are left out; of letters, as rare characters of names are, 〓 stands for each, as printers set it.
 */
const providerText = (text: string): string =>
  text
    .replace(/\p{Cs}/gu, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Zs}]+/gu, ' ')
    .replace(/\p{Cf}|\p{Co}|\p{Cn}|\p{Variation_Selector}|\p{Extended_Pictographic}|\u20e3/gu, '')
    .replace(/[\u{10000}-\u{10ffff}]/gu, sign => (/\p{L}/u.test(sign) ? '〓' : ''))
    .replace(/ +/g, ' ')
    .trim()

/** The line a payer sees in the provider's bill: at most 127 characters, of which the name of the fee is kept whole. */
export const orderDescription = (examName: string, payName: string): string => {
  const fee = shortened(providerText(payName) || wholeFee.zh, maxFeeName)
  const exam = shortened(providerText(examName), maxDescription - fee.length - 1)
  return exam === '' ? fee : `${exam}-${fee}`
}

/** Matches `100`, `100.1`, `1,000.00`, not `10,00` or `.5`. */
const YUAN = /^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/

/** Fen of a yuan amount with at most two decimals, zero included; undefined for anything else. */
export const yuanToFen = (text: string): number | undefined => {
  const match = YUAN.exec(text)
  if (match === null) return undefined
  const decimals = match[1] ?? ''
  if (decimals.length > 2) return undefined
  const [yuan = ''] = text.replaceAll(',', '').split('.')
  const fen = Number(yuan) * 100 + Number(decimals.padEnd(2, '0'))
  return Number.isSafeInteger(fen) ? fen : undefined
}

export type YuanProblem = 'empty' | 'notAnAmount' | 'tooManyDecimals' | 'negative' | 'zero' | 'tooLarge'
export type YuanResult =
  | { readonly ok: true; readonly amountFen: number; readonly warning?: 'fullWidth' }
  | { readonly ok: false; readonly problem: YuanProblem }

/** Full-width forms U+FF01–U+FF5E become their ASCII twins; Chinese keyboards type them unasked. */
const foldFullWidth = (text: string): string =>
  text.replace(/[\uFF01-\uFF5E]/g, char => String.fromCharCode(char.charCodeAt(0) - 0xfee0)).replace(/\u3000/g, ' ')

/**
 * Reads an amount in yuan as people type it into a cell (domain 11.1): up to two decimals, thousands commas allowed,
 * full-width digits folded with a warning, more than zero.
 */
export const parseYuan = (text: string): YuanResult => {
  const folded = foldFullWidth(text).trim()
  if (folded === '') return { ok: false, problem: 'empty' }
  const negative = folded.startsWith('-')
  const plain = negative ? folded.slice(1) : folded
  const match = YUAN.exec(plain)
  if (match === null) return { ok: false, problem: 'notAnAmount' }
  if (negative) return { ok: false, problem: 'negative' }
  if ((match[1] ?? '').length > 2) return { ok: false, problem: 'tooManyDecimals' }
  const amountFen = yuanToFen(plain)
  if (amountFen === undefined || amountFen > maxFen) return { ok: false, problem: 'tooLarge' }
  if (amountFen === 0) return { ok: false, problem: 'zero' }
  return folded === text.trim() ? { ok: true, amountFen } : { ok: true, amountFen, warning: 'fullWidth' }
}

/** Fen as yuan with two decimals and no grouping: `10010` → `100.10`, `-5` → `-0.05`. */
export const formatFen = (amountFen: number): string => {
  const digits = String(Math.abs(amountFen)).padStart(3, '0')
  return `${amountFen < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const yuan = (fen: number): Label => ({ zh: `${formatFen(fen)} 元`, en: `${formatFen(fen)} yuan` })

/**
 * What an examination costs, in a few words.
 * @param fees - lowest and highest fee of its posts, where it has posts
 */
export const feeTextOf = (
  exam: { readonly feeMode: number; readonly feeFen: number },
  fees: { readonly minFeeFen: number; readonly maxFeeFen: number } | undefined,
): Label => {
  if (exam.feeMode === 1) return yuan(exam.feeFen)
  if (exam.feeMode === 3 && fees && fees.maxFeeFen > 0)
    return fees.minFeeFen === fees.maxFeeFen
      ? yuan(fees.maxFeeFen)
      : {
          zh: `${formatFen(fees.minFeeFen)}–${formatFen(fees.maxFeeFen)} 元，按岗位`,
          en: `${formatFen(fees.minFeeFen)}–${formatFen(fees.maxFeeFen)} yuan by post`,
        }
  return exam.feeMode === 2 ? { zh: '按科目收费', en: 'by paper' } : { zh: '免费', en: 'free' }
}

/** The same of one of its posts. */
export const feeOfPost = (exam: { readonly feeMode: number; readonly feeFen: number }, post: { readonly feeFen: number }): Label =>
  exam.feeMode === 3 ? (post.feeFen > 0 ? yuan(post.feeFen) : { zh: '免费', en: 'free' }) : feeTextOf(exam, undefined)
