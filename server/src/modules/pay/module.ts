import { refuse } from '#contract/kernel/errors.ts'
import type { PayChannel } from '#contract/pay/channel.ts'
import type { PayState } from '#contract/pay/order.state.ts'
import { audit } from '#kernel/audit.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import type { Handler } from '#kernel/http/context.ts'
import type { Invariant } from '#kernel/invariant.ts'
import { enqueue, type Task } from '#kernel/queue/outbox.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import type { RechargeGateway } from '#modules/message/index.ts'
import type { Services } from '#server/services.ts'
import { feesOf, giveAllBack, settlePost } from './commands/change-post.ts'
import { closeOrder } from './commands/close-order.ts'
import { type Newcomer, openDues, openFirstDues, voidDues } from './commands/dues.ts'
import { mirror } from './commands/news.ts'
import { notifyUrlOf } from './commands/pay-qrcode.ts'
import { listChannels, tryAccounts } from './commands/try-accounts.ts'
import { sumDue, sumPaid } from './data/due.repo.ts'
import { payInvariants } from './data/invariants.repo.ts'
import { listLiveOrdersOf } from './data/order.repo.ts'
import type { PayDeps, PayKit } from './deps.ts'
import { payHandlers } from './http.ts'
import { duesImport } from './imports/dues-import.ts'
import { invoicesImport } from './imports/invoices-import.ts'
import { paymentsImport } from './imports/payments-import.ts'
import { billsProcessor } from './jobs/bills.ts'
import { checkLedgerProcessor } from './jobs/check-ledger.ts'
import { remindProcessor } from './jobs/remind.ts'
import { payTasks, sweepProcessor } from './jobs/tasks.ts'
import { createProviders } from './providers/accounts.ts'
import { rechargeGateway } from './providers/recharge.ts'
import type { WechatPaySettings } from './providers/wechat-channel.ts'

export interface PayModule {
  readonly handlers: readonly Handler[]
  readonly invariants: readonly Invariant[]
  readonly tasks: readonly Task[]
  readonly processors: readonly Processor[]
  /**
   * Makes the dues of a sign-up by the examination's fee mode, tells the candidate where the review's notice does not; none when the fee is zero. Safe to call again.
   * Needs a transaction of staff or of the system, not of a candidate. @returns the mirror state of the sign-up
   */
  readonly openDues: (db: TenantDb, signupId: string) => Promise<PayState>
  /** The same of many sign-ups that have no dues. @returns those that owe something now: each mirrors that it is due */
  readonly openFirstDues: (db: TenantDb, examId: string, people: readonly Newcomer[]) => Promise<string[]>
  /** What a sign-up owes at this moment, in fen. */
  readonly dueFen: (db: TenantDb, signupId: string) => Promise<number>
  /** Voids what is unpaid when a sign-up is withdrawn; open orders are closed by a task. The same kind of transaction. */
  readonly voidDues: (db: TenantDb, signupId: string, reason?: string) => Promise<PayState>
  /** What all fees of these posts come to, in fen, by code. */
  readonly feesOf: (db: TenantDb, examId: string, codes: readonly string[]) => Promise<ReadonlyMap<string, number>>
  /** What was paid for a sign-up and can still go back, in fen. */
  readonly paidFen: (db: TenantDb, signupId: string) => Promise<number>
  /**
   * Gives back all that was paid for a sign-up whose post is cancelled, and voids the rest; safe to call again, and for thousands one after another.
   * The same kind of transaction.
   * @returns whether money goes back
   */
  readonly giveAllBack: (db: TenantDb, signupId: string, remark: string) => Promise<boolean>
  /** After a sign-up with paid fees has got another post: what is missing becomes a due, what is too much goes back. @returns the mirror state */
  readonly settlePost: (db: TenantDb, signupId: string) => Promise<PayState>
  /**
   * Before an examination is closed: asks the provider about each open order, posts what was paid and closes the rest (scenario 20).
   * Not inside a transaction. `unknown` orders were not answered for; the examination should not be closed while there are any.
   */
  readonly closeOpenOrders: (
    tenantId: string,
    examId: string,
    by: { readonly userId: string },
  ) => Promise<{ readonly paid: number; readonly closed: number; readonly unknown: number }>
  /** The same from within the transaction that closes the examination: the orders are closed by a task after its commit. */
  readonly closeOrdersOf: (db: TenantDb, examId: string) => Promise<void>
  /** Dues follow the examination's end of payments, which has moved, by a task after the commit. */
  readonly moveDuesOf: (db: TenantDb, examId: string) => Promise<void>
  /** Which providers a tenant has an account with, and what each says to a question signed with its keys. Nothing is paid. */
  readonly tryAccounts: (tenantId: string) => ReturnType<typeof tryAccounts>
  readonly listChannels: (tenantId: string) => Promise<readonly PayChannel[]>
  /** The platform's merchant, for purchases of messages. */
  readonly recharge: RechargeGateway
  /** Stores the merchant account of the transaction's tenant, keys sealed. */
  readonly saveAccount: (db: TenantDb, settings: WechatPaySettings) => Promise<void>
}

export const createPayModule = (services: Services, deps: PayDeps): PayModule => {
  const providers = createProviders(services, deps.gateway)
  const kit: PayKit = { services, deps, providers }
  // Proofs leave by their links only to those who decide, each time with a line in the trail.
  deps.file.guard('fee_waiver', async (db, ctx, ownerId) => {
    if (!ctx.session.permissions.has('feewaiver_view')) return refuse('kernel/forbidden', {})
    await audit(db, ctx, { action: 'feewaiver.read', entity: 'signup', entityId: ownerId })
    return undefined
  })
  return {
    invariants: payInvariants((db, signupId) => mirror(kit, db, signupId)),
    handlers: payHandlers(kit, {
      dues: deps.transfer.createImporter(duesImport(kit)),
      payments: deps.transfer.createImporter(paymentsImport(kit)),
      invoices: deps.transfer.createImporter(invoicesImport()),
    }),
    tasks: payTasks(kit),
    processors: [sweepProcessor(kit), billsProcessor(kit), checkLedgerProcessor(kit), remindProcessor(kit)],
    tryAccounts: tenantId => tryAccounts(kit, tenantId),
    listChannels: tenantId => listChannels(kit, tenantId),
    openDues: (db, signupId) => openDues(kit, db, signupId),
    openFirstDues: (db, examId, people) => openFirstDues(kit, db, examId, people),
    dueFen: sumDue,
    feesOf,
    paidFen: sumPaid,
    giveAllBack: (db, signupId, remark) => giveAllBack(kit, db, signupId, remark),
    settlePost: (db, signupId) => settlePost(kit, db, signupId),
    voidDues: (db, signupId, reason) => voidDues(kit, db, signupId, reason),
    closeOpenOrders: async (tenantId, examId, { userId }) => {
      const open = await services.scopes.tx(systemOf(tenantId), services.clock.now(), db => listLiveOrdersOf(db, examId))
      const counts = { paid: 0, closed: 0, unknown: 0 }
      for (const { orderNo } of open) {
        const outcome = await closeOrder(kit, tenantId, orderNo, { userId, reason: 'exam closed' })
        if (outcome) counts[outcome.kind] += 1
      }
      return counts
    },
    moveDuesOf: (db, examId) => enqueue(db, 'pay.extend', { examId }, { jobKey: `extend-${examId}` }),
    closeOrdersOf: async (db, examId) => {
      for (const { orderNo } of await listLiveOrdersOf(db, examId)) await enqueue(db, 'pay.close-order', { orderNo, reason: 'exam closed' })
    },
    recharge: rechargeGateway(providers, deps.gateway, tenantId => notifyUrlOf(kit, tenantId, 'notify')),
    saveAccount: providers.save,
  }
}
