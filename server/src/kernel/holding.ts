import type { Label } from '#contract/kernel/label.ts'
import type { TenantDb } from './db/scope.ts'
import type { RawBuilder } from './db/sql.ts'
import type { Ctx } from './http/context.ts'

/** A member of staff who has work, or takes it over. */
export interface Worker {
  readonly id: string
  readonly name: string
}

/** What is given up of a kind of work, and to whom it goes. */
export interface LetGo {
  readonly db: TenantDb
  /** Undefined: the program acts. */
  readonly ctx: Ctx | undefined
  readonly from: Worker
  /** Of the rows of the holding. */
  readonly ids: readonly string[]
  /** Who takes these rows over; undefined: they go where `pool` says. */
  readonly to: Worker | undefined
  /** Who gets what has no pool: the superior of whoever leaves, else who acts. */
  readonly stead: Worker
}

/**
 * A kind of open work that names an account of staff. Whoever is disabled, removed, loses a role or moves to another department gives it up in the
 * same act; a table that names an account and declares nothing fails `server/test/sweeps/holdings.test.ts`.
 */
export interface Holding {
  /** `<context>.<what>`. */
  readonly name: string
  readonly label: Label
  /** Where the account is named: `table.column`. */
  readonly columns: readonly string[]
  /** What becomes of it where nobody is named to take it over. */
  readonly pool: Label
  /** It cannot be given to anybody else: it ends with the account's work. */
  readonly isPersonal?: true
  /** It is given up by a removal alone: a disabled account that is enabled again still has it. */
  readonly onlyRemoved?: true
  /**
   * All rows that are open: `holder` (the account's id), `id` and `name` as text, `count` (how much work one row is), `needs` (the right without
   * which nobody can do it: the code of a button, or `role:<alias>`; null: every active account can), `dept` (the department that whoever does it
   * belongs to; null: any) and `reach` (the department that it belongs to, which people without departments reach as well; null: everybody does).
   */
  readonly rows: () => RawBuilder<unknown>
  readonly letGo: (call: LetGo) => Promise<void>
}
