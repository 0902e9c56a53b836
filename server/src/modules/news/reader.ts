import type { Ctx, Session } from '#kernel/http/context.ts'
import type { Reader } from './data/notice.repo.ts'
import type { NewsDeps } from './deps.ts'

/** Whoever is locked out of everything else reads as nobody. */
const usable = (session: Session | undefined): Session | undefined =>
  session && !session.locked && !session.mustChangePassword ? session : undefined

export const readerOf = (session: Session | undefined): Reader | undefined => {
  const own = usable(session)
  return own && { userId: own.userId, isStaff: own.userType !== 2 }
}

/** Who opens a picture or a file: a page and a new tab send no header, so the cookie tells. */
export const callerOf = async (deps: Pick<NewsDeps, 'authenticate'>, ctx: Ctx): Promise<Session | undefined> => {
  if (ctx.session) return usable(ctx.session)
  const token = /(?:^|;\s*)kaopu-access-token=([^;]+)/.exec(ctx.header('cookie') ?? '')?.[1]
  return token === undefined ? undefined : usable(await deps.authenticate(token, ctx.arrivedAt, false))
}
