import type { SignupState } from '#contract/signup/signup.state.ts'
import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { allOf, sql } from '#kernel/db/sql.ts'

/** Lines of one run; what is left waits for the next. */
const mostLines = 200_000

/**
 * Puts what came and went since the last time into the sums, all tenants' at once. Lines that others take together meanwhile are left to them, and sums
 * are met in one order, so that no two runs wait for each other. Whoever reads sees the lines or the sum, never both.
 */
export const gatherTallies = async (db: PlatformDb): Promise<number> => {
  const cells = await db.run(sql`
    with gone as (
      delete from signup_tally where ctid = any(array(select ctid from signup_tally where id <> 0 limit ${sql.lit(mostLines)} for update skip locked))
      returning tenant_id, exam_id, examine, unit, code, type, pay_state, n)
    insert into signup_tally (tenant_id, exam_id, examine, unit, code, type, pay_state, id, n)
      select tenant_id, exam_id, examine, unit, code, type, pay_state, 0, sum(n) from gone group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7
      on conflict (tenant_id, exam_id, examine, unit, code, type, pay_state, id) do update set n = signup_tally.n + excluded.n`)
  const hours = await db.run(sql`
    with gone as (
      delete from signup_hour where ctid = any(array(select ctid from signup_hour where id <> 0 limit ${sql.lit(mostLines)} for update skip locked))
      returning tenant_id, exam_id, event, unit, at, n)
    insert into signup_hour (tenant_id, exam_id, event, unit, at, id, n)
      select tenant_id, exam_id, event, unit, at, 0, sum(n) from gone group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
      on conflict (tenant_id, exam_id, event, unit, at, id) do update set n = signup_hour.n + excluded.n`)
  return cells + hours
}

/** Compares the sums of an examination with its sign-ups and adds what they lack. @returns how many were wrong */
export const mendTallies = async (db: TenantDb, examId: string): Promise<number> =>
  (await db.one(sql<{ n: number }>`select mend_signup_tallies(${db.actor.tenantId}, ${examId}) as n`)).n

export const listExamIds = async (db: TenantDb): Promise<string[]> =>
  (await db.all(sql<{ id: string }>`select id::text as id from examination order by id`)).map(({ id }) => id)

/** What the sums tell of sign-ups: their state and their post. Values of codes in every spelling that counts. */
export interface TallyFilter {
  readonly examId: string
  readonly states: readonly SignupState[] | undefined
  readonly units: readonly string[] | undefined
  readonly unit: readonly string[] | undefined
  readonly code: readonly string[] | undefined
}
/** How many sign-ups there are without counting them, drafts and removed ones aside. */
export const talliedTotal = ({ examId, states, units, unit, code }: TallyFilter) => sql<{ total: number }>`
  select coalesce(sum(n), 0)::int as total from signup_tally s where s.exam_id = ${examId} and ${allOf([
    states && sql`s.examine = any(${[...states]})`,
    units && sql`s.unit = any(${[...units]})`,
    unit && sql`s.unit = any(${[...unit]})`,
    code && sql`s.code = any(${[...code]})`,
  ])}`
