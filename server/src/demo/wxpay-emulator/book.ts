import type { EmulatorNotice, EmulatorOrder, EmulatorRefund } from './records.ts'
import { type EmulatorStorage, rowKey, type StoredRow } from './storage.ts'

/** All the emulator knows, in memory and in its storage. */
export interface Book {
  readonly orders: readonly EmulatorOrder[]
  readonly refunds: readonly EmulatorRefund[]
  /** Still to be sent. */
  readonly waitingNotices: readonly EmulatorNotice[]
  readonly processingRefunds: readonly EmulatorRefund[]
  order(mchid: string, orderNo: string): EmulatorOrder | undefined
  orderByCodeUrl(codeUrl: string): EmulatorOrder | undefined
  refund(mchid: string, refundNo: string): EmulatorRefund | undefined
  refundsOf(order: EmulatorOrder): readonly EmulatorRefund[]
  /** @param subject - number of the order or refund */
  noticesAbout(subject: string): readonly EmulatorNotice[]
  /** Visible at once, durable when the promise is done. */
  put(row: StoredRow): Promise<void>
}

export const openBook = async (storage: EmulatorStorage): Promise<Book> => {
  const rows = new Map<string, StoredRow>()
  const keyByCodeUrl = new Map<string, string>()
  const refundKeys = new Map<string, Set<string>>()
  const noticeKeys = new Map<string, Set<string>>()
  const waiting = new Map<string, EmulatorNotice>()
  const processing = new Map<string, EmulatorRefund>()
  const keep = <T>(map: Map<string, T>, key: string, value: T, isOpen: boolean): void => {
    if (isOpen) map.set(key, value)
    else map.delete(key)
  }
  const remember = (row: StoredRow): void => {
    const key = rowKey(row)
    rows.set(key, row)
    if (row.kind === 'order') keyByCodeUrl.set(row.value.codeUrl, key)
    if (row.kind === 'notice') {
      keep(waiting, key, row.value, row.value.nextAt !== undefined)
      noticeKeys.set(row.value.subject, (noticeKeys.get(row.value.subject) ?? new Set()).add(key))
    }
    if (row.kind === 'refund') {
      keep(processing, key, row.value, row.value.status === 'PROCESSING')
      const subject = `${row.value.mchid} ${row.value.orderNo}`
      refundKeys.set(subject, (refundKeys.get(subject) ?? new Set()).add(key))
    }
  }
  for (const row of await storage.load()) remember(row)

  const orderAt = (key: string | undefined): EmulatorOrder | undefined => {
    const row = key === undefined ? undefined : rows.get(key)
    return row?.kind === 'order' ? row.value : undefined
  }
  const refundAt = (key: string): EmulatorRefund | undefined => {
    const row = rows.get(key)
    return row?.kind === 'refund' ? row.value : undefined
  }
  const noticeAt = (key: string): EmulatorNotice | undefined => {
    const row = rows.get(key)
    return row?.kind === 'notice' ? row.value : undefined
  }
  return {
    get orders() {
      return [...rows.values()].filter(row => row.kind === 'order').map(row => row.value)
    },
    get refunds() {
      return [...rows.values()].filter(row => row.kind === 'refund').map(row => row.value)
    },
    get waitingNotices() {
      return [...waiting.values()]
    },
    get processingRefunds() {
      return [...processing.values()]
    },
    noticesAbout: subject => [...(noticeKeys.get(subject) ?? [])].map(noticeAt).filter(notice => notice !== undefined),
    order: (mchid, orderNo) => orderAt(`order ${mchid} ${orderNo}`),
    orderByCodeUrl: codeUrl => orderAt(keyByCodeUrl.get(codeUrl)),
    refund: (mchid, refundNo) => refundAt(`refund ${mchid} ${refundNo}`),
    refundsOf: order => [...(refundKeys.get(`${order.mchid} ${order.orderNo}`) ?? [])].map(refundAt).filter(refund => refund !== undefined),
    put(row) {
      remember(row)
      return storage.save(row)
    },
  }
}
