import { toWireDay } from '#contract/kernel/when.ts'
import { checkIdCard } from '#contract/system/id-card.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, sessionOf } from '#kernel/http/context.ts'
import type { ExamRow, SignItemRow } from '#modules/exam/index.ts'
import { openContent } from '../content-vault.ts'
import { findAccountOf, lastContent } from '../data/exam-card.repo.ts'
import type { SignupContext } from '../deps.ts'

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
  const account = await findAccountOf(db, userId)
  const last = await lastContent(db, userId, exam.id)
  const { cipher } = deps.services
  const open = (column: string, sealed: Buffer): string => cipher.open(ctx.tenantId, { table: 'account', column, rowId: userId }, sealed)
  const known = new Set(items.map(item => item.itemKey))
  const all: Record<string, unknown> = {
    ...(last ? openContent(cipher, { tenantId: ctx.tenantId, table: 'signup', rowId: last.id }, last.content) : {}),
    ...(account ? { name: account.realName } : {}),
    ...(account?.phone ? { phone: open('phone_sealed', account.phone) } : {}),
    ...(account?.idCard ? { idCard: open('id_card_sealed', account.idCard), idCardType: account.idCardType ?? '1' } : {}),
  }
  const person = checkIdCard(String(all['idCard'] ?? ''), toWireDay(ctx.arrivedAt))
  if (person.ok) Object.assign(all, { birthday: person.birthday, sex: String(person.sex) })
  return Object.fromEntries(Object.entries(all).filter(([key]) => known.has(key)))
}
