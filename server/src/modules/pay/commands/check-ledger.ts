import type { Label } from '#contract/kernel/label.ts'
import { formatFen } from '#contract/pay/fee.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { type BrokenLine, countDues, listBroken } from '../data/ledger.repo.ts'
import type { PayKit } from '../deps.ts'
import { raiseAlarm } from './news.ts'

/** More than these are a failure of the program, not of single lines; the alarm names the first. */
const mostNamed = 100

export interface LedgerCheck {
  /** Dues that were compared. */
  readonly dues: number
  readonly broken: readonly BrokenLine[]
}

/** What is wrong with a line, as its finder reads it. */
export const brokenText = ({ kind, name, signNo, ...of }: BrokenLine): Label => {
  const fen = (value: number): string => formatFen(value)
  if (kind === 'order')
    return {
      zh: `订单 ${name} 已收 ${fen(of.storedFen)} 元，账本没有记录`,
      en: `Order ${name} has taken ${fen(of.storedFen)} yuan and has no line`,
    }
  if (kind === 'line')
    return { zh: `账本记录 ${name}（${fen(of.linesFen)} 元）找不到应缴`, en: `The line ${name} (${fen(of.linesFen)} yuan) is of no due` }
  const who = signNo === '' ? '' : signNo
  return {
    zh: `应缴 ${name}${who && `（报名序号 ${who}）`}：已缴 ${fen(of.storedFen)} 元，账本合计 ${fen(of.linesFen)} 元；已退 ${fen(of.storedBackFen)} 元，账本合计 ${fen(of.linesBackFen)} 元`,
    en: `Due ${name}${who && ` (sign-up ${who})`}: ${fen(of.storedFen)} yuan paid, ${fen(of.linesFen)} by its lines; ${fen(of.storedBackFen)} given back, ${fen(of.linesBackFen)} by its lines`,
  }
}

/** Compares every due with its lines in the ledger (domain 13.3). What does not agree is named to finance in one alarm; nothing is mended by itself. */
export const checkLedger = async (kit: PayKit, db: TenantDb): Promise<LedgerCheck> => {
  const broken = await listBroken(db, mostNamed)
  const [first] = broken
  if (first) {
    const rest = broken.length - 1
    const named = brokenText(first).zh
    await raiseAlarm(kit, db, { orderId: null, kind: 'ledgerBroken', detail: rest === 0 ? named : `${named} (+${rest})` })
  }
  return { dues: await countDues(db), broken }
}

/** The same now, for the person who asks. */
export const checkLedgerByHand = async (kit: PayKit, ctx: Ctx, db: TenantDb): Promise<{ dues: number; broken: string[] }> => {
  const { dues, broken } = await checkLedger(kit, db)
  await audit(db, ctx, {
    action: 'reconciliation.ledger-checked',
    entity: 'reconciliation',
    entityId: null,
    after: { dues, broken: broken.length },
  })
  return { dues, broken: broken.map(one => ctx.say(brokenText(one))) }
}
