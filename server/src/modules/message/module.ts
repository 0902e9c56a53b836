import { maskPhone } from '#contract/kernel/mask.ts'
import { toWireDay } from '#contract/kernel/when.ts'
import { newId } from '#kernel/db/new-id.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import type { Ctx, Handler } from '#kernel/http/context.ts'
import { enqueue, type Task } from '#kernel/queue/outbox.ts'
import type { Services } from '#server/services.ts'
import { type BudgetNews, budgetOf, refuseBeyondBudget, takeFromBudget } from './budget.ts'
import {
  confirmNotice,
  countUnread,
  insertNotice,
  insertNotices,
  listLatest,
  type Notice,
  type NotifyTab,
  notifyTabs,
  sendNotice,
} from './data/notify.repo.ts'
import {
  failForBudget,
  giveToProvider,
  insertSms,
  listAdministrators,
  lockWaiting,
  phoneOf,
  storeOutcome,
  type WaitingSms,
} from './data/sms.repo.ts'
import { messageHandlers, presentMessage } from './http.ts'
import { type SmsProvider, smsProviderOf } from './providers/sms.ts'
import { byDay } from './quiet.ts'
import { type SmsTemplate, smsSegments, smsText } from './templates/sms.ts'

/** A tab of the popover with messages. */
export interface MessageTab {
  readonly tab: NotifyTab
  readonly unreadCount: number
  readonly total: number
  readonly records: readonly ReturnType<typeof presentMessage>[]
}

export interface MessageModule {
  readonly handlers: readonly Handler[]
  /** Writes a personal notice as part of the transaction; false when the event was noticed already. */
  readonly notify: (db: TenantDb, notice: Notice) => Promise<boolean>
  /** The same where nobody asks whether it was. */
  readonly sendNotice: (db: TenantDb, notice: Notice) => void
  /** The same to many people at once. @returns how many had not been told of the event */
  readonly notifyAll: (db: TenantDb, userIds: readonly string[], notice: Omit<Notice, 'userId'>) => Promise<number>
  /** The actor's newest messages of each tab, with the numbers of the tab. */
  readonly latest: (ctx: Ctx, db: TenantDb, perTab: number) => Promise<readonly MessageTab[]>
  /** @returns when the actor confirmed this message of theirs, now or before; undefined where there is none to confirm */
  readonly confirm: (db: TenantDb, id: string) => Promise<Date | undefined>
  /** Orders a text message as part of the transaction. The phone is stored sealed. */
  readonly sendSms: (
    db: TenantDb,
    message: { phone: string; template: SmsTemplate; params: Readonly<Record<string, string>>; userId: string | null; canWait?: boolean },
  ) => Promise<void>
  /** The same for somebody who waits for it: refused when the day's budget of the tenant is used up. */
  readonly sendCode: MessageModule['sendSms']
  /** The same to the verified phone of an account; nothing when the account has none. */
  readonly sendSmsTo: (db: TenantDb, userId: string, template: SmsTemplate, params: Readonly<Record<string, string>>) => Promise<void>
  /** The same for what wakes nobody up: between 22:00 and 8:00 it waits for the morning. */
  readonly sendSmsByDay: MessageModule['sendSmsTo']
  /** Personal notices that the actor has not read. */
  readonly countUnread: (db: TenantDb) => Promise<number>
  readonly tasks: readonly Task[]
}

const budgetParameter = 'sms.dailyBudget'
const budgetNews: Readonly<Record<BudgetNews, Pick<Notice, 'title' | 'content'>>> = {
  nearlyUsed: {
    title: { zh: '今日短信额度已用 80%', en: '80 % of the text messages of today are used' },
    content: {
      zh: '额度用完后，今日不再发送短信（含登录验证码）。可在系统参数 sms.dailyBudget 中调整。',
      en: 'When all are used, nothing more is sent today, login codes included. The parameter sms.dailyBudget changes it.',
    },
  },
  usedUp: {
    title: { zh: '今日短信额度已用完', en: 'The text messages of today are used up' },
    content: {
      zh: '今日不再发送短信（含登录验证码），站内通知不受影响。请核查是否有异常发送；可在系统参数 sms.dailyBudget 中调整。',
      en: 'Nothing more is sent today, login codes included; in-app notices go on. Look for unusual sending; the parameter sms.dailyBudget changes it.',
    },
  },
}

export const createMessageModule = (
  services: Services,
  parametersOf: (db: TenantDb, keys: readonly string[]) => Promise<Readonly<Record<string, string>>>,
  provider: SmsProvider = smsProviderOf(),
): MessageModule => {
  const { cipher, scopes } = services
  const sendSms: MessageModule['sendSms'] = async (db, { phone, template, params, userId, canWait }) => {
    const content = smsText(template, params)
    const id = await newId(db)
    const phoneSealed = cipher.seal(db.actor.tenantId, { table: 'sms_message', column: 'phone_sealed', rowId: id }, phone)
    await insertSms(db, { id, userId, template, phoneSealed, phoneMask: maskPhone(phone), content, segments: smsSegments(content) })
    await enqueue(db, 'message.send-sms', { id }, canWait === true ? { runAt: byDay(db.now) } : {})
  }
  const sendToAccount = async (
    db: TenantDb,
    [userId, template, params]: [string, SmsTemplate, Readonly<Record<string, string>>],
    canWait: boolean,
  ): Promise<void> => {
    const sealed = await phoneOf(db, userId)
    if (!sealed) return
    const phone = cipher.open(db.actor.tenantId, { table: 'account', column: 'phone_sealed', rowId: userId }, sealed)
    await sendSms(db, { phone, template, params, userId, canWait })
  }
  const dailyBudget = async (db: TenantDb): Promise<number> => budgetOf((await parametersOf(db, [budgetParameter]))[budgetParameter])

  /** The administrators of the tenant, once a day for each piece of news. */
  const tellAdministrators = async (db: TenantDb, news: BudgetNews): Promise<void> => {
    for (const userId of await listAdministrators(db))
      await insertNotice(db, {
        ...budgetNews[news],
        userId,
        examId: null,
        kind: 7,
        link: '/wel/index',
        eventKey: `sms-budget:${toWireDay(db.now)}:${news}`,
      })
    if (news === 'usedUp') services.log.warn({ tenant: db.actor.tenantId }, 'daily budget of text messages used up')
  }

  /** What is to be sent, with its parts taken from the budget; undefined when it was sent, or may not be. A repeated task takes no parts again. */
  const reserve = async (db: TenantDb, id: string): Promise<WaitingSms | undefined> => {
    const row = await lockWaiting(db, id)
    if (!row || row.provider !== null) return row
    const { may, news } = await takeFromBudget(db, row.segments, await dailyBudget(db))
    if (news) await tellAdministrators(db, news)
    await (may ? giveToProvider(db, id, provider.name) : failForBudget(db, id))
    return may ? row : undefined
  }

  return {
    handlers: messageHandlers(),
    notify: insertNotice,
    sendNotice,
    notifyAll: insertNotices,
    latest: async (ctx, db, perTab) => {
      const rows = await listLatest(db, perTab)
      return notifyTabs.map(tab => {
        const own = rows.filter(row => row.tab === tab)
        return {
          tab,
          unreadCount: own[0]?.unread ?? 0,
          total: own[0]?.total ?? 0,
          records: own.map(row => presentMessage(ctx, row)),
        }
      })
    },
    confirm: confirmNotice,
    sendSms,
    sendCode: async (db, message) => {
      await refuseBeyondBudget(db, smsSegments(smsText(message.template, message.params)), await dailyBudget(db))
      await sendSms(db, message)
    },
    countUnread,
    sendSmsTo: (db, ...of) => sendToAccount(db, of, false),
    sendSmsByDay: (db, ...of) => sendToAccount(db, of, true),
    tasks: [
      {
        name: 'message.send-sms',
        maxAttempts: 5,
        run: async (payload: { tenantId: string; id?: string }) => {
          const actor = systemOf(payload.tenantId)
          const { id } = payload
          if (id === undefined) return
          const row = await scopes.tx(actor, services.clock.now(), db => reserve(db, id))
          if (!row) return
          const phone = cipher.open(payload.tenantId, { table: 'sms_message', column: 'phone_sealed', rowId: id }, row.phone)
          const sent = await provider.send({ phone, content: row.content, requestId: id })
          await scopes.tx(actor, services.clock.now(), db => storeOutcome(db, id, provider.name, sent))
        },
      } satisfies Task<{ id?: string }> as Task,
    ],
  }
}
