import { agreeKey } from '#contract/auth/auth.routes.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { sessionKeyForm } from '#contract/kernel/sealed-call.ts'
import { hashToken, newToken } from '#kernel/crypto/token.ts'
import { systemOf } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import type { SealedCalls } from '#kernel/http/sealed-call.ts'
import { openCipher } from './commands/open-cipher.ts'
import type { AuthDeps } from './deps.ts'

const placeOf = (sessionId: string) => ({ table: 'session_key', column: 'key_sealed', rowId: sessionId })

/** A session names the key of its encrypted calls, sealed for the server; an earlier one is gone with that. */
export const sessionKeyHandler = ({ services, clock }: AuthDeps): Handler =>
  handle(agreeKey, async ({ ctx, input }) => {
    const { session } = ctx
    if (!session) return refuse('kernel/no-token', {})
    return ctx.asSystem('the key of the caller’s own session', async db => {
      const key = await openCipher(db, services.secrets.login.privateKey, input.key)
      if (!sessionKeyForm.test(key)) return refuse('kernel/crypto-key', {})
      const handleName = newToken()
      const sealed = services.cipher.seal(ctx.tenantId, placeOf(session.id), key)
      await db.run(sql`
        insert into session_key (tenant_id, session_id, handle_hash, key_sealed, created_at)
        values (${ctx.tenantId}, ${session.id}, ${hashToken(handleName)}, ${sealed}, ${clock.now()})
        on conflict (tenant_id, session_id) do update set handle_hash = excluded.handle_hash, key_sealed = excluded.key_sealed, created_at = excluded.created_at`)
      return { handle: handleName }
    })
  })

/** How the kernel finds the key of an encrypted call. */
export const sealedCallsOf = ({ services }: AuthDeps): SealedCalls => ({
  keyOf: async name => {
    const row = await services.scopes.asPlatform('the tenant of a key is known only after the look-up', services.clock.now(), db =>
      db.maybe(sql<{ tenantId: string; sessionId: string; sealed: Buffer }>`
        select k.tenant_id as "tenantId", k.session_id::text as "sessionId", k.key_sealed as sealed
        from session_key k join session s on s.tenant_id = k.tenant_id and s.id = k.session_id and s.ended_at is null
        where k.handle_hash = ${hashToken(name)}`),
    )
    return (
      row && {
        tenantId: row.tenantId,
        sessionId: row.sessionId,
        key: services.cipher.open(row.tenantId, placeOf(row.sessionId), row.sealed),
      }
    )
  },
  spend: (tenantId, digest) =>
    services.scopes.tx(
      systemOf(tenantId),
      services.clock.now(),
      async db =>
        (await db.run(sql`insert into used_cipher (tenant_id, digest) values (${tenantId}, ${digest}) on conflict do nothing`)) === 1,
    ),
})
