import type { ForeignDatabases } from '#kernel/foreign-database.ts'
import type { Services } from '#server/services.ts'

/** What generated code stands among. */
export interface SourceTree {
  readonly contexts: readonly string[]
  readonly nouns: readonly string[]
  readonly menuCodes: readonly string[]
  /** Codes of menus that others stand in. */
  readonly folders: readonly string[]
  readonly lastMigration: number
}
export interface DevelopDeps {
  readonly services: Services
  /** The way to the databases that the operator allows. */
  readonly foreign: ForeignDatabases
  readonly tree: SourceTree
}
