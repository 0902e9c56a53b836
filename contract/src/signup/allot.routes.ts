import { Type } from 'typebox'
import { defineRoute } from '../kernel/route.ts'
import { flag, id, ids, int, named, nullable, optional, strict, text } from '../kernel/schema.ts'

const level = () => int(1, 2)

/** A reviewer of an examination at one level (domain 3.9). Empty units and codes mean all. */
const examUserRow = Type.Object({
  id: Type.String(),
  userId: Type.String(),
  name: Type.String(),
  account: Type.String(),
  level: Type.Integer(),
  units: Type.Array(Type.String()),
  codes: Type.Array(Type.String()),
  quota: Type.Integer(),
  /** 0 disabled, 1 enabled. */
  state: Type.Integer(),
  version: Type.Integer(),
})

export const getExamAllot = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/getExamAllot',
  access: { staff: 'examine_allotview' },
  input: strict({ examId: id(), level: optional(level()) }),
  output: Type.Object({
    level: Type.Integer(),
    /** The examination's own mode: 0 pool, 1 by unit, 2 by post, 3 even random, 4 by surname. */
    mode: Type.Integer(),
    /** Waiting and given to nobody. */
    pool: Type.Integer(),
    /** Waiting and given to a reviewer or open at one. */
    allotted: Type.Integer(),
    done: Type.Integer(),
    /** Waiting longer than `examine.slaHours`. */
    overdue: Type.Integer(),
    reviewers: Type.Array(
      Type.Object({
        userId: Type.String(),
        name: Type.String(),
        units: Type.Array(Type.String()),
        codes: Type.Array(Type.String()),
        quota: Type.Integer(),
        state: Type.Integer(),
        waiting: Type.Integer(),
        done: Type.Integer(),
        avgMinutes: nullable(Type.Number()),
      }),
    ),
  }),
  tx: 'read',
})

export const allotCheck = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/allotCheck',
  access: { staff: 'examine_allot' },
  input: strict({
    examId: id(),
    level: optional(level()),
    /** Default: the examination's. 0 gives everything that is not open back to the pool. */
    mode: optional(named({ zh: '分配方式', en: 'Way of allotment' }, int(0, 4))),
    /** Comma-joined; default all enabled reviewers of the level. */
    userIds: optional(ids()),
    scope: optional(named({ zh: '分配范围', en: 'What is allotted' }, Type.Union([Type.Literal('unallotted'), Type.Literal('rebalance')]))),
    dryRun: optional(flag()),
  }),
  output: Type.Object({
    mode: Type.Integer(),
    dryRun: Type.Boolean(),
    placed: Type.Integer(),
    /** Given back to the pool. */
    released: Type.Integer(),
    reviewers: Type.Array(Type.Object({ userId: Type.String(), name: Type.String(), added: Type.Integer(), waiting: Type.Integer() })),
    unplacedCount: Type.Integer(),
    /** The first 200. */
    unplaced: Type.Array(Type.Object({ signUpId: Type.String(), signNo: nullable(Type.String()), reason: Type.String() })),
  }),
  means: 'allotReviewers',
})

export const getExamUsers = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/getExamUsers',
  access: { staff: 'examine_allotview' },
  input: strict({ examId: id(), level: optional(level()) }),
  output: Type.Object({
    users: Type.Array(examUserRow),
    /** Accounts that may review at a level and are not listed for it. */
    candidates: Type.Array(Type.Object({ userId: Type.String(), name: Type.String(), account: Type.String(), level: Type.Integer() })),
  }),
  tx: 'read',
})

const code = () => Type.Array(text(20, { minLength: 1 }), { maxItems: 500, uniqueItems: true })
export const saveCheck = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/saveCheck',
  access: { staff: 'examine_allot' },
  input: strict({
    examId: id(),
    list: Type.Array(
      strict({
        userId: id(),
        level: level(),
        units: optional(code()),
        codes: optional(code()),
        quota: optional(int(0, 100_000)),
        state: optional(flag()),
        /** 1 takes the reviewer off the list; what is not open at them goes back to the pool. */
        remove: optional(flag()),
      }),
      { maxItems: 200 },
    ),
  }),
  output: Type.Object({ saved: Type.Integer(), removed: Type.Integer(), returned: Type.Integer() }),
  means: 'saves the reviewers of an examination; other reviewers stay as they are',
})

export const allotRoutes = [getExamAllot, allotCheck, getExamUsers, saveCheck] as const
