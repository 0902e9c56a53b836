import type { TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'
import type { Services } from '#server/services.ts'
import { replaceAnswers } from '../content-vault.ts'
import { findSignup, insertHistory, isPersonTaken, type SignupRow } from '../data/signup.repo.ts'

/** What was verified of a person and now reads otherwise. */
export type Correction =
  | { readonly field: 'name'; readonly value: string; readonly isRare: boolean }
  | {
      readonly field: 'idCard'
      readonly value: string
      readonly index: string
      readonly mask: string
      readonly type: string
      readonly sex: number
      readonly birthday: string
    }
  | { readonly field: 'phone'; readonly value: string; readonly index: string; readonly mask: string }

/** Answers of the form that say the same. */
const answersOf = (to: Correction): Readonly<Record<string, string>> =>
  to.field === 'idCard' ? { idCard: to.value, idCardType: to.type, sex: String(to.sex), birthday: to.birthday } : { [to.field]: to.value }

const openSignups = (db: TenantDb, userId: string): Promise<{ id: string }[]> =>
  db.all(sql<{ id: string }>`
    select s.id::text as id from signup s join examination e on e.tenant_id = s.tenant_id and e.id = s.exam_id
    where s.user_id = ${userId} and not s.is_deleted and s.examine not in ('withdrawn', 'disqualified') and e.state = 'released' order by s.id for update of s`)

/** Columns of a sign-up that was submitted; a draft has none yet. */
const columnsOf = ({ cipher }: Services, tenantId: string, rowId: string, to: Correction): RawBuilder<unknown>[] => {
  const seal = (column: string, value: string) => cipher.seal(tenantId, { table: 'signup', column, rowId }, value)
  if (to.field === 'name') return [sql`name = ${to.value}`, sql`name_rare = ${to.isRare}`]
  if (to.field === 'phone')
    return [sql`phone_sealed = ${seal('phone_sealed', to.value)}`, sql`phone_index = ${to.index}`, sql`phone_mask = ${to.mask}`]
  return [
    sql`id_card_sealed = ${seal('id_card_sealed', to.value)}`,
    sql`id_card_index = ${to.index}`,
    sql`id_card_mask = ${to.mask}`,
    sql`id_card_type = ${to.type}`,
    sql`sex = ${to.sex}`,
    sql`birthday = ${to.birthday}`,
  ]
}

const correct = async (services: Services, db: TenantDb, row: SignupRow, to: Correction): Promise<void> => {
  const { tenantId } = db.actor
  const isSubmitted = row.signNo !== null
  const content = replaceAnswers(services.cipher, { tenantId, table: 'signup', rowId: row.id }, row.content, answersOf(to))
  const set = [
    sql`content = ${JSON.stringify(content)}`,
    // A new version: who has the former one on the screen is told, and what a returned form may change is compared with this one.
    ...(isSubmitted ? [...columnsOf(services, tenantId, row.id, to), sql`sign_version = sign_version + 1`] : []),
    sql`updated_at = app_now()`,
    sql`version = version + 1`,
  ]
  await db.run(sql`update signup set ${sql.join(set)} where id = ${row.id}`)
  if (isSubmitted)
    await insertHistory(db, {
      signupId: row.id,
      userId: row.userId,
      signVersion: row.signVersion + 1,
      form: { ...row, content },
      autoCheck: row.autoCheck,
    })
}

/**
 * Writes what was verified of a person into their open sign-ups: those of released examinations that were neither withdrawn nor disqualified
 * (domain 3.17). @returns their ids, or undefined when somebody else has signed up with that id card for one of them
 */
export const correctPerson = async (services: Services, db: TenantDb, userId: string, to: Correction): Promise<string[] | undefined> => {
  const ids = (await openSignups(db, userId)).map(row => row.id)
  for (const id of ids) {
    const row = await findSignup(db, id)
    if (row === undefined) continue
    if (to.field === 'idCard' && (await isPersonTaken(db, row.examId, to.index, id))) return undefined
    await correct(services, db, row, to)
  }
  return ids
}
