import { stage as stages } from '#contract/selection/words.ts'
import { backupKey, type LastBackup } from '#kernel/backup/last-backup.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'
import { type HoldReason, holdKey } from '#kernel/hold.ts'

/** Who looks, and which kinds of work are theirs. */
export interface Looker {
  readonly userId: string
  readonly roleIds: readonly string[]
  readonly may: (code: string) => boolean
  /** Units a person's sign-ups are narrowed to; undefined means the whole tenant. */
  readonly units: readonly string[] | undefined
  /** Those of the re-review, which leaves people out that the review shows; null means the whole tenant. */
  readonly reviewUnits: readonly string[] | null
  /** Takes any sign-up, whatever was given to whom. */
  readonly runsExams: boolean
  /** Sees what was given to them and nothing else, where an examination hands out. */
  readonly inReach: RawBuilder<unknown> | undefined
  /** Tasks of processes that nobody has claimed and the looker may. */
  readonly claimable: RawBuilder<unknown>
  /** Sites, and groups of people who were signed up together, that the looker is narrowed to; undefined where they see all. */
  readonly sites: readonly string[] | undefined
  readonly groups: readonly string[] | undefined
  /** Waiting sign-ups, `s`, that the looker may decide on: as the list of reviews counts them. */
  readonly takes: RawBuilder<unknown>
  /** Sign-ups of a group, `s`, that its people have to do something about. */
  readonly unfinished: RawBuilder<unknown>
  /** What data scopes leave of dues and of accounts; undefined where they leave all. */
  readonly dues: RawBuilder<unknown> | undefined
  readonly people: RawBuilder<unknown> | undefined
}

const maySee = (looker: Looker): RawBuilder<unknown> => (looker.inReach === undefined ? sql`` : sql`and ${looker.inReach}`)

/** Of a sign-up `s`. */
const inUnits = ({ units }: Looker): RawBuilder<unknown> => (units === undefined ? sql`` : sql`and s.unit = any(${[...units]})`)
const inReviewUnits = ({ reviewUnits }: Looker): RawBuilder<unknown> =>
  reviewUnits === null ? sql`` : sql`and s.unit = any(${[...reviewUnits]})`

export interface Waiting {
  readonly count: number
  readonly oldest: Date | null
  /** Of the oldest. */
  readonly examId: string | null
  readonly examName: string | null
}

const nothing = sql`select null::bigint as id, null::timestamptz as since, null::bigint as exam_id where false`

/** One row per piece of work that waits, by kind. What the looker may not do is not even read. */
const workOf = (looker: Looker): Readonly<Record<string, RawBuilder<unknown>>> => {
  const when = (code: string, statement: RawBuilder<unknown>): RawBuilder<unknown> => (looker.may(code) ? statement : nothing)
  const signups = (state: string, more: RawBuilder<unknown> = sql``): RawBuilder<unknown> => sql`
    select s.id, s.submit_time as since, s.exam_id from signup s join examination e on e.tenant_id = s.tenant_id and e.id = s.exam_id
    where s.examine = ${state} and not s.is_deleted and e.state = 'released' and not e.is_deleted
      ${inUnits(looker)} ${more}`
  const duesInScope = looker.dues === undefined ? sql`` : sql`and p.id in (select id from exam_pay_row where ${looker.dues})`
  return {
    tasks: when(
      'work_todo_handle',
      sql`select id, created_at as since, null::bigint as exam_id from flow_task where state = 'open' and assignee = ${looker.userId}`,
    ),
    claims: when(
      'work_claim_sign',
      sql`select t.id, t.created_at as since, null::bigint as exam_id from flow_task t where ${looker.claimable}`,
    ),
    drafts: when(
      'examination_release',
      sql`select id, created_at as since, id as exam_id from examination where state = 'draft' and not is_deleted`,
    ),
    reviewFirst: when('examine_first', signups('waiting', sql`and ${looker.takes} ${maySee(looker)}`)),
    reviewSecond: when('examine_second', signups('second', sql`and ${looker.takes} ${maySee(looker)}`)),
    returned: when('examine_view', signups('returned', maySee(looker))),
    refunds: when(
      'exampay_approve',
      sql`select r.id, r.created_at as since, p.exam_id from pay_refund r join exam_pay p on p.tenant_id = r.tenant_id and p.id = r.pay_id
        where r.state = 'requested' and not r.approved_by_rule and r.apply_by <> ${looker.userId} ${duesInScope}`,
    ),
    waivers: when(
      'feewaiver_decide',
      sql`select w.id, w.created_at as since, w.exam_id from fee_waiver w join examination e on e.tenant_id = w.tenant_id and e.id = w.exam_id
        where w.state = 'asked' and e.state = 'released' and not e.is_deleted`,
    ),
    postings: when(
      'exampay_handleup',
      sql`select w.id, w.created_at as since, p.exam_id from pay_posting w join exam_pay p on p.tenant_id = w.tenant_id and p.id = w.pay_id
        where w.state = 'waiting' and p.state in ('due', 'overdue') and w.posted_by <> ${looker.userId} ${duesInScope}`,
    ),
    payAlarms: when(
      'payalarm_close',
      sql`select a.id, a.created_at as since, null::bigint as exam_id from pay_alarm a where a.handled_at is null`,
    ),
    // A day's bill is ready in the morning of the next and is read from half past ten on.
    unreconciled: when(
      'reconciliation_handle',
      sql`select b.id, b.since, null::bigint as exam_id from (
          select id, state, (bill_date + 1)::timestamp at time zone 'Asia/Shanghai' + interval '10 hours 30 minutes' as since from reconciliation_row) b
        where b.state = 0 and b.since <= app_now()`,
    ),
    invoices: when(
      'exampay_invoice',
      sql`select p.id, coalesce(p.paid_time, p.created_at) as since, p.exam_id from exam_pay p where p.is_invoice = 2 and not p.is_deleted ${duesInScope}`,
    ),
    ticketsToRelease: when(
      'ticket_release',
      sql`select i.id, i.updated_at as since, i.exam_id from exam_item i join examination e on e.tenant_id = i.tenant_id and e.id = i.exam_id
        where i.ticket_state = 'made' and not i.is_deleted and e.state = 'released' and not e.is_deleted`,
    ),
    // Whoever brought results in does not release them (2402).
    resultsToRelease: when(
      'result_release',
      sql`select i.id, i.score_import_at as since, i.exam_id from exam_item i join examination e on e.tenant_id = i.tenant_id and e.id = i.exam_id
        where i.score_state = 'imported' and not i.is_deleted and e.state in ('released', 'closed') and not e.is_deleted and i.score_import_by is distinct from ${looker.userId}`,
    ),
    corrections: when(
      'result_edit',
      sql`select id, created_at as since, exam_id from result_correction where state = 'waiting' and created_by <> ${looker.userId}`,
    ),
    // Whoever proposed to disqualify or to restore somebody does not decide on it.
    proposals: when(
      'recheck_uphold',
      sql`select p.id, p.created_at as since, p.exam_id from selection_proposal p join signup s on s.tenant_id = p.tenant_id and s.id = p.signup_id
        join examination e on e.tenant_id = p.tenant_id and e.id = p.exam_id
        where p.created_by <> ${looker.userId} and not s.is_deleted and e.state = 'released' and not e.is_deleted ${inUnits(looker)}`,
    ),
    reductions: when('reduction_edit', sql`select id, since, exam_id from post_to_decide`),
    approvals: when(
      'signup_approve',
      sql`select j.id, j.created_at as since, null::bigint as exam_id from export_job j
        where j.state = 1 and j.approve_right = 'signup_approve' and j.created_by <> ${looker.userId}`,
    ),
    registrations: when(
      'user_audit',
      sql`select id, created_at as since, null::bigint as exam_id from account where status = 0 and not is_deleted ${looker.people === undefined ? sql`` : sql`and ${looker.people}`}`,
    ),
    rechecks: when(
      'recheck_decide',
      sql`select s.id, c.created_at as since, s.exam_id from selection_person p join signup s on s.tenant_id = p.tenant_id and s.id = p.signup_id
        left join lateral (select min(x.created_at) as created_at from selection_call x where x.tenant_id = s.tenant_id and x.signup_id = s.id) c on true
        where s.review_state = 1 and not s.is_deleted ${inReviewUnits(looker)}`,
    ),
    // People who were called or moved up and have not said yet whether they take part: whoever leads the re-review rings them up.
    calls: when(
      'recheck_decide',
      sql`select c.id, c.created_at as since, c.exam_id from selection_call c join signup s on s.tenant_id = c.tenant_id and s.id = c.signup_id
        where c.state = 'waiting' and c.stage = ${stages.recheck} and not s.is_deleted ${inReviewUnits(looker)}`,
    ),
    // Whoever has a site prepares its rooms; who has them all does not go to any.
    rooms:
      looker.sites === undefined
        ? nothing
        : when(
            'examday_mark',
            sql`select distinct on (i.exam_id, i.start_time, t.site_code, t.room_no) t.id, i.start_time as since, i.exam_id
              from ticket t join exam_item i on i.tenant_id = t.tenant_id and i.id = t.item_id join examination e on e.tenant_id = i.tenant_id and e.id = i.exam_id
              where not t.is_deleted and t.ticket_state in ('released', 'downloaded') and t.site_code = any(${[...looker.sites]})
                and i.end_time > app_now() and e.state = 'released' and not e.is_deleted`,
          ),
    // A school helps its own to finish; whoever sees all groups leaves that to the schools.
    groupOpen:
      looker.groups === undefined
        ? nothing
        : when(
            'groupsignup_import',
            sql`select s.id, g.created_at as since, g.exam_id from group_signup g join signup s on s.tenant_id = g.tenant_id and s.id = g.signup_id
        join examination e on e.tenant_id = g.tenant_id and e.id = g.exam_id
        where not s.is_deleted and ${looker.unfinished} and e.state = 'released' and not e.is_deleted
        and g.group_code = any(${[...looker.groups]})`,
          ),
    exports: when(
      'auditlog_view',
      sql`select n as id, w.hour as since, null::bigint as exam_id from watch_tally w cross join lateral generate_series(1, least(w.amount, 1000)) n
        where w.measure = 'exports' and w.hour >= app_now() - interval '7 days'`,
    ),
    // Nobody handles what is about themselves.
    alerts: when(
      'alert_handle',
      sql`select id, created_at as since, null::bigint as exam_id from watch_alert where state in ('new', 'looking') and user_id <> ${looker.userId}`,
    ),
  }
}

export interface MoneyOfToday {
  readonly since: Date
  readonly received: number
  readonly receivedFen: string
  readonly refunded: number
  readonly refundedFen: string
}
/** What was paid, by whichever way, and what went back since midnight in China. */
export const moneyOfToday = (db: TenantDb, dues: RawBuilder<unknown> | undefined): Promise<MoneyOfToday> => {
  const inScope = dues === undefined ? sql`` : sql`and p.id in (select id from exam_pay_row where ${dues})`
  return db.one(sql<MoneyOfToday>`
    with day as (select date_trunc('day', app_now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai' as since),
    received as (select p.paid_fen from exam_pay p, day where p.paid_time >= day.since and not p.is_deleted ${inScope}),
    refunded as (select r.amount_fen from pay_refund r join exam_pay p on p.tenant_id = r.tenant_id and p.id = r.pay_id, day
      where r.success_time >= day.since and r.state = 'succeeded' and not p.is_deleted ${inScope})
    select since, (select count(*)::int from received) as received, (select coalesce(sum(paid_fen), 0)::text from received) as "receivedFen",
      (select count(*)::int from refunded) as refunded, (select coalesce(sum(amount_fen), 0)::text from refunded) as "refundedFen" from day`)
}

/** In how many rooms of their sites somebody has papers to come: several times of a day are one room. */
export const countRooms = async (db: TenantDb, sites: readonly string[]): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(distinct (t.exam_id, t.site_code, t.room_no))::int as count
      from ticket t join exam_item i on i.tenant_id = t.tenant_id and i.id = t.item_id join examination e on e.tenant_id = i.tenant_id and e.id = i.exam_id
      where not t.is_deleted and t.ticket_state in ('released', 'downloaded') and t.site_code = any(${[...sites]})
        and i.end_time > app_now() and e.state = 'released' and not e.is_deleted`)
  ).count

/** How much of each kind waits, in one statement. */
export const countWork = async (db: TenantDb, looker: Looker): Promise<ReadonlyMap<string, Waiting>> => {
  const parts = Object.entries(workOf(looker)).map(
    ([kind, work]) =>
      sql`select ${kind}::text as kind, count(id)::int as count, min(since) as oldest, (array_agg(exam_id order by since, id))[1] as exam_id from (${work}) w`,
  )
  const rows = await db.all(sql<Waiting & { kind: string }>`
    select w.kind, w.count, w.oldest, e.id::text as "examId", e.exam_name as "examName"
    from (${sql.join(parts, sql` union all `)}) w left join examination e on e.tenant_id = ${db.actor.tenantId} and e.id = w.exam_id`)
  return new Map(rows.map(({ kind, ...waiting }) => [kind, waiting]))
}

export interface DeadlineRow {
  readonly examId: string
  readonly examName: string
  readonly kind: string
  readonly paper: string
  readonly papers: number
  readonly time: Date
}

/** What released examinations come to next, of the kinds that matter to whoever looks. */
export const listDeadlines = (db: TenantDb, kinds: readonly string[], limit: number): Promise<DeadlineRow[]> =>
  db.all(sql<DeadlineRow>`
    select e.id::text as "examId", e.exam_name as "examName", d.kind, d.paper, d.papers, d.time
    from examination e cross join lateral (
      values ('signEnd', '', 0, e.sign_end), ('modifyEnd', '', 0, e.modify_end), ('examineEnd', '', 0, e.examine_end), ('payEnd', '', 0, case when e.fee_mode <> 0 then e.pay_end end),
        ('adjustEnd', '', 0, case when e.allow_adjust then e.adjust_end end), ('ticketEnd', '', 0, e.ticket_end), ('msTicketEnd', '', 0, e.ms_ticket_end)
      union all select 'paper', array_to_string((array_agg(i.item_name order by i.sort, i.item_code))[1:2], '、'), count(*)::int, i.start_time from exam_item i
        where i.tenant_id = e.tenant_id and i.exam_id = e.id and not i.is_deleted group by i.start_time
    ) as d(kind, paper, papers, time)
    where e.state = 'released' and not e.is_deleted and d.time > ${db.now} and d.kind = any(${[...kinds]})
    order by d.time, e.id, d.kind limit ${limit}`)

/** Paths of the caller's own menus. */
export const menuPaths = async (db: TenantDb, looker: Looker): Promise<ReadonlySet<string>> => {
  const rows = await db.all(sql<{ path: string }>`
    select distinct m.path from menu m join role_menu rm on rm.tenant_id = m.tenant_id and rm.menu_id = m.id
    where m.category = 1 and not m.is_deleted and m.path <> '' and rm.role_id = any(${[...looker.roleIds]}::bigint[])`)
  return new Set(rows.map(row => row.path))
}

/** What the installation says of itself, beside all tenants. */
export const readInstallation = async (
  db: TenantDb,
): Promise<{ readonly last: LastBackup | undefined; readonly hold: HoldReason | undefined }> => {
  const rows = await db.all(sql<{ key: string; value: LastBackup & HoldReason }>`
    select key, value from installation where key in (${backupKey}, ${holdKey})`)
  const of = (key: string) => rows.find(row => row.key === key)?.value
  return { last: of(backupKey), hold: of(holdKey) }
}
