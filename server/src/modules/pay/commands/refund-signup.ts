import type { TenantDb } from '#kernel/db/scope.ts'
import { Refused } from '#kernel/http/context.ts'
import { enqueue } from '#kernel/queue/outbox.ts'
import { listDuesOfSignup, lockDue } from '../data/due.repo.ts'
import type { PayKit } from '../deps.ts'
import { asTenant } from './close-order.ts'
import { voidDues } from './dues.ts'
import { requestHandRefund } from './hand-refund.ts'
import { requestRefund } from './refund.ts'

/** The provider takes a hundred refunds a second of one merchant (domain 8.5); half of it leaves room for those of people. */
const perSecond = 50

/**
 * Orders that what these sign-ups have paid goes back, because their post is no more: each by a task of its own, so many a second. Call in the transaction that
 * cancels the post; thousands are ordered at once.
 */
export const orderRefundsOf = async (db: TenantDb, signupIds: readonly string[]): Promise<void> => {
  for (const [index, signupId] of signupIds.entries()) {
    const runAt = new Date(db.now.getTime() + Math.floor(index / perSecond) * 1_000)
    await enqueue(db, 'pay.refund-signup', { signupId }, { runAt, jobKey: `refund-signup-${signupId}` })
  }
}

/** What one sign-up has paid goes back by rule, what it has not paid is void. Safe to repeat: what is on its way already is left alone. */
export const refundSignup = (kit: PayKit, tenantId: string, signupId: string): Promise<void> =>
  asTenant(kit, tenantId, async db => {
    for (const { id, state } of await listDuesOfSignup(db, signupId)) {
      if (state !== 'paid') continue
      const due = await lockDue(db, id)
      if (!due) continue
      try {
        if (due.orderId !== null)
          await requestRefund(kit, db, { due, orderId: due.orderId, by: 'rule', reason: 'postCancelled', applicantId: '0' })
        // Nobody can send it back but a person, who then writes the transfer down.
        else await requestHandRefund(kit, db, undefined, due, { by: 'staff', reason: 'postCancelled', remark: '' }, '0')
      } catch (error) {
        // Asked for already, or too old for the provider: the list of refunds and the alarm about it say so.
        if (!(error instanceof Refused)) throw error
      }
    }
    await voidDues(kit, db, signupId)
  })
