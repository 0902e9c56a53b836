import { foldGroups, foldWidth } from '../kernel/fold-width.ts'
import type { Label } from '../kernel/label.ts'

/** Reasons in the order in which they are tested; the first that applies is the one shown. */
export type IdCardProblem = 'required' | 'length' | 'characters' | 'province' | 'check-digit' | 'birthday'

export const idCardMessages: Readonly<Record<IdCardProblem, Label>> = {
  required: { zh: '请输入证件号码', en: 'Please enter the id card number' },
  length: { zh: '证件号码应为 18 位', en: 'The id card number must have 18 characters' },
  characters: { zh: '证件号码应为 17 位数字加一位数字或 X', en: 'The id card number must be 17 digits followed by a digit or X' },
  province: { zh: '证件号码的省份代码无效', en: 'The province code of the id card number is not valid' },
  'check-digit': { zh: '证件号码校验位错误', en: 'The check digit of the id card number is wrong' },
  birthday: { zh: '证件号码中的出生日期无效', en: 'The birth date in the id card number is not valid' },
}

/** GB/T 2260 province codes; 71 is Taiwan, 81–83 also stand on the residence permits of Hong Kong, Macao and Taiwan residents. */
const PROVINCES = '11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61 62 63 64 65 71 81 82 83'.split(' ')

/** GB 11643-1999, which takes ISO 7064 MOD 11-2. */
const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]

/** The 18th character that belongs to the first 17 digits. */
export const idCardCheckDigit = (first17: string): string =>
  '10X98765432'.charAt(WEIGHTS.reduce((sum, weight, i) => sum + weight * Number(first17[i]), 0) % 11)

/** The form that is stored, hashed and compared: half-width, upper-case X, without the groups in which numbers are printed. */
export const foldIdCard = (text: string): string => {
  const typed = foldWidth(text).toUpperCase()
  const number = foldGroups(typed)
  if (/^\d{17}[\dX]$/.test(number)) return number
  // A passport has spaces at most.
  return /^[A-Z](?:[\dA-Z ]*\d[\dA-Z ]*)$/.test(typed) ? typed.replaceAll(' ', '') : typed
}

/** Whether `yyyy-MM-dd` names a day of the calendar, from year 1000 on. */
export function isCalendarDate(text: string): boolean {
  const match = /^([1-9]\d{3})-(\d\d)-(\d\d)$/.exec(text)
  if (!match) return false
  const year = Number(match[1])
  const month = Number(match[2])
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const days = month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31
  return month >= 1 && month <= 12 && Number(match[3]) >= 1 && Number(match[3]) <= days
}

/** Keys of the dictionary `id_card_type`: resident identity card; residence permit of Hong Kong, Macao and Taiwan residents; permanent residence card of foreigners; passport. */
export const idCardTypes = ['1', '2', '3', '4'] as const
export type IdCardType = (typeof idCardTypes)[number]

export interface IdCardFacts {
  readonly ok: true
  readonly idCard: string
  /** `yyyy-MM-dd`. */
  readonly birthday: string
  /** 1 male, 2 female. */
  readonly sex: 1 | 2
  /** The six region digits. They may be a code that is abolished by now. */
  readonly idRegion: string
  /** The number stands on a residence permit of a Hong Kong, Macao or Taiwan resident (id card type 2). */
  readonly isResidencePermit: boolean
}

/**
 * Checks an id card number and derives what it tells (S5.22–S5.27, domain 0). The reasons are tested in the order of
 * `IdCardProblem`: those of the specification first, then the birth date, which must exist and lie in 1900-01-01…today.
 * @param today `yyyy-MM-dd` in Asia/Shanghai
 */
export function checkIdCard(text: string, today: string): IdCardFacts | { readonly ok: false; readonly problem: IdCardProblem } {
  const idCard = foldIdCard(text)
  const no = (problem: IdCardProblem) => ({ ok: false, problem }) as const
  if (idCard === '') return no('required')
  if ([...idCard].length !== 18) return no('length')
  if (!/^\d{17}[\dX]$/.test(idCard)) return no('characters')
  if (!PROVINCES.includes(idCard.slice(0, 2))) return no('province')
  if (idCardCheckDigit(idCard) !== idCard[17]) return no('check-digit')
  const birthday = birthdayIn(idCard)
  if (!isCalendarDate(birthday) || birthday < '1900-01-01' || birthday > today) return no('birthday')
  return {
    ok: true,
    idCard,
    birthday,
    sex: sexIn(idCard),
    idRegion: idCard.slice(0, 6),
    isResidencePermit: /^8[123]/.test(idCard),
  }
}

export interface DocumentFacts {
  readonly ok: true
  readonly idCard: string
  /** Which document the number stands on: the number says it, nobody chooses it. */
  readonly type: IdCardType
  /** `yyyy-MM-dd`. */
  readonly birthday: string
  /** 1 male, 2 female. */
  readonly sex: 1 | 2
}

/** China itself: nobody is a foreigner of it. */
const HOME = '156'

/**
 * Checks the number of a foreigner's permanent residence card as issued since 2023 (GA 2102-2023): 9, the province that received the application,
 * the country in three digits (ISO 3166-1), birth date, three digits of which the last tells the sex, and the check digit of an id card.
 * @param today `yyyy-MM-dd` in Asia/Shanghai
 */
export function checkForeignCard(text: string, today: string): DocumentFacts | { readonly ok: false; readonly problem: IdCardProblem } {
  const idCard = foldIdCard(text)
  const no = (problem: IdCardProblem) => ({ ok: false, problem }) as const
  if (idCard === '') return no('required')
  if ([...idCard].length !== 18) return no('length')
  if (!/^9\d{16}[\dX]$/.test(idCard)) return no('characters')
  const [province, country] = [idCard.slice(1, 3), idCard.slice(3, 6)]
  if (!PROVINCES.includes(province) || Number(province) > 65 || country === '000' || country === HOME) return no('province')
  if (idCardCheckDigit(idCard) !== idCard[17]) return no('check-digit')
  const birthday = birthdayIn(idCard)
  if (!isCalendarDate(birthday) || birthday < '1900-01-01' || birthday > today) return no('birthday')
  return { ok: true, idCard, type: '3', birthday, sex: sexIn(idCard) }
}

const birthdayIn = (idCard: string): string => `${idCard.slice(6, 10)}-${idCard.slice(10, 12)}-${idCard.slice(12, 14)}`
const sexIn = (idCard: string): 1 | 2 => (Number(idCard[16]) % 2 === 1 ? 1 : 2)

/**
 * Checks the number of whichever document people prove themselves with, by its own rule, and says which it is.
 * @param today `yyyy-MM-dd` in Asia/Shanghai
 */
export function checkDocument(text: string, today: string): DocumentFacts | { readonly ok: false; readonly problem: IdCardProblem } {
  if (foldIdCard(text).startsWith('9')) return checkForeignCard(text, today)
  const card = checkIdCard(text, today)
  if (!card.ok) return card
  const { idCard, birthday, sex, isResidencePermit } = card
  return { ok: true, idCard, birthday, sex, type: isResidencePermit ? '2' : '1' }
}

/** Whether the number may be a passport's: 5 to 20 letters and digits that do not look like an id card's 18 (of old 15) or like a mistyped one. */
export const isPassportNumber = (text: string): boolean => /^(?!(?:\d{17}[\dA-Z]|\d{15,19}X?)$)[\dA-Z]{5,20}$/.test(foldIdCard(text))

/** Nobody younger is taken, whatever their parents say (domain P7). */
const leastAge = 14
/** Both as `yyyy-MM-dd`; whoever is born on 29 February is a year older on 1 March. */
export const isTooYoung = (birthday: string, today: string): boolean =>
  birthday > `${String(Number(today.slice(0, 4)) - leastAge).padStart(4, '0')}${today.slice(4)}`
export const tooYoungMessage: Label = {
  zh: `未满 ${leastAge} 周岁不能注册和报名`,
  en: `Nobody under ${leastAge} can register or sign up`,
}
