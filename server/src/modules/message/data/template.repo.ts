import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** A tenant's words for an event, or of messages to many. */
export interface TemplateRow {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly scene: string
  readonly title: string
  readonly content: string
  readonly titleEn: string
  readonly contentEn: string
  readonly templateId: string
  readonly signName: string
}
const columns = sql`
  id::text as id, code, name, scene, coalesce(title, '') as title, content, coalesce(title_en, '') as "titleEn",
  coalesce(content_en, '') as "contentEn", coalesce(template_id, '') as "templateId", coalesce(sign_name, '') as "signName"`

/** Templates in use that have a number at a provider. */
export const listNumbered = (db: TenantDb): Promise<{ name: string; templateId: string }[]> =>
  db.all(sql<{ name: string; templateId: string }>`
    select name, template_id as "templateId" from send_template where template_id <> '' and status = 1 and not is_deleted order by id`)

/** Words of events that can go by text message. */
export const listNumberedScenes = (db: TenantDb): Promise<TemplateRow[]> =>
  db.all(sql<TemplateRow>`
    select ${columns} from send_template where scene <> 'batch' and template_id <> '' and status = 1 and not is_deleted order by id`)

/** The tenant's words for an event, where it has some. */
export const findSceneTemplate = (db: TenantDb, scene: string): Promise<TemplateRow | undefined> =>
  db.maybe(
    sql<TemplateRow>`select ${columns} from send_template where scene = ${scene} and scene <> 'batch' and status = 1 and not is_deleted`,
  )
