import type { Clock } from '#kernel/clock.ts'
import { randomBytes } from '#kernel/random.ts'
import type { Book } from './book.ts'
import type { EmulatorFaults } from './faults.ts'
import type { EmulatorKeys } from './keys.ts'
import type { EmulatorNotice, EmulatorOrder, EmulatorRefund } from './records.ts'
import { rfc3339 } from './time.ts'
import { refundNoticeView, transactionView } from './views.ts'
import { seal, signHeaders } from './wire.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Pauses after the first, second, … failed attempt; 24 h 4 m in all. @see https://pay.weixin.qq.com/doc/v3/merchant/4012791882 */
export const RETRY_PAUSES_MS: readonly number[] = [
  ...[15 * SECOND, 15 * SECOND, 30 * SECOND, 3 * MINUTE, 10 * MINUTE, 20 * MINUTE],
  ...[30 * MINUTE, 30 * MINUTE, 30 * MINUTE, 60 * MINUTE, 3 * HOUR, 3 * HOUR, 3 * HOUR, 6 * HOUR, 6 * HOUR],
]

export type NoticeRequest = { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string }
/** Delivers one notice; rejects or answers anything but 200 and 204 when it did not arrive. */
export type SendNotice = (request: NoticeRequest) => Promise<{ readonly status: number }>

export interface Notices {
  payment(order: EmulatorOrder): Promise<void>
  refund(order: EmulatorOrder, refund: EmulatorRefund): Promise<void>
  /** Sends what is due now, each notice once. @returns how many notices were tried */
  runDue(): Promise<number>
  /** The exact request of a notice as it would be sent now. */
  compose(notice: EmulatorNotice): NoticeRequest
}

const flipFirstByte = (base64: string): string => {
  const bytes = Buffer.from(base64, 'base64')
  bytes[0] = (bytes[0] ?? 0) ^ 1
  return bytes.toString('base64')
}

export const createNotices = (parts: {
  readonly book: Book
  readonly clock: Clock
  readonly keys: EmulatorKeys
  readonly faults: EmulatorFaults
  readonly send: SendNotice
}): Notices => {
  const { book, clock, keys, faults } = parts
  const underway = new Set<string>()

  const enqueue = (
    facts: Pick<EmulatorNotice, 'mchid' | 'subject' | 'url' | 'eventType' | 'summary' | 'originalType' | 'signWith'>,
    resource: object,
  ) => {
    const now = clock.now()
    const fault = faults.notice
    const notice: EmulatorNotice = {
      ...facts,
      id: `EV-${randomBytes(16).toString('hex')}`,
      plain: JSON.stringify(resource),
      createdAt: now.toISOString(),
      attempts: 0,
      ...(fault.drop === true
        ? { outcome: 'dropped' }
        : { outcome: 'waiting', nextAt: new Date(now.getTime() + (fault.delayMs ?? 0)).toISOString() }),
    }
    return book.put({ kind: 'notice', value: notice })
  }

  const compose = (notice: EmulatorNotice): NoticeRequest => {
    const now = clock.now()
    const merchant = keys.merchants.find(candidate => candidate.mchid === notice.mchid)
    if (merchant === undefined) throw new Error(`no merchant ${notice.mchid}`)
    const sealed = seal(notice.plain, notice.originalType, merchant.apiV3Key)
    const body = JSON.stringify({
      id: notice.id,
      create_time: rfc3339(new Date(notice.createdAt)),
      resource_type: 'encrypt-resource',
      event_type: notice.eventType,
      summary: notice.summary,
      resource: {
        original_type: notice.originalType,
        ...sealed,
        ...(faults.notice.tamper === true ? { ciphertext: flipFirstByte(sealed.ciphertext) } : {}),
      },
    })
    const signature = signHeaders(keys, { body, at: now, signWith: notice.signWith, fault: faults.notice.signature })
    return { url: notice.url, headers: { 'content-type': 'application/json', 'user-agent': 'Mozilla/4.0', ...signature }, body }
  }

  const sendOnce = async (notice: EmulatorNotice): Promise<number> => {
    try {
      return (await parts.send(compose(notice))).status
    } catch {
      return 0
    }
  }

  const attempt = async (notice: EmulatorNotice): Promise<void> => {
    const copies = Array.from({ length: faults.notice.copies ?? 1 }, () => sendOnce(notice))
    const statuses = await Promise.all(copies)
    const attempts = notice.attempts + 1
    const { nextAt: _, ...rest } = notice
    const arrived = statuses.some(status => status === 200 || status === 204)
    const pauseMs = RETRY_PAUSES_MS[attempts - 1]
    const next: Pick<EmulatorNotice, 'outcome' | 'nextAt'> = arrived
      ? { outcome: 'delivered' }
      : pauseMs === undefined
        ? { outcome: 'givenUp' }
        : { outcome: 'waiting', nextAt: new Date(clock.now().getTime() + pauseMs).toISOString() }
    await book.put({ kind: 'notice', value: { ...rest, ...next, attempts, lastStatus: statuses[0] ?? 0 } })
  }

  return {
    compose,
    payment: order =>
      enqueue(
        {
          mchid: order.mchid,
          subject: order.orderNo,
          url: order.notifyUrl,
          signWith: order.signWith,
          eventType: 'TRANSACTION.SUCCESS',
          summary: '支付成功',
          originalType: 'transaction',
        },
        withPaymentFaults(transactionView(book, order), faults.notice),
      ),
    refund: (order, refund) =>
      enqueue(
        {
          mchid: order.mchid,
          subject: refund.refundNo,
          url: refund.notifyUrl,
          signWith: order.signWith,
          originalType: 'refund',
          ...{
            eventType: `REFUND.${refund.status}`,
            summary: { SUCCESS: '退款成功', ABNORMAL: '退款异常', CLOSED: '退款关闭', PROCESSING: '退款处理中' }[refund.status],
          },
        },
        refundNoticeView(order, refund),
      ),
    async runDue() {
      const now = clock.now().toISOString()
      const due = book.waitingNotices.filter(notice => notice.nextAt !== undefined && notice.nextAt <= now && !underway.has(notice.id))
      for (const notice of due) underway.add(notice.id)
      await Promise.all(due.map(notice => attempt(notice).finally(() => underway.delete(notice.id))))
      return due.length
    },
  }
}

const withPaymentFaults = (resource: Record<string, unknown>, fault: EmulatorFaults['notice']): Record<string, unknown> => ({
  ...resource,
  ...(fault.mchid === undefined ? {} : { mchid: fault.mchid }),
  ...(fault.totalFen === undefined
    ? {}
    : { amount: { total: fault.totalFen, payer_total: fault.totalFen, currency: 'CNY', payer_currency: 'CNY' } }),
})
