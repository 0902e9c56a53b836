import type { Label } from '#contract/kernel/label.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Session } from '#kernel/http/context.ts'
import type { ExamRow } from '#modules/exam/index.ts'
import { isTheirs, type Level, listExamUsers } from '../data/allot.repo.ts'
import type { ReviewScope } from '../domain/review-scope.ts'

/** Roles that see every sign-up whatever was given to whom. */
const overseers = ['administrator', 'admin', 'exam_admin', 'auditor', 'recheck'] as const
const isOverseer = (session: Session): boolean => overseers.some(role => session.roleAliases.has(role))

/** Which sign-ups of a level somebody may take: all, those given to them, those of their units and posts, or none (domain 2.1). */
export const reviewScopeOf = async (db: TenantDb, session: Session, exam: ExamRow, level: Level): Promise<ReviewScope> => {
  if (session.roleAliases.has('exam_admin')) return { kind: 'all' }
  if (exam.allotMode !== 0) return { kind: 'allotted' }
  const enabled = (await listExamUsers(db, exam.id, level)).filter(user => user.state === 1 && user.mayAct)
  const own = enabled.find(user => user.userId === session.userId)
  if (enabled.length === 0) return { kind: 'all' }
  return own ? { kind: 'pool', units: own.units, codes: own.codes } : { kind: 'none' }
}

/** Why a person may not take this sign-up; undefined when they may. */
export const notTheirs = async (
  db: TenantDb,
  session: Session,
  scope: ReviewScope,
  signup: { readonly id: string; readonly unit: string | null; readonly code: string | null },
): Promise<Label | undefined> => {
  const isCovered =
    scope.kind === 'all' ||
    (scope.kind === 'allotted' && (await isTheirs(db, signup.id, session.userId))) ||
    (scope.kind === 'pool' &&
      (scope.units.length === 0 || scope.units.includes(signup.unit ?? '')) &&
      (scope.codes.length === 0 || scope.codes.includes(signup.code ?? '')))
  return isCovered ? undefined : { zh: '该报名未分配给您审核', en: 'This sign-up was not given to you for review' }
}

/** Whether what this person sees depends on how the examination hands out; for everybody else it need not be asked. */
export const mayBeNarrowed = (session: Session): boolean =>
  !isOverseer(session) && (session.roleAliases.has('reviewer1') || session.roleAliases.has('reviewer2'))

/** Reviewers see what was given to them and nothing else where the examination hands out (domain 2.1). */
export const seesAllottedOnly = (session: Session, exam: Pick<ExamRow, 'allotMode'>): boolean =>
  exam.allotMode !== 0 && mayBeNarrowed(session)

/** Whether somebody may read a sign-up of this examination; without the examination nothing hands out. */
export const mayRead = async (
  db: TenantDb,
  session: Session,
  exam: Pick<ExamRow, 'allotMode'> | undefined,
  signupId: string,
): Promise<boolean> => exam === undefined || !seesAllottedOnly(session, exam) || (await isTheirs(db, signupId, session.userId))
