import type { Label } from '#contract/kernel/label.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { Refused, type Session } from '#kernel/http/context.ts'
import type { ExamRow } from '#modules/exam/index.ts'
import { isTheirs, type Level, listExamUsers } from '../data/allot.repo.ts'
import { findReach } from '../data/reach.repo.ts'
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

/** Whether a reviewer sees sign-ups of this examination in part: what was given to them, or what they are listed for (domain 2.1). */
export const seesPart = async (db: TenantDb, session: Session, exam: ExamRow): Promise<boolean> => {
  if (!mayBeNarrowed(session)) return false
  if (exam.allotMode !== 0) return true
  const listed = (await listExamUsers(db, exam.id)).filter(user => user.state === 1)
  const isListedForAll = listed.some(user => user.userId === session.userId && user.units.length === 0 && user.codes.length === 0)
  return listed.length > 0 && !isListedForAll
}

/** Whether a sign-up is one of those that somebody sees. */
export const mayReach = async (db: TenantDb, session: Session, signupId: string): Promise<boolean> =>
  !mayBeNarrowed(session) || (await findReach(db, signupId, session.userId))?.inReach === true

/** The same as a word, where nobody waits for an answer. */
export const accessTo = async (db: TenantDb, session: Session, signupId: string): Promise<'open' | 'none' | 'recused'> => {
  const reach = await findReach(db, signupId, session.userId)
  if (reach === undefined || (mayBeNarrowed(session) && !reach.inReach)) return 'none'
  return reach.isRecused ? 'recused' : 'open'
}

/** Conditions of a list of sign-ups whose answers and files leave with this person. */
export const readerOf = (session: Session): { readonly reader: string; readonly inReachOf: string | undefined } => ({
  reader: session.userId,
  inReachOf: mayBeNarrowed(session) ? session.userId : undefined,
})

/**
 * Whether somebody may read answers and files of a sign-up. Whoever is kept from it by a recusal reads nothing of it, whatever their roles.
 * Refusal: signup/recused.
 */
export const mayRead = async (db: TenantDb, session: Session, signupId: string): Promise<boolean> => {
  const access = await accessTo(db, session, signupId)
  if (access === 'recused') throw new Refused(refuseSignup('signup/recused', {}))
  return access === 'open'
}
