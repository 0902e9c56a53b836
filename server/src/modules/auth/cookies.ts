import { webClientId } from '#contract/tenancy/client.resource.ts'
import type { Ctx } from '#kernel/http/context.ts'
import type { Granted } from './commands/token-refusals.ts'
import { absoluteMs } from './domain/session.ts'

const tokenPath = '/api/blade-auth/oauth/token'
export const refreshCookie = 'kaopu-refresh-token'

export const cookieOf = (ctx: Ctx, name: string): string =>
  (ctx.header('cookie') ?? '')
    .split(/;\s*/)
    .find(pair => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? ''

/** One line per cookie; a second call adds to the first. */
export const setCookie = (
  ctx: Ctx,
  name: string,
  value: string,
  of: { readonly path: string; readonly maxAgeSeconds: number; readonly isSecure: boolean; readonly sameSite?: 'Strict' | 'Lax' },
): void =>
  ctx.reply(
    'Set-Cookie',
    `${name}=${value}; Path=${of.path}; HttpOnly; SameSite=${of.sameSite ?? 'Strict'}; Max-Age=${of.maxAgeSeconds}${of.isSecure ? '; Secure' : ''}`,
  )

export const setRefreshCookie = (ctx: Ctx, value: string, maxAgeSeconds: number, isSecure: boolean): void =>
  setCookie(ctx, refreshCookie, value, { path: tokenPath, maxAgeSeconds, isSecure })

/** Our own pages get the refresh token in a cookie that no script reads, programs of others in the body (decision 3.7). @returns the body */
export const handOver = (ctx: Ctx, clientId: string, granted: Granted, isSecure: boolean): Granted['answer'] => {
  if (clientId !== webClientId) return { ...granted.answer, refresh_token: granted.refresh }
  const maxAge = granted.refresh === '' ? 0 : Math.floor(absoluteMs(granted.answer.userType) / 1000)
  setRefreshCookie(ctx, granted.refresh, maxAge, isSecure)
  return granted.answer
}
