import { refuse } from '#contract/kernel/errors.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { pictureIdsOf } from '#contract/signup/content.ts'
import { asksRegion, regionLabelOf } from '#contract/signup/region.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, sessionOf } from '#kernel/http/context.ts'
import { findExam, listSignFiles, listSignItems, type SignItemRow } from '#modules/exam/index.ts'
import { openContent } from '../content-vault.ts'
import { giveBackLock } from '../data/examine.repo.ts'
import { findSignup, type SignupRow } from '../data/signup.repo.ts'
import type { SignupContext } from '../deps.ts'
import { lateFor } from '../domain/late.ts'
import { formOf } from '../form-call.ts'
import { presentChanges, presentSignup, wireTime } from '../present.ts'
import { labelOf } from '../present-form.ts'
import { mayRead } from './review-scope.ts'
import type { takeReview } from './take-review.ts'
import { undoable } from './undo-examine.ts'
import { maySee } from './visibility.ts'

/** Links to the pictures among the answers that reviewers see; a file of anybody else is none. */
const answerLinksOf = async (
  deps: SignupContext,
  db: TenantDb,
  ctx: Ctx,
  row: SignupRow,
  items: readonly SignItemRow[],
): Promise<Record<string, string>> => {
  const shown = items.filter(item => item.reviewerVisible === 1)
  const content = openContent(deps.services.cipher, { tenantId: db.actor.tenantId, table: 'signup', rowId: row.id }, row.content)
  const ids = pictureIdsOf(shown, content)
  if (ids.length === 0) return {}
  const own = new Set((await deps.file.findMany(db, ids)).flatMap(file => (file.userId === row.userId ? [file.id] : [])))
  const reader = { tenantId: ctx.tenantId, userId: sessionOf(ctx).userId }
  return Object.fromEntries(
    shown.flatMap(item =>
      pictureIdsOf([item], content).flatMap(id => (own.has(id) ? [[item.itemKey, deps.file.linkFor(reader, id, ctx.arrivedAt)]] : [])),
    ),
  )
}

/**
 * Shows all that the decision about a sign-up rests on.
 * @param lockOf - `takeReview` takes its lock where the caller may decide, `seeReview` leaves it as it is
 */
export const showReview = async (deps: SignupContext, ctx: Ctx, db: TenantDb, signupId: string, lockOf: typeof takeReview) => {
  const session = sessionOf(ctx)
  const row = await findSignup(db, signupId)
  const exam = row && (await findExam(db, row.examId))
  if (!row || !exam || !maySee(session, row) || !(await mayRead(db, session, row.id))) return refuse('kernel/not-found', {})
  const { level, lock, readOnly } = await lockOf(db, ctx, session, { exam, signup: row })
  const [items, files] = [await listSignItems(db, exam.id), await listSignFiles(db, exam.id)]
  // A page that stays open asks again every two minutes: that is one look. What changes under it ends the lock.
  const isSameLook = readOnly === undefined && lock !== undefined && lock.openedAt < db.now
  if (!isSameLook)
    await audit(db, ctx, {
      action: 'signup.opened-for-review',
      entity: 'signup',
      entityId: row.id,
      after: { locked: readOnly === undefined },
    })
  return {
    signup: await presentSignup(deps, db, ctx, row, 'staff'),
    regionLabel: asksRegion(exam.regionLabel, items) ? ctx.say(regionLabelOf(exam.regionLabel)) : null,
    answerLinks: await answerLinksOf(deps, db, ctx, row, items),
    level: level ?? row.examineLevel,
    mayDecide: readOnly === undefined,
    readOnlyReason: readOnly ? ctx.say(readOnly) : null,
    late: lateFor(exam, ctx.arrivedAt).map(ctx.say),
    lockedBy: lock?.reviewerName ?? null,
    lockUntil: wireTime(lock?.lockUntil ?? null),
    undo: await undoable(db, ctx, session, row),
    ...(await presentChanges(deps, db, ctx, row, { items, files })),
    items: await formOf(
      db,
      ctx,
      items.filter(item => item.reviewerVisible === 1),
    ),
    fileLabels: Object.fromEntries(files.map(file => [file.fileKey, labelOf(file.fileLabel, file.fileLabelEn, ctx.say)])),
    serverTime: toWireTime(ctx.arrivedAt),
  }
}

/** Gives back the caller's lock, where it is theirs. */
export const closeReview = async (ctx: Ctx, db: TenantDb, signupId: string): Promise<{ released: boolean }> => ({
  released: await giveBackLock(db, signupId, sessionOf(ctx).userId),
})
