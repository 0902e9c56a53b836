import { type Standing, type StepFacts, type StepKind, stage as stages } from '#contract/selection/words.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { allOf, sql } from '#kernel/db/sql.ts'
import { rankNow, scoreNow, stageRankNow, stageTotalNow, standingNow } from './standing-now.ts'

export interface NewStep {
  readonly examId: string
  readonly code: string
  readonly signupId?: string
  readonly userId?: string
  readonly otherId?: string
  readonly stage: number
  readonly kind: StepKind
  readonly facts?: StepFacts
  /** Null: the program by itself. */
  readonly byName: string | null
}
export const insertStep = (db: TenantDb, step: NewStep): Promise<void> => insertSteps(db, [step])
/** The same of many, in their order. */
export const insertSteps = async (db: TenantDb, steps: readonly NewStep[]): Promise<void> => {
  await db.run(sql`
    insert into selection_step (tenant_id, exam_id, code, signup_id, user_id, other_id, stage, kind, facts, by_name, created_by)
    select ${db.actor.tenantId}, "examId", code, "signupId", "userId", "otherId", stage, kind, coalesce(facts, '{}'), "byName", ${db.actor.userId}
    from jsonb_to_recordset(${JSON.stringify(steps)}::jsonb) as g("examId" bigint, code text, "signupId" bigint, "userId" bigint, "otherId" bigint, stage int, kind text,
      facts jsonb, "byName" text)`)
}

/** Rank and score that the lists of the step's stage show today, to be read where `t` is a step and `s` its sign-up. */
const today = sql`
  jsonb_build_object('rank', case when t.stage = ${stages.recheck} then ${rankNow} else ${stageRankNow} end,
    'score', case when t.stage = ${stages.recheck} then ${scoreNow} else ${stageTotalNow} end) as today`
const todayOf = sql`left join selection_person p on p.tenant_id = s.tenant_id and p.signup_id = s.id ${standingNow}`

export interface StepRow {
  readonly id: string
  readonly code: string
  readonly stage: number
  readonly kind: StepKind
  /** As they were when the step was taken. */
  readonly facts: StepFacts
  readonly today: Standing
  readonly name: string | null
  readonly otherName: string | null
  readonly byName: string | null
  readonly createdAt: Date
}
export const listSteps = (
  db: TenantDb,
  of: {
    readonly examId: string
    readonly code?: string | undefined
    readonly signupId?: string | undefined
    readonly units: readonly string[] | null
  },
): Promise<StepRow[]> =>
  db.all(sql<StepRow>`
    select t.id::text as id, t.code, t.stage, t.kind, t.facts, ${today}, s.name, o.name as "otherName", t.by_name as "byName", t.created_at as "createdAt"
    from selection_step t left join signup s on s.tenant_id = t.tenant_id and s.id = t.signup_id left join signup o on o.tenant_id = t.tenant_id and o.id = t.other_id ${todayOf}
    where ${allOf([
      sql`t.exam_id = ${of.examId}`,
      of.code !== undefined && sql`t.code = ${of.code}`,
      of.signupId !== undefined && sql`t.signup_id = ${of.signupId}`,
      of.units !== null &&
        sql`exists (select 1 from type_code c where c.exam_id = t.exam_id and c.code = t.code and c.unit = any(${[...of.units]}) and not c.is_deleted)`,
    ])} order by t.code, t.id`)
/** Who moved up when somebody left the re-review and is still in it. */
export const listMovedUp = async (db: TenantDb, signupId: string): Promise<string[]> =>
  (
    await db.all(sql<{ name: string }>`
      select coalesce(s.name, s.sign_no, '') as name from selection_step t join signup s on s.tenant_id = t.tenant_id and s.id = t.signup_id
      where t.other_id = ${signupId} and t.kind = 'substituted' and s.review_state in (1, 2, 5) and s.examine = 'passed' order by t.id`)
  ).map(row => row.name)
/** What a candidate may read of their own way. */
export const listOwnSteps = (
  db: TenantDb,
  signupId: string,
): Promise<Pick<StepRow, 'kind' | 'stage' | 'facts' | 'today' | 'createdAt'>[]> =>
  db.all(sql<Pick<StepRow, 'kind' | 'stage' | 'facts' | 'today' | 'createdAt'>>`
    select t.kind, t.stage, t.facts, ${today}, t.created_at as "createdAt"
    from selection_step t join signup s on s.tenant_id = t.tenant_id and s.id = t.signup_id ${todayOf}
    where t.signup_id = ${signupId} and t.kind <> all(${['contacted', 'notProven', 'objection', 'objectionEnded', 'tied']}) order by t.id`)
