import type { FieldCipher } from '../crypto/field.ts'
import { type RawBuilder, sql } from './sql.ts'

/** A number of a person as its row keeps it: sealed, found by its index, shown by its mask. */
export interface SealedNumber {
  readonly sealed: Buffer
  readonly index: string
  readonly mask: string
}
/** What an id card number says besides itself, or what people say of their passport. */
interface IdCardFacts {
  readonly type: string
  readonly sex: number
  readonly birthday: string
  /** Of a passport: the country that issued it. */
  readonly nationality: string | null
}
export type SealedIdCard = SealedNumber & IdCardFacts
export type SealedPersonNumber = (SealedNumber & { readonly field: 'phone' }) | (SealedIdCard & { readonly field: 'idCard' })
/** The same before it is sealed for its row. */
export type PersonNumber =
  | { readonly field: 'phone'; readonly value: string; readonly index: string; readonly mask: string }
  | ({ readonly field: 'idCard'; readonly value: string; readonly index: string; readonly mask: string } & IdCardFacts)

const columnOf = { phone: 'phone_sealed', idCard: 'id_card_sealed' } as const

/** Accounts and sign-ups keep the numbers of a person in columns of the same names. */
export const sealPersonNumber = (
  cipher: FieldCipher,
  tenantId: string,
  place: { readonly table: 'account' | 'signup'; readonly rowId: string },
  { value, ...rest }: PersonNumber,
): SealedPersonNumber => ({ ...rest, sealed: cipher.seal(tenantId, { ...place, column: columnOf[rest.field] }, value) })

/** Assignments that put a number, and what it says, into such a row. */
export const setPersonNumber = (to: SealedPersonNumber): RawBuilder<unknown>[] =>
  to.field === 'phone'
    ? [sql`phone_sealed = ${to.sealed}`, sql`phone_index = ${to.index}`, sql`phone_mask = ${to.mask}`]
    : [
        sql`id_card_sealed = ${to.sealed}`,
        sql`id_card_index = ${to.index}`,
        sql`id_card_mask = ${to.mask}`,
        sql`id_card_type = ${to.type}`,
        sql`sex = ${to.sex}`,
        sql`birthday = ${to.birthday}`,
        sql`nationality = ${to.nationality}`,
      ]

/**
 * An account `a` that others made for somebody who has not come yet: no password was chosen, no consent given, and nothing of theirs was handed in. It is an
 * invitation: its numbers are held against nobody, and it opens nothing until the person claims it by a registration with the own phone and number.
 */
export const isInvitation = sql`a.user_type = 2 and a.password_hash is null and a.consent_at is null and a.phone_verified_at is null
  and exists (select 1 from group_signup g where g.tenant_id = a.tenant_id and g.user_id = a.id)
  and not exists (select 1 from signup s where s.tenant_id = a.tenant_id and s.user_id = a.id and s.sign_no is not null)
  and not exists (select 1 from social_account t where t.tenant_id = a.tenant_id and t.user_id = a.id)`
