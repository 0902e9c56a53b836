import { isInvitation, type SealedNumber, setPersonNumber } from '#kernel/db/person-columns.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** A sign-up that a school or an office has filled in for somebody who has not taken it over. */
export interface InvitationRow {
  readonly signupId: string
  /** The account that stands in for the person until then. */
  readonly standInId: string
  readonly examId: string
  readonly examName: string
  readonly name: string
  readonly groupName: string | null
  readonly importId: string
  readonly importedAt: Date
  readonly content: Readonly<Record<string, unknown>>
}
/** Those that were filled in under the id number of somebody, of examinations that are open, the oldest first; locked where they are to be taken over. */
export const listInvitations = (
  db: TenantDb,
  { userId, idCardIndex, isLocked }: { readonly userId: string; readonly idCardIndex: string; readonly isLocked: boolean },
): Promise<InvitationRow[]> =>
  db.all(sql<InvitationRow>`
    select s.id::text as "signupId", s.user_id::text as "standInId", s.exam_id::text as "examId", e.exam_name as "examName", coalesce(s.name, '') as name,
      (select c.school_name from school c where c.school_code = g.group_code and not c.is_deleted order by c.id limit 1) as "groupName", g.import_id::text as "importId", g.created_at as "importedAt", s.content
    from signup s join group_signup g on g.tenant_id = s.tenant_id and g.signup_id = s.id join account a on a.tenant_id = s.tenant_id and a.id = s.user_id
    join examination e on e.tenant_id = s.tenant_id and e.id = s.exam_id
    where s.id_card_index = ${idCardIndex} and s.user_id <> ${userId} and s.examine = 'draft' and not s.is_deleted and not a.is_deleted and e.state = 'released' and not e.is_deleted and ${isInvitation}
    order by s.id ${isLocked ? sql`for update of s` : sql``}`)

/** Who takes over, as the account says it: the phone sealed for that account. */
export interface Claimant {
  readonly userId: string
  readonly name: string
  readonly idCardIndex: string | null
  readonly phone: Buffer | null
  readonly phoneIndex: string | null
  readonly phoneMask: string | null
}
export const findClaimant = (db: TenantDb, userId: string): Promise<Claimant | undefined> =>
  db.maybe(sql<Claimant>`
    select id::text as "userId", real_name as name, id_card_index as "idCardIndex", phone_sealed as phone, phone_index as "phoneIndex", phone_mask as "phoneMask"
    from account where id = ${userId} and user_type = 2 and not is_deleted`)

export const findOwnState = async (db: TenantDb, examId: string, userId: string): Promise<string | undefined> =>
  (
    await db.maybe(
      sql<{ examine: string }>`select examine from signup where exam_id = ${examId} and user_id = ${userId} and not is_deleted`,
    )
  )?.examine

/** Makes room for what is taken over instead. */
export const dropOwnDraft = async (db: TenantDb, examId: string, userId: string): Promise<void> => {
  await db.run(sql`
    update signup set is_deleted = true, updated_at = app_now(), version = version + 1
    where exam_id = ${examId} and user_id = ${userId} and examine = 'draft' and not is_deleted`)
}

/** The sign-up, what the school says of it and its files become the person's. */
export const moveSignup = async (
  db: TenantDb,
  one: Pick<InvitationRow, 'signupId' | 'standInId'>,
  to: { readonly userId: string; readonly name: string; readonly phone: SealedNumber; readonly content: object },
): Promise<void> => {
  await db.run(sql`
    update signup set user_id = ${to.userId}, name = ${to.name}, content = ${JSON.stringify(to.content)},
      ${sql.join(setPersonNumber({ field: 'phone', ...to.phone }))}, updated_at = app_now(), version = version + 1
    where id = ${one.signupId}`)
  await db.run(sql`update group_signup set user_id = ${to.userId} where signup_id = ${one.signupId}`)
  await db.run(sql`
    update stored_file set user_id = ${to.userId}
    where user_id = ${one.standInId} and (owner_kind = 'signup' and owner_id = ${one.signupId}
      or id in (select (f ->> 'fileId')::bigint from signup s cross join jsonb_array_elements(s.files) f where s.id = ${one.signupId}))`)
}

/** An account that stood in for somebody and has nothing left is no account any more, and knows no number. */
export const closeStandIn = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(sql`
    update account set is_deleted = true, phone_sealed = null, phone_mask = null, phone_index = null, id_card_sealed = null, id_card_mask = null, id_card_index = null,
      updated_at = app_now(), version = version + 1
    where id = ${id} and not exists (select 1 from signup s where s.user_id = ${id} and not s.is_deleted)`)
}
