import { type PersonNumber, sealPersonNumber } from '#kernel/db/person-columns.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Services } from '#server/services.ts'
import { replaceAnswers } from '../content-vault.ts'
import { lockOpenSignups, type PersonColumns, writeCorrection } from '../data/correct-person.repo.ts'
import { findSignup, insertHistory, isPersonTaken, type SignupRow } from '../data/signup.repo.ts'

/** What was verified of a person and now reads otherwise. */
export type Correction = { readonly field: 'name'; readonly value: string; readonly isRare: boolean } | PersonNumber

/** Answers of the form that say the same. */
const answersOf = (to: Correction): Readonly<Record<string, string>> =>
  to.field === 'idCard' ? { idCard: to.value, idCardType: to.type, sex: String(to.sex), birthday: to.birthday } : { [to.field]: to.value }

/** Columns of a sign-up that was submitted; a draft has none yet. */
const columnsOf = ({ cipher }: Services, tenantId: string, rowId: string, to: Correction): PersonColumns =>
  to.field === 'name'
    ? { field: 'name', name: to.value, isRare: to.isRare }
    : sealPersonNumber(cipher, tenantId, { table: 'signup', rowId }, to)

const correct = async (services: Services, db: TenantDb, row: SignupRow, to: Correction): Promise<void> => {
  const { tenantId } = db.actor
  const isSubmitted = row.signNo !== null
  const content = replaceAnswers(services.cipher, { tenantId, table: 'signup', rowId: row.id }, row.content, answersOf(to))
  await writeCorrection(db, row.id, content, isSubmitted ? columnsOf(services, tenantId, row.id, to) : undefined)
  if (isSubmitted)
    insertHistory(db, {
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
  const ids = await lockOpenSignups(db, userId)
  for (const id of ids) {
    const row = await findSignup(db, id)
    if (row === undefined) continue
    if (to.field === 'idCard' && (await isPersonTaken(db, row.examId, to.index, id))) return undefined
    await correct(services, db, row, to)
  }
  return ids
}
