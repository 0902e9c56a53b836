import type { ProposalName } from '#contract/kernel/proposals.ts'
import type { Confirmation } from '#contract/signup/hearing.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'
import { insistOnGate } from '#kernel/two-persons.ts'

/** Tables of proposals against a person, with what their notices are named by; each has the columns of an answer. */
export const proposalOf = {
  selection_disqualification: 'disqualification',
  integrity_case: 'integrity',
  selection_objection: 'objection',
} as const satisfies Readonly<Record<string, ProposalName>>
export type HearingTable = keyof typeof proposalOf
export const hearingTables = Object.keys(proposalOf) as HearingTable[]

/** The state in which nobody has decided. */
export const openState: Readonly<Record<HearingTable, string>> = {
  selection_disqualification: 'proposed',
  integrity_case: 'proposed',
  selection_objection: '1',
}

export interface AnswerFile {
  readonly fileId: string
  readonly name: string
}
export interface Hearing {
  readonly id: string
  readonly userId: string
  readonly examId: string
  readonly signupId: string
  readonly state: string
  readonly createdAt: Date
  readonly statement: string | null
  readonly statementWay: number | null
  readonly statementAt: Date | null
  readonly statementFiles: readonly AnswerFile[]
  readonly notedById: string | null
  readonly notedBy: string | null
  readonly confirmed: Confirmation | null
  readonly confirmedBy: string | null
  readonly tries: number
}
const columns = sql`id::text as id, user_id::text as "userId", exam_id::text as "examId", signup_id::text as "signupId", state::text as state, created_at as "createdAt", statement,
  statement_way as "statementWay", statement_at as "statementAt", statement_files as "statementFiles", statement_by::text as "notedById", statement_by_name as "notedBy",
  statement_confirmed as confirmed, statement_confirmed_name as "confirmedBy", statement_tries as tries`

/** One proposal with what the person answered, locked. */
export const lockHearing = (db: TenantDb, table: HearingTable, id: string): Promise<Hearing | undefined> =>
  db.maybe(sql<Hearing>`select ${columns} from ${sql.table(table)} where id = ${id} for update`)
export const findHearing = (db: TenantDb, table: HearingTable, id: string): Promise<Hearing | undefined> =>
  db.maybe(sql<Hearing>`select ${columns} from ${sql.table(table)} where id = ${id}`)

const write = async (db: TenantDb, table: HearingTable, id: string, set: readonly RawBuilder<unknown>[]): Promise<boolean> =>
  (await db.run(sql`
    update ${sql.table(table)} set ${sql.join([...set, sql`updated_at = app_now()`, sql`updated_by = ${db.actor.userId}`, sql`version = version + 1`])}
    where id = ${id} and state::text = ${openState[table]}`)) === 1

export const storeOwnAnswer = (
  db: TenantDb,
  table: HearingTable,
  id: string,
  answer: { statement: string; files: readonly AnswerFile[] },
) =>
  write(db, table, id, [
    sql`statement = ${answer.statement}`,
    sql`statement_way = 4`,
    sql`statement_at = app_now()`,
    sql`statement_files = ${JSON.stringify(answer.files)}`,
    sql`statement_by = null`,
    sql`statement_by_name = null`,
    sql`statement_confirmed = 'own'`,
    sql`statement_confirmed_name = null`,
    sql`statement_confirmed_at = app_now()`,
  ])
export const storeNoted = (
  db: TenantDb,
  table: HearingTable,
  id: string,
  noted: { readonly statement: string; readonly way: number; readonly at: Date; readonly byName: string },
) =>
  write(db, table, id, [
    sql`statement = ${noted.statement}`,
    sql`statement_way = ${noted.way}`,
    sql`statement_at = ${noted.at}`,
    sql`statement_by = ${db.actor.userId}`,
    sql`statement_by_name = ${noted.byName}`,
    sql`statement_confirmed = null`,
    sql`statement_confirmed_name = null`,
    sql`statement_confirmed_at = null`,
    sql`statement_tries = 0`,
  ])
export const storeConfirmed = (
  db: TenantDb,
  table: HearingTable,
  id: string,
  by: { readonly how: Confirmation; readonly name: string; readonly paper: string | null },
) => {
  insistOnGate(db, 'integrityPaper', 'disqualifyPaper', 'objectionPaper')
  return write(db, table, id, [
    sql`statement_confirmed = ${by.how}`,
    sql`statement_confirmed_name = ${by.name}`,
    sql`statement_confirmed_at = app_now()`,
    sql`statement_paper = ${by.paper}`,
  ])
}
export const countTry = async (db: TenantDb, table: HearingTable, id: string): Promise<void> => {
  await db.run(sql`update ${sql.table(table)} set statement_tries = statement_tries + 1 where id = ${id}`)
}
