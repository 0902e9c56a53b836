import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fromWireTime, toWireTime } from '#contract/kernel/when.ts'
import { formatFen, yuanToFen } from '#contract/pay/fee.ts'
import type { Clock } from '#kernel/clock.ts'
import { randomDigits, randomText } from '#kernel/random.ts'
import { type NontaxSettings, nontaxWire } from '#modules/pay/index.ts'
import { keyPairOf } from '../key-pair.ts'
import type { EmulatorAnswer, EmulatorRequest, EmulatorScheduler, PersonPayment, PersonView } from '../wxpay-emulator/emulator.ts'
import type { NoticeRequest } from '../wxpay-emulator/notices.ts'

const codeStart = 'https://nontax.example.gov.cn/pay?payCode='
export const isNontaxCode = (codeUrl: string): boolean => codeUrl.startsWith(codeStart)

interface Office {
  readonly tenantId: string
  readonly appId: string
  readonly unitCode: string
  readonly privateKeyPem: string
  readonly publicKeyPem: string
}
interface Receipt {
  readonly ebillCode: string
  readonly ebillNo: string
  readonly fen: number
  readonly issueTime: string
  isReversed: boolean
}
interface Refund {
  readonly refundNo: string
  readonly refundSerial: string
  readonly fen: number
  readonly askedAt: number
  state: '0' | '1' | '2'
  refundTime?: string
}
interface Bill {
  readonly appId: string
  readonly unitCode: string
  readonly busNo: string
  readonly payCode: string
  readonly fen: number
  readonly payer: string
  readonly remark: string
  readonly expireTime: string
  readonly notifyUrl: string
  isCancelled: boolean
  paySerial?: string
  payTime?: string
  readonly receipts: Receipt[]
  readonly refunds: Refund[]
}
interface Notice {
  readonly url: string
  readonly appId: string
  readonly said: object
  tries: number
  nextAt: number
}
interface Book {
  readonly keys: { readonly privateKeyPem: string; readonly publicKeyPem: string }
  readonly offices: Office[]
  readonly bills: Bill[]
  readonly notices: Notice[]
}

export interface NontaxEmulator {
  /** One call of an office; undefined where it is not for this platform. */
  readonly handle: (request: EmulatorRequest) => Promise<EmulatorAnswer> | undefined
  readonly accountOf: (tenantId: string, origin: string) => NontaxSettings
  readonly orderByCode: (codeUrl: string) => PersonView | undefined
  readonly payAsPerson: (codeUrl: string) => Promise<PersonPayment>
  /** Makes out receipts, decides on refunds and sends the notices that are due. @returns how many notices were tried */
  readonly runDue: () => Promise<number>
  /** A notice about the payment of an order, with this made of what it says; `forged` signs with a stranger's key, `old` was signed an hour ago. */
  readonly noticeAbout: (busNo: string, change?: Readonly<Record<string, unknown>>, how?: 'signed' | 'forged' | 'old') => NoticeRequest
  /** The last notice of this type about an order, sent once more. */
  readonly repeat: (busNo: string, type: 'payment' | 'receipt' | 'refund') => NoticeRequest
  /** What the tests may bend. */
  readonly faults: {
    refund: 'paid' | 'failed'
    checkBill: ((said: Readonly<Record<string, unknown>>) => object) | undefined
    losesNotices: boolean
  }
  readonly billOf: (busNo: string) => Bill | undefined
  readonly close: () => void
}

const minute = 60_000
/** A receipt is made out when the bank's money is booked; here a minute after the payment. */
const receiptAfterMs = minute
/** The finance department's decision about a refund. */
const refundAfterMs = 2 * minute
const pauses = [1, 5, 15, 60, 240, 720].map(minutes => minutes * minute)
const tickMs = 1_000
const json = { 'content-type': 'application/json' }

const readBook = (file: string | undefined): Book | undefined => {
  try {
    return file === undefined ? undefined : (JSON.parse(readFileSync(file, 'utf8')) as Book)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

type Said = Readonly<Record<string, unknown>>
const done = (more: object): object => ({ code: 'S0000', message: '成功', ...more })
const failed = (code: string, message: string): object => ({ code, message })
const unknownBill = failed('E2003', '缴款单不存在')

/** Region, year, a running number and a check digit: the twenty digits that a payer reads out at a counter. */
const makePayCode = (year: string, count: number): string => {
  const head = `330106${year.slice(2)}${String(count).padStart(11, '0')}`
  const sum = [...head].reduce((all, digit, place) => all + Number(digit) * ((place % 9) + 1), 0)
  return `${head}${sum % 10}`
}

/**
 * A local stand-in for the non-tax payment platform of a finance department: gives numbers of twenty digits, makes out fiscal receipts by itself a minute after
 * the payment, decides on refunds two minutes after they are asked for, and then reverses the receipt and makes out one for what is left.
 *
 * @param file - keeps the book over a restart; without one it lives in memory
 * @param send - delivers notices to the product
 */
export const createNontaxEmulator = (parts: {
  readonly clock: Clock
  readonly file?: string
  readonly scheduler: EmulatorScheduler
  readonly send: (request: NoticeRequest) => Promise<{ readonly body: string }>
}): NontaxEmulator => {
  const { clock, file, scheduler } = parts
  const book: Book = readBook(file) ?? { keys: keyPairOf('nontax'), offices: [], bills: [], notices: [] }
  const sent: { readonly busNo: string; readonly notice: Notice }[] = []
  const faults: NontaxEmulator['faults'] = { refund: 'paid', checkBill: undefined, losesNotices: false }
  const save = (): void => {
    if (file === undefined) return
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(`${file}.new`, JSON.stringify(book), { mode: 0o600, flush: true })
    renameSync(`${file}.new`, file)
  }
  const seal = (appId: string, said: object, at = clock.now(), key = book.keys.privateKeyPem): string =>
    nontaxWire.sealMessage(appId, said, at, key)

  const accountOf: NontaxEmulator['accountOf'] = (tenantId, origin) => {
    let office = book.offices.find(one => one.tenantId === tenantId)
    if (office === undefined) {
      const keys = keyPairOf(`nontax office ${book.offices.length}`)
      office = { tenantId, appId: `kaopu${randomDigits(8)}`, unitCode: `3301060${randomDigits(5)}`, ...keys }
      book.offices.push(office)
      save()
    }
    const { appId, unitCode, privateKeyPem } = office
    return { origin, appId, unitCode, itemCode: '103044308', privateKeyPem, publicKeyPem: book.keys.publicKeyPem }
  }

  const refunded = (bill: Bill): number => bill.refunds.filter(one => one.state === '1').reduce((sum, { fen }) => sum + fen, 0)
  const receiptBody = (bill: Bill, { ebillCode, ebillNo, issueTime, isReversed, fen }: Receipt) => ({
    busNo: bill.busNo,
    ebillCode,
    ebillNo,
    issueTime,
    amount: formatFen(fen),
    payer: bill.payer,
    url: `https://ebill.example.gov.cn/view/${ebillCode}/${ebillNo}`,
    state: isReversed ? '2' : '1',
  })
  const tradeBody = (bill: Bill) => ({
    busNo: bill.busNo,
    payCode: bill.payCode,
    unitCode: bill.unitCode,
    amount: formatFen(bill.fen),
    state: bill.payTime === undefined ? (bill.isCancelled ? '2' : '0') : refunded(bill) > 0 ? '3' : '1',
    ...(bill.payTime === undefined ? {} : { paySerial: bill.paySerial, payTime: bill.payTime }),
    receipts: bill.receipts.map(receipt => receiptBody(bill, receipt)),
  })
  const refundBody = (bill: Bill, refund: Refund) => ({
    busNo: bill.busNo,
    refundNo: refund.refundNo,
    refundSerial: refund.refundSerial,
    paySerial: bill.paySerial,
    unitCode: bill.unitCode,
    amount: formatFen(bill.fen),
    refundAmount: formatFen(refund.fen),
    state: refund.state,
    ...(refund.refundTime === undefined ? {} : { refundTime: refund.refundTime }),
  })
  const tell = (bill: Bill, type: 'payment' | 'receipt' | 'refund', body: object): void => {
    const said = { noticeId: randomText(32, '0123456789abcdef'), type, body }
    const notice: Notice = { url: bill.notifyUrl, appId: bill.appId, said, tries: 0, nextAt: clock.now().getTime() }
    sent.push({ busNo: bill.busNo, notice })
    if (!faults.losesNotices) book.notices.push(notice)
    save()
    scheduler.soon(runDue)
  }
  const makeReceipt = (bill: Bill, fen: number): void => {
    const receipt: Receipt = {
      ebillCode: '33060126',
      ebillNo: randomDigits(10),
      fen,
      issueTime: toWireTime(clock.now()),
      isReversed: false,
    }
    bill.receipts.push(receipt)
    tell(bill, 'receipt', receiptBody(bill, receipt))
  }
  const decide = (bill: Bill, refund: Refund): void => {
    refund.state = faults.refund === 'paid' ? '1' : '2'
    if (refund.state === '1') refund.refundTime = toWireTime(clock.now())
    tell(bill, 'refund', refundBody(bill, refund))
    if (refund.state !== '1') return
    for (const receipt of bill.receipts.filter(one => !one.isReversed)) {
      receipt.isReversed = true
      tell(bill, 'receipt', receiptBody(bill, receipt))
    }
    if (bill.fen > refunded(bill)) makeReceipt(bill, bill.fen - refunded(bill))
  }
  const workOff = (now: number): void => {
    for (const bill of book.bills) {
      const paidAt = bill.payTime === undefined ? undefined : fromWireTime(bill.payTime)?.getTime()
      if (paidAt !== undefined && paidAt + receiptAfterMs <= now && bill.receipts.length === 0 && refunded(bill) === 0)
        makeReceipt(bill, bill.fen)
      for (const refund of bill.refunds) if (refund.state === '0' && refund.askedAt + refundAfterMs <= now) decide(bill, refund)
    }
  }
  const runDue = async (): Promise<number> => {
    const now = clock.now().getTime()
    workOff(now)
    const due = book.notices.filter(notice => notice.nextAt <= now && notice.tries <= pauses.length)
    for (const notice of due) {
      const answer = await parts.send({ url: notice.url, headers: json, body: seal(notice.appId, notice.said) }).catch(() => ({ body: '' }))
      const pause = pauses[notice.tries]
      notice.tries += 1
      if (answer.body.includes('"S0000"') || pause === undefined) book.notices.splice(book.notices.indexOf(notice), 1)
      else notice.nextAt = now + pause
    }
    if (due.length > 0) save()
    return due.length
  }

  const createBill = (office: Office, said: Said): object => {
    const { busNo, itemCode, amount, payer, remark, expireTime, notifyUrl, unitCode } = said
    const fen = typeof amount === 'string' ? yuanToFen(amount) : undefined
    if (unitCode !== office.unitCode || typeof itemCode !== 'string') return failed('E1001', '执收单位或收费项目不存在')
    if (typeof busNo !== 'string' || fen === undefined || fen < 1 || typeof payer !== 'string' || payer === '')
      return failed('E1002', '参数无效')
    if (typeof expireTime !== 'string' || fromWireTime(expireTime) === undefined || typeof notifyUrl !== 'string')
      return failed('E1002', '参数无效')
    let bill = book.bills.find(one => one.appId === office.appId && one.busNo === busNo)
    if (bill?.payTime !== undefined) return failed('E2001', '缴款单已缴款')
    if (bill?.isCancelled) return failed('E2002', '缴款单已作废')
    if (bill !== undefined && (bill.fen !== fen || bill.payer !== payer)) return failed('E1003', '与原缴款单不一致')
    if (bill === undefined) {
      bill = {
        appId: office.appId,
        unitCode: office.unitCode,
        busNo,
        payCode: makePayCode(toWireTime(clock.now()).slice(0, 4), book.bills.length + 1),
        fen,
        payer,
        remark: String(remark ?? ''),
        expireTime,
        notifyUrl,
        isCancelled: false,
        receipts: [],
        refunds: [],
      }
      book.bills.push(bill)
      save()
    }
    return done({ busNo, payCode: bill.payCode, payUrl: `${codeStart}${bill.payCode}` })
  }
  const refundBill = (bill: Bill, said: Said): object => {
    const { refundNo, refundAmount } = said
    const fen = typeof refundAmount === 'string' ? yuanToFen(refundAmount) : undefined
    if (typeof refundNo !== 'string' || fen === undefined || fen < 1) return failed('E1002', '参数无效')
    if (bill.payTime === undefined) return failed('E2004', '缴款单未缴款')
    let refund = bill.refunds.find(one => one.refundNo === refundNo)
    if (refund !== undefined && refund.fen !== fen) return failed('E1003', '与原退付申请不一致')
    if (refund === undefined) {
      const held = bill.refunds.filter(one => one.state !== '2').reduce((sum, one) => sum + one.fen, 0)
      if (held + fen > bill.fen) return failed('E2005', '退付金额超过缴款金额')
      refund = { refundNo, refundSerial: `TF${randomDigits(16)}`, fen, askedAt: clock.now().getTime(), state: '0' }
      bill.refunds.push(refund)
      save()
    }
    return done(refundBody(bill, refund))
  }
  const checkBill = (office: Office, said: Said): object => {
    const { date } = said
    if (typeof date !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(date)) return failed('E1002', '参数无效')
    // Ready at nine in the morning.
    if (clock.now().getTime() < new Date(`${date}T00:00:00+08:00`).getTime() + 33 * 60 * minute) return failed('E9001', '对账文件未生成')
    const own = book.bills.filter(bill => bill.appId === office.appId)
    const rows = own.flatMap(bill => {
      const of = { busNo: bill.busNo, paySerial: bill.paySerial, unitCode: bill.unitCode }
      return [
        ...(bill.payTime?.startsWith(date) ? [{ ...of, type: 'pay', time: bill.payTime, amount: formatFen(bill.fen) }] : []),
        ...bill.refunds
          .filter(refund => refund.refundTime?.startsWith(date))
          .map(({ refundNo, refundSerial, refundTime, fen }) => ({
            ...of,
            type: 'refund',
            time: refundTime,
            refundNo,
            refundSerial,
            amount: formatFen(fen),
          })),
      ]
    })
    const sum = (type: string): string =>
      formatFen(rows.filter(row => row.type === type).reduce((all, row) => all + (yuanToFen(row.amount) ?? 0), 0))
    const written = { date, count: String(rows.length), amount: sum('pay'), refundAmount: sum('refund'), rows }
    return done(faults.checkBill ? faults.checkBill(written) : written)
  }
  const answerTo = (service: string, office: Office, said: Said): object => {
    if (service === 'createBill') return createBill(office, said)
    if (service === 'checkBill') return checkBill(office, said)
    const own = book.bills.filter(bill => bill.appId === office.appId)
    if (service === 'queryRefund') {
      const bill = own.find(one => one.refunds.some(refund => refund.refundNo === said['refundNo']))
      const refund = bill?.refunds.find(one => one.refundNo === said['refundNo'])
      return bill && refund ? done(refundBody(bill, refund)) : failed('E2003', '退付申请不存在')
    }
    const bill = own.find(one => one.busNo === said['busNo'])
    if (bill === undefined) return unknownBill
    if (service === 'queryBill') return done(tradeBody(bill))
    if (service === 'refundBill') return refundBill(bill, said)
    if (service !== 'cancelBill') return failed('E1000', '服务不存在')
    if (bill.payTime !== undefined) return failed('E2001', '缴款单已缴款')
    bill.isCancelled = true
    save()
    return done({ busNo: bill.busNo })
  }
  const handle: NontaxEmulator['handle'] = request => {
    if (request.method !== 'POST' || !request.url.startsWith('/nontax/')) return undefined
    const office = book.offices.find(one => one.appId === nontaxWire.senderOf(request.body))
    const opened = office && nontaxWire.openMessage(request.body, office.publicKeyPem)
    const isFresh = opened?.ok === true && Math.abs(clock.now().getTime() - opened.sentAt.getTime()) <= 5 * minute
    const said =
      office && opened?.ok && isFresh ? answerTo(request.url.slice('/nontax/'.length), office, opened.said) : failed('E0001', '验签失败')
    return Promise.resolve({ status: 200, headers: json, body: Buffer.from(seal(office?.appId ?? 'unknown', said)) })
  }

  const find = (codeUrl: string): Bill | undefined => book.bills.find(bill => `${codeStart}${bill.payCode}` === codeUrl)
  const stateOf = (bill: Bill): PersonView['state'] => {
    if (bill.payTime !== undefined) return 'paid'
    if (bill.isCancelled) return 'closed'
    return bill.expireTime <= toWireTime(clock.now()) ? 'expired' : 'waiting'
  }
  const viewOf = (bill: Bill): PersonView => ({
    orderNo: bill.payCode,
    mchid: bill.unitCode,
    description: bill.remark,
    amountFen: bill.fen,
    state: stateOf(bill),
    expiresAt: fromWireTime(bill.expireTime) ?? clock.now(),
    ...(bill.payTime === undefined ? {} : { paidAt: fromWireTime(bill.payTime) ?? clock.now() }),
    ...(bill.paySerial === undefined ? {} : { transactionId: bill.paySerial }),
  })
  const known = (busNo: string): Bill => {
    const bill = book.bills.find(one => one.busNo === busNo)
    if (bill === undefined) throw new Error(`the platform knows no order ${busNo}`)
    return bill
  }
  const stop = scheduler.every(tickMs, runDue)

  return {
    handle,
    accountOf,
    runDue,
    faults,
    orderByCode: codeUrl => {
      const bill = find(codeUrl)
      return bill && viewOf(bill)
    },
    payAsPerson: async codeUrl => {
      const bill = find(codeUrl)
      if (bill === undefined) return { ok: false, problem: 'unknown' }
      const state = stateOf(bill)
      if (state !== 'waiting') return { ok: false, problem: state }
      Object.assign(bill, { paySerial: `FS${randomDigits(20)}`, payTime: toWireTime(clock.now()) } satisfies Partial<Bill>)
      tell(bill, 'payment', tradeBody(bill))
      return { ok: true, order: viewOf(bill) }
    },
    noticeAbout: (busNo, change = {}, how = 'signed') => {
      const bill = known(busNo)
      const said = { noticeId: randomText(32, '0123456789abcdef'), type: 'payment', body: { ...tradeBody(bill), ...change } }
      const at = how === 'old' ? new Date(clock.now().getTime() - 60 * minute) : clock.now()
      const key = how === 'forged' ? keyPairOf('a stranger').privateKeyPem : book.keys.privateKeyPem
      return { url: bill.notifyUrl, headers: json, body: seal(bill.appId, said, at, key) }
    },
    repeat: (busNo, type) => {
      const last = sent.findLast(one => one.busNo === busNo && (one.notice.said as Said)['type'] === type)
      if (last === undefined) throw new Error(`no notice ${type} about ${busNo}`)
      return { url: last.notice.url, headers: json, body: seal(last.notice.appId, last.notice.said) }
    },
    billOf: busNo => book.bills.find(bill => bill.busNo === busNo),
    close: stop,
  }
}
