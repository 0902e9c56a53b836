import type { Label } from '#contract/kernel/label.ts'
import { maskPhone } from '#contract/kernel/mask.ts'
import type { Subject } from '#contract/kernel/proposals.ts'
import { fitParams, longestMessage, maskSecrets } from '#contract/message/fit.ts'
import { refuseMessage } from '#contract/message/message.errors.ts'
import { smsSegments } from '#contract/message/wording.ts'
import { newId } from '#kernel/db/new-id.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { StorageFault } from '#kernel/files/storage-fault.ts'
import { type Ctx, type Handler, Refused } from '#kernel/http/context.ts'
import type { Invariant } from '#kernel/invariant.ts'
import { enqueue, type Task } from '#kernel/queue/outbox.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import type { Services } from '#server/services.ts'
import { refuseBeyondBudget } from './budget.ts'
import { tellOfStorage } from './commands/alarm.ts'
import { dailyBudget } from './commands/budget-news.ts'
import { codeTemplate, raiseSendProblem, type SendProblem, sendProblem } from './commands/code-problem.ts'
import { receiveRecharge } from './commands/recharge.ts'
import { sendTrialCode } from './commands/send-trial-code.ts'
import { toldAt } from './commands/told.ts'
import { messageInvariants } from './data/invariants.repo.ts'
import {
  confirmNotice,
  countUnread,
  insertNotice,
  insertNotices,
  insertNoticesOfEach,
  listLatest,
  type Notice,
  type NotifyTab,
  notifyTabs,
  sendNotice,
} from './data/notify.repo.ts'
import { type BilledOrder, hasBilledOrders, listBilledOrders } from './data/recharge.repo.ts'
import { insertSms, phoneOf } from './data/sms.repo.ts'
import { findSceneTemplate } from './data/template.repo.ts'
import { insertPersonNotice } from './data/told.repo.ts'
import type { MessageDeps, MessageKit, RechargePayment } from './deps.ts'
import { quietUntil } from './domain/quiet.ts'
import { messageHandlers, presentMessage } from './http.ts'
import { sendHandlers } from './http-send.ts'
import { peopleImport } from './imports/people-import.ts'
import { messageTasks, receiptProcessor, rechargeProcessor, validityProcessor } from './jobs/tasks.ts'
import { createSmsServices } from './providers/accounts.ts'
import type { SmsGateway } from './providers/gateway.ts'
import { productSign, type SmsTemplate, signedText, smsText } from './templates/sms.ts'

/** A tab of the popover with messages. */
export interface MessageTab {
  readonly tab: NotifyTab
  readonly unreadCount: number
  readonly total: number
  readonly records: readonly ReturnType<typeof presentMessage>[]
}

export interface MessageModule {
  readonly handlers: readonly Handler[]
  readonly invariants: readonly Invariant[]
  /** Tells administrators that files cannot be stored or read, once a day for each kind of fault. */
  readonly tellOfStorage: (fault: StorageFault, tenantId: string | undefined) => Promise<void>
  /** Writes a personal notice as part of the transaction; false when the event was noticed already. */
  readonly notify: (db: TenantDb, notice: Notice) => Promise<boolean>
  /** The same where nobody asks whether it was. */
  readonly sendNotice: (db: TenantDb, notice: Notice) => void
  /** The same to many people at once. @returns how many had not been told of the event */
  readonly notifyAll: (db: TenantDb, userIds: readonly string[], notice: Omit<Notice, 'userId'>) => Promise<number>
  /** The same where each of them has an event of their own. */
  readonly notifyEach: (
    db: TenantDb,
    to: readonly Pick<Notice, 'userId' | 'eventKey'>[],
    notice: Omit<Notice, 'userId' | 'eventKey'>,
  ) => Promise<number>
  /** The actor's newest messages of each tab, with the numbers of the tab. */
  readonly latest: (ctx: Ctx, db: TenantDb, perTab: number) => Promise<readonly MessageTab[]>
  /** @returns when the actor confirmed this message of theirs, now or before; undefined where there is none to confirm */
  readonly confirm: (db: TenantDb, id: string) => Promise<Date | undefined>
  /** Orders a text message as part of the transaction. The phone is stored sealed. @returns its id */
  readonly sendSms: (
    db: TenantDb,
    message: {
      phone: string
      template: SmsTemplate
      params: Readonly<Record<string, string>>
      userId: string | null
      examId?: string | null
      canWait?: boolean
    },
  ) => Promise<string>
  /** The same for somebody who waits for it: refused where nobody can send it (administrators are told), and when the day's budget of the tenant is used up. */
  readonly sendCode: (...of: Parameters<MessageModule['sendSms']>) => Promise<void>
  /** Why a code would reach nobody as the tenant is set up now; undefined where it would be handed to a provider. */
  readonly codeProblem: (db: TenantDb) => Promise<SendProblem | undefined>
  /** Sends a code to the phone of an account now, as somebody who logs in would get it, and waits for what the provider says; it opens nothing. */
  readonly sendTrialCode: (tenantId: string, userId: string) => Promise<Label & { readonly isOk: boolean }>
  /** The same to the verified phone of an account; nothing when the account has none. @returns its id */
  readonly sendSmsTo: (
    db: TenantDb,
    /** Whom, and of which examination it tells: who is narrowed to some examinations reads the messages of no other. */
    to: { readonly userId: string; readonly examId: string | null },
    template: SmsTemplate,
    params: Readonly<Record<string, string>>,
  ) => Promise<string | undefined>
  /** The same for what wakes nobody up: within the quiet hours (`sms.quiet`) it waits for their end. */
  readonly sendSmsByDay: MessageModule['sendSmsTo']
  /**
   * Tells a person of what is proposed against them, or against what their account is opened with, by every channel of its kind (`proposalKinds`), and notes it: `toldAt` says
   * since when they know.
   */
  readonly tell: (
    db: TenantDb,
    of: {
      readonly subject: Subject
      readonly template: SmsTemplate
      readonly params: Readonly<Record<string, string>>
      readonly notice: Notice
    },
  ) => Promise<void>
  /** Since when everybody concerned knows of it; null while somebody was not reached, undefined where nothing was noted. */
  readonly toldAt: (db: TenantDb, subject: Subject) => Promise<Date | null | undefined>
  /** Personal notices that the actor has not read. */
  readonly countUnread: (db: TenantDb) => Promise<number>
  /** A payment for messages that the provider has signed for. @returns what became of it: credited, repeat, mismatch, unknownOrder */
  readonly receiveRecharge: (payment: RechargePayment, isNotice: boolean) => Promise<string>
  /** Orders of purchases of all tenants that the bill of a merchant names, or that were paid to it in a time. */
  readonly billedRecharges: (of: Parameters<typeof listBilledOrders>[1]) => Promise<readonly BilledOrder[]>
  /** Whether this merchant was paid for any purchase before an instant. */
  readonly hasRecharges: (mchid: string, before: Date) => Promise<boolean>
  readonly tasks: readonly Task[]
  readonly processors: readonly Processor[]
  /** What is kept of the platform's services is read anew. */
  readonly forget: () => void
}

export const createMessageModule = (services: Services, deps: MessageDeps, gateway: SmsGateway): MessageModule => {
  const { cipher } = services
  const kit: MessageKit = { services, deps, sms: createSmsServices(services, gateway) }
  /** The tenant's words where it has some, with the signature they are registered under. */
  const textOf = async (db: TenantDb, template: SmsTemplate, params: Readonly<Record<string, string>>): Promise<string> => {
    const own = await findSceneTemplate(db, template)
    if (!own) return smsText(template, params, await deps.ownOrigin(db))
    return signedText(own.signName || (await kit.sms.current(db)).signName || productSign, own.content, params)
  }
  const sendSms: MessageModule['sendSms'] = async (db, { phone, template, params: given, userId, examId = null, canWait }) => {
    // A remark or a name can be longer than a provider takes: its end is lost, the message is not.
    const params = fitParams(template, given)
    const content = (await textOf(db, template, params)).slice(0, longestMessage)
    const masked = maskSecrets(template, params)
    const shown = masked && (await textOf(db, template, masked)).slice(0, longestMessage)
    const id = await newId(db)
    const phoneSealed = cipher.seal(db.actor.tenantId, { table: 'sms_message', column: 'phone_sealed', rowId: id }, phone)
    await insertSms(db, {
      id,
      userId,
      examId,
      template,
      phoneSealed,
      phoneMask: maskPhone(phone),
      ...{ content, shown, params, segments: smsSegments(content) },
    })
    const quiet = canWait ? quietUntil((await deps.parametersOf(db, ['sms.quiet']))['sms.quiet'], db.now) : undefined
    await enqueue(db, 'message.send-sms', { id }, quiet ? { runAt: quiet } : {})
    return id
  }
  const sendToAccount = async (
    db: TenantDb,
    [{ userId, examId }, template, params]: [{ userId: string; examId: string | null }, SmsTemplate, Readonly<Record<string, string>>],
    canWait: boolean,
  ): Promise<string | undefined> => {
    const sealed = await phoneOf(db, userId)
    if (!sealed) return undefined
    const phone = cipher.open(db.actor.tenantId, { table: 'account', column: 'phone_sealed', rowId: userId }, sealed)
    return sendSms(db, { phone, template, params, userId, examId, canWait })
  }
  return {
    invariants: messageInvariants,
    handlers: [...messageHandlers(kit), ...sendHandlers(kit, deps.transfer.createImporter(peopleImport(kit)))],
    receiveRecharge: (payment, isNotice) => receiveRecharge(kit, payment, isNotice),
    billedRecharges: of =>
      services.scopes.asPlatform('the bill of the platform names orders of every tenant', services.clock.now(), db =>
        listBilledOrders(db, of),
      ),
    hasRecharges: (mchid, before) =>
      services.scopes.asPlatform('a bill is read where any tenant has paid', services.clock.now(), db =>
        hasBilledOrders(db, mchid, before),
      ),
    tellOfStorage: (fault, tenantId) => tellOfStorage(kit, fault, tenantId),
    notify: insertNotice,
    sendNotice,
    notifyAll: insertNotices,
    notifyEach: insertNoticesOfEach,
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
      const problem = await sendProblem(kit, db, message.template)
      if (problem !== undefined) {
        // In a transaction of its own: the refusal takes back everything else.
        await raiseSendProblem(kit, db.actor.tenantId, problem)
        throw new Refused(refuseMessage('sms/no-service', {}))
      }
      await refuseBeyondBudget(
        db,
        smsSegments(await textOf(db, message.template, fitParams(message.template, message.params))),
        await dailyBudget(deps, db),
      )
      await sendSms(db, message)
    },
    sendTrialCode: (tenantId, userId) => sendTrialCode(kit, tenantId, userId),
    codeProblem: db => sendProblem(kit, db, codeTemplate),
    tell: async (db, { subject, template, params, notice }) => {
      const { userId, examId, eventKey } = notice
      const smsId = await sendToAccount(db, [{ userId, examId }, template, params], false)
      await insertNotice(db, notice)
      await insertPersonNotice(db, { subject, userId, examId, smsId, eventKey })
    },
    toldAt,
    countUnread,
    forget: kit.sms.forget,
    sendSmsTo: (db, ...of) => sendToAccount(db, of, false),
    sendSmsByDay: (db, ...of) => sendToAccount(db, of, true),
    tasks: messageTasks(kit),
    processors: [receiptProcessor(kit), rechargeProcessor(kit), validityProcessor(kit)],
  }
}
