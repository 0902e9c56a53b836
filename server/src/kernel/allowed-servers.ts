import type { Label } from '#contract/kernel/label.ts'
import type { Hold } from './hold.ts'
import { createOutbound, type Outbound, type OutboundFailure } from './outbound.ts'

/** The servers of one kind that the operator allows, and the way out to them alone. */
export interface AllowedServers {
  readonly outbound: Outbound
  /** The origin that an address means, in whatever notation; undefined for one that the operator has not allowed. */
  readonly find: (address: string) => string | undefined
}

/** Undefined for what is more than an origin: with a path, a query or credentials. */
const originOf = (address: string): string | undefined => {
  const url = URL.parse(address)
  return url === null || url.username !== '' || url.password !== '' || url.pathname !== '/' || url.search !== '' || url.hash !== ''
    ? undefined
    : url.origin
}

/**
 * @param setting - origins with a comma between them. They may be plain http and may lie in a private network, because the operator chose them
 * @param hold - see `createOutbound`; `mayReadWhileHeld` as well
 */
export const createAllowedServers = (
  setting: string | undefined,
  hold: Hold,
  { mayReadWhileHeld = false, purpose = 'other' }: { readonly mayReadWhileHeld?: boolean; readonly purpose?: string } = {},
): AllowedServers => {
  const origins = (setting ?? '')
    .split(',')
    .filter(Boolean)
    .map(address => new URL(address).origin)
  return {
    outbound: createOutbound({ hold, mayReadWhileHeld, purpose, allowedOrigins: [], localOrigins: () => origins }),
    find: address => {
      const given = address.trim()
      // `host:7700` and `http://host:7700/` are the same place; without a scheme it is the one that is allowed.
      const meant = /^https?:\/\//i.test(given) ? [given] : [`http://${given}`, `https://${given}`]
      return meant.map(originOf).find(origin => origin !== undefined && origins.includes(origin))
    },
  }
}

/** What went wrong on the way, behind a colon. */
export const outboundProblems: Readonly<Record<OutboundFailure, Label>> = {
  refused: { zh: '地址不在允许之列', en: 'the address is not on the allow list' },
  held: {
    zh: '系统由备份恢复，运维人员放行之前不对外发送',
    en: 'this installation was restored from a backup and sends nothing until an operator releases it',
  },
  unreachable: { zh: '连接不上', en: 'it cannot be reached' },
  timeout: { zh: '未在时限内应答', en: 'it did not answer in time' },
  broken: { zh: '连接中断', en: 'the connection broke off' },
  redirected: { zh: '应答为跳转，已拒绝', en: 'it answered with a redirect, which is not followed' },
  tooLarge: { zh: '应答过大', en: 'its answer is too large' },
}
