import { refuse } from '#contract/kernel/errors.ts'
import { client, webClientId } from '#contract/tenancy/client.resource.ts'
import { renewSecret } from '#contract/tenancy/client.routes.ts'
import { refuseTenant } from '#contract/tenancy/tenant.errors.ts'
import { audit } from '#kernel/audit.ts'
import { crud } from '#kernel/crud/crud.ts'
import { hashToken, newToken } from '#kernel/crypto/token.ts'
import { type Ctx, type Handler, handle } from '#kernel/http/context.ts'
import { forgetEverywhere } from '#kernel/platform-audit.ts'
import type { Services } from '#server/services.ts'
import { endSessionsOfClient, lockClient, setClientSecret } from './data/client.repo.ts'

/** Programs that may ask for tokens. */
export const clientHandlers = ({ scopes }: Services): Handler[] => {
  /**
   * Sessions of a closed program open nothing, in every tenant: the look-up of a session asks for its client, so they are over with the very
   * transaction that closes it. What is written here keeps them over when the program is opened again, and out of the list of who is online.
   */
  const endSessions = (ctx: Ctx, clientId: string): Promise<number> =>
    scopes.asPlatform('a client that is closed has sessions in every tenant', ctx.arrivedAt, db => endSessionsOfClient(db, clientId))
  return [
    ...crud(client, {
      // Clients of the framework know no name beside the id and no switch, and send what was left empty.
      complete: ({ input: { autoapprove, ...input }, id }) => ({
        ...(id === undefined ? { isOpen: 1, ...(input['clientId'] ? { clientName: input['clientId'] } : {}) } : {}),
        ...input,
        ...(autoapprove === undefined || autoapprove === '' ? {} : { autoapprove }),
      }),
      prepare: async ({ input, before }) => {
        const isOwn = before?.['clientId'] === webClientId
        const grants = input['authorizedGrantTypes']
        if (isOwn && input['clientSecret']) return refuseTenant('client/own-stays', {})
        const narrows =
          (grants !== undefined && grants !== before?.['authorizedGrantTypes']) ||
          input['isOpen'] === 0 ||
          input['ignoresUnknownConditions'] === 1
        return isOwn && narrows ? refuseTenant('client/own-stays', {}) : input
      },
      refuseRemove: async ({ rows }) =>
        rows.some(row => row['clientId'] === webClientId) ? refuseTenant('client/own-stays', {}) : undefined,
      afterWrite: async ({ ctx, db, before, after, input }) => {
        const secret = input['clientSecret']
        if (after && typeof secret === 'string' && secret !== '') {
          await setClientSecret(db, String(after['id']), hashToken(secret))
          await audit(db, ctx, {
            action: 'client.secret-renewed',
            entity: 'client',
            entityId: String(after['id']),
            after: { clientId: after['clientId'] },
          })
        }
        await forgetEverywhere(db)
        const clientId = String((before ?? after)?.['clientId'])
        if (before && after?.['isOpen'] !== 1) db.afterCommit(() => void endSessions(ctx, clientId).catch(() => undefined))
        else if (before?.['isOpen'] !== 1) await endSessions(ctx, clientId)
      },
    }),
    handle(renewSecret, async ({ ctx, db, input }) => {
      const row = await lockClient(db, input.id)
      if (!row) return refuse('kernel/not-found', {})
      if (row.clientId === webClientId) return refuseTenant('client/own-stays', {})
      const clientSecret = newToken()
      await setClientSecret(db, input.id, hashToken(clientSecret))
      await audit(db, ctx, { action: 'client.secret-renewed', entity: 'client', entityId: input.id, after: { clientId: row.clientId } })
      await forgetEverywhere(db)
      return { clientId: row.clientId, clientSecret }
    }),
  ]
}
