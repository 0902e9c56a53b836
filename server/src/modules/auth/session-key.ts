import { agreeKey } from '#contract/auth/auth.routes.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { sessionKeyForm } from '#contract/kernel/sealed-call.ts'
import { hashToken, newToken } from '#kernel/crypto/token.ts'
import { systemOf } from '#kernel/db/scope.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import type { SealedCalls } from '#kernel/http/sealed-call.ts'
import { openSecret } from './commands/open-cipher.ts'
import { spendCipher } from './data/cipher.repo.ts'
import { findSessionKey, storeSessionKey } from './data/session-key.repo.ts'
import type { AuthDeps } from './deps.ts'

const placeOf = (sessionId: string) => ({ table: 'session_key', column: 'key_sealed', rowId: sessionId })

/** A session names the key of its encrypted calls, sealed for the server; an earlier one is gone with that. */
export const sessionKeyHandler = ({ services, clock, loginKeys }: AuthDeps): Handler =>
  handle(agreeKey, async ({ ctx, input }) => {
    const { session } = ctx
    if (!session) return refuse('kernel/no-token', {})
    return ctx.asSystem('the key of the caller’s own session', async db => {
      const key = await openSecret(db, loginKeys, input.key)
      if (!sessionKeyForm.test(key)) return refuse('kernel/crypto-key', {})
      const handleName = newToken()
      const sealed = services.cipher.seal(ctx.tenantId, placeOf(session.id), key)
      await storeSessionKey(db, { sessionId: session.id, handleHash: hashToken(handleName), sealed, now: clock.now() })
      return { handle: handleName }
    })
  })

/** How the kernel finds the key of an encrypted call. */
export const sealedCallsOf = ({ services }: AuthDeps): SealedCalls => ({
  keyOf: async name => {
    const row = await services.scopes.asPlatform('the tenant of a key is known only after the look-up', services.clock.now(), db =>
      findSessionKey(db, hashToken(name)),
    )
    return (
      row && {
        tenantId: row.tenantId,
        sessionId: row.sessionId,
        key: services.cipher.open(row.tenantId, placeOf(row.sessionId), row.sealed),
      }
    )
  },
  spend: (tenantId, digest, handle) =>
    services.scopes.tx(systemOf(tenantId), services.clock.now(), db => spendCipher(db, { digest, handle: hashToken(handle) })),
})
