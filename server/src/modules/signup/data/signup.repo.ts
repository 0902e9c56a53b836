import type { PayState } from '#contract/pay/order.state.ts'
import type { ConditionCheck } from '#contract/signup/conditions.ts'
import type { Advisement } from '#contract/signup/content-diff.ts'
import { type DraftMarks, noMarks } from '#contract/signup/draft-merge.ts'
import { holdsNumber, type SignupState } from '#contract/signup/signup.state.ts'
import type { SealedNumber } from '#kernel/db/person-columns.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'

/** An uploaded file of a sign-up as it is stored with it (domain 3.18). */
export interface SignupFile {
  readonly fileKey: string
  readonly fileId: string
  readonly name: string
  readonly size: number
  readonly mime: string
  readonly sha256: string
  readonly uploadTime: string
}

/** What a candidate filled in. */
export interface SavedForm {
  readonly province: string | null
  readonly city: string | null
  readonly area: string | null
  readonly code: string | null
  readonly type: string | null
  readonly unit: string | null
  readonly code2: string | null
  readonly type2: string | null
  readonly unit2: string | null
  /** Sensitive answers are sealed; `openContent` reads them. */
  readonly content: Readonly<Record<string, unknown>>
  readonly files: readonly SignupFile[]
  readonly adjust: boolean
}

export interface SignupRow extends SavedForm {
  readonly id: string
  readonly examId: string
  readonly userId: string
  readonly examine: SignupState
  readonly examineRemark: string | null
  readonly examineTime: Date | null
  readonly name: string | null
  readonly nameRare: boolean
  readonly idCardMask: string | null
  readonly phoneMask: string | null
  readonly sex: number | null
  readonly education: string | null
  readonly major: string | null
  readonly photoFileId: string | null
  readonly signatureFileId: string | null
  readonly signNo: string | null
  readonly signVersion: number
  readonly submitTime: Date | null
  readonly examineLevel: 1 | 2
  readonly reviewer1Id: string | null
  readonly changePostCount: number
  readonly payState: PayState
  /** 0 not on it, 1 and 2 called, 3 left it or was refused (domain 4.3). */
  readonly shortlist: number
  /** 0 none, 1 has to choose, 2 another post under review, 3 moved, 4 refunded, 5 not chosen in time (domain 3.7). */
  readonly reductionState: number
  readonly autoCheck: readonly ConditionCheck[]
  readonly autoResult: 'ok' | 'warn' | 'no' | null
  readonly photoState: number
  readonly extendUntil: Date | null
  readonly advisements: readonly Advisement[]
  readonly idCardIndex: string | null
  /** Of the draft, or of the one beside what was submitted. */
  readonly draftMarks: DraftMarks
  /** Null as long as nothing is written. */
  readonly updatedAt: Date | null
}

const signupColumns = sql`
  s.id::text as id, s.exam_id::text as "examId", s.user_id::text as "userId", s.province, s.city, s.area, s.code, s.type, s.unit, s.code2, s.type2, s.unit2,
  s.content, s.files, s.examine, s.examine_remark as "examineRemark", s.examine_time as "examineTime", s.name, s.name_rare as "nameRare",
  s.id_card_mask as "idCardMask", s.phone_mask as "phoneMask", s.sex, s.education, s.major, s.photo_file_id::text as "photoFileId", s.signature_file_id::text as "signatureFileId", s.sign_no as "signNo",
  s.sign_version as "signVersion", s.submit_time as "submitTime", s.adjust, s.examine_level as "examineLevel", s.reviewer1_id::text as "reviewer1Id",
  s.change_post_count as "changePostCount", s.pay_state as "payState", s.shortlist, s.reduction_state as "reductionState", s.auto_check as "autoCheck", s.auto_result as "autoResult", s.photo_state as "photoState",
  s.extend_until as "extendUntil", s.advisements, s.id_card_index as "idCardIndex", s.draft_marks as "draftMarks", s.updated_at as "updatedAt"`

const find = (db: TenantDb, condition: RawBuilder<unknown>, forUpdate: boolean): Promise<SignupRow | undefined> =>
  db.maybe(
    sql<SignupRow>`select ${signupColumns} from signup s where ${condition} and not s.is_deleted ${forUpdate ? sql`for update` : sql``}`,
  )

export const findSignup = (db: TenantDb, id: string): Promise<SignupRow | undefined> => find(db, sql`s.id = ${id}`, false)
export const lockSignup = (db: TenantDb, id: string): Promise<SignupRow | undefined> => find(db, sql`s.id = ${id}`, true)
export const findOwnSignup = (db: TenantDb, examId: string, userId: string): Promise<SignupRow | undefined> =>
  find(db, sql`s.exam_id = ${examId} and s.user_id = ${userId}`, false)
/** The lock that a submit or a save begins with; every look-up behind it is by a key. */
export const lockOwnSignup = (db: TenantDb, examId: string, userId: string): Promise<SignupRow | undefined> => {
  db.planOnce('by index')
  return find(db, sql`s.exam_id = ${examId} and s.user_id = ${userId}`, true)
}

/** The row of a first save. */
export const insertDraft = async (db: TenantDb, { id, examId, userId }: Pick<SignupRow, 'id' | 'examId' | 'userId'>): Promise<void> =>
  db.send(sql`
    insert into signup (tenant_id, id, exam_id, user_id, created_by, updated_by) values (${db.actor.tenantId}, ${id}, ${examId}, ${userId}, ${userId}, ${userId})`)

/** A sign-up of which nothing is written yet. */
export const blankSignup = (id: string, examId: string, userId: string): SignupRow => ({
  ...{ id, examId, userId, examine: 'draft', content: {}, files: [], autoCheck: [], advisements: [] },
  ...{ province: null, city: null, area: null, code: null, type: null, unit: null, code2: null, type2: null, unit2: null },
  ...{ adjust: false, examineRemark: null, examineTime: null, name: null, nameRare: false, idCardMask: null, phoneMask: null },
  ...{
    sex: null,
    education: null,
    major: null,
    photoFileId: null,
    signatureFileId: null,
    signNo: null,
    signVersion: 0,
    submitTime: null,
    examineLevel: 1,
  },
  ...{
    reviewer1Id: null,
    changePostCount: 0,
    payState: 'none',
    shortlist: 0,
    reductionState: 0,
    autoResult: null,
    photoState: 0,
    extendUntil: null,
    idCardIndex: null,
    draftMarks: noMarks,
    updatedAt: null,
  },
})

export const saveDraft = async (db: TenantDb, id: string, form: SavedForm, marks: DraftMarks): Promise<void> => {
  await db.run(sql`
    update signup set province = ${form.province}, city = ${form.city}, area = ${form.area}, code = ${form.code}, type = ${form.type}, unit = ${form.unit},
      code2 = ${form.code2}, type2 = ${form.type2}, unit2 = ${form.unit2}, content = ${JSON.stringify(form.content)}, files = ${JSON.stringify(form.files)}, adjust = ${form.adjust},
      draft_marks = ${JSON.stringify(marks)}, updated_at = app_now(), version = version + 1
    where id = ${id} and examine = 'draft'`)
}

/** Autosaves of a sign-up that is under review live beside it; the row itself stays as it is read, but for the marks. */
export const saveLaterDraft = async (
  db: TenantDb,
  { id, examId, userId }: Pick<SignupRow, 'id' | 'examId' | 'userId'>,
  data: SavedForm,
  marks: DraftMarks,
): Promise<void> => {
  await db.run(sql`
    insert into signup_draft (tenant_id, exam_id, user_id, data) values (${db.actor.tenantId}, ${examId}, ${userId}, ${JSON.stringify(data)})
    on conflict (tenant_id, exam_id, user_id) do update set data = excluded.data, updated_at = app_now()`)
  await db.run(sql`update signup set draft_marks = ${JSON.stringify(marks)} where id = ${id}`)
}

/** An autosave beside what was submitted. */
export interface LaterDraft {
  readonly data: SavedForm
  readonly updatedAt: Date
}
export const findLaterDraft = (db: TenantDb, examId: string, userId: string): Promise<LaterDraft | undefined> =>
  db.maybe(sql<LaterDraft>`select data, updated_at as "updatedAt" from signup_draft where exam_id = ${examId} and user_id = ${userId}`)

/** Sign-ups of a person that were submitted and have an autosave beside them. */
export const listLaterDrafts = (
  db: TenantDb,
  userId: string,
  signupIds: readonly string[],
): Promise<(SavedForm & { readonly id: string; readonly draft: SavedForm; readonly draftAt: Date })[]> =>
  db.all(sql<SavedForm & { id: string; draft: SavedForm; draftAt: Date }>`
    select s.id::text as id, s.province, s.city, s.area, s.code, s.type, s.unit, s.code2, s.type2, s.unit2, s.content, s.files, s.adjust, d.data as draft, d.updated_at as "draftAt"
    from signup s join signup_draft d on d.exam_id = s.exam_id and d.user_id = s.user_id
    where s.user_id = ${userId} and s.id = any(${[...signupIds]}::bigint[]) and s.examine <> 'draft' and not s.is_deleted`)

export const dropLaterDraft = async (db: TenantDb, examId: string, userId: string): Promise<void> => {
  await db.run(sql`delete from signup_draft where exam_id = ${examId} and user_id = ${userId}`)
}

export interface Submission extends SavedForm {
  readonly name: string
  readonly nameRare: boolean
  readonly idCardType: string
  readonly nationality: string | null
  readonly idCard: SealedNumber
  readonly phone: SealedNumber
  readonly sex: number
  readonly birthday: string
  readonly nation: string | null
  readonly education: string | null
  readonly degree: string | null
  readonly major: string | null
  readonly school: string | null
  readonly photoFileId: string | null
  readonly signNo: string
  readonly autoCheck: readonly ConditionCheck[]
  readonly autoResult: string
  readonly promiseHash: string
  readonly promiseIp: string
  readonly relatives: unknown
  readonly changesPost: boolean
  readonly signatureFileId: string | null
  readonly draftMarks: DraftMarks
}

/** Moves the row to `to` with the submitted form, if it is still what the decision was made on. */
export const writeSubmission = async (
  db: TenantDb,
  id: string,
  from: { state: SignupState; signVersion: number },
  to: SignupState,
  s: Submission,
): Promise<boolean> => {
  // Who mends a sign-up that still waits keeps the place in the queue (domain 4.2, 1 → 1).
  const keepsPlace = from.state === 'waiting'
  const written = await db.run(sql`
    update signup set examine = ${to}, examine_level = 1, province = ${s.province}, city = ${s.city}, area = ${s.area}, code = ${s.code}, type = ${s.type}, unit = ${s.unit},
      code2 = ${s.code2}, type2 = ${s.type2}, unit2 = ${s.unit2}, content = ${JSON.stringify(s.content)}, files = ${JSON.stringify(s.files)}, adjust = ${s.adjust},
      name = ${s.name}, name_rare = ${s.nameRare}, id_card_type = ${s.idCardType}, id_card_sealed = ${s.idCard.sealed}, id_card_index = ${s.idCard.index}, id_card_mask = ${s.idCard.mask},
      phone_sealed = ${s.phone.sealed}, phone_index = ${s.phone.index}, phone_mask = ${s.phone.mask}, sex = ${s.sex}, birthday = ${s.birthday}, nationality = ${s.nationality}, nation = ${s.nation},
      education = ${s.education}, degree = ${s.degree}, major = ${s.major}, school = ${s.school}, photo_file_id = ${s.photoFileId},
      photo_state = case when photo_file_id is not distinct from ${s.photoFileId}::bigint then photo_state else 0 end,
      photo_advice = case when photo_file_id is not distinct from ${s.photoFileId}::bigint then photo_advice end,
      sign_no = coalesce(sign_no, ${s.signNo}), sign_version = sign_version + 1, submit_time = ${keepsPlace ? sql`submit_time` : sql`app_now()`}, first_submit_time = coalesce(first_submit_time, app_now()),
      promise_hash = ${s.promiseHash}, promise_time = app_now(), promise_ip = ${s.promiseIp}, signature_file_id = ${s.signatureFileId},
      auto_check = ${JSON.stringify(s.autoCheck)}, auto_result = ${s.autoResult}, relatives = ${JSON.stringify(s.relatives ?? [])},
      change_post_count = change_post_count + ${s.changesPost ? 1 : 0}, draft_marks = ${JSON.stringify(s.draftMarks)}, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
    where id = ${id} and examine = ${from.state} and sign_version = ${from.signVersion}`)
  return written === 1
}

/** The row of somebody who submits without ever having saved; a draft of the same instant is kept out by the lock of the person. */
export const insertSubmission = (
  db: TenantDb,
  { id, examId, userId }: Pick<SignupRow, 'id' | 'examId' | 'userId'>,
  to: SignupState,
  s: Submission,
): void =>
  db.send(sql`
    insert into signup (tenant_id, id, exam_id, user_id, examine, province, city, area, code, type, unit, code2, type2, unit2, content, files, adjust,
      name, name_rare, id_card_type, id_card_sealed, id_card_index, id_card_mask, phone_sealed, phone_index, phone_mask, sex, birthday, nationality, nation,
      education, degree, major, school, photo_file_id, sign_no, sign_version, submit_time, first_submit_time, promise_hash, promise_time, promise_ip,
      signature_file_id, auto_check, auto_result, relatives, draft_marks, created_by, updated_by)
    values (${db.actor.tenantId}, ${id}, ${examId}, ${userId}, ${to}, ${s.province}, ${s.city}, ${s.area}, ${s.code}, ${s.type}, ${s.unit}, ${s.code2}, ${s.type2},
      ${s.unit2}, ${JSON.stringify(s.content)}, ${JSON.stringify(s.files)}, ${s.adjust}, ${s.name}, ${s.nameRare}, ${s.idCardType}, ${s.idCard.sealed},
      ${s.idCard.index}, ${s.idCard.mask}, ${s.phone.sealed}, ${s.phone.index}, ${s.phone.mask}, ${s.sex}, ${s.birthday}, ${s.nationality}, ${s.nation}, ${s.education},
      ${s.degree}, ${s.major}, ${s.school}, ${s.photoFileId}, ${s.signNo}, 1, app_now(), app_now(), ${s.promiseHash}, app_now(), ${s.promiseIp},
      ${s.signatureFileId}, ${JSON.stringify(s.autoCheck)}, ${s.autoResult}, ${JSON.stringify(s.relatives ?? [])}, ${JSON.stringify(s.draftMarks)}, ${userId}, ${userId})`)

export const insertHistory = (
  db: TenantDb,
  entry: { signupId: string; userId: string; signVersion: number; form: SavedForm; autoCheck: unknown },
): void =>
  db.send(sql`
    insert into signup_history (tenant_id, signup_id, user_id, sign_version, code, code2, content, files, auto_check, created_by)
    values (${db.actor.tenantId}, ${entry.signupId}, ${entry.userId}, ${entry.signVersion}, ${entry.form.code}, ${entry.form.code2}, ${JSON.stringify(entry.form.content)},
      ${JSON.stringify(entry.form.files)}, ${JSON.stringify(entry.autoCheck)}, ${db.actor.userId})`)
export interface HistoryRow {
  readonly signVersion: number
  readonly code: string | null
  readonly code2: string | null
  readonly content: Readonly<Record<string, unknown>>
  readonly files: readonly SignupFile[]
  readonly autoCheck: readonly ConditionCheck[]
}
const historyColumns = sql`sign_version as "signVersion", code, code2, content, files, auto_check as "autoCheck"`
export const findHistory = (db: TenantDb, signupId: string, signVersion: number): Promise<HistoryRow | undefined> =>
  db.maybe(sql<HistoryRow>`select ${historyColumns} from signup_history where signup_id = ${signupId} and sign_version = ${signVersion}`)

/** The version that was returned last, as it was before it was mended. */
export const findReturned = (db: TenantDb, signupId: string): Promise<HistoryRow | undefined> =>
  db.maybe(sql<HistoryRow>`
    select ${historyColumns} from signup_history
    where signup_id = ${signupId} and sign_version = (
      select sign_version from examine_record where signup_id = ${signupId} and result = 2 and not undone order by id desc limit 1)`)

/** The next running number of an examination; taken last in a transaction, because it makes the next one wait. */
export const nextSignSequence = async (db: TenantDb, examId: string): Promise<number> => {
  const row = await db.one(sql<{ n: number }>`
    insert into exam_counter (tenant_id, exam_id, sign_seq) values (${db.actor.tenantId}, ${examId}, 1)
    on conflict (tenant_id, exam_id) do update set sign_seq = exam_counter.sign_seq + 1 returning sign_seq as n`)
  return row.n
}

const holding = Object.entries(holdsNumber).flatMap(([state, holds]) => (holds ? [state] : []))
const takenUnderAnother = (examId: string, idCardIndex: RawBuilder<unknown>, except: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`exists (select 1 from signup s where s.exam_id = ${examId} and s.id_card_index = ${idCardIndex} and ${except} and not s.is_deleted
    and s.examine = any(${holding}))`

/** A sign-up other than this one holds the id number. */
export const isPersonTaken = async (db: TenantDb, examId: string, idCardIndex: string, exceptId: string): Promise<boolean> =>
  (
    await db.one(
      sql<{ isTaken: boolean }>`select ${takenUnderAnother(examId, sql`${idCardIndex}::char(64)`, sql`s.id <> ${exceptId}`)} as "isTaken"`,
    )
  ).isTaken

/** Ids of sign-ups of others that hold this id number, locked. */
export const lockForeignHolders = async (db: TenantDb, idCardIndex: string, ownerId: string | null): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select id::text as id from signup where id_card_index = ${idCardIndex} and user_id is distinct from ${ownerId}::bigint and not is_deleted
        and examine = any(${holding}) order by id for update`)
  ).map(row => row.id)

/** What was verified of the account that signs up; what it has not is null. */
export interface VerifiedPerson {
  readonly name: string
  readonly idCard: Buffer | null
  readonly idCardType: string | null
  readonly birthday: string | null
  readonly sex: number | null
  readonly nationality: string | null
  readonly phone: Buffer | null
}

export interface PersonFacts extends VerifiedPerson {
  readonly isListed: boolean
  readonly isTaken: boolean
  /** Number for a row that is not written yet: what is sealed in it is bound to its number. */
  readonly newId: string
}

const verifiedColumns = sql`a.real_name as name, a.id_card_sealed as "idCard", a.id_card_type as "idCardType",
  a.birthday::text as birthday, a.sex, a.nationality, a.phone_sealed as phone`
export const findVerifiedPerson = (db: TenantDb, userId: string): Promise<VerifiedPerson | undefined> =>
  db.maybe(sql<VerifiedPerson>`select ${verifiedColumns} from account a where a.id = ${userId}`)

/** What a submit must know of the person besides the form. Who it is, is said by the account and by nothing that the form says. */
export const findPersonFacts = (db: TenantDb, examId: string, day: string, userId: string): Promise<PersonFacts> =>
  db.one(sql<PersonFacts>`
    select exists (select 1 from integrity_list i
        where i.id_card_index = a.id_card_index and i.begin_date <= ${day} and (i.end_date is null or i.end_date >= ${day})) as "isListed",
      ${takenUnderAnother(examId, sql`a.id_card_index`, sql`s.user_id <> ${userId}`)} as "isTaken",
      next_id()::text as "newId", ${verifiedColumns}
    from account a where a.id = ${userId}`)

/** Writes where people of a cancelled post stand. */
export const storeReductionState = async (db: TenantDb, ids: readonly string[], state: number): Promise<void> => {
  await db.run(sql`
    update signup set reduction_state = ${state}, updated_at = app_now(), version = version + 1 where id = any(${[...ids]}::bigint[])`)
}

export const storePayState = async (db: TenantDb, id: string, state: PayState): Promise<void> => {
  await db.run(sql`update signup set pay_state = ${state}, updated_at = app_now(), version = version + 1 where id = ${id}`)
}

/** The same of many. */
export const storePayStates = async (db: TenantDb, ids: readonly string[], state: PayState): Promise<void> => {
  await db.run(
    sql`update signup set pay_state = ${state}, updated_at = app_now(), version = version + 1 where id = any(${[...ids]}::bigint[])`,
  )
}

/** Confirms a form; the same one once more keeps the instant of the first. @returns when */
export const keepIntent = async (db: TenantDb, examId: string, userId: string, digest: string): Promise<Date> => {
  await db.run(sql`
    insert into signup_intent (tenant_id, user_id, exam_id, digest) values (${db.actor.tenantId}, ${userId}, ${examId}, ${digest}) on conflict do nothing`)
  const found = await findIntent(db, examId, userId, digest)
  if (!found) throw new Error('a confirmed form is there')
  return found
}
/** When a form with this digest was confirmed. */
export const findIntent = async (db: TenantDb, examId: string, userId: string, digest: string): Promise<Date | undefined> =>
  (
    await db.maybe(sql<{ at: Date }>`
      select created_at as at from signup_intent where exam_id = ${examId} and user_id = ${userId} and digest = ${digest}`)
  )?.at
export const countIntents = async (db: TenantDb, examId: string, userId: string): Promise<number> =>
  (await db.one(sql<{ count: number }>`select count(*)::int as count from signup_intent where exam_id = ${examId} and user_id = ${userId}`))
    .count
