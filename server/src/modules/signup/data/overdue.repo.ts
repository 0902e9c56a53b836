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

/** Sign-ups of open examinations that have waited for a level since before an instant. */
const overdue = (level: Level, before: Date): RawBuilder<unknown> => sql`
  select s.tenant_id, s.id, s.exam_id, s.unit, s.code, w.since, e.exam_name, e.allot_mode, e.dept_id, e.managers
  from signup s join examination e on e.tenant_id = s.tenant_id and e.id = s.exam_id
    cross join lateral (select ${level === 1 ? sql`s.submit_time` : sql`coalesce(s.reviewer1_time, s.submit_time)`} as since) w
  where s.examine = ${stateOfLevel[level]} and not s.is_deleted and e.state = 'released' and not e.is_deleted and w.since < ${before}`

const holds = (role: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  exists (select 1 from account_role ar join role r on r.tenant_id = ar.tenant_id and r.id = ar.role_id and not r.is_deleted
    where ar.tenant_id = a.tenant_id and ar.user_id = a.id and ${role})`
const isActive = sql`a.user_type = 1 and a.status = 1 and not a.is_deleted`

/**
 * Whoever may decide what waits too long, with how much of it is theirs: where the examination hands out, what was given to them; else those it
 * lists for the level, by their units and posts; else everybody who may review (domain 2.1).
 */
export const listLateReviewers = (db: TenantDb, level: Level, before: Date): Promise<OverdueRow[]> =>
  db.all(sql<OverdueRow>`
    with overdue as (${overdue(level, before)}),
    theirs as (
      select o.*, x.reviewer_id as user_id from overdue o join examine_allot x on x.tenant_id = o.tenant_id and x.signup_id = o.id and x.level = ${level} and x.state < 2
        where o.allot_mode <> 0
      union all
      select o.*, u.user_id from overdue o join exam_user u on u.tenant_id = o.tenant_id and u.exam_id = o.exam_id and u.level = ${level} and u.state = 1 and not u.is_deleted
        and (u.units = '[]' or u.units ? o.unit) and (u.codes = '[]' or u.codes ? o.code) where o.allot_mode = 0
      union all
      select o.*, a.id from overdue o join account a on a.tenant_id = o.tenant_id
        where o.allot_mode = 0 and ${holds(sql`r.role_alias = ${level === 1 ? 'reviewer1' : 'reviewer2'}`)}
          and not exists (select 1 from exam_user u where u.tenant_id = o.tenant_id and u.exam_id = o.exam_id and u.level = ${level} and u.state = 1 and not u.is_deleted))
    select t.exam_id::text as "examId", t.exam_name as "examName", t.user_id::text as "userId", count(*)::int as waiting, min(t.since) as oldest
    from theirs t join account a on a.tenant_id = t.tenant_id and a.id = t.user_id where ${isActive} group by 1, 2, 3 order by 1, 3`)

/** Examination administrators who reach examinations where sign-ups wait too long, with how many. */
export const listLateExams = (db: TenantDb, level: Level, before: Date): Promise<OverdueRow[]> =>
  db.all(sql<OverdueRow>`
    with late as (
      select o.tenant_id, o.exam_id, o.exam_name, o.dept_id, o.managers, count(*)::int as waiting, min(o.since) as oldest from (${overdue(level, before)}) o
      group by 1, 2, 3, 4, 5)
    select l.exam_id::text as "examId", l.exam_name as "examName", a.id::text as "userId", l.waiting, l.oldest
    from late l join account a on a.tenant_id = l.tenant_id left join dept d on d.tenant_id = l.tenant_id and d.id = l.dept_id
    where ${isActive} and ${holds(sql`r.role_alias = 'exam_admin'`)}
      and (l.dept_id is null or l.managers ? a.id::text or a.dept_ids is null or a.dept_ids && (d.ancestor_ids || d.id))
    order by 1, 3`)
