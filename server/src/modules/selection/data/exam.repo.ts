import type { RulePolicy } from '#contract/selection/words.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export const findRule = (db: TenantDb, examId: string): Promise<RulePolicy | undefined> =>
  db.maybe(sql<RulePolicy>`
    select confirm_hours as "confirmHours", substitute, medical_ask_days as "medicalAskDays", medical_done_days as "medicalDoneDays", contacts
    from selection_rule where exam_id = ${examId}`)
export const storeRule = async (db: TenantDb, examId: string, rule: RulePolicy): Promise<void> => {
  await db.run(sql`
    insert into selection_rule (tenant_id, exam_id, confirm_hours, substitute, medical_ask_days, medical_done_days, contacts, updated_by)
    values (${db.actor.tenantId}, ${examId}, ${rule.confirmHours}, ${rule.substitute}, ${rule.medicalAskDays}, ${rule.medicalDoneDays}, ${rule.contacts}, ${db.actor.userId})
    on conflict (tenant_id, exam_id) do update set confirm_hours = excluded.confirm_hours, substitute = excluded.substitute, medical_ask_days = excluded.medical_ask_days,
      medical_done_days = excluded.medical_done_days, contacts = excluded.contacts, updated_by = excluded.updated_by, updated_at = app_now()`)
}

/** Papers of the examination whose results are not released: the written ones, or all. */
export const listUnreleased = async (db: TenantDb, examId: string, withInterview: boolean): Promise<string[]> =>
  (
    await db.all(sql<{ name: string }>`
      select item_name as name from exam_item
      where exam_id = ${examId} and not is_deleted and score_state <> 'released' and (${withInterview} or item_type = 1)
        and anybody_sits(tenant_id, exam_id, id, type_codes, item_code, ticket_state in ('released', 'ended')) order by sort, item_code`)
  ).map(({ name }) => name)

/** Whether interview tickets are out: then nobody moves up any more (domain 4.3). */
export const areInterviewTicketsOut = async (db: TenantDb, examId: string): Promise<boolean> =>
  (await db.maybe(sql`
    select 1 from exam_item where exam_id = ${examId} and not is_deleted and item_type = 2 and ticket_state in ('released', 'ended') limit 1`)) !==
  undefined

/** Whether somebody has decided on this sign-up at the first or second level. */
export const hasReviewed = async (db: TenantDb, signupId: string, userId: string): Promise<boolean> =>
  (await db.maybe(sql`
    select 1 from examine_record where signup_id = ${signupId} and examiner_id = ${userId} and level in (1, 2) and not undone limit 1`)) !==
  undefined
