import type { Label } from '#contract/kernel/label.ts'
import { type PersonNumber, sealPersonNumber } from '#kernel/db/person-columns.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { findExam } from '#modules/exam/index.ts'
import type { Services } from '#server/services.ts'
import { replaceAnswers } from '../content-vault.ts'
import { lockOpenSignups, type PersonColumns, setContent, setPerson } from '../data/correct-person.repo.ts'
import { findSignup, isPersonTaken, type SignupRow } from '../data/signup.repo.ts'
import type { SignupContext } from '../deps.ts'
import { changeContent } from './change-content.ts'

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

const told: Readonly<Record<Correction['field'], Label>> = {
  name: { zh: '姓名已按核实的信息更正', en: 'the name was corrected to what was verified' },
  idCard: { zh: '证件号码已按核实的信息更正', en: 'the id number was corrected to what was verified' },
  phone: { zh: '手机号码已按核实的信息更正', en: 'the mobile number was corrected to what was verified' },
}

const correct = async (deps: SignupContext, db: TenantDb, row: SignupRow, to: Correction): Promise<void> => {
  const { tenantId } = db.actor
  const exam = await findExam(db, row.examId)
  if (!exam) return
  const content = replaceAnswers(deps.services.cipher, { tenantId, table: 'signup', rowId: row.id }, row.content, answersOf(to))
  const person = row.signNo === null ? [] : setPerson(columnsOf(deps.services, tenantId, row.id, to))
  await changeContent(deps, db, exam, row, { set: [setContent(content), ...person], form: { content }, told: told[to.field] })
}

/**
 * Writes what was verified of a person into their open sign-ups: those of released examinations that were neither withdrawn nor disqualified
 * (domain 3.17). @returns their ids, or undefined when somebody else has signed up with that id card for one of them
 */
export const correctPerson = async (deps: SignupContext, db: TenantDb, userId: string, to: Correction): Promise<string[] | undefined> => {
  const ids = await lockOpenSignups(db, userId)
  for (const id of ids) {
    const row = await findSignup(db, id)
    if (row === undefined) continue
    if (to.field === 'idCard' && (await isPersonTaken(db, row.examId, to.index, id))) return undefined
    await correct(deps, db, row, to)
  }
  return ids
}
