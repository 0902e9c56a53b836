import type { TenantDb } from '#kernel/db/scope.ts'
import { systemOf } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { PostInput } from '#modules/exam/domain/post-sheet.ts'
import type { Services } from '#server/services.ts'
import { readDictionaries, readPosts } from './exams.ts'
import type { DemoPerson, Dictionaries } from './people.ts'
import type { DemoPictures } from './pictures.ts'
import type { DemoSources } from './sources.ts'

/** What seeding one tenant works with. */
export interface DemoTools {
  readonly services: Services
  readonly db: TenantDb
  readonly tenantId: string
  readonly now: Date
  readonly sources: DemoSources
  readonly merchant: { readonly mchid: string; readonly appid: string }
  /** Password hash of a demo account. @throws for others */
  readonly hashOf: (account: string) => string
  readonly notifyUrl: (kind: 'notify' | 'refundNotify') => string
}

/** What is made before the transaction: files, and the people whose pictures they are, in the order of the portraits. */
export interface Prepared {
  readonly posts: readonly PostInput[]
  readonly people: readonly DemoPerson[]
  readonly pictures: DemoPictures
  /** Those of them who are in the re-review. */
  readonly rechecked?: readonly DemoPerson[]
}

/** Fields whose answers are sealed, of the tenant's library. */
export const readSensitive = (db: TenantDb): Promise<{ itemKey: string; sensitive: number }[]> =>
  db.all(
    sql<{ itemKey: string; sensitive: number }>`select item_key as "itemKey", sensitive from item where sensitive = 2 and not is_deleted`,
  )

/** The posts as the tenant's dictionaries read them. */
export const readTenantPosts = (tools: Omit<DemoTools, 'db'>): Promise<{ posts: readonly PostInput[]; dictionaries: Dictionaries }> =>
  tools.services.scopes.tx(systemOf(tools.tenantId), tools.now, async db => {
    const { byLabel, dictionaries } = await readDictionaries(db)
    return { posts: readPosts(tools.sources, byLabel), dictionaries }
  })
