import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'

// Whoever cannot act any more gives up what they hold (`Holding`). A column that names an account is therefore one that a holding declares, or stands
// here: as a fact about the past, as the person whom the row is about, or as no account at all. A new column is in none of them and fails.

/** Who did something: it stays true when they have left. */
const facts = [
  'account_hand.by_id',
  ...['api_log.user_id', 'audit_log.user_id', 'audit_pending.user_id', 'error_log.user_id', 'login_log.user_id', 'idempotency.user_id'],
  ...['exam_item.score_import_by', 'exam_item.score_release_by', 'exam_pay.confirmed_by', 'exam_pay.posted_by', 'examination.close_by'],
  ...['examination.release_by', 'examine_record.examiner_id', 'examine_record.undone_by', 'file_move.started_by', 'flow_copy.from_user'],
  ...[
    'flow_history.actor',
    'flow_history.assignee',
    'flow_instance.decided_by',
    'flow_instance.start_user',
    'flow_task.ended_by',
    'flow_task.not_for',
  ],
  ...[
    'identity_appeal.check_user_id',
    'invariant_run.started_by',
    'job_instance.started_by',
    'pay_alarm.handled_by',
    'pay_bill_difference.handle_by',
  ],
  ...['pay_order.closed_by', 'pay_posting.confirmed_by', 'pay_posting.posted_by', 'pay_record_main.undone_by', 'pay_refund.apply_by'],
  ...['pay_refund.approve_by', 'post_reduction.published_by', 'report_run.user_id', 'result_release.ordered_by', 'reveal_log.viewer_id'],
  ...[
    'score_recheck.answered_by',
    'send_pay.sure_user',
    'send_task.approve_user',
    'setup_try.tried_by',
    'signup.photo_by',
    'signup.review_user',
  ],
  ...['signup.reviewer1_id', 'signup.reviewer2_id', 'stored_file.user_id', 'ticket_health.check_user_id', 'verified_change.check_user_id'],
  ...[
    'integrity_case.statement_by',
    'selection_disqualification.statement_by',
    'selection_objection.statement_by',
    'selection_objection.user_id',
    'two_person_act.began_by',
    'two_person_act.second_by',
    'watch_alert.user_id',
    'watch_alert_step.user_id',
    'watch_pending.user_id',
    'watch_tally.user_id',
    'notice_read.user_id',
    'notice_read_former.user_id',
  ],
]
/** Who has decided, voided, closed: something done, nothing that waits. */
const decided = /\.[a-z_]*ed_by$/
/** Whose the row is: candidates, people as people, and what goes with the account. */
const owners = [
  ...[
    'accommodation.user_id',
    'exam_pay.user_id',
    'examine_record.user_id',
    'fee_waiver.user_id',
    'group_signup.user_id',
    'integrity_case.user_id',
  ],
  ...[
    'leave_request.user_id',
    'pay_order.user_id',
    'pay_refund.user_id',
    'reduction_name.user_id',
    'result.user_id',
    'reveal_log.owner_id',
  ],
  ...['score_leaf.user_id', 'score_recheck.user_id', 'score_total.user_id', 'seat_leaf.user_id', 'selection_call.user_id'],
  ...[
    'selection_disqualification.user_id',
    'selection_person.user_id',
    'selection_step.user_id',
    'signup_draft.user_id',
    'signup_history.user_id',
  ],
  ...[
    'sms_message.user_id',
    'stored_file.owner_id',
    'ticket.user_id',
    'ticket_down.user_id',
    'ticket_health.user_id',
    'ticket_notice_read.user_id',
  ],
  ...[
    'flow_copy.user_id',
    'account_closing.user_id',
    'account_dept.user_id',
    'account_role.user_id',
    'account_hand.account_id',
    'device_try.user_id',
    'exam_subscription.user_id',
  ],
  ...[
    'login_ticket.user_id',
    'notify.user_id',
    'person_notice.user_id',
    'person_fact.user_id',
    'recovery_code.user_id',
    'report_reader.user_id',
    'second_factor.user_id',
  ],
  ...[
    'session.user_id',
    'signup.user_id',
    'signup_intent.user_id',
    'social_account.user_id',
    'user_setting.user_id',
    'identity_appeal.user_id',
  ],
  ...['verified_change.user_id'],
]
/** The variable of a process that ends with its task; the task itself is a holding. */
const copies = ['leave_request.task_user']
/** Names of rows of other tables. */
const elsewhere =
  /\.(?:proof_file_id|avatar_file_id|card_back_file_id|card_front_file_id|dept_ids|ancestor_ids|parent_id|file_id|session_id|audit_id|menu_id|exam_id|item_id|item_ids|main_id|order_id|voucher_file_id|evidence_file_ids|first_signature_file_id|second_signature_file_id|cover_file_id|notice_id|sample_file_id|deployment_id|task_id|business_id|definition_id|root_id|import_id|error_file_id|source_id|placeholder|social_id|cover_id|pay_id|refund_id|approve_file_id|signup_id|school_id|row_id|other_id|send_id|send_pay_id|packages_id|files_id|items_id|photo_file_id|signature_file_id|provider_row_id|storage_id|datasource_id|package_id|pdf_file_id|entity_id|health_code_file_id|test_report_file_id|travel_code_file_id|dept_id)$/
const noAccounts = ['waiting_room_claim.owner']

let t: TestApp
let owner: pg.Client
beforeAll(async () => {
  t = await startTestApp()
  owner = await t.owner()
})
afterAll(() => t.close())

/** Columns that can name an account, by their type and name; one that refers to another table names a row of that. */
const candidates = async (): Promise<readonly string[]> => {
  const { rows } = await owner.query<{ at: string }>(`
    select c.table_name || '.' || c.column_name as at from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and (
      c.udt_name in ('int8', '_int8') and c.column_name not in ('id', 'created_by', 'updated_by')
        and c.column_name ~ '(_id|_ids|_by|_user|_for|actor|assignee|owner|reviewer|holder|handler|head|chief|manager|leader)$' and not exists (
          select 1 from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any(k.conkey) and a.attname = c.column_name
            join pg_class r on r.oid = k.conrelid and r.relnamespace = 'public'::regnamespace and r.relname = c.table_name
          where k.contype = 'f' and k.confrelid <> 'public.account'::regclass)
      or c.udt_name in ('varchar', 'text', 'jsonb', '_text')
        and c.column_name ~ '(user_ids?|leader_id|manager|people|person|reader|owner|holder|handler|receiver|approver|reviewer_id|assignee|^ref)s?$')
    order by 1`)
  return rows.map(({ at }) => at)
}

test('a column that names an account as who has open work is declared as what a person holds', async () => {
  const declared = new Set(t.app.modules.organisation.allHoldings().flatMap(({ columns }) => columns))
  const known = new Set([...declared, ...facts, ...owners, ...copies, ...noAccounts])
  const found = await candidates()
  expect(found.length).toBeGreaterThan(150)
  expect(found.filter(at => !known.has(at) && !decided.test(at) && !elsewhere.test(at))).toEqual([])
  // Nothing is listed that is gone, or that is declared after all.
  const there = new Set(found)
  const candidatesOfPeople = [...facts, ...owners, ...copies, ...noAccounts]
  expect(candidatesOfPeople.filter(at => declared.has(at))).toEqual([])
  expect([...declared].filter(at => !there.has(at))).toEqual([])
})

test('a new table whose column names who does the work is met by itself', async () => {
  await owner.query('begin')
  await owner.query('create table public.duty_rota (tenant_id varchar(12), id bigint, on_duty_user bigint)')
  expect(await candidates()).toContain('duty_rota.on_duty_user')
  await owner.query('rollback')
})

test('each kind has one name, lasting words in both languages, and rows that say what is asked of them', async () => {
  const all = t.app.modules.organisation.allHoldings()
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  for (const { label, pool } of all)
    for (const words of [label, pool]) {
      expect(words.zh).toMatch(/[\u4e00-\u9fff]/)
      expect(words.en).toMatch(/^[A-Z]/)
    }
  const tenant = await t.tenant()
  for (const holding of all) expect(await tenant.rows(holding.rows())).toEqual([])
})
