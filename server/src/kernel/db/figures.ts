import { allOf, type RawBuilder, sql } from './sql.ts'

/**
 * Figures of sign-ups and dues as SQL. Whatever says a number of sign-ups or a sum of dues takes it from here and from the figure's declaration in the
 * contract, so that a name means the same everywhere (`tools/figures.test.ts` refuses a count that does not).
 */
interface StatesOf {
  readonly states: readonly string[]
  readonly payStates?: readonly string[]
}

/** Whether a row of sign-ups or of their tallies is in the figure. @param alias - the row: `s` in `from signup s` */
export const isIn = ({ states, payStates }: StatesOf, alias: string): RawBuilder<unknown> =>
  allOf([
    sql`${sql.ref(`${alias}.examine`)} = any(${[...states]})`,
    payStates && sql`${sql.ref(`${alias}.pay_state`)} = any(${[...payStates]})`,
  ])

/** The figure of a group of tallies, rows with their number `n`. */
export const talliedIn = (figure: StatesOf, alias: string): RawBuilder<unknown> =>
  sql`coalesce(sum(${sql.ref(`${alias}.n`)}) filter (where ${isIn(figure, alias)}), 0)::int`

/** The figure of a group of sign-ups themselves. */
export const countedIn = (figure: StatesOf, alias: string): RawBuilder<unknown> =>
  sql`(count(*) filter (where ${isIn(figure, alias)}))::int`

/** Whether a due `p` counts in the figure. */
export const isDueIn = ({ states }: StatesOf): RawBuilder<unknown> => sql`p.state = any(${[...states]})`
/** Amounts of the dues `p` of a group that count in the figure, fen as text: a sum of many does not fit a number of JavaScript. */
export const amountFenIn = (figure: StatesOf): RawBuilder<unknown> =>
  sql`coalesce(sum(p.amount_fen) filter (where ${isDueIn(figure)}), 0)::text`
/** What came in for dues `p` and did not go back, fen as text, whatever became of the dues. */
export const cameInFen = sql`coalesce(sum(p.paid_fen - p.refunded_fen), 0)::text`
/** What went back of dues `p`, fen as text. */
export const refundedFen = sql`coalesce(sum(p.refunded_fen), 0)::text`
/** Of the dues `p` of one sign-up: whether one of them counts in the figure. */
export const owes = (figure: StatesOf): RawBuilder<unknown> => sql`bool_or(${isDueIn(figure)})`
/** Of the dues `p` of one sign-up: all that count are paid and nothing went back, as `signup.pay_state` says it of them together. */
export const isPaidInFull = sql`(bool_or(p.state = 'paid') and not bool_or(p.state in ('due', 'overdue', 'refunding')))`
