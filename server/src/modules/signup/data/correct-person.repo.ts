import { type SealedPersonNumber, setPersonNumber } from '#kernel/db/person-columns.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'

/** Ids of a person's sign-ups of released examinations that were neither withdrawn nor disqualified, locked. */
export const lockOpenSignups = async (db: TenantDb, userId: string): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select s.id::text as id from signup s join examination e on e.tenant_id = s.tenant_id and e.id = s.exam_id
      where s.user_id = ${userId} and not s.is_deleted and s.examine not in ('withdrawn', 'disqualified') and e.state = 'released' order by s.id for update of s`)
  ).map(row => row.id)

/** What a sign-up says of its person beside the answers, sealed where it must be. */
export type PersonColumns = { readonly field: 'name'; readonly name: string; readonly isRare: boolean } | SealedPersonNumber

const assignments = (person: PersonColumns): RawBuilder<unknown>[] =>
  person.field === 'name' ? [sql`name = ${person.name}`, sql`name_rare = ${person.isRare}`] : setPersonNumber(person)

/**
 * Writes corrected answers. With the person's columns it is a new version of what was submitted: who has the former one on the screen is
 * told, and what a returned form may change is compared with this one.
 */
export const writeCorrection = async (
  db: TenantDb,
  id: string,
  content: Readonly<Record<string, unknown>>,
  submitted: PersonColumns | undefined,
): Promise<void> => {
  const set = [
    sql`content = ${JSON.stringify(content)}`,
    ...(submitted ? [...assignments(submitted), sql`sign_version = sign_version + 1`] : []),
    sql`updated_at = app_now()`,
    sql`version = version + 1`,
  ]
  await db.run(sql`update signup set ${sql.join(set)} where id = ${id}`)
}
