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

export const setPerson = (person: PersonColumns): RawBuilder<unknown>[] =>
  person.field === 'name' ? [sql`name = ${person.name}`, sql`name_rare = ${person.isRare}`] : setPersonNumber(person)
export const setContent = (content: Readonly<Record<string, unknown>>): RawBuilder<unknown> => sql`content = ${JSON.stringify(content)}`
