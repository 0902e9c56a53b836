import { toWireDay } from '#contract/kernel/when.ts'
import { withDerived } from '#contract/signup/content.ts'
import { prefillOfFacts } from '#contract/signup/fit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, sessionOf } from '#kernel/http/context.ts'
import type { ExamRow, SignItemRow } from '#modules/exam/index.ts'
import { openContent } from '../content-vault.ts'
import { keptFacts, lastContent } from '../data/exam-card.repo.ts'
import { findVerifiedPerson } from '../data/signup.repo.ts'
import type { SignupContext } from '../deps.ts'
import { answersOfAccount } from '../domain/verified.ts'
import { verifiedOf } from '../verified-answers.ts'

/** What the form takes from the account and lets nobody type: name, id number with what follows from it, phone. */
export const ownAnswers = async (
  { services: { cipher } }: SignupContext,
  db: TenantDb,
  ctx: Ctx,
  items: readonly SignItemRow[],
): Promise<Record<string, unknown>> => {
  const { userId, userType } = sessionOf(ctx)
  const account = userType === 2 ? await findVerifiedPerson(db, userId) : undefined
  if (!account) return {}
  const answers = withDerived(answersOfAccount(verifiedOf(cipher, { tenantId: ctx.tenantId, userId }, account)), toWireDay(ctx.arrivedAt))
  return onlyOf(items, answers)
}

const onlyOf = (items: readonly SignItemRow[], answers: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const known = new Set(items.map(item => item.itemKey))
  return Object.fromEntries(Object.entries(answers).filter(([key]) => known.has(key)))
}

/** Answers the candidate has given before: the account's verified facts first, then the newest sign-up. */
export const prefillOf = async (
  deps: SignupContext,
  db: TenantDb,
  ctx: Ctx,
  exam: ExamRow,
  items: readonly SignItemRow[],
): Promise<Record<string, unknown>> => {
  const { userId, userType } = sessionOf(ctx)
  if (userType !== 2) return {}
  const [own, last, kept] = await Promise.all([ownAnswers(deps, db, ctx, items), lastContent(db, userId, exam.id), keptFacts(db, userId)])
  const { cipher } = deps.services
  const before = last ? openContent(cipher, { tenantId: ctx.tenantId, table: 'signup', rowId: last.id }, last.content) : {}
  return { ...onlyOf(items, { ...prefillOfFacts(kept), ...before }), ...own }
}
