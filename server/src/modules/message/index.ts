import { maskPhone } from '#contract/mask.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { Handler } from '#kernel/http/context.ts'
import { enqueue, type Task } from '#kernel/queue/outbox.ts'
import type { Services } from '#server/services.ts'
import { messageHandlers } from './http.ts'
import { type SmsProvider, smsProviderOf } from './providers/sms.ts'
import { type SmsTemplate, smsSegments, smsText } from './templates/sms.ts'

export interface Notice {
  readonly userId: string
  readonly examId: string | null
  /** 1 examine result, 2 pay, 3 ticket, 4 score, 5 post change, 6 re-review, 7 system. */
  readonly kind: 1 | 2 | 3 | 4 | 5 | 6 | 7
  readonly title: { readonly zh: string; readonly en: string }
  readonly content: { readonly zh: string; readonly en: string }
  readonly link: string
  readonly needSure?: boolean
  /** Names the event: a second notice with the same key is not written. */
  readonly eventKey: string
}

export interface MessageModule {
  readonly handlers: readonly Handler[]
  /** Writes a personal notice as part of the transaction; false when the event was noticed already. */
  readonly notify: (db: TenantDb, notice: Notice) => Promise<boolean>
  /** Orders a text message as part of the transaction. The phone is stored sealed. */
  readonly sendSms: (
    db: TenantDb,
    message: { phone: string; template: SmsTemplate; params: Readonly<Record<string, string>>; userId: string | null },
  ) => Promise<void>
  /** The same to the verified phone of an account; nothing when the account has none. */
  readonly sendSmsTo: (db: TenantDb, userId: string, template: SmsTemplate, params: Readonly<Record<string, string>>) => Promise<void>
  readonly tasks: readonly Task[]
}

export const createMessageModule = (services: Services, provider: SmsProvider = smsProviderOf()): MessageModule => {
  const { cipher, scopes } = services
  const sendSms: MessageModule['sendSms'] = async (db, { phone, template, params, userId }) => {
    const content = smsText(template, params)
    const { id } = await db.one(sql<{ id: string }>`select next_id()::text as id`)
    await db.run(sql`
      insert into sms_message (tenant_id, id, user_id, template, phone_sealed, phone_mask, content, segments)
      values (${db.actor.tenantId}, ${id}, ${userId}, ${template}, ${cipher.seal(db.actor.tenantId, { table: 'sms_message', column: 'phone_sealed', rowId: id }, phone)},
        ${maskPhone(phone)}, ${content}, ${smsSegments(content)})`)
    await enqueue(db, 'message.send-sms', { id })
  }
  return {
    handlers: messageHandlers(),
    notify: async (db, notice) =>
      (await db.run(sql`
        insert into notify (tenant_id, user_id, exam_id, kind, title_zh, title_en, content_zh, content_en, link, need_sure, event_key)
        values (${db.actor.tenantId}, ${notice.userId}, ${notice.examId}, ${notice.kind}, ${notice.title.zh}, ${notice.title.en}, ${notice.content.zh},
          ${notice.content.en}, ${notice.link}, ${notice.needSure ?? false}, ${notice.eventKey})
        on conflict (tenant_id, user_id, event_key) do nothing`)) === 1,
    sendSms,
    sendSmsTo: async (db, userId, template, params) => {
      const row = await db.maybe(sql<{ phone: Buffer | null }>`select phone_sealed as phone from account where id = ${userId}`)
      if (!row?.phone) return
      const phone = cipher.open(db.actor.tenantId, { table: 'account', column: 'phone_sealed', rowId: userId }, row.phone)
      await sendSms(db, { phone, template, params, userId })
    },
    tasks: [
      {
        name: 'message.send-sms',
        maxAttempts: 5,
        run: async (payload: { tenantId: string; id?: string }) => {
          const actor = systemOf(payload.tenantId)
          const row = await scopes.tx(actor, services.clock.now(), db =>
            db.maybe(
              sql<{
                phone: Buffer
                content: string
              }>`select phone_sealed as phone, content from sms_message where id = ${payload.id} and state = 0`,
            ),
          )
          if (!row || payload.id === undefined) return
          const phone = cipher.open(payload.tenantId, { table: 'sms_message', column: 'phone_sealed', rowId: payload.id }, row.phone)
          const sent = await provider.send({ phone, content: row.content, requestId: payload.id })
          await scopes.tx(actor, services.clock.now(), db =>
            db.run(sql`
              update sms_message set state = ${sent.ok ? 1 : 3}, provider = ${provider.name}, provider_id = ${sent.ok ? sent.id : null},
                fail_reason = ${sent.ok ? null : sent.reason}, sent_at = app_now()
              where id = ${payload.id} and state = 0`),
          )
        },
      } satisfies Task<{ id?: string }> as Task,
    ],
  }
}
export type { SmsTemplate }
