import type { PayState } from '#contract/pay/order.state.ts'
import { nameWords } from '#contract/person/person-name.ts'
import type { SignupState } from '#contract/signup/signup.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { codeHolds, wordsLike } from '#kernel/db/search.ts'
import { allOf, sql } from '#kernel/db/sql.ts'
import { isProposed } from './list.repo.ts'
import { isInReach, isNotRecused } from './reach.repo.ts'

export interface SignupFilter {
  readonly examId: string
  readonly unit?: string | undefined
  readonly type?: string | undefined
  readonly code?: string | undefined
  readonly examine?: SignupState | undefined
  readonly payState?: PayState | undefined
  readonly keyword?: string | undefined
  /** These alone. */
  readonly ids?: readonly string[] | undefined
  readonly isShortlisted?: boolean | undefined
  readonly isProposed?: boolean | undefined
  /** Who reads them: nothing that a recusal keeps from them, and for reviewers what they are concerned with. */
  readonly reader?: string | undefined
  readonly inReachOf?: string | undefined
}

/** Ids in the order of the workbook, at most `limit`: the rows themselves follow in batches, each in a transaction of its own. */
export const listSignupIds = async (
  db: TenantDb,
  filter: SignupFilter,
  units: readonly string[] | null,
  limit: number,
): Promise<string[]> => {
  const { unit, type, code, examine, payState, keyword, ids } = filter
  const where = allOf([
    sql`s.exam_id = ${filter.examId} and s.examine <> 'draft' and s.sign_no is not null and not s.is_deleted`,
    units !== null && sql`s.unit = any(${[...units]})`,
    unit !== undefined && sql`s.unit = ${unit}`,
    type !== undefined && sql`s.type = ${type}`,
    code !== undefined && sql`s.code = ${code}`,
    examine !== undefined && sql`s.examine = ${examine}`,
    ids !== undefined && sql`s.id = any(${[...ids]}::bigint[])`,
    filter.isProposed === true && isProposed,
    filter.reader !== undefined && isNotRecused(filter.reader),
    filter.inReachOf !== undefined && isInReach(filter.inReachOf),
    filter.isShortlisted === true && sql`s.shortlist in (1, 2)`,
    payState !== undefined && sql`s.pay_state = ${payState}`,
    keyword !== undefined && sql`(${wordsLike(sql`s.name`, nameWords(keyword))} or ${codeHolds(sql`s.sign_no`, keyword)})`,
  ])
  const rows = await db.all(sql<{ id: string }>`select s.id::text as id from signup s where ${where} order by s.sign_no limit ${limit}`)
  return rows.map(row => row.id)
}

/** When and with which signature the undertaking of a sign-up was given. */
export const findUndertaking = (db: TenantDb, signupId: string): Promise<{ promiseTime: Date | null } | undefined> =>
  db.maybe(sql<{ promiseTime: Date | null }>`select promise_time as "promiseTime" from signup where id = ${signupId}`)
