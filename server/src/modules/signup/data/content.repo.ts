import type { ConditionCheck } from '#contract/signup/conditions.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'

/**
 * Columns of a sign-up that a decision rests on: who changes one of a submitted sign-up makes a new version of it. The trigger of migration 1140 compares
 * the same; `server/test/sweeps/content.test.ts` holds both against the table, where every column is one of these or of the others.
 */
export const contentColumns = [
  ...['province', 'city', 'area', 'code', 'type', 'unit', 'code2', 'type2', 'unit2', 'content', 'files', 'adjust', 'name', 'id_card_type'],
  ...[
    'id_card_index',
    'phone_index',
    'sex',
    'birthday',
    'nationality',
    'nation',
    'education',
    'degree',
    'major',
    'school',
    'photo_file_id',
  ],
  ...['signature_file_id', 'relatives'],
] as const

/** Writes assignments to content as the next version of a submitted sign-up. @returns false when it is another version by now */
export const writeNextVersion = async (
  db: TenantDb,
  { id, signVersion }: { readonly id: string; readonly signVersion: number },
  set: readonly RawBuilder<unknown>[],
  judged: { readonly checks: readonly ConditionCheck[]; readonly result: string | null },
): Promise<boolean> =>
  (await db.run(sql`
    update signup set ${sql.join([
      ...set,
      sql`auto_check = ${JSON.stringify(judged.checks)}`,
      sql`auto_result = ${judged.result}`,
      sql`sign_version = sign_version + 1`,
      sql`updated_at = app_now()`,
      sql`updated_by = ${db.actor.userId}`,
      sql`version = version + 1`,
    ])} where id = ${id} and sign_version = ${signVersion}`)) === 1

/** The same of a draft, which nobody decides on. */
export const writeDraftContent = async (db: TenantDb, id: string, set: readonly RawBuilder<unknown>[]): Promise<void> => {
  await db.run(sql`
    update signup set ${sql.join([...set, sql`updated_at = app_now()`, sql`version = version + 1`])} where id = ${id} and sign_no is null`)
}

/** A portrait and the list of files with it; what was marked about the former one is gone. */
export const setPhoto = (files: readonly object[], photoFileId: string): RawBuilder<unknown>[] => [
  sql`files = ${JSON.stringify(files)}`,
  sql`photo_file_id = ${photoFileId}`,
  sql`photo_state = 0`,
  sql`photo_advice = null`,
]

/** Ends the locks of reviewers and says why in them. @returns reviewers who had it open at this moment */
export const endLocks = (db: TenantDb, signupId: string, reason: string): Promise<{ reviewerId: string }[]> =>
  db.all(sql<{ reviewerId: string }>`
    with held as (select id, lock_until from examine_allot where signup_id = ${signupId} and state = 1 for update),
      ended as (
        update examine_allot a set state = case when a.allotted then 0 else 3 end, lock_until = null, reason = ${reason}
        from held where a.id = held.id returning a.reviewer_id, held.lock_until)
    select distinct reviewer_id::text as "reviewerId" from ended where lock_until > ${db.now}`)
