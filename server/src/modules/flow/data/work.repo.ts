import type { FlowInstanceState, FlowTaskState } from '#contract/flow/flow.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { codeHolds, textHolds } from '#kernel/db/search.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'
import { categoryJoin } from './definition.repo.ts'
import { decidedBeside } from './instance.repo.ts'
import { candidateFor } from './people.repo.ts'

/** A process with one of its tasks, as lists show it. */
export interface WorkRow {
  readonly instanceId: string
  readonly category: string
  readonly categoryZh: string | null
  readonly categoryEn: string | null
  readonly route: string | null
  readonly definitionId: string
  readonly key: string
  readonly name: string
  readonly version: number
  readonly businessId: string | null
  readonly title: string
  readonly startUser: string
  readonly startUserName: string | null
  readonly startedAt: Date
  readonly state: FlowInstanceState
  readonly passed: boolean | null
  readonly reason: string
  readonly taskId: string | null
  readonly taskName: string | null
  readonly node: string | null
  readonly taskState: FlowTaskState | null
  readonly assignee: string | null
  readonly assigneeName: string | null
  readonly owner: string | null
  readonly ownerName: string | null
  readonly createdAt: Date | null
  readonly claimedAt: Date | null
  readonly endedAt: Date | null
  readonly dueAt: Date | null
  readonly outcome: string | null
  readonly comment: string | null
}
const instanceColumns = sql`
  i.id::text as "instanceId", i.category, c.dict_value as "categoryZh", nullif(c.dict_value_en, '') as "categoryEn", nullif(c.remark, '') as route,
  i.definition_id::text as "definitionId", i.flow_key as key, i.flow_name as name, i.flow_version as version, i.business_id::text as "businessId", i.title,
  i.start_user::text as "startUser", su.real_name as "startUserName", i.created_at as "startedAt", i.state, i.passed, i.reason`
const instanceJoins = sql`left join account su on su.tenant_id = i.tenant_id and su.id = i.start_user ${categoryJoin(sql`i.category`)}`
const taskColumns = sql`
  t.id::text as "taskId", t.name as "taskName", t.node, t.state as "taskState", t.assignee::text as assignee, ta.real_name as "assigneeName", t.owner::text as owner,
  tw.real_name as "ownerName", t.created_at as "createdAt", t.claimed_at as "claimedAt", t.ended_at as "endedAt", t.due_at as "dueAt", t.outcome, t.comment`
const taskJoins = sql`
  left join account ta on ta.tenant_id = t.tenant_id and ta.id = t.assignee left join account tw on tw.tenant_id = t.tenant_id and tw.id = t.owner`
/** Where a process is now: its first open task, with all who have one. */
const nowColumns = sql`
  o.id::text as "taskId", o.name as "taskName", o.node, o.state as "taskState", o.assignee::text as assignee, o.names as "assigneeName", null::text as owner, null::text as "ownerName",
  i.created_at as "createdAt", null::timestamptz as "claimedAt", i.ended_at as "endedAt", o.due_at as "dueAt", null::text as outcome, i.reason as comment`
const nowJoin = sql`
  left join lateral (
    select x.*, (select string_agg(a.real_name, ',' order by y.id) from flow_task y join account a on a.tenant_id = y.tenant_id and a.id = y.assignee
      where y.tenant_id = i.tenant_id and y.instance_id = i.id and y.state = 'open') as names
    from flow_task x where x.tenant_id = i.tenant_id and x.instance_id = i.id and x.state = 'open' order by x.id limit 1) o on true`

export interface WorkFilter {
  readonly category?: string | undefined
  readonly processDefinitionName?: string | undefined
  readonly title?: string | undefined
}
const filtered = (filter: WorkFilter): (RawBuilder<unknown> | false)[] => [
  !!filter.category && sql`i.category = ${filter.category}`,
  !!filter.processDefinitionName && textHolds(sql`i.flow_name`, filter.processDefinitionName),
  !!filter.title && textHolds(sql`i.title`, filter.title),
]
interface Slice {
  readonly size: number
  readonly offset: number
  /** How far is counted; undefined: to the end. */
  readonly cap: number | undefined
}
/** Counted in the order of the list, so that what is read is what the list would show and no row of somebody else before it. */
const countOf = async (db: TenantDb, found: RawBuilder<unknown>, order: RawBuilder<unknown>, cap: number | undefined): Promise<number> =>
  (
    await db.one(
      cap === undefined
        ? sql<{ total: number }>`select count(*)::int as total ${found}`
        : sql<{ total: number }>`select count(*)::int as total from (select 1 ${found} order by ${order} limit ${cap + 1}) as counted`,
    )
  ).total
const pageTasks = async (
  db: TenantDb,
  mine: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  filter: WorkFilter,
  { size, offset, cap }: Slice,
) => {
  const conditions = filtered(filter)
  const where = allOf([mine, ...conditions])
  const rows = await db.all(sql<WorkRow>`
    select ${instanceColumns}, ${taskColumns} from flow_task t join flow_instance i on i.tenant_id = t.tenant_id and i.id = t.instance_id ${instanceJoins} ${taskJoins}
    where ${where} order by ${order} limit ${size} offset ${offset}`)
  // Each task has its process: that is read only where it is asked about.
  const joined = sql`join flow_instance i on i.tenant_id = t.tenant_id and i.id = t.instance_id`
  const total = await countOf(
    db,
    sql`from flow_task t ${conditions.some(one => one !== false) ? joined : sql``} where ${where}`,
    order,
    cap,
  )
  return { rows, total }
}
/** Of the tasks `t`, those that nobody has claimed and the caller may: by name, a role, a post or a department, no request of their own, and none that wants another person than they. */
export const claimable = (db: TenantDb, roles: readonly string[]): RawBuilder<unknown> =>
  sql`t.state = 'open' and t.assignee is null and t.not_for is distinct from ${db.actor.userId} and t.id in (select k.task_id from flow_candidate k where ${candidateFor(db, roles)})
    and not (t.other_person and exists (select 1 from flow_task b where b.tenant_id = t.tenant_id and b.ended_by = ${db.actor.userId} and ${decidedBeside}))`
const own = (db: TenantDb): RawBuilder<unknown> => sql`t.state = 'open' and t.assignee = ${db.actor.userId}`
export const pageClaimable = (db: TenantDb, roles: readonly string[], filter: WorkFilter, slice: Slice) =>
  pageTasks(db, claimable(db, roles), sql`t.id desc`, filter, slice)
export const pageTodo = (db: TenantDb, filter: WorkFilter, slice: Slice) => pageTasks(db, own(db), sql`t.id desc`, filter, slice)
export const pageDone = (db: TenantDb, filter: WorkFilter, slice: Slice) =>
  pageTasks(db, sql`t.state = 'done' and t.ended_by = ${db.actor.userId}`, sql`t.ended_at desc, t.id desc`, filter, slice)
export const countWork = (db: TenantDb, roles: readonly string[]) =>
  db.one(sql<{ claim: number; todo: number; overdue: number }>`
    select (select count(*)::int from flow_task t where ${claimable(db, roles)}) as claim, (select count(*)::int from flow_task t where ${own(db)}) as todo,
      (select count(*)::int from flow_task t where ${own(db)} and t.due_at < app_now()) as overdue`)

const pageInstances = async (db: TenantDb, mine: RawBuilder<unknown>, filter: WorkFilter, { size, offset, cap }: Slice) => {
  const where = allOf([mine, ...filtered(filter)])
  const rows = await db.all(sql<WorkRow>`
    select ${instanceColumns}, ${nowColumns} from flow_instance i ${instanceJoins} ${nowJoin} where ${where} order by i.id desc limit ${size} offset ${offset}`)
  return { rows, total: await countOf(db, sql`from flow_instance i where ${where}`, sql`i.id desc`, cap) }
}
export const pageSent = (db: TenantDb, filter: WorkFilter, slice: Slice) =>
  pageInstances(db, sql`i.start_user = ${db.actor.userId} and i.parent_id is null`, filter, slice)
export const pageCopied = (db: TenantDb, filter: WorkFilter, slice: Slice) =>
  pageInstances(db, sql`i.id in (select k.instance_id from flow_copy k where k.user_id = ${db.actor.userId})`, filter, slice)
export const pageFollowed = (
  db: TenantDb,
  of: { readonly id: string | undefined; readonly key: string | undefined; readonly running: boolean },
  filter: WorkFilter,
  slice: Slice,
) =>
  pageInstances(
    db,
    allOf([
      of.id !== undefined && sql`i.id = ${of.id}`,
      !!of.key && codeHolds(sql`i.flow_key`, of.key),
      of.running && sql`i.ended_at is null`,
    ]),
    filter,
    slice,
  )
export const findWork = (db: TenantDb, instanceId: string): Promise<WorkRow | undefined> =>
  db.maybe(
    sql<WorkRow>`select ${instanceColumns}, ${nowColumns} from flow_instance i ${instanceJoins} ${nowJoin} where i.id = ${instanceId}`,
  )
export const findTaskWork = (db: TenantDb, taskId: string): Promise<WorkRow | undefined> =>
  db.maybe(sql<WorkRow>`
    select ${instanceColumns}, ${taskColumns} from flow_task t join flow_instance i on i.tenant_id = t.tenant_id and i.id = t.instance_id ${instanceJoins} ${taskJoins}
    where t.id = ${taskId}`)
export const signersOf = (db: TenantDb, taskId: string) =>
  db.all(sql<{ taskId: string; assignee: string; assigneeName: string; outcome: string }>`
    select s.id::text as "taskId", coalesce(s.assignee::text, '') as assignee, coalesce(a.real_name, '') as "assigneeName", coalesce(s.outcome, '') as outcome
    from flow_task t join flow_task s on s.tenant_id = t.tenant_id and s.instance_id = t.instance_id and s.token = t.token and s.sign is not null and s.state <> 'closed'
    left join account a on a.tenant_id = s.tenant_id and a.id = s.assignee where t.id = ${taskId} order by s.id`)

export const mayClaim = async (db: TenantDb, taskId: string, roles: readonly string[]): Promise<boolean> =>
  (await db.maybe(sql`select 1 from flow_candidate k where k.task_id = ${taskId} and ${candidateFor(db, roles)} limit 1`)) !== undefined
/** Takes part in it or in what called it: started it, has or had a task of it, or got a copy. Whoever could claim a task takes part too. */
export const mayLook = async (db: TenantDb, instanceId: string, roles: readonly string[] = []): Promise<boolean> =>
  (await db.maybe(sql`
    select 1 from flow_instance i join flow_instance r on r.tenant_id = i.tenant_id and r.root_id = i.root_id
    where i.id = ${instanceId} and (r.start_user = ${db.actor.userId}
      or exists (select 1 from flow_task t where t.tenant_id = r.tenant_id and t.instance_id = r.id
        and (${db.actor.userId}::bigint in (t.assignee, t.owner, t.ended_by)
          or t.state = 'open' and exists (select 1 from flow_candidate k where k.tenant_id = t.tenant_id and k.task_id = t.id and ${candidateFor(db, roles)})))
      or exists (select 1 from flow_history h where h.tenant_id = r.tenant_id and h.instance_id = r.id and h.actor = ${db.actor.userId})
      or exists (select 1 from flow_copy k where k.tenant_id = r.tenant_id and k.instance_id = r.id and k.user_id = ${db.actor.userId}))
    limit 1`)) !== undefined

export interface HistoryRow {
  readonly seq: number
  readonly node: string
  readonly name: string
  readonly type: string
  readonly action: string
  readonly taskId: string | null
  readonly actor: string
  readonly actorName: string | null
  readonly target: string
  readonly comment: string
  readonly startedAt: Date
  readonly endedAt: Date | null
}
export const historyOf = (db: TenantDb, instanceId: string): Promise<HistoryRow[]> =>
  db.all(sql<HistoryRow>`
    select h.seq, h.node, h.name, h.type, h.action, h.task_id::text as "taskId", h.actor::text as actor, a.real_name as "actorName", h.target, h.comment,
      h.started_at as "startedAt", h.ended_at as "endedAt"
    from flow_history h left join account a on a.tenant_id = h.tenant_id and a.id = h.actor where h.instance_id = ${instanceId} order by h.seq`)
/** What is open comes last: nobody has written a line about its end. */
export const openSteps = (db: TenantDb, instanceId: string): Promise<HistoryRow[]> =>
  db.all(sql<HistoryRow>`
    select 0 as seq, t.node, t.name, case when t.assignee is null then 'candidate' else 'userTask' end as type, '' as action, t.id::text as "taskId",
      coalesce(t.assignee, 0)::text as actor, a.real_name as "actorName", '' as target, '' as comment, t.created_at as "startedAt", null::timestamptz as "endedAt"
    from flow_task t left join account a on a.tenant_id = t.tenant_id and a.id = t.assignee where t.instance_id = ${instanceId} and t.state = 'open' order by t.id`)
/** Who sent it back last, and why. */
export const lastReturn = (db: TenantDb, instanceId: string): Promise<{ name: string; comment: string } | undefined> =>
  db.maybe(sql<{ name: string; comment: string }>`
    select coalesce(a.real_name, '') as name, h.comment from flow_history h left join account a on a.tenant_id = h.tenant_id and a.id = h.actor
    where h.instance_id = ${instanceId} and h.action in ('return', 'reject') order by h.seq desc limit 1`)
/** The process that runs about a row of another context, with the actor's open task in it. */
export const findOpen = (
  db: TenantDb,
  businessTable: string,
  businessId: string,
): Promise<{ readonly instanceId: string; readonly taskId: string | null } | undefined> =>
  db.maybe(sql<{ instanceId: string; taskId: string | null }>`
    select i.id::text as "instanceId", (select t.id::text from flow_instance x join flow_task t on t.tenant_id = x.tenant_id and t.instance_id = x.id
      where x.tenant_id = i.tenant_id and x.root_id = i.id and t.state = 'open' and t.assignee = ${db.actor.userId} order by t.id limit 1) as "taskId"
    from flow_instance i where i.business_table = ${businessTable} and i.business_id = ${businessId} and i.parent_id is null and i.ended_at is null
    order by i.id desc limit 1`)
