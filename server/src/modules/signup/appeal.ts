import type { TenantDb } from '#kernel/db/scope.ts'
import type { ExamRow } from '#modules/exam/index.ts'
import { listRecords } from './data/examine.repo.ts'
import { isAppealOpen } from './domain/submit.ts'

/** A second refusal answers an appeal; there is no third look. */
export const hasAppealed = async (db: TenantDb, signupId: string): Promise<boolean> =>
  (await listRecords(db, signupId)).filter(record => record.afterState === 'refused').length > 1

/** Whether the owner of a refused sign-up may ask for one more look, so that the portal does not guess (domain 4.12). */
export const mayAppeal = async (
  db: TenantDb,
  now: Date,
  exam: ExamRow,
  signup: { readonly signupId: string; readonly state: string } | undefined,
): Promise<boolean> =>
  signup?.state === 'refused' && exam.state === 'released' && isAppealOpen(now, exam, await hasAppealed(db, signup.signupId))
