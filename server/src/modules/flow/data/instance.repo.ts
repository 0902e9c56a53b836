import type { FlowValues } from '#contract/flow/condition.ts'
import type { FlowInstanceState, FlowTaskState } from '#contract/flow/flow.state.ts'
import { applicantStep, type SignRule } from '#contract/flow/process-graph.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { FlowPlace } from '../domain/engine.ts'

export interface InstanceRow {
  readonly id: string
  readonly rootId: string
  readonly parentId: string | null
  readonly parentToken: number | null
  readonly depth: number
  readonly definitionId: string
  readonly key: string
  readonly name: string
  readonly businessTable: string
  readonly businessId: string | null
  readonly title: string
  readonly startUser: string
  readonly state: FlowInstanceState
  readonly vars: FlowValues
  readonly place: FlowPlace
  readonly canReturn: boolean
  /** The applicant may decide on it as well. */
  readonly decidesOwn: boolean
  readonly decidedBy: string | null
  readonly remindedAt: Date | null
  readonly createdAt: Date
  /** Of its last line of history. */
  readonly seq: number
}
const columns = sql`
  i.id::text as id, i.root_id::text as "rootId", i.parent_id::text as "parentId", i.parent_token as "parentToken", i.depth, i.definition_id::text as "definitionId",
  i.flow_key as key, i.flow_name as name, i.business_table as "businessTable", i.business_id::text as "businessId", i.title, i.start_user::text as "startUser", i.state,
  i.vars, i.place, i.can_return as "canReturn", i.decides_own as "decidesOwn", i.decided_by::text as "decidedBy", i.reminded_at as "remindedAt", i.created_at as "createdAt",
  coalesce((select max(h.seq) from flow_history h where h.tenant_id = i.tenant_id and h.instance_id = i.id), 0) as seq`

/** Whatever changes a process holds the row of the outermost one first: two that finish at once do so one after another. */
export const lockInstance = async (db: TenantDb, id: string): Promise<InstanceRow | undefined> => {
  await db.run(sql`select 1 from flow_instance where id = (select root_id from flow_instance where id = ${id}) for update`)
  return db.maybe(sql<InstanceRow>`select ${columns} from flow_instance i where i.id = ${id}`)
}
export const lockInstanceOfTask = async (db: TenantDb, taskId: string): Promise<InstanceRow | undefined> => {
  const own = sql`(select instance_id from flow_task where id = ${taskId})`
  await db.run(sql`select 1 from flow_instance where id = (select root_id from flow_instance where id = ${own}) for update`)
  return db.maybe(sql<InstanceRow>`select ${columns} from flow_instance i where i.id = ${own}`)
}
export const readInstance = (db: TenantDb, id: string): Promise<InstanceRow | undefined> =>
  db.maybe(sql<InstanceRow>`select ${columns} from flow_instance i where i.id = ${id}`)
export const childrenOf = (db: TenantDb, id: string): Promise<InstanceRow[]> =>
  db.all(sql<InstanceRow>`select ${columns} from flow_instance i where i.parent_id = ${id} and i.ended_at is null order by i.id`)

export interface NewInstance {
  readonly definition: {
    readonly id: string
    readonly key: string
    readonly version: number
    readonly name: string
    readonly category: string
  }
  readonly businessTable: string
  readonly businessId: string | null
  readonly title: string
  readonly startUser: string
  readonly vars: FlowValues
  readonly place: FlowPlace
  readonly canReturn: boolean
  readonly decidesOwn: boolean
  readonly parent: InstanceRow | undefined
  readonly parentToken: number | null
}
export const insertInstance = async (db: TenantDb, id: string, one: NewInstance): Promise<void> => {
  const { definition: d, parent } = one
  await db.run(sql`
    insert into flow_instance (tenant_id, id, root_id, parent_id, parent_token, depth, definition_id, flow_key, flow_version, flow_name, category, business_table,
      business_id, title, start_user, vars, place, can_return, decides_own, updated_by)
    values (${db.actor.tenantId}, ${id}, ${parent?.rootId ?? id}, ${parent?.id ?? null}, ${one.parentToken}, ${(parent?.depth ?? -1) + 1}, ${d.id}, ${d.key}, ${d.version},
      ${d.name}, ${d.category}, ${one.businessTable}, ${one.businessId}, ${one.title}, ${one.startUser}, ${JSON.stringify(one.vars)}, ${JSON.stringify(one.place)},
      ${one.canReturn}, ${one.decidesOwn}, ${db.actor.userId})`)
}
export interface InstanceChange {
  readonly state: FlowInstanceState
  readonly vars: FlowValues
  readonly place: FlowPlace
  readonly title: string
  readonly passed: boolean | null
  readonly reason: string
  readonly decidedBy: string | null
}
export const updateInstance = (db: TenantDb, id: string, to: InstanceChange): void => {
  const isOver = to.state !== 'running' && to.state !== 'returned'
  db.send(sql`
    update flow_instance set state = ${to.state}, vars = ${JSON.stringify(to.vars)}, place = ${JSON.stringify(to.place)}, title = ${to.title}, passed = ${to.passed},
      reason = ${to.reason}, decided_by = ${to.decidedBy}, ended_at = case when ${isOver} then app_now() end, updated_at = app_now(), updated_by = ${db.actor.userId},
      version = version + 1
    where id = ${id}`)
}
export const noteReminder = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(sql`update flow_instance set reminded_at = app_now() where id = ${id}`)
}

export interface TaskRow {
  readonly id: string
  readonly instanceId: string
  readonly node: string
  readonly name: string
  readonly token: number
  readonly assignee: string | null
  readonly owner: string | null
  readonly sign: SignRule | null
  readonly share: number
  readonly state: FlowTaskState
  readonly outcome: 'ok' | 'reject' | 'return' | null
  readonly createdAt: Date
  readonly endedBy: string | null
  /** Who may not take it: the applicant whose request it is. */
  readonly notFor: string | null
  /** Whoever has decided at another step may not take it either. */
  readonly otherPerson: boolean
}
const taskColumns = sql`
  id::text as id, instance_id::text as "instanceId", node, name, token, assignee::text as assignee, owner::text as owner, sign, share, state, outcome,
  created_at as "createdAt", ended_by::text as "endedBy", not_for::text as "notFor", other_person as "otherPerson"`
export const findTask = (db: TenantDb, id: string): Promise<TaskRow | undefined> =>
  db.maybe(sql<TaskRow>`select ${taskColumns} from flow_task where id = ${id}`)
export const tasksOf = (db: TenantDb, instanceId: string): Promise<TaskRow[]> =>
  db.all(sql<TaskRow>`select ${taskColumns} from flow_task where instance_id = ${instanceId} order by id`)

export interface NewTask {
  readonly id: string
  readonly instanceId: string
  readonly node: string
  readonly name: string
  readonly token: number
  readonly assignee: string | null
  readonly sign: SignRule | null
  readonly share: number
  readonly dueAt: Date | null
  readonly notFor: string | null
  readonly otherPerson: boolean
}
/** Of the tasks `b`, those that somebody has decided at another step than the task `t`, in the same request with all that it called. */
export const decidedBeside = sql`
  b.state = 'done' and b.node <> ${applicantStep} and (b.instance_id, b.node) <> (t.instance_id, t.node) and b.instance_id in (
    select r.id from flow_instance i join flow_instance r on r.tenant_id = i.tenant_id and r.root_id = i.root_id where i.id = t.instance_id)`
/** Who may not decide a task: the applicant, where that is their own request, and, where another person is wanted, whoever has decided at another step. */
export const barredFrom = async (
  db: TenantDb,
  task: Pick<TaskRow, 'instanceId' | 'node' | 'notFor' | 'otherPerson'>,
): Promise<ReadonlySet<string>> => {
  const decided = task.otherPerson
    ? await db.all(sql<{ id: string }>`
        select distinct b.ended_by::text as id from (select ${task.instanceId}::bigint as instance_id, ${task.node}::text as node) t, flow_task b
        where ${decidedBeside} and b.ended_by is not null`)
    : []
  return new Set([...(task.notFor === null ? [] : [task.notFor]), ...decided.map(({ id }) => id)])
}

export const insertTask = (db: TenantDb, task: NewTask): void =>
  db.send(sql`
    insert into flow_task (tenant_id, id, instance_id, node, name, token, assignee, sign, share, due_at, not_for, other_person, claimed_at, updated_by)
    values (${db.actor.tenantId}, ${task.id}, ${task.instanceId}, ${task.node}, ${task.name}, ${task.token}, ${task.assignee}, ${task.sign}, ${task.share}, ${task.dueAt}, ${task.notFor}, ${task.otherPerson},
      case when ${task.assignee}::bigint is null then null else app_now() end, ${db.actor.userId})`)
export const insertCandidates = (db: TenantDb, taskId: string, named: readonly { readonly kind: string; readonly ref: string }[]): void =>
  db.send(sql`
    insert into flow_candidate (tenant_id, task_id, kind, ref)
    select ${db.actor.tenantId}, ${taskId}::bigint, k, r from unnest(${named.map(({ kind }) => kind)}::text[], ${named.map(({ ref }) => ref)}::text[]) as c(k, r) on conflict do nothing`)
const dropCandidates = (db: TenantDb, taskIds: readonly string[]): void =>
  db.send(sql`delete from flow_candidate where task_id = any(${[...taskIds]}::bigint[])`)

const touched = (db: TenantDb) => sql`updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1`
/** 0 rows: somebody was quicker. */
export const claimOpenTask = async (db: TenantDb, id: string): Promise<boolean> => {
  const done = await db.run(sql`
    update flow_task set assignee = ${db.actor.userId}, claimed_at = app_now(), ${touched(db)} where id = ${id} and state = 'open' and assignee is null`)
  if (done === 1) dropCandidates(db, [id])
  return done === 1
}
export const finishTask = async (db: TenantDb, id: string, outcome: 'ok' | 'reject' | 'return', comment: string): Promise<boolean> =>
  (await db.run(sql`
    update flow_task set state = 'done', outcome = ${outcome}, comment = ${comment}, ended_at = app_now(), ended_by = ${db.actor.userId}, ${touched(db)}
    where id = ${id} and state = 'open'`)) === 1
export const closeTasks = (db: TenantDb, ids: readonly string[]): void => {
  db.send(
    sql`update flow_task set state = 'closed', ended_at = app_now(), ended_by = ${db.actor.userId}, ${touched(db)} where id = any(${[...ids]}::bigint[]) and state = 'open'`,
  )
  dropCandidates(db, ids)
}
export const giveTask = async (db: TenantDb, id: string, assignee: string, owner: string | null): Promise<void> => {
  await db.run(sql`
    update flow_task set assignee = ${assignee}, owner = ${owner}, claimed_at = coalesce(claimed_at, app_now()), ${touched(db)} where id = ${id} and state = 'open'`)
  dropCandidates(db, [id])
}
/** Nobody has it any more. */
export const returnTask = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(sql`update flow_task set assignee = null, claimed_at = null, ${touched(db)} where id = ${id} and state = 'open'`)
}
export const setOwner = async (db: TenantDb, id: string, owner: string | null): Promise<void> => {
  await db.run(sql`update flow_task set owner = ${owner}, ${touched(db)} where id = ${id} and state = 'open'`)
}
export const dropCandidate = async (db: TenantDb, taskId: string, userId: string): Promise<void> => {
  await db.run(sql`delete from flow_candidate where task_id = ${taskId} and kind = 'user' and ref = ${userId}`)
}
export const candidatesOf = (db: TenantDb, taskId: string): Promise<{ kind: 'user' | 'role' | 'post' | 'dept'; ref: string }[]> =>
  db.all(sql<{ kind: 'user' | 'role' | 'post' | 'dept'; ref: string }>`select kind, ref from flow_candidate where task_id = ${taskId}`)
export const signTogether = async (db: TenantDb, instanceId: string, token: number): Promise<void> => {
  await db.run(
    sql`update flow_task set sign = 'all', ${touched(db)} where instance_id = ${instanceId} and token = ${token} and state = 'open' and sign is null`,
  )
}

export interface HistoryLine {
  readonly node: string
  readonly name: string
  readonly type: string
  readonly action: string
  readonly taskId: string | null
  readonly assignee: string | null
  readonly target: string
  readonly comment: string
  readonly startedAt: Date
}
export const insertHistory = (db: TenantDb, instanceId: string, after: number, lines: readonly HistoryLine[]): void => {
  if (lines.length === 0) return
  const column = <T>(of: (line: HistoryLine) => T): T[] => lines.map(of)
  db.send(sql`
    insert into flow_history (tenant_id, instance_id, seq, node, name, type, action, task_id, actor, assignee, target, comment, started_at)
    select ${db.actor.tenantId}, ${instanceId}::bigint, s.seq, s.node, s.name, s.type, s.action, s.task_id, ${db.actor.userId}::bigint, s.assignee, s.target, s.comment, s.started_at
    from unnest(${lines.map((_, at) => after + at + 1)}::int[], ${column(l => l.node)}::text[], ${column(l => l.name)}::text[], ${column(l => l.type)}::text[],
      ${column(l => l.action)}::text[], ${column(l => l.taskId)}::bigint[], ${column(l => l.assignee)}::bigint[], ${column(l => l.target)}::text[],
      ${column(l => l.comment)}::text[], ${column(l => l.startedAt.toISOString())}::timestamptz[])
      as s(seq, node, name, type, action, task_id, assignee, target, comment, started_at)`)
}
/** @returns whom a copy is new for */
export const insertCopies = async (db: TenantDb, instanceId: string, userIds: readonly string[], comment: string): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      insert into flow_copy (tenant_id, instance_id, user_id, from_user, comment)
      select ${db.actor.tenantId}, ${instanceId}::bigint, u, ${db.actor.userId}::bigint, ${comment} from unnest(${[...userIds]}::bigint[]) u on conflict do nothing
      returning user_id::text as id`)
  ).map(({ id }) => id)
