import { maskIdCard, maskPhone } from '#contract/kernel/mask.ts'
import { documentKey } from '#contract/person/passport.ts'
import { checkName } from '#contract/person/person-name.ts'
import { overallResult } from '#contract/signup/conditions.ts'
import type { DraftMarks } from '#contract/signup/draft-merge.ts'
import { sm3 } from '#kernel/crypto/sm3.ts'
import { type PersonNumber, sealPersonNumber } from '#kernel/db/person-columns.ts'
import type { ExamRow } from '#modules/exam/index.ts'
import type { SavedForm, SignupRow, Submission } from '../data/signup.repo.ts'
import type { ReadForm, SubmitCall } from './read-form.ts'

const asText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** Who signs up, as `readForm` has found them without fault. */
const personIn = ({ content, document: person }: ReadForm) => {
  const name = checkName(String(content['name'] ?? ''))
  if (!person || !name.ok) throw new Error('a form without problems must hold a valid id card and name')
  return { person, name, phone: String(content['phone'] ?? '') }
}

/** What a submit writes into the row of the sign-up: the form, and what is read out of it for lists, searches and checks. */
export const submissionOf = (
  { deps, db, ctx }: SubmitCall,
  facts: {
    readonly current: SignupRow
    readonly exam: ExamRow
    readonly form: ReadForm
    readonly saved: SavedForm
    readonly signNo: string
    readonly changesPost: boolean
    readonly draftMarks: DraftMarks
  },
): Submission => {
  const { current, exam, form, saved } = facts
  const { content } = form
  const { cipher } = deps.services
  const { tenantId } = db.actor
  const seal = (number: PersonNumber) => sealPersonNumber(cipher, tenantId, { table: 'signup', rowId: current.id }, number)
  const { person, name, phone } = personIn(form)
  return {
    ...saved,
    name: name.name,
    nameRare: name.nameRare || name.needsReview,
    idCardType: person.type,
    nationality: person.nationality,
    idCard: seal({
      field: 'idCard',
      value: person.idCard,
      index: cipher.blindIndex(tenantId, 'id-card', documentKey(person)),
      mask: maskIdCard(person.idCard),
      type: person.type,
      sex: person.sex,
      birthday: person.birthday,
      nationality: person.nationality,
    }),
    phone: seal({ field: 'phone', value: phone, index: cipher.blindIndex(tenantId, 'phone', phone), mask: maskPhone(phone) }),
    sex: person.sex,
    birthday: person.birthday,
    nation: asText(content['nation']),
    education: asText(content['education']),
    degree: asText(content['degree']),
    major: asText(content['major']),
    school: form.schoolTitle,
    photoFileId: form.files.find(file => file.fileKey === 'photo')?.fileId ?? null,
    signNo: facts.signNo,
    autoCheck: form.judged.checks,
    autoResult: overallResult(form.judged.checks),
    promiseHash: sm3(exam.promise).toString('hex'),
    promiseIp: ctx.ip,
    relatives: [content['relatives'], content['relativeInfo']].find(Array.isArray) ?? [],
    changesPost: facts.changesPost,
    signatureFileId: form.signatureFileId,
    draftMarks: facts.draftMarks,
  }
}
