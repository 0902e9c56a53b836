import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** Pages that show what the program can draw: for a demo and for those who write it. */
const sampleMenus = ['test'] as const

/** Takes samples away where the transaction reaches, as production has none: also those of a release that brought them. Safe to repeat. */
export const dropSamples = async (db: TenantDb | PlatformDb): Promise<void> => {
  await db.run(sql`delete from role_menu where menu_id in (select id from menu where code = any(${[...sampleMenus]}))`)
  await db.run(sql`
    update menu set is_deleted = true, updated_at = app_now(), version = version + 1 where code = any(${[...sampleMenus]}) and not is_deleted`)
}
