import type { SignupState } from '#contract/signup/signup.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { allOf, sql } from '#kernel/db/sql.ts'

import { isInReach, isNotRecused } from './reach.repo.ts'

export interface WallFilter {
  readonly examId: string
  readonly states: readonly SignupState[]
  readonly units: readonly string[] | undefined
  readonly unit: string | undefined
  readonly photoState: number | undefined
  /** Only what was given to this reviewer. */
  readonly givenTo: string | undefined
  /** Who looks: nothing of sign-ups that a recusal keeps them from. */
  readonly reader: string
}
const conditionOf = ({ examId, states, units, unit, photoState, givenTo, reader }: WallFilter) =>
  allOf([
    sql`s.exam_id = ${examId} and not s.is_deleted and s.photo_file_id is not null and s.examine = any(${[...states]})`,
    units !== undefined && sql`s.unit = any(${[...units]})`,
    unit !== undefined && sql`s.unit = ${unit}`,
    photoState !== undefined && sql`s.photo_state = ${photoState}`,
    givenTo !== undefined && isInReach(givenTo),
    isNotRecused(reader),
  ])

export interface WallRow {
  readonly signUpId: string
  readonly signNo: string | null
  readonly name: string | null
  readonly unit: string | null
  readonly code: string | null
  readonly codeName: string | null
  readonly examine: SignupState
  readonly signVersion: number
  readonly photoState: number
  readonly advice: string | null
  readonly markedBy: string | null
  readonly photoFileId: string
  readonly checks: readonly { readonly rule: string; readonly ok: boolean }[] | null
}
export const pagePhotos = (
  db: TenantDb,
  filter: WallFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<WallRow[]> =>
  db.all(sql<WallRow>`
    select s.id::text as "signUpId", s.sign_no as "signNo", s.name, s.unit, s.code, t.code_name as "codeName", s.examine, s.sign_version as "signVersion",
      s.photo_state as "photoState", case when s.photo_state = 2 then s.photo_advice end as advice, b.real_name as "markedBy",
      s.photo_file_id::text as "photoFileId", f.checks
    from (select * from signup s where ${conditionOf(filter)} order by s.submit_time, s.id limit ${page.limit} offset ${page.offset}) s
    left join type_code t on t.exam_id = s.exam_id and t.code = s.code and not t.is_deleted
    left join account b on b.id = s.photo_by
    left join stored_file f on f.id = s.photo_file_id
    order by s.submit_time, s.id`)

export const countPhotos = (db: TenantDb, filter: WallFilter): Promise<{ unseen: number; good: number; bad: number }> =>
  db.one(sql<{ unseen: number; good: number; bad: number }>`
    select count(*) filter (where photo_state = 0)::int as unseen, count(*) filter (where photo_state = 1)::int as good,
      count(*) filter (where photo_state = 2)::int as bad
    from signup s where ${conditionOf({ ...filter, photoState: undefined })}`)

/** Marks those that are still in the version that was looked at and within the reviewer's reach. @returns their ids */
export const writeMarks = async (
  db: TenantDb,
  filter: WallFilter,
  marks: readonly {
    readonly signUpId: string
    readonly signVersion: number
    readonly photoState: number
    readonly advice: string | null
  }[],
): Promise<string[]> => {
  const rows = await db.all(sql<{ id: string }>`
    update signup s set photo_state = m.state, photo_advice = m.advice, photo_by = ${db.actor.userId}, photo_at = app_now()
    from unnest(${marks.map(one => one.signUpId)}::bigint[], ${marks.map(one => one.signVersion)}::int[], ${marks.map(one => one.photoState)}::int[],
      ${marks.map(one => one.advice)}::text[]) as m(id, sign_version, state, advice)
    where s.id = m.id and s.sign_version = m.sign_version and ${conditionOf({ ...filter, photoState: undefined })}
    returning s.id::text as id`)
  return rows.map(row => row.id)
}

export const findMark = (db: TenantDb, signupId: string): Promise<{ photoState: number; advice: string | null } | undefined> =>
  db.maybe(sql<{ photoState: number; advice: string | null }>`
    select photo_state as "photoState", photo_advice as advice from signup where id = ${signupId}`)
