import { toEndMinute } from '#contract/kernel/when.ts'
import { movesPeople } from '#contract/reduction/reduction.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { enqueue } from '#kernel/queue/outbox.ts'
import { type ExamRow, findExam, findPost } from '#modules/exam/index.ts'
import type { Notice } from '#modules/message/index.ts'
import { listToTell, noticeKey } from '../data/name.repo.ts'
import { findReduction, markTold, type ReductionRow } from '../data/reduction.repo.ts'
import type { ReductionDeps } from '../deps.ts'
import type { Concern } from '../domain/concerned.ts'
import { concernText, reductionText } from '../templates/notices.ts'

export const adjustPage = '/signup/adjust'
export const tellTask = 'reduction.tell'

/** One event of one person on a list. */
export const tellPerson = (
  deps: ReductionDeps,
  db: TenantDb,
  of: { readonly userId: string; readonly examId: string; readonly eventKey: string; readonly needSure?: boolean },
  text: Pick<Notice, 'title' | 'content' | 'words'>,
  link = adjustPage,
): Promise<boolean> => deps.message.notify(db, { ...text, ...of, kind: 5, link })

/** Puts the message that has to be confirmed before people of a post. Its text message follows after the commit. @returns how many are told */
export const tellPeople = (
  deps: ReductionDeps,
  db: TenantDb,
  exam: ExamRow,
  post: string,
  cut: ReductionRow,
  userIds: readonly string[],
): Promise<number> =>
  userIds.length === 0
    ? Promise.resolve(0)
    : deps.message.notifyAll(db, userIds, {
        ...reductionText(exam.examName, post, cut),
        examId: exam.id,
        kind: 5,
        link: movesPeople(cut.action) ? adjustPage : '/signup/myExam',
        needSure: true,
        eventKey: noticeKey(cut.id),
      })

/** Tells those whom a cancelled post concerns and who have nothing to choose now. @returns how many are told */
export const tellConcerned = (
  deps: ReductionDeps,
  db: TenantDb,
  exam: ExamRow,
  post: string,
  cut: ReductionRow,
  concern: Exclude<Concern, 'chooses'>,
  userIds: readonly string[],
): Promise<number> =>
  deps.message.notifyAll(db, userIds, {
    ...concernText(exam.examName, post, concern),
    examId: exam.id,
    kind: 5,
    link: '/signup/myExam',
    needSure: true,
    eventKey: `${noticeKey(cut.id)}:${concern}`,
  })

export const orderTexts = (db: TenantDb, reductionId: string): Promise<void> =>
  enqueue(db, tellTask, { reductionId }, { jobKey: `reduction-${reductionId}` })

/** A second way to people who lose something when they do not answer: a text message to each, once for every decision. */
export const sendTexts = async (deps: ReductionDeps, db: TenantDb, reductionId: string): Promise<number> => {
  const cut = await findReduction(db, reductionId)
  if (!cut || cut.state === 'draft' || !(await markTold(db, reductionId))) return 0
  const [exam, post] = [await findExam(db, cut.examId), await findPost(db, cut.examId, cut.code)]
  if (!exam || !post) return 0
  const moves = movesPeople(cut.action)
  const people = await listToTell(db, { reductionId, examId: cut.examId, code: cut.code, moves })
  for (const userId of people) await sendOne(deps, db, userId, exam, post.codeName, cut)
  return people.length
}

/** The text message to one person. */
export const sendOne = (
  deps: ReductionDeps,
  db: TenantDb,
  userId: string,
  exam: ExamRow,
  post: string,
  cut: ReductionRow,
): Promise<unknown> =>
  movesPeople(cut.action) && cut.choiceEnd
    ? deps.message.sendSmsByDay(db, { userId, examId: exam.id }, 'post-cancelled', {
        exam: exam.examName,
        post,
        deadline: toEndMinute(cut.choiceEnd),
      })
    : deps.message.sendSmsByDay(db, { userId, examId: exam.id }, 'post-reduced', { exam: exam.examName, post, count: String(cut.afterNum) })
