import type { Language } from '#contract/kernel/label.ts'
import type { Route } from '#contract/kernel/route.ts'
import type { Scopes } from '../db/scope.ts'
import { sql } from '../db/sql.ts'
import { actsForPlatform } from './access.ts'
import type { Ctx, Session } from './context.ts'
import { actorOf, systemFor } from './mount.ts'

/** A session as JSON, so that the queue can work with the rights of the call that ordered the work. */
export type StoredSession = Omit<Session, 'roleAliases' | 'permissions'> & {
  readonly roleAliases: readonly string[]
  readonly permissions: readonly string[]
}
export const storeSession = (session: Session): StoredSession => ({
  ...session,
  roleAliases: [...session.roleAliases],
  permissions: [...session.permissions],
})

/** What decides which rows and fields somebody sees, as one text; keys in their order, whatever stored them. */
export const reachOf = ({ fieldRules, shownMasked, rowRules, wideResources, departments, userCodes }: StoredSession | Session): string => {
  const inOrder = (_key: string, value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value
  const sorted = (list: readonly unknown[]): readonly string[] => list.map(one => JSON.stringify(one, inOrder)).sort()
  return JSON.stringify(
    [fieldRules, shownMasked ?? null, sorted(rowRules), sorted(wideResources), departments && sorted(departments), sorted(userCodes)],
    inOrder,
  )
}

/** The context of a call whose work is done later: its rows are seen through the same walls, it has no files, headers or address. */
export const backgroundCtx = (
  scopes: Scopes,
  call: {
    readonly session: StoredSession
    readonly language: Language
    readonly arrivedAt: Date
    /** The route of the call; work that no route began acts for nobody but its tenant. */
    readonly route?: Route
  },
): Ctx => {
  const session: Session = {
    ...call.session,
    roleAliases: new Set(call.session.roleAliases),
    permissions: new Set(call.session.permissions),
  }
  const { tenantId } = session
  return {
    tenantId,
    session,
    guest: undefined,
    language: call.language,
    arrivedAt: call.arrivedAt,
    ip: '',
    addressBy: 'connection',
    host: '',
    userAgent: '',
    traceId: '',
    files: [],
    rawBody: Buffer.alloc(0),
    header: () => undefined,
    reply: () => undefined,
    claimPlace: async () => undefined,
    say: text => text[call.language],
    tx: work => scopes.tx(actorOf(session), call.arrivedAt, work),
    asSystem: (_because, work) => scopes.tx(systemFor(tenantId, session), call.arrivedAt, work),
    actsForPlatform: () => call.route !== undefined && actsForPlatform(call.route, session),
  }
}

/** The same call as if somebody else made it, to show what they would see: through their walls, and for reading only. */
export const readingAs = (scopes: Scopes, ctx: Ctx, session: Session): Ctx => {
  const reading =
    (actor: Parameters<Scopes['tx']>[0]): Ctx['tx'] =>
    work =>
      scopes.tx(actor, ctx.arrivedAt, db => {
        db.send(sql`set transaction read only`)
        return work(db)
      })
  const asSystem = reading(systemFor(session.tenantId, session))
  return { ...ctx, session, actsForPlatform: () => false, tx: reading(actorOf(session)), asSystem: (_because, work) => asSystem(work) }
}
