import { type Ctx, Refused } from '#kernel/http/context.ts'
import { writeLoginLog } from '../data/account.repo.ts'
import type { AuthDeps } from '../deps.ts'

interface Tried {
  readonly grant: string
  /** Empty where nobody is named. */
  readonly accountKey: string
}

/** Writes down a try that cost whoever made it nothing, as far as the bound allows. */
export const logRefusal = async (deps: AuthDeps, ctx: Ctx, tried: Tried, result: string): Promise<void> => {
  if (!deps.logBound.allows(ctx.tenantId, ctx.ip, deps.clock.now())) return
  await ctx.asSystem('login', db => writeLoginLog(db, { ...tried, userId: '0', result, ip: ctx.ip, userAgent: ctx.userAgent }))
}

/** Refusals before anybody is looked for. */
const costless: ReadonlySet<string> = new Set(['auth/bad-cipher', 'auth/invalid-captcha'])
/** What `work` opens of a login; that something came which cannot be opened is written down. */
export const openedOrLogged = async <T>(deps: AuthDeps, ctx: Ctx, tried: Tried, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refused && costless.has(error.refusal.reason)) await logRefusal(deps, ctx, tried, error.refusal.reason)
    throw error
  }
}
