import type { FieldCipher } from '#kernel/crypto/field.ts'
import type { VerifiedPerson } from './data/signup.repo.ts'
import type { VerifiedAnswers } from './domain/verified.ts'

/** What was verified of an account, opened. */
export const verifiedOf = (
  cipher: FieldCipher,
  { tenantId, userId }: { readonly tenantId: string; readonly userId: string },
  { name, idCard, idCardType, phone, birthday, sex, nationality }: VerifiedPerson,
): VerifiedAnswers => {
  const open = (column: string, sealed: Buffer | null) =>
    sealed && cipher.open(tenantId, { table: 'account', column, rowId: userId }, sealed)
  const facts = { idCardType, birthday, sex: sex === null ? null : String(sex), nationality }
  return { name, ...facts, idCard: open('id_card_sealed', idCard), phone: open('phone_sealed', phone) }
}
