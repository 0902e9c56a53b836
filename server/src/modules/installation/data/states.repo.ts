import { examMachine, paperScoreStates, postStates } from '#contract/exam/exam.state.ts'
import { definitionStates, flowInstanceMachine, flowTaskMachine } from '#contract/flow/flow.state.ts'
import { leaveMachine } from '#contract/flow/leave.state.ts'
import { exportJobStates } from '#contract/kernel/export-job.state.ts'
import type { States } from '#contract/kernel/machine.ts'
import { noticeMachine } from '#contract/news/notice.state.ts'
import { accountMachine } from '#contract/organisation/account.state.ts'
import { alertMachine } from '#contract/oversight/alert.state.ts'
import { dueMachine, invoiceStates, orderMachine, refundMachine } from '#contract/pay/order.state.ts'
import { waiverMachine } from '#contract/pay/waiver.state.ts'
import { appealMachine } from '#contract/person/appeal.state.ts'
import { verifiedChangeMachine } from '#contract/person/verified-change.state.ts'
import { reductionMachine, transferMachine } from '#contract/reduction/reduction.state.ts'
import { runStates } from '#contract/report/run.state.ts'
import { recheckMachine as scoreRecheckMachine } from '#contract/result/recheck.state.ts'
import {
  callMachine,
  disqualificationMachine,
  objectionStates,
  recheckMachine,
  restorationMachine,
  stepMachine,
} from '#contract/selection/selection.state.ts'
import { integrityMachine } from '#contract/signup/integrity.state.ts'
import { signupMachine } from '#contract/signup/signup.state.ts'
import { accommodationMachine } from '#contract/ticket/accommodation.state.ts'
import { healthStates } from '#contract/ticket/health.state.ts'
import { seatingMachine, ticketMachine } from '#contract/ticket/ticket.state.ts'
import { violationMachine } from '#contract/ticket/violation.state.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'
import type { SqlInvariant } from '#kernel/invariant.ts'

/** Where the states of the contract are stored: by their names, or by their numbers on the wire. */
export interface StoredStates {
  readonly states: States<string>
  readonly table: string
  readonly column: string
  readonly by: 'name' | 'number'
  /** Columns that are filled on the way into a state, and stay so in it. */
  readonly needs?: Readonly<Record<string, string>>
  readonly page?: string
}

/** Says who changed a row that no page of its own shows. */
const trail = '/monitor/audit'

const byName = (
  states: States<string>,
  table: string,
  column: string,
  page?: string,
  needs?: Readonly<Record<string, string>>,
): StoredStates => ({
  states,
  table,
  column,
  by: 'name',
  ...(page === undefined ? {} : { page }),
  ...(needs === undefined ? {} : { needs }),
})
const byNumber = (states: States<string>, table: string, column: string, page?: string): StoredStates => ({
  states,
  table,
  column,
  by: 'number',
  ...(page === undefined ? {} : { page }),
})

/** Every set of states of the contract; the sweep over invariants names one that is missing. */
export const storedStates: readonly StoredStates[] = [
  byName(examMachine, 'examination', 'state', '/exam/examination'),
  byName(seatingMachine, 'exam_item', 'ticket_state'),
  byName(paperScoreStates, 'exam_item', 'score_state'),
  byNumber(postStates, 'type_code', 'post_state'),
  byName(appealMachine, 'identity_appeal', 'state', undefined, { upheld: 'check_time', refused: 'check_time' }),
  byName(verifiedChangeMachine, 'verified_change', 'state', undefined, { passed: 'check_time', refused: 'check_time' }),
  byName(leaveMachine, 'leave_request', 'state', '/work/send'),
  byName(flowInstanceMachine, 'flow_instance', 'state', '/flow/follow'),
  byName(flowTaskMachine, 'flow_task', 'state', '/flow/follow'),
  byName(definitionStates, 'flow_definition', 'state', '/flow/manager'),
  byNumber(runStates, 'report_run', 'state'),
  byNumber(exportJobStates, 'export_job', 'state'),
  byName(waiverMachine, 'fee_waiver', 'state'),
  byName(orderMachine, 'pay_order', 'state', '/pay/payOrder', { paid: 'paid_fen' }),
  byName(dueMachine, 'exam_pay', 'state'),
  byName(refundMachine, 'pay_refund', 'state', '/pay/payRefund'),
  byNumber(invoiceStates, 'exam_pay', 'is_invoice'),
  byNumber(accountMachine, 'account', 'status', '/system/user'),
  byName(scoreRecheckMachine, 'score_recheck', 'state'),
  byNumber(noticeMachine, 'notice', 'state'),
  byName(integrityMachine, 'integrity_case', 'state'),
  byName(signupMachine, 'signup', 'examine'),
  byName(ticketMachine, 'ticket', 'ticket_state', undefined, { released: 'released_at', downloaded: 'released_at' }),
  byName(violationMachine, 'exam_violation', 'state'),
  byName(accommodationMachine, 'accommodation', 'state'),
  byNumber(healthStates, 'ticket_health', 'state'),
  byName(alertMachine, 'watch_alert', 'state'),
  byName(reductionMachine, 'post_reduction', 'state', undefined, { published: 'published_at' }),
  byName(transferMachine, 'reduction_name', 'state'),
  byNumber(recheckMachine, 'signup', 'review_state'),
  byName(restorationMachine, 'selection_restoration', 'state'),
  byName(disqualificationMachine, 'selection_disqualification', 'state'),
  byName(stepMachine, 'selection_person', 'step'),
  byName(callMachine, 'selection_call', 'state', undefined, { confirmed: 'answered_at', declined: 'answered_at' }),
  byNumber(objectionStates, 'selection_objection', 'state'),
]

/** Every value that the states allow, as the column has it. */
export const valuesOf = ({ states, by }: StoredStates): readonly string[] =>
  by === 'name' ? Object.keys(states.wire) : Object.values<number>(states.wire).map(String)

/** One pass over the table for a value that is none, or a state without what leads to it. */
const brokenOf = (of: StoredStates): RawBuilder<unknown> => {
  const [table, column, empty] = [sql.raw(of.table), sql.raw(of.column), Object.entries(of.needs ?? {})]
  const allowed = of.by === 'name' ? valuesOf(of) : valuesOf(of).map(Number)
  const unknown = of.by === 'name' ? sql`t.${column} <> all(${allowed}::text[])` : sql`t.${column} <> all(${allowed}::int[])`
  const without = empty.map(([state, needed]) => sql`when t.${column} = ${state} and t.${sql.raw(needed)} is null then ${needed}::text`)
  const wanted = sql`case when ${unknown} then ${valuesOf(of).join(' | ')}::text ${without.length === 0 ? sql.raw('') : sql.join(without, sql` `)} end`
  return sql`
    select ${`${of.table} `}::text || t.id as id, ${`${of.table} `}::text || t.id as name, ${`${of.column} `}::text || t.${column} as found, ${wanted} as expected
    from ${table} t where ${wanted} is not null`
}

/** States that cannot be, derived from the states of the contract. */
export const statesInvariant: SqlInvariant = {
  name: 'installation.states',
  label: { zh: '状态取值', en: 'States that can be' },
  means: {
    zh: '记录处于不存在的状态，或缺少进入该状态时应写入的内容：页面和流程会在它这里停住。',
    en: 'A record is in a state that does not exist, or lacks what is written on the way into it: screens and steps stop at it.',
  },
  watches: [...new Set(storedStates.map(({ table, column }) => `${table}.${column}`))],
  page: rowId => storedStates.find(({ table }) => rowId.startsWith(`${table} `))?.page ?? trail,
  by: 'tenant',
  broken: () => sql.join(storedStates.map(brokenOf), sql` union all `),
}
