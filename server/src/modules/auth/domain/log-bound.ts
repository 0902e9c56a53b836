/** Lines a minute of one address, and of a tenant as a whole. */
const perAddress = 300
const perTenant = 600
const windowMs = 60_000

export interface LogBound {
  /** Whether one more line of this address may be written now. */
  readonly allows: (tenantId: string, ip: string, now: Date) => boolean
}

/**
 * What costs a stranger nothing, as a wrong captcha, is written down a few times a minute only, or it would fill the table. Counted by each process for
 * itself: a table of many is bounded by their number.
 */
export const createLogBound = (): LogBound => {
  let window = 0
  const counts = new Map<string, number>()
  return {
    allows: (tenantId, ip, now) => {
      const current = Math.floor(now.getTime() / windowMs)
      if (current !== window) {
        window = current
        counts.clear()
      }
      const [all, one] = [counts.get(tenantId) ?? 0, counts.get(`${tenantId}|${ip}`) ?? 0]
      // Addresses are not kept beyond the tenant's lines: so many of them are not remembered.
      if (all >= perTenant || one >= perAddress) return false
      counts.set(tenantId, all + 1)
      counts.set(`${tenantId}|${ip}`, one + 1)
      return true
    },
  }
}
