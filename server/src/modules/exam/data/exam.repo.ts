import type { ExamState } from '#contract/exam/exam.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { codeHolds, textHolds } from '#kernel/db/search.ts'
import { allOf, frozen, type RawBuilder, sql } from '#kernel/db/sql.ts'
import { snakeCase } from '#kernel/names.ts'
import type { WindowDates } from '../domain/exam-view.ts'

/** An examination (domain 3.1). Decimals are texts with two places, money is fen, ids are texts. */
export interface ExamRow extends WindowDates {
  readonly id: string
  readonly examName: string
  readonly examCode: string
  readonly examNo: number
  readonly year: number
  readonly examType: number
  readonly state: ExamState
  readonly organizer: string
  readonly undertaker: string | null
  readonly contactPhone: string
  readonly coverFileId: string | null
  readonly description: string
  readonly noticeId: string | null
  readonly promise: string
  readonly payLimitMinutes: number
  /** 0 free, 1 per person, 2 per paper, 3 per post. */
  readonly feeMode: 0 | 1 | 2 | 3
  readonly feeFen: number
  /** 1 after examine passed, 2 on submit, 3 by import only. */
  readonly payWhen: 1 | 2 | 3
  readonly allowForeignCard: boolean
  readonly allowPassport: boolean
  /** `GraduatePolicy` of the shared rules. */
  readonly freshYears: number
  readonly freshEndsBy: 0 | 1 | 2
  readonly freshDay: string | null
  readonly residencyFresh: boolean
  readonly residencyMaster: boolean
  readonly allowSecond: boolean
  readonly allowAdjust: boolean
  readonly allowChangePost: boolean
  readonly changePostMax: number
  readonly examineLevels: 1 | 2
  readonly allotMode: number
  readonly allowSameReviewer: boolean
  readonly openRatio: number
  /** 1 passed sign-ups, 2 paid sign-ups. */
  readonly ratioBasis: 1 | 2
  readonly shortlistRatio: number
  readonly writtenWeight: string
  readonly interviewWeight: string
  readonly scoreScale: number
  readonly passScore: string | null
  readonly interviewPass: string | null
  readonly tieBreak: readonly string[]
  readonly regionLabel: string
  readonly refundPolicy: number
  readonly feeWaiver: number
  readonly hideCounts: boolean
  readonly needSignature: boolean
  readonly managers: readonly string[]
  readonly deptId: string | null
  readonly releaseAt: Date | null
  readonly closeAt: Date | null
  readonly closeReason: string | null
  readonly createdBy: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly version: number
}

const plain = [
  'examName',
  'examCode',
  'examNo',
  'year',
  'examType',
  'state',
  'organizer',
  'undertaker',
  'contactPhone',
  'description',
  'promise',
  'signBegin',
  'signEnd',
  'modifyEnd',
  'examineBegin',
  'examineEnd',
  'appealEnd',
  'payBegin',
  'payEnd',
  'payLimitMinutes',
  'adjustBegin',
  'adjustEnd',
  'ticketBegin',
  'ticketEnd',
  'msTicketBegin',
  'msTicketEnd',
  'scoreBegin',
  'feeMode',
  'feeFen',
  'payWhen',
  'allowForeignCard',
  'allowPassport',
  'freshYears',
  'freshEndsBy',
  'residencyFresh',
  'residencyMaster',
  'allowSecond',
  'allowAdjust',
  'allowChangePost',
  'changePostMax',
  'examineLevels',
  'allotMode',
  'allowSameReviewer',
  'openRatio',
  'ratioBasis',
  'shortlistRatio',
  'scoreScale',
  'tieBreak',
  'regionLabel',
  'refundPolicy',
  'feeWaiver',
  'hideCounts',
  'needSignature',
  'managers',
  'releaseAt',
  'closeAt',
  'closeReason',
  'createdAt',
  'updatedAt',
  'version',
] as const satisfies readonly (keyof ExamRow)[]
/** 64-bit and decimal values come as text, so that no digit is lost. */
const asText = [
  'id',
  'coverFileId',
  'noticeId',
  'deptId',
  'writtenWeight',
  'interviewWeight',
  'passScore',
  'interviewPass',
  'freshDay',
  'createdBy',
] as const satisfies readonly (keyof ExamRow)[]

/** A select list of camel-case names over snake-case columns of a table alias. */
export const selectCamel = (alias: string, plainNames: readonly string[], textNames: readonly string[] = []): RawBuilder<unknown> =>
  frozen(
    sql.join([
      ...textNames.map(name => sql`${sql.ref(`${alias}.${snakeCase(name)}`)}::text as ${sql.ref(name)}`),
      ...plainNames.map(name => sql`${sql.ref(`${alias}.${snakeCase(name)}`)} as ${sql.ref(name)}`),
    ]),
  )

const examColumns = selectCamel('e', plain, asText)

const selectExams = (db: TenantDb, rest: RawBuilder<unknown>): Promise<ExamRow[]> =>
  db.all(sql<ExamRow>`select ${examColumns} from examination e where not e.is_deleted and ${rest}`)

export const findExam = async (db: TenantDb, id: string): Promise<ExamRow | undefined> => (await selectExams(db, sql`e.id = ${id}`))[0]

export const findExams = (db: TenantDb, ids: readonly string[]): Promise<ExamRow[]> =>
  selectExams(db, sql`e.id = any(${[...ids]}::bigint[])`)

/** Released ones, the one whose sign-up ends first at the top and those whose sign-up is over behind. */
export const listReleased = (db: TenantDb): Promise<ExamRow[]> =>
  selectExams(db, sql`e.state = 'released' order by (e.sign_end is null or e.sign_end > ${db.now}) desc, e.sign_end, e.id limit 100`)

/**
 * Reads the examination and keeps it from being changed (closed, withdrawn, its windows moved) until the transaction ends; several
 * holders at once are fine. Take it before the facts it guards. Not for the candidate's role, which may not lock rows.
 */
export const lockExam = async (db: TenantDb, id: string): Promise<ExamRow | undefined> =>
  (await selectExams(db, sql`e.id = ${id} for share of e`))[0]

/** The same for whoever is about to change it: one holder. */
export const lockExamForChange = async (db: TenantDb, id: string): Promise<ExamRow | undefined> =>
  (await selectExams(db, sql`e.id = ${id} for update of e`))[0]

export interface ExamFilter {
  /** Drafts are the office's alone. */
  readonly withDrafts: boolean
  readonly examName?: string | undefined
  readonly examCode?: string | undefined
  readonly examType?: number | undefined
  readonly state?: ExamState | undefined
  readonly year?: number | undefined
}
/** One page, the newest first. */
export const pageOfExamRows = async (
  db: TenantDb,
  filter: ExamFilter,
  size: number,
  offset: number,
): Promise<{ total: number; exams: ExamRow[] }> => {
  const condition = allOf([
    !filter.withDrafts && sql`e.state <> 'draft'`,
    filter.examName ? textHolds(sql`e.exam_name`, filter.examName) : undefined,
    filter.examCode ? codeHolds(sql`e.exam_code`, filter.examCode) : undefined,
    filter.examType === undefined ? undefined : sql`e.exam_type = ${filter.examType}`,
    filter.state && sql`e.state = ${filter.state}`,
    filter.year === undefined ? undefined : sql`e.year = ${filter.year}`,
  ])
  const { total } = await db.one(
    sql<{ total: number }>`select count(*)::int as total from examination e where not e.is_deleted and ${condition}`,
  )
  const exams = await selectExams(db, sql`${condition} order by e.year desc, e.id desc limit ${size} offset ${offset}`)
  return { total, exams }
}

/** The numbers that examinations of a year have. */
export const listTakenNos = async (db: TenantDb, year: number): Promise<readonly number[]> => {
  const rows = await db.all(sql<{ examNo: number }>`select exam_no as "examNo" from examination where year = ${year} and not is_deleted`)
  return rows.map(row => row.examNo)
}
