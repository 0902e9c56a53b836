import { type Label, label } from '#contract/kernel/label.ts'
import { foldIdCard, type IdCardType, isTooYoung, tooYoungMessage } from '#contract/person/id-card.ts'
import { checkMobile } from '#contract/person/mobile.ts'
import { documentFacts, type PersonDocument } from '#contract/person/passport.ts'
import { nameKey } from '#contract/person/person-name.ts'
import type { Problem } from './submit.ts'

/** Answers that say who signs up, as the account has had them verified; `null` where the account has nothing yet. */
export interface VerifiedAnswers {
  readonly name: string
  readonly idCard: string | null
  readonly idCardType: string | null
  readonly phone: string | null
  /** Of a passport these are the account's; the numbers of other documents say them. */
  readonly birthday: string | null
  readonly sex: string | null
  readonly nationality: string | null
}

const phoneOf = (text: string): string => {
  const phone = checkMobile(text)
  return phone.ok ? phone.mobile : text.trim()
}

const differs = (what: Label): Label =>
  label(
    `${what.zh}与账号已核验的不一致；如需更正，请在“个人信息”申请信息变更`,
    `${what.en} differs from what was verified of your account; ask for a change under “My data”`,
  )
const idCardMissing = label(
  '账号尚未核验证件号码，请先在“个人信息”申请信息变更',
  'Your account has no verified id number; ask for a change under “My data” first',
)

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

/**
 * What of these answers says that somebody else signs up than the account belongs to: the form's name, id number and phone are the account's.
 * An answer that is left out is none of it, it is filled in; kind of document, birthday and sex follow from the number.
 */
export const foreignAnswers = (verified: VerifiedAnswers, given: Readonly<Record<string, unknown>>): Problem[] => {
  const { name, idCard, phone } = given
  const problems: Problem[] = []
  if (isGiven(name) && nameKey(String(name)) !== nameKey(verified.name))
    problems.push({ field: 'name', message: differs(label('姓名', 'The name')) })
  if (isGiven(idCard) && foldIdCard(String(idCard)) !== verified.idCard)
    problems.push({ field: 'idCard', message: verified.idCard === null ? idCardMissing : differs(label('证件号码', 'The id number')) })
  if (verified.phone !== null && isGiven(phone) && phoneOf(String(phone)) !== verified.phone)
    problems.push({ field: 'phone', message: differs(label('手机号码', 'The mobile number')) })
  return problems
}

/** Nobody signs up whose id number was never verified, and so has none to sign up with. */
export const unverified = ({ idCard }: VerifiedAnswers): Problem[] => (idCard === null ? [{ field: 'idCard', message: idCardMissing }] : [])

/** Kinds of document that an examination takes only if it says so. */
export interface TakenDocuments {
  readonly allowForeignCard: boolean
  readonly allowPassport: boolean
}
const notTaken: Partial<Record<IdCardType, { readonly by: keyof TakenDocuments; readonly message: Label }>> = {
  '3': {
    by: 'allowForeignCard',
    message: label('本次考试不接受外国人永久居留身份证', 'This examination takes no permanent residence cards of foreigners'),
  },
  '4': { by: 'allowPassport', message: label('本次考试不接受护照', 'This examination takes no passports') },
}

/** The account's document with all that is known by it; undefined while none is verified. */
export const documentOf = (verified: VerifiedAnswers, today: string): PersonDocument | undefined => {
  if (verified.idCard === null) return undefined
  const { idCard, idCardType, nationality, birthday, sex } = verified
  const said = {
    idCard,
    idCardType: idCardType ?? undefined,
    nationality: nationality ?? undefined,
    birthday: birthday ?? undefined,
    sex: sex ?? undefined,
  }
  return documentFacts(said, today)
}

/** Why the examination does not take the account's kind of document; undefined where it does. */
export const documentNotTaken = (verified: VerifiedAnswers, today: string, exam: TakenDocuments): Label | undefined => {
  const rule = notTaken[documentOf(verified, today)?.type ?? '1']
  return rule && !exam[rule.by] ? rule.message : undefined
}

/** Whether the examination takes this person's document, and the person by age (domain P7). */
export const documentProblems = (verified: VerifiedAnswers, { today, ...exam }: TakenDocuments & { readonly today: string }): Problem[] => {
  const document = documentOf(verified, today)
  if (document === undefined) return []
  if (isTooYoung(document.birthday, today)) return [{ field: 'idCard', message: tooYoungMessage }]
  const message = documentNotTaken(verified, today, exam)
  return message ? [{ field: 'idCard', message }] : []
}

/** The answers that are the account's, by their keys. */
export const answersOfAccount = ({ name, idCard, idCardType, phone, birthday, sex }: VerifiedAnswers): Record<string, string> => ({
  name,
  // Empty as long as none was verified: the form has nothing to type there.
  idCard: idCard ?? '',
  ...(idCard === null ? {} : { idCardType: idCardType ?? '1' }),
  ...(idCardType === '4' && birthday !== null && sex !== null ? { birthday, sex } : {}),
  ...(phone === null ? {} : { phone }),
})
