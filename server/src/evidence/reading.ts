import type { Label } from '#contract/kernel/label.ts'
import type { Pool } from '#kernel/db/pool.ts'
import type { Application } from '#server/app.ts'
import type { Config } from '#server/config.ts'

/**
 * `holds`: the live test showed it; `fails`: the live test showed the opposite; `unset`: it works when it is switched on, and it is not
 * switched on or cannot be reached here.
 */
export type Verdict = 'holds' | 'fails' | 'unset'

export type Cell = string | number | boolean | null
/** A setting of this installation with its present value. */
export interface Setting {
  readonly name: Label
  readonly value: Cell | Label
}
/** One live test: what was done now, what should come of it, and what came. */
export interface LiveTest {
  readonly what: Label
  readonly expected: string
  readonly seen: string
  readonly verdict: Verdict
}
/** Rows out of the installation; personal data only masked. */
export interface Sample {
  readonly title: Label
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}
/** What one probe read from the running installation. */
export interface Reading {
  readonly settings?: readonly Setting[]
  readonly tests?: readonly LiveTest[]
  readonly samples?: readonly Sample[]
}

/** What probes may use: the application without its doors and its queue, on the database of the installation. */
export interface Installation {
  readonly application: Application
  readonly config: Config
  readonly owner: Pool
  readonly now: Date
  /** The address at which people reach the installation, where it could be asked; else why not. */
  readonly outside: Outside
}
export type Outside =
  | { readonly protocol: string; readonly cipher: string; readonly validTo: string; readonly headers: Readonly<Record<string, string>> }
  | { readonly problem: string }

/** A test that expects one text. */
export const expectText = (what: Label, expected: string, seen: string): LiveTest => ({
  what,
  expected,
  seen,
  verdict: expected === seen ? 'holds' : 'fails',
})
/** A test whose outcome was judged by the caller. */
export const judged = (what: Label, expected: string, seen: string, isRight: boolean): LiveTest => ({
  what,
  expected,
  seen,
  verdict: isRight ? 'holds' : 'fails',
})
/** Something that works once somebody sets it up. */
export const whenSet = (what: Label, expected: string, seen: string, isSet: boolean): LiveTest => ({
  what,
  expected,
  seen,
  verdict: isSet ? 'holds' : 'unset',
})

/** The worst of all tests of a reading. A reading that tests nothing shows nothing. */
export const verdictOf = (tests: readonly Pick<LiveTest, 'verdict'>[]): Verdict =>
  tests.length === 0 || tests.some(({ verdict }) => verdict === 'fails')
    ? 'fails'
    : tests.some(({ verdict }) => verdict === 'unset')
      ? 'unset'
      : 'holds'
