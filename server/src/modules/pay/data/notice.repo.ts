import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface NewNotice {
  readonly noticeId: string
  readonly eventType: string
  readonly subjectNo: string | null
  readonly body: string
}
/** Keeps a notice of the provider as it came; a repeat is counted. */
export const keepNotice = async (db: TenantDb, notice: NewNotice): Promise<void> => {
  await db.run(sql`
    insert into pay_notice (tenant_id, notice_id, event_type, subject_no, body)
    values (${db.actor.tenantId}, ${notice.noticeId}, ${notice.eventType}, ${notice.subjectNo}, ${notice.body})
    on conflict (tenant_id, notice_id) do update set received_count = pay_notice.received_count + 1, updated_at = app_now()`)
}

/** The first outcome tells what the notice did; its repeats did nothing. */
export const writeOutcome = async (db: TenantDb, noticeId: string, outcome: string): Promise<void> => {
  await db.run(sql`update pay_notice set outcome = ${outcome} where notice_id = ${noticeId} and (outcome is null or outcome = 'repeat')`)
}
