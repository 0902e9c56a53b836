import { systemOf } from '#kernel/db/scope.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import { askAbout, deliver } from '../commands/deliver.ts'
import { listToAsk, tenantsToAsk } from '../data/sms.repo.ts'
import type { MessageKit } from '../deps.ts'

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
