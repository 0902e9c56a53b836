import { refuse } from '#contract/kernel/errors.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import type { saveRule } from '#contract/selection/selection.routes.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { findExam } from '#modules/exam/index.ts'
import { readPolicy } from '#modules/news/index.ts'
import { storeRule } from '../data/exam.repo.ts'
import type { SelectionKit } from '../deps.ts'
import { ruleOf } from './policy.ts'

export const showRule = async (kit: SelectionKit, db: TenantDb, examId: string) => {
  if (!(await findExam(db, examId))) return refuse('kernel/not-found', {})
  const { substitute, ...rule } = await ruleOf(db, examId)
  return { ...rule, substitute: substitute ? 1 : 0, publicityDays: (await readPolicy(kit, db)).publicityDays }
}

export const keepRule = async (ctx: Ctx, db: TenantDb, { examId, ...input }: InputOf<typeof saveRule>) => {
  const exam = await findExam(db, examId)
  if (!exam) return refuse('kernel/not-found', {})
  const before = await ruleOf(db, examId)
  const after = { ...input, substitute: input.substitute === 1 }
  await storeRule(db, examId, after)
  await audit(db, ctx, { action: 'selection.ruled', entity: 'examination', entityId: examId, before, after })
  return { examId }
}
