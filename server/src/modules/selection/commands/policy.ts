import { type RulePolicy, rulePolicy } from '#contract/selection/words.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { findRule } from '../data/exam.repo.ts'

/** What an examination says about deadlines and substitution, else the program's own values. */
export const ruleOf = async (db: TenantDb, examId: string): Promise<RulePolicy> => (await findRule(db, examId)) ?? rulePolicy

const hourMs = 3_600_000
export const inHours = (from: Date, hours: number): Date => new Date(from.getTime() + hours * hourMs)
export const inDays = (from: Date, days: number): Date => inHours(from, days * 24)
