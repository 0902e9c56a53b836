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
export type PersonColumns =
  | { readonly field: 'name'; readonly name: string; readonly isRare: boolean }
  | { readonly field: 'phone'; readonly sealed: Buffer; readonly index: string; readonly mask: string }
  | {
      readonly field: 'idCard'
      readonly sealed: Buffer
      readonly index: string
      readonly mask: string
      readonly type: string
      readonly sex: number
      readonly birthday: string
    }

const assignments = (person: PersonColumns): RawBuilder<unknown>[] => {
  if (person.field === 'name') return [sql`name = ${person.name}`, sql`name_rare = ${person.isRare}`]
  if (person.field === 'phone')
    return [sql`phone_sealed = ${person.sealed}`, sql`phone_index = ${person.index}`, sql`phone_mask = ${person.mask}`]
  return [
    sql`id_card_sealed = ${person.sealed}`,
    sql`id_card_index = ${person.index}`,
    sql`id_card_mask = ${person.mask}`,
    sql`id_card_type = ${person.type}`,
    sql`sex = ${person.sex}`,
    sql`birthday = ${person.birthday}`,
  ]
}

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
