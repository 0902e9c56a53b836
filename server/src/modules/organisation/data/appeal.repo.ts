import type { AppealKind } from '#contract/person/appeal.routes.ts'
import type { SealedNumber } from '#kernel/db/person-columns.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface NewAppeal {
  readonly id: string
  readonly no: string
  readonly kind: AppealKind
  readonly userId: string | null
  readonly name: string
  readonly idCard: SealedNumber
  readonly phone: SealedNumber
}
export interface OpenAppeal {
  readonly id: string
  readonly no: string
}

/** The appeal that this person has begun or sent about the same thing. */
export const findOpenAppeal = (db: TenantDb, kind: AppealKind, idCardIndex: string, phoneIndex: string): Promise<OpenAppeal | undefined> =>
  db.maybe(sql<OpenAppeal>`
    select id::text as id, appeal_no as no from identity_appeal
    where kind = ${kind} and id_card_index = ${idCardIndex} and phone_index = ${phoneIndex} and state in ('begun', 'waiting')`)

export const insertAppeal = async (db: TenantDb, a: NewAppeal): Promise<void> => {
  await db.run(sql`
    insert into identity_appeal (tenant_id, id, appeal_no, kind, user_id, name, id_card_sealed, id_card_index, id_card_mask, phone_sealed, phone_index, phone_mask)
    values (${db.actor.tenantId}, ${a.id}, ${a.no}, ${a.kind}, ${a.userId}, ${a.name}, ${a.idCard.sealed}, ${a.idCard.index}, ${a.idCard.mask},
      ${a.phone.sealed}, ${a.phone.index}, ${a.phone.mask})`)
}

/** What was begun before that day and never sent is forgotten. */
export const forgetBegun = async (db: TenantDb, before: Date): Promise<void> => {
  await db.run(sql`delete from identity_appeal where state = 'begun' and created_at < ${before}`)
}
