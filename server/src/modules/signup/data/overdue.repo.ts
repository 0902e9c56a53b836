import type { TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'
import { type Level, stateOfLevel } from './allot.repo.ts'

export interface OverdueRow {
  readonly examId: string
  readonly examName: string
  readonly userId: string
  readonly waiting: number
  readonly oldest: Date
}

const since = (level: Level): RawBuilder<unknown> => (level === 1 ? sql`s.submit_time` : sql`coalesce(s.reviewer1_time, s.submit_time)`)

/**
 * What has waited for a level since before an instant, of one examination `e`. Nobody reviews before it is submitted, so what was submitted later cannot be late.
 * Of a million sign-ups half may wait too long: they are added up before anybody is looked for whom to tell.
 */
const lateOf = (level: Level, before: Date): RawBuilder<unknown> => sql`
  s.tenant_id = e.tenant_id and s.exam_id = e.id and s.examine = ${stateOfLevel[level]} and s.examine <> 'draft' and not s.is_deleted
  and s.submit_time < ${before} and ${since(level)} < ${before}`
const openExams = sql`
  open_exam as materialized (
    select tenant_id, id, exam_name, allot_mode, dept_id, managers from examination where state = 'released' and not is_deleted)`

/** Staff at work who hold such a role. */
const holders = (role: string): RawBuilder<unknown> => sql`
  select a.tenant_id, a.id, a.dept_ids from account a
  where a.user_type = 1 and a.status = 1 and not a.is_deleted and exists (
    select 1 from account_role ar join role r on r.tenant_id = ar.tenant_id and r.id = ar.role_id and not r.is_deleted
    where ar.tenant_id = a.tenant_id and ar.user_id = a.id and r.role_alias = ${role})`

/**
 * Whoever may decide what waits too long, with how much of it is theirs: where the examination hands out, what was given to them; else those it
 * lists for the level, by their units and posts; else everybody who may review (domain 2.1).
 */
export const listLateReviewers = (db: TenantDb, level: Level, before: Date): Promise<OverdueRow[]> =>
  db.all(sql<OverdueRow>`
    with ${openExams},
    late as materialized (
      select s.tenant_id, s.exam_id, s.unit, s.code, count(*) as waiting, min(${since(level)}) as oldest
      from open_exam e join signup s on ${lateOf(level, before)} where e.allot_mode = 0 group by 1, 2, 3, 4),
    listed as materialized (
      select u.tenant_id, u.exam_id, u.user_id, u.units, u.codes from exam_user u where u.level = ${level} and u.state = 1 and not u.is_deleted),
    reviewers as materialized (${holders(level === 1 ? 'reviewer1' : 'reviewer2')}),
    theirs as (
      select s.tenant_id, s.exam_id, x.reviewer_id as user_id, count(*) as waiting, min(${since(level)}) as oldest
        from open_exam e join signup s on ${lateOf(level, before)}
        join examine_allot x on x.tenant_id = s.tenant_id and x.signup_id = s.id and x.level = ${level} and x.state < 2
        where e.allot_mode <> 0 group by 1, 2, 3
      union all
      select l.tenant_id, l.exam_id, u.user_id, l.waiting, l.oldest from late l join listed u on u.tenant_id = l.tenant_id and u.exam_id = l.exam_id
        and (u.units = '[]' or u.units ? l.unit) and (u.codes = '[]' or u.codes ? l.code)
      union all
      select l.tenant_id, l.exam_id, r.id, l.waiting, l.oldest
        from (select tenant_id, exam_id, sum(waiting) as waiting, min(oldest) as oldest from late group by 1, 2) l join reviewers r on r.tenant_id = l.tenant_id
        where not exists (select 1 from listed u where u.tenant_id = l.tenant_id and u.exam_id = l.exam_id))
    select t.exam_id::text as "examId", e.exam_name as "examName", t.user_id::text as "userId", sum(t.waiting)::int as waiting, min(t.oldest) as oldest
    from theirs t join open_exam e on e.tenant_id = t.tenant_id and e.id = t.exam_id join account a on a.tenant_id = t.tenant_id and a.id = t.user_id
    where a.user_type = 1 and a.status = 1 and not a.is_deleted group by 1, 2, 3 order by 1, 3`)

/** Examination administrators who reach examinations where sign-ups wait too long, with how many. */
export const listLateExams = (db: TenantDb, level: Level, before: Date): Promise<OverdueRow[]> =>
  db.all(sql<OverdueRow>`
    with ${openExams},
    late as materialized (
      select s.tenant_id, s.exam_id, count(*)::int as waiting, min(${since(level)}) as oldest
      from open_exam e join signup s on ${lateOf(level, before)} group by 1, 2),
    officers as materialized (${holders('exam_admin')})
    select l.exam_id::text as "examId", e.exam_name as "examName", a.id::text as "userId", l.waiting, l.oldest
    from late l join open_exam e on e.tenant_id = l.tenant_id and e.id = l.exam_id join officers a on a.tenant_id = l.tenant_id
      left join dept d on d.tenant_id = l.tenant_id and d.id = e.dept_id
    where e.dept_id is null or e.managers ? a.id::text or a.dept_ids is null or a.dept_ids && (d.ancestor_ids || d.id)
    order by 1, 3`)
