import type { Static } from 'typebox'
import { maskIdCard, maskPhone } from '#contract/kernel/mask.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { AppealKind, appealPlace } from '#contract/person/appeal.routes.ts'
import { documentKey } from '#contract/person/passport.ts'
import type { FieldCipher } from '#kernel/crypto/field.ts'
import { lock } from '#kernel/db/lock.ts'
import { newId } from '#kernel/db/new-id.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { randomText } from '#kernel/random.ts'
import { findOpenAppeal, forgetBegun, insertAppeal } from '../data/appeal.repo.ts'

export type AppealPlace = Static<typeof appealPlace>

/** Who appeals: the numbers in stored form, each proven to be theirs or typed by them. */
export interface Appellant {
  readonly kind: AppealKind
  readonly idCard: string
  /** Of a passport. */
  readonly nationality?: string | null
  readonly phone: string
  readonly name?: string
  readonly userId?: string
}

/** Whether a key opens an appeal: one that was told under a former key does too. */
export const opensAppeal = (cipher: FieldCipher, tenantId: string, id: string, key: string): boolean =>
  cipher.blindIndexes(tenantId, 'appeal', id).includes(key)

/** What opens an appeal to whoever was told of it; nobody can guess it, and nothing of it is stored. */
const appealKey = (cipher: FieldCipher, tenantId: string, id: string): string => cipher.blindIndex(tenantId, 'appeal', id)

/** No letter or digit that is read as another. */
const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const keepBegunMs = 30 * 24 * 3_600_000

/** Begins an appeal, or goes on with the one there is about the same thing. */
export const openAppeal = async (cipher: FieldCipher, db: TenantDb, who: Appellant): Promise<AppealPlace> => {
  const { tenantId } = db.actor
  const key = documentKey({ idCard: who.idCard, nationality: who.nationality ?? null })
  const index = { idCard: cipher.blindIndex(tenantId, 'id-card', key), phone: cipher.blindIndex(tenantId, 'phone', who.phone) }
  await lock(db, `appeal|${who.kind}|${index.idCard}|${index.phone}`)
  await forgetBegun(db, new Date(db.now.getTime() - keepBegunMs))
  const found = await findOpenAppeal(db, who.kind, index.idCard, index.phone)
  const { id, no } = found ?? { id: await newId(db), no: `SS${randomText(8, alphabet)}` }
  const place = (column: string) => ({ table: 'identity_appeal', column, rowId: id })
  if (!found)
    await insertAppeal(db, {
      ...{ id, no, kind: who.kind, userId: who.userId ?? null, name: who.name ?? '' },
      idCard: {
        sealed: cipher.seal(tenantId, place('id_card_sealed'), who.idCard),
        index: index.idCard,
        mask: maskIdCard(who.idCard),
      },
      phone: { sealed: cipher.seal(tenantId, place('phone_sealed'), who.phone), index: index.phone, mask: maskPhone(who.phone) },
    })
  const opens = appealKey(cipher, tenantId, id)
  return { no, key: opens, link: `/register/appeal?no=${no}&key=${opens}` }
}

/** A refusal because somebody else has the number, with the way to say that it is one's own; nothing in it is about the other. */
export const withAppeal = (refusal: Refusal, place: AppealPlace): Refusal => ({
  ...refusal,
  text: {
    zh: `${refusal.text.zh}。如果这是您本人的，请凭申诉编号 ${place.no} 申诉`,
    en: `${refusal.text.en}. If it is yours, appeal with the number ${place.no}`,
  },
  data: { ...(typeof refusal.data === 'object' ? refusal.data : {}), appeal: place },
})
