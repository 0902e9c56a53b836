import type { Label } from '#contract/kernel/label.ts'
import type { TenantDb } from './db/scope.ts'
import type { RawBuilder } from './db/sql.ts'

/** A row that does not agree with what it stands for. */
export interface BrokenRow {
  /** Of the row that is looked after: its key in the database. */
  readonly id: string
  /** How people call it: a number, a code, a name without personal data. */
  readonly name: string
  /** What stands there, and what should. */
  readonly found: string
  readonly expected: string
}

/** Sets one row right, in a transaction of its own. It reads what is true under a lock, so that to run it again, or for nothing, changes nothing. */
export interface Healer {
  readonly label: Label
  readonly heal: (db: TenantDb, id: string) => Promise<void>
}

interface InvariantWords {
  /** `<context>.<what>`; also the heading of its section in docs/operate/invariants.md. */
  readonly name: string
  readonly label: Label
  /** What it means for people when it does not hold. */
  readonly means: Label
  /** Tables (`signup_tally`) and columns (`type_code.used_sign`) that it proves: whatever is kept beside its source is named by one. */
  readonly watches: readonly string[]
  /** The page of the console that shows such a row; `{id}` and `{exam}` stand for the row and its examination. A function where rows are of several tables. */
  readonly page?: string | ((rowId: string) => string)
  /** Without one the paper says what to do. */
  readonly healer?: Healer
}

/** Proven by statements, an examination or a tenant at a time. They read only, and name their rows with the columns of `BrokenRow`. */
export interface SqlInvariant extends InvariantWords {
  readonly by: 'tenant' | 'exam'
  readonly broken: (of: { readonly examId: string; readonly now: Date }) => RawBuilder<unknown>
}

/** Proven by a walk through something beside the database, of all tenants at once. */
export interface WalkInvariant extends InvariantWords {
  readonly by: 'installation'
  /** Tells each broken row with the tenant it belongs to; the platform's own where it belongs to none. Stops when the signal says so. */
  readonly walk: (
    report: (tenantId: string, row: BrokenRow) => void,
    call: { readonly now: Date; readonly signal: AbortSignal },
  ) => Promise<void>
}

/** Something that is true of all data at every moment, however it came to be. */
export type Invariant = SqlInvariant | WalkInvariant
