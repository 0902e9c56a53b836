import { toWireDay } from '#contract/kernel/when.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { expireParts, listRunningOut } from '../data/balance.repo.ts'
import { warningDay } from '../domain/validity.ts'
import { tellOfMoney } from './recharge.ts'

const title = { zh: '短信套餐有效期', en: 'Validity of message packages' }

/** Takes away what has run out and says what will. @returns the parts that went */
export const endValidity = async (db: TenantDb): Promise<number> => {
  const lost = await expireParts(db)
  for (const { id, packageName, parts } of lost) {
    await audit(db, undefined, { action: 'sendpay.expired', entity: 'sendpay', entityId: id, after: { parts } })
    await tellOfMoney(
      db,
      `recharge-over:${id}:${db.now.getTime()}`,
      `“${packageName}”的有效期已过，剩余 ${parts} 条已作废。`,
      `“${packageName}” is not valid any more: the ${parts} parts that were left are gone.`,
      { title },
    )
  }
  for (const { id, packageName, parts, expireTime, validDays } of await listRunningOut(db)) {
    const days = expireTime > db.now ? warningDay(db.now, expireTime, validDays) : undefined
    if (days === undefined) continue
    const day = toWireDay(expireTime)
    await tellOfMoney(
      db,
      `recharge-ends:${id}:${days}`,
      `“${packageName}”剩余 ${parts} 条，有效期至 ${day}，到期后作废，请及时使用。`,
      `${parts} parts of “${packageName}” are left. They are valid until ${day} and go afterwards.`,
      { title },
    )
  }
  return lost.reduce((sum, { parts }) => sum + parts, 0)
}
