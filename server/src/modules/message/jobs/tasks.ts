import { systemOf } from '#kernel/db/scope.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import { askAbout, deliver } from '../commands/deliver.ts'
import { rechargeWatch, watchRecharge } from '../commands/recharge.ts'
import { runSend } from '../commands/run-send.ts'
import { endValidity } from '../commands/validity.ts'
import { tenantsRunningOut } from '../data/balance.repo.ts'
import { listOverdueOrders } from '../data/recharge.repo.ts'
import { listToAsk, tenantsToAsk } from '../data/sms.repo.ts'
import type { MessageKit } from '../deps.ts'
import { firstTold } from '../domain/validity.ts'

const maxAttempts = 5
/** Questions of one tenant in one minute. */
const mostQuestions = 500
const questionsAtOnce = 8

export const messageTasks = (kit: MessageKit): readonly Task[] => [
  {
    name: 'message.send-sms',
    maxAttempts,
    run: async ({ tenantId, id }: { tenantId: string; id?: string }, { attempt }) => {
      if (id !== undefined) await deliver(kit, tenantId, id, attempt >= maxAttempts)
    },
  } satisfies Task<{ id?: string }> as Task,
  {
    name: 'message.run-send',
    isNotable: true,
    run: async ({ tenantId, sendId, retries }: { tenantId: string; sendId?: string; retries?: number }) => {
      if (sendId !== undefined) await runSend(kit, tenantId, sendId, retries ?? 0)
    },
  } satisfies Task<{ sendId?: string; retries?: number }> as Task,
  {
    name: 'message.watch-recharge',
    run: async ({ tenantId, orderNo, step }: { tenantId: string; orderNo?: string; step?: number }) => {
      if (orderNo !== undefined) await watchRecharge(kit, tenantId, orderNo, step ?? 0)
    },
  } satisfies Task<{ orderNo?: string; step?: number }> as Task,
]

/** Works through a list with some at a time. */
const inTurns = async <T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> => {
  const left = [...items]
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
    }),
  )
}

/** Asks what became of the messages of all tenants: of those whose end is not known, and of those that wait for their receipts. */
export const receiptProcessor = (kit: MessageKit): Processor => ({
  name: 'message.receipts',
  label: { zh: '短信回执查询', en: 'Receipts of text messages' },
  help: {
    zh: '向服务商查询短信是否送达；超时、结果不明的短信先查询，绝不直接重发',
    en: 'Asks the providers whether messages arrived; one whose end is not known is asked about and never sent blindly again',
  },
  scope: 'platform',
  own: { cron: '30 * * * * ?', mayPause: false },
  run: async ({ now, signal }) => {
    const { scopes } = kit.services
    const tenants = await scopes.asPlatform('receipts are asked for in every tenant', now, tenantsToAsk)
    let asked = 0
    for (const { tenantId } of tenants) {
      const open = await scopes.tx(systemOf(tenantId), now, db => listToAsk(db, mostQuestions))
      await inTurns(open, questionsAtOnce, async ({ id }) => {
        if (signal.aborted) return
        await askAbout(kit, tenantId, id)
        asked += 1
      })
    }
    return String(asked)
  },
})

/** Orders of purchases that lost their own watch. */
export const rechargeProcessor = (kit: MessageKit): Processor => ({
  name: 'message.recharge',
  label: { zh: '充值订单补查', en: 'Look after purchases of messages' },
  help: {
    zh: '查询并关闭到期的充值订单；各订单另有定时查询，此任务补上遗漏的',
    en: 'Asks about orders of purchases that are over and closes them: whatever their own times have missed',
  },
  scope: 'platform',
  own: { cron: '0 */10 * * * ?', mayPause: false },
  run: async ({ now }) => {
    const open = await kit.services.scopes.asPlatform('orders are looked after in every tenant', now, listOverdueOrders)
    for (const { tenantId, orderNo } of open) await watchRecharge(kit, tenantId, orderNo, rechargeWatch.length)
    return String(open.length)
  },
})

/** Parts that were valid for so many days: they go when their time is over, and people hear of it before. */
export const validityProcessor = (kit: MessageKit): Processor => ({
  name: 'message.validity',
  label: { zh: '短信套餐有效期', en: 'Validity of message packages' },
  help: {
    zh: '到期前 30、7、1 天通知财务和管理员，到期后作废剩余条数；正在发送的任务已冻结的条数不受影响',
    en: 'Tells finance and administrators 30, 7 and 1 days before, and takes away what is left afterwards; parts of tasks that run are not touched',
  },
  scope: 'platform',
  own: { cron: '0 10 0 * * ?', mayPause: false },
  run: async ({ now, signal }) => {
    const { scopes } = kit.services
    const until = new Date(now.getTime() + (firstTold + 1) * 24 * 3_600_000)
    const tenants = await scopes.asPlatform('messages run out in every tenant', now, db => tenantsRunningOut(db, until))
    let parts = 0
    for (const { tenantId } of tenants) {
      if (signal.aborted) break
      parts += await scopes.tx(systemOf(tenantId), now, endValidity)
    }
    return { zh: `到期作废 ${parts} 条`, en: `${parts} parts have run out` }
  },
})
