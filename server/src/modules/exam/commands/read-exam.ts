import { examItem, signFile, signItem } from '#contract/exam/exam.resources.ts'
import { examMachine, stateOf } from '#contract/exam/exam.state.ts'
import { phaseLabels } from '#contract/exam/window.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import type { Resource } from '#contract/kernel/resource.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { type Row, toWire } from '#kernel/crud/rows.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { listChildRows } from '../data/child.repo.ts'
import { type ExamRow, pageOfExamRows } from '../data/exam.repo.ts'
import { listChanges } from '../data/exam-write.repo.ts'
import { departmentNames } from '../data/owner.repo.ts'
import { listPapersOf, type PaperRow } from '../data/paper.repo.ts'
import { countPosts, type PostsOfExam } from '../data/post.repo.ts'
import { countsByExam, type ExamCounts } from '../data/signup-facts.repo.ts'
import { phaseOf } from '../domain/exam-view.ts'
import { examForReading, isOffice } from './exam-guard.ts'
import { presentPaper, withPosts } from './paper-part.ts'
import { type CheckOutside, problemsOf } from './release-problems.ts'

const at = (instant: Date | null): string | null => (instant ? toWireTime(instant) : null)

interface Around {
  readonly papers: readonly PaperRow[]
  readonly counts: ExamCounts | undefined
  readonly posts: PostsOfExam | undefined
  readonly deptName: string | undefined
}

const rowOf = (ctx: Ctx, exam: ExamRow, { papers, counts, posts, deptName }: Around) => {
  const stages = { hasReview: counts?.hasReview ?? false, hasPublicity: counts?.hasPublicity ?? false }
  const phase = phaseOf(exam, papers, stages, ctx.arrivedAt.getTime())
  return {
    id: exam.id,
    examName: exam.examName,
    examCode: exam.examCode,
    examNo: exam.examNo,
    year: exam.year,
    examType: exam.examType,
    state: examMachine.wire[exam.state],
    phase,
    phaseLabel: ctx.say(phaseLabels[phase]),
    deptId: exam.deptId,
    deptName: deptName ?? '',
    organizer: exam.organizer,
    undertaker: exam.undertaker,
    contactPhone: exam.contactPhone,
    signBegin: at(exam.signBegin),
    signEnd: at(exam.signEnd),
    examineEnd: at(exam.examineEnd),
    payBegin: at(exam.payBegin),
    payEnd: at(exam.payEnd),
    ticketBegin: at(exam.ticketBegin),
    ticketEnd: at(exam.ticketEnd),
    modifyEnd: at(exam.modifyEnd),
    adjustEnd: at(exam.adjustEnd),
    msTicketBegin: at(exam.msTicketBegin),
    msTicketEnd: at(exam.msTicketEnd),
    feeMode: exam.feeMode,
    feeFen: exam.feeFen,
    examineLevels: exam.examineLevels,
    postCount: posts?.postCount ?? 0,
    planTotal: posts?.planTotal ?? 0,
    signCount: counts?.signCount ?? 0,
    passCount: counts?.passCount ?? 0,
    paidCount: counts?.paidCount ?? 0,
    releaseTime: at(exam.releaseAt),
    closeTime: at(exam.closeAt),
    closeReason: exam.closeReason,
    createTime: toWireTime(exam.createdAt),
    updateTime: toWireTime(exam.updatedAt),
    version: exam.version,
  }
}

/** What stands beside the rows of a list, four statements whatever its length. */
const around = async (db: TenantDb, exams: readonly ExamRow[]): Promise<(exam: ExamRow) => Around> => {
  const ids = exams.map(exam => exam.id)
  const names = await departmentNames(
    db,
    exams.map(exam => exam.deptId),
  )
  const papers = Map.groupBy(await listPapersOf(db, ids), paper => paper.examId)
  const counts = new Map((await countsByExam(db, ids)).map(row => [row.examId, row]))
  const posts = new Map((await countPosts(db, ids)).map(row => [row.examId, row]))
  return ({ id, deptId }) => ({
    papers: papers.get(id) ?? [],
    counts: counts.get(id),
    posts: posts.get(id),
    deptName: deptId === null ? undefined : names.get(deptId),
  })
}

export interface ExamSearch {
  readonly current?: number
  readonly size?: number
  readonly examName?: string
  readonly examCode?: string
  readonly examType?: number
  readonly state?: number
  readonly year?: number
  readonly withMissing?: 0 | 1
}

/** How many things keep each draft from being released, by its id. */
const missingOf = async (db: TenantDb, exams: readonly ExamRow[], outside: CheckOutside): Promise<ReadonlyMap<string, number>> => {
  const counts = new Map<string, number>()
  for (const exam of exams) if (exam.state === 'draft') counts.set(exam.id, (await problemsOf(db, exam, outside)).problems.length)
  return counts
}

export const pageOfExams = async (ctx: Ctx, db: TenantDb, input: ExamSearch, outside?: CheckOutside) => {
  const { current, size, offset } = sliceOf(input)
  const state = input.state === undefined ? undefined : stateOf(input.state)
  const { examName, examCode, examType, year } = input
  const filter = { withDrafts: isOffice(ctx), examName, examCode, examType, state, year }
  const { total, exams } = await pageOfExamRows(db, filter, size, offset)
  const facts = await around(db, exams)
  const missing = input.withMissing === 1 && outside ? await missingOf(db, exams, outside) : undefined
  return toPage(
    exams.map(row => {
      const count = missing?.get(row.id)
      return { ...rowOf(ctx, row, facts(row)), ...(count === undefined ? {} : { missing: count }) }
    }),
    total,
    current,
    size,
  )
}

/** The rows of a noun that hangs on an examination, as the wire carries them. */
export const childRows = async (db: TenantDb, resource: Resource, examId: string): Promise<Row[]> =>
  (await listChildRows(db, resource, examId)).map(row => toWire(resource, row))

const bit = (value: boolean): 0 | 1 => (value ? 1 : 0)

export const examDetailOf = async (ctx: Ctx, db: TenantDb, id: string) => {
  const exam = await examForReading(ctx, db, id)
  const facts = await around(db, [exam])
  const changes = await listChanges(db, id, 200)
  return {
    ...rowOf(ctx, exam, facts(exam)),
    coverFileId: exam.coverFileId,
    description: exam.description,
    noticeId: exam.noticeId,
    promise: exam.promise,
    examineBegin: at(exam.examineBegin),
    appealEnd: at(exam.appealEnd),
    payLimitMinutes: exam.payLimitMinutes,
    adjustBegin: at(exam.adjustBegin),
    scoreBegin: at(exam.scoreBegin),
    payWhen: exam.payWhen,
    allowForeignCard: bit(exam.allowForeignCard),
    allowPassport: bit(exam.allowPassport),
    freshYears: exam.freshYears,
    freshEndsBy: exam.freshEndsBy,
    freshDay: exam.freshDay,
    residencyFresh: bit(exam.residencyFresh),
    residencyMaster: bit(exam.residencyMaster),
    allowSecond: bit(exam.allowSecond),
    allowAdjust: bit(exam.allowAdjust),
    allowChangePost: bit(exam.allowChangePost),
    changePostMax: exam.changePostMax,
    allotMode: exam.allotMode,
    allowSameReviewer: bit(exam.allowSameReviewer),
    openRatio: exam.openRatio,
    ratioBasis: exam.ratioBasis,
    shortlistRatio: exam.shortlistRatio,
    writtenWeight: exam.writtenWeight,
    interviewWeight: exam.interviewWeight,
    scoreScale: exam.scoreScale,
    passScore: exam.passScore,
    interviewPass: exam.interviewPass,
    tieBreak: [...exam.tieBreak],
    regionLabel: exam.regionLabel,
    refundPolicy: exam.refundPolicy,
    feeWaiver: exam.feeWaiver,
    hideCounts: bit(exam.hideCounts),
    needSignature: bit(exam.needSignature),
    managers: [...exam.managers],
    serverTime: toWireTime(ctx.arrivedAt),
    signitems: await childRows(db, signItem, id),
    signfiles: await childRows(db, signFile, id),
    examitems: (await withPosts(db, await childRows(db, examItem, id))).map(presentPaper),
    changes: changes.map(change => ({ time: toWireTime(change.createdAt), text: ctx.say(change) })),
  }
}
