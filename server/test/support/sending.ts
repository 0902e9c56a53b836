import { sql } from '#kernel/db/sql.ts'
import type { Person, TestApp, TestTenant } from './app.ts'
import { type BuiltExam, buildExam } from './factories.ts'
import { switchedOn } from './sms.ts'

export const send = '/blade-send/send'

export interface SendScene {
  readonly tenant: TestTenant
  readonly admin: Person
  readonly officer: Person
  readonly built: BuiltExam
  /** For text and in-app messages; number SMS_900200001 at the emulator. */
  readonly templateId: string
  /** Somebody who has passed. */
  candidate(phone: string, of?: { name?: string; examine?: string; payState?: string; unit?: string }): Promise<Person>
}

/** An examination, a service that is on, the reminder of payments as a template, and so many parts. */
export const sendScene = async (t: TestApp, parts = 1_000): Promise<SendScene> => {
  const tenant = await t.tenant()
  const built = await buildExam(tenant, {})
  const admin = await tenant.staff('admin')
  const officer = await tenant.staff('exam_admin')
  await switchedOn(t, admin, '3')
  const [template] = await tenant.rows(sql<{ id: string }>`
    insert into send_template (tenant_id, code, name, scene, title, content, title_en, content_en, template_id)
    values (${tenant.tenantId}, 'pay-soon', '缴费提醒', 'batch', '缴费即将截止', '\${name}您好，\${exam}缴费将于\${deadline}截止，逾期未缴费视为自动放弃。'::text,
      'Payment ends soon', '\${name}, payments of \${exam} end at \${deadline}.', 'SMS_900200001') returning id::text as id`)
  if (parts > 0)
    await tenant.rows(sql`insert into send_account (tenant_id, balance) values (${tenant.tenantId}, ${parts}) returning balance`)
  let number = 0
  return {
    tenant,
    admin,
    officer,
    built,
    templateId: template?.id ?? '',
    candidate: async (phone, { name = '王测', examine = 'passed', payState = 'due', unit = 'H01' } = {}) => {
      const person = await tenant.candidate({ phone, realName: name })
      number += 1
      await tenant.rows(sql`
        insert into signup (tenant_id, exam_id, user_id, code, type, unit, examine, name, id_card_mask, sign_no, sign_version, pay_state)
        values (${tenant.tenantId}, ${built.examId}, ${person.userId}, 'B001', 'B', ${unit}, ${examine}, ${name}, '3301**********301X', ${`2026${String(number).padStart(6, '0')}`}, 1, ${payState})
        returning id`)
      return person
    },
  }
}

/** Every message of a task, as a test compares them. */
export const messagesOf = (tenant: TestTenant, sendId: string) =>
  tenant.rows(sql<{ state: number; kind: string | null; segs: number; content: string }>`
    select state, fail_kind as kind, segments as segs, content from sms_message where send_id = ${sendId} order by id`)
export const balanceOf = (tenant: TestTenant) =>
  tenant.rows(sql<{ balance: number; frozen: number }>`select balance, frozen from send_account`).then(rows => rows[0])
export const ledgerOf = (tenant: TestTenant) =>
  tenant.rows(sql<{ kind: string; parts: number }>`select kind, parts from send_ledger order by id`)
