import { platformTenant } from '#contract/kernel/platform.ts'
import type { PlatformDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface ClientRow {
  readonly id: string
  readonly secretHash: string | null
  readonly grants: string
  readonly accessSeconds: number
  readonly refreshSeconds: number
  /** Where a provider may send people back to, joined by commas; empty for any page of the program that does this. */
  readonly redirects: string
}

export const findClient = (db: PlatformDb, clientId: string): Promise<ClientRow | undefined> =>
  db.maybe(sql<ClientRow>`
    select client_id as id, secret_hash as "secretHash", authorized_grant_types as grants, access_token_validity as "accessSeconds",
      refresh_token_validity as "refreshSeconds", coalesce(web_server_redirect_uri, '') as redirects
    from oauth_client where tenant_id = ${platformTenant} and client_id = ${clientId} and is_open = 1 and not is_deleted`)
