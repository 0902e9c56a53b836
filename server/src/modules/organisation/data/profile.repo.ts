import { type SealedNumber, setPersonNumber } from '#kernel/db/person-columns.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'
import { insistOnGate } from '#kernel/two-persons.ts'

export interface HeldProfile {
  readonly realName: string
  readonly phoneIndex: string | null
  readonly avatarFileId: string | null
}
/** Holds the account until the transaction ends. */
export const lockProfile = (db: TenantDb, userId: string): Promise<HeldProfile> =>
  db.one(sql<HeldProfile>`
    select real_name as "realName", phone_index as "phoneIndex", avatar_file_id::text as "avatarFileId" from account where id = ${userId} for update`)

/** A phone is proven by a code sent to it, or stays as proven as it was. */
export type OwnPhone = SealedNumber & { readonly isProven: boolean }
/** What its owner changes of an account; what is not named stays. */
export interface ProfileChange {
  readonly realName?: string
  readonly nickName?: string
  readonly email?: string | null
  readonly avatarFileId?: string | null
  readonly phone?: OwnPhone
}
const assignments = ({ realName, nickName, email, avatarFileId, phone }: ProfileChange): RawBuilder<unknown>[] => [
  ...(realName === undefined ? [] : [sql`real_name = ${realName}`]),
  ...(nickName === undefined ? [] : [sql`nick_name = ${nickName}`]),
  ...(email === undefined ? [] : [sql`email = ${email}`]),
  ...(avatarFileId === undefined ? [] : [sql`avatar_file_id = ${avatarFileId}`]),
  ...(phone === undefined
    ? []
    : [
        ...setPersonNumber({ ...phone, field: 'phone' }),
        sql`phone_verified_at = case when ${phone.isProven} then app_now() when phone_index = ${phone.index} then phone_verified_at end`,
      ]),
]
export const changeProfile = async (db: TenantDb, userId: string, to: ProfileChange): Promise<void> => {
  const set = [...assignments(to), sql`updated_at = app_now()`, sql`updated_by = ${userId}`, sql`version = version + 1`]
  await db.run(sql`update account set ${sql.join(set)} where id = ${userId}`)
}

/** Whether another member of staff has this name. */
export const isNameOfColleague = async (db: TenantDb, realName: string, userId: string): Promise<boolean> =>
  (await db.maybe(
    sql`select 1 from account where user_type = 1 and real_name = ${realName} and not is_deleted and id <> ${userId} limit 1`,
  )) !== undefined

/** Whether another member of staff has proven this phone. */
export const isPhoneProvenByOther = async (db: TenantDb, phoneIndex: string, userId: string): Promise<boolean> =>
  (await db.maybe(sql`
    select 1 from account where user_type = 1 and phone_index = ${phoneIndex} and phone_verified_at is not null and not is_deleted and id <> ${userId}`)) !==
  undefined

/** The owner chose it: nothing is due any more. */
export const setOwnPassword = async (db: TenantDb, userId: string, hash: string): Promise<void> => {
  await db.run(sql`
    update account set password_hash = ${hash}, password_changed_at = app_now(), must_change_password = false, one_time_until = null, updated_at = app_now(),
      version = version + 1 where id = ${userId}`)
}

/** No password opens the account any more, until its owner chooses one by code and id number. */
export const voidPassword = async (db: TenantDb, userId: string): Promise<void> => {
  insistOnGate(db, 'appeal')
  await db.run(sql`
    update account set password_hash = null, must_change_password = false, one_time_until = null, updated_at = app_now(), version = version + 1
    where id = ${userId}`)
}

/** What a password of theirs must not hold. */
export const findOwnWords = (db: TenantDb, userId: string): Promise<{ account: string; phoneSealed: Buffer | null; tenantName: string }> =>
  db.one(sql<{ account: string; phoneSealed: Buffer | null; tenantName: string }>`
    select a.account, a.phone_sealed as "phoneSealed", t.tenant_name as "tenantName" from account a join tenant t on t.tenant_id = a.tenant_id where a.id = ${userId}`)
