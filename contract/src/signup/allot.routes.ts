import { Type } from 'typebox'
import { keywordOf, markOf, shows } from '../kernel/field-rule.ts'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute } from '../kernel/route.ts'
import { flag, id, ids, int, named, nullable, optional, strict, text } from '../kernel/schema.ts'
import { signupNoun } from './signup.noun.ts'

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
        /** Of those waiting, longer than `examine.slaHours`. */
        overdue: Type.Integer(),
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
  several: { because: 'the reviewers among whom one allotment is made' },
  output: Type.Object({
    mode: Type.Integer(),
    dryRun: Type.Boolean(),
    placed: Type.Integer(),
    /** Given back to the pool. */
    released: Type.Integer(),
    reviewers: Type.Array(
      Type.Object({
        userId: Type.String(),
        name: Type.String(),
        added: Type.Integer(),
        waiting: Type.Integer(),
        /** Sign-ups of their units and posts that they do not get: a conflict of interest, or their own first review. */
        recused: Type.Integer(),
        /** Of a trial: what is added by post, the most first, at most 20 posts; empty otherwise. */
        posts: Type.Array(Type.Object({ unit: Type.String(), code: Type.String(), count: Type.Integer() })),
        /** Of a trial: how many posts, and whose sign-ups, the first 20. */
        postCount: Type.Integer(),
        people: Type.Array(
          Type.Object({ signUpId: Type.String(), signNo: nullable(Type.String()), name: shows(signupNoun, 'name', Type.String()) }),
        ),
      }),
    ),
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

/** Which sign-ups wait for whom: the list from which one is moved. */
export const getAllotted = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/getAllotted',
  access: { staff: 'examine_allotview' },
  input: strict({
    ...pageInput,
    examId: id(),
    level: optional(level()),
    /** Of one reviewer; `0` for what is given to nobody. */
    userId: optional(id()),
    overdue: optional(named({ zh: '仅看超时', en: 'Overdue only' }, flag())),
    keyword: optional(keywordOf([markOf(signupNoun, 'name')], text(60))),
  }),
  output: pageOf(
    Type.Object({
      signUpId: Type.String(),
      signNo: nullable(Type.String()),
      name: shows(signupNoun, 'name', nullable(Type.String())),
      unit: nullable(Type.String()),
      unitName: nullable(Type.String()),
      code: nullable(Type.String()),
      codeName: nullable(Type.String()),
      userId: nullable(Type.String()),
      reviewerName: nullable(Type.String()),
      allotTime: nullable(Type.String()),
      /** How it came to them: the way of allotment, or why it was moved. */
      reason: nullable(Type.String()),
      waitMinutes: Type.Integer(),
      isOverdue: Type.Boolean(),
      /** Open at the reviewer at this moment: it stays there. */
      isOpen: Type.Boolean(),
    }),
  ),
  tx: 'read',
})

export const transferAllot = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/transferAllot',
  access: { staff: 'examine_allot' },
  input: strict({ signUpId: id(), level: optional(level()), userId: id(), reason: text(200, { minLength: 1 }) }),
  output: Type.Object({ from: nullable(Type.String()), to: Type.String() }),
  means: 'gives one waiting sign-up to another reviewer',
})

export const getRecusals = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/getRecusals',
  access: { staff: 'examine_allotview' },
  input: strict({ ...pageInput, examId: id() }),
  output: pageOf(
    Type.Object({
      id: Type.String(),
      userId: Type.String(),
      reviewerName: Type.String(),
      signUpId: nullable(Type.String()),
      signNo: nullable(Type.String()),
      name: shows(signupNoun, 'name', nullable(Type.String())),
      unit: nullable(Type.String()),
      unitName: nullable(Type.String()),
      reason: Type.String(),
      /** Declared by the reviewer, not by the office. */
      isOwn: Type.Boolean(),
      createTime: Type.String(),
    }),
  ),
  tx: 'read',
})

export const saveRecusal = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/saveRecusal',
  access: { staff: 'examine_allot' },
  /** Either a sign-up or a hiring unit. */
  input: strict({ examId: id(), userId: id(), signUpId: optional(id()), unit: optional(text(20)), reason: text(200, { minLength: 1 }) }),
  output: Type.Object({ id: Type.String(), returned: Type.Integer() }),
  means: 'keeps a reviewer from a sign-up or a unit; what they have of it is handed out anew',
})

export const removeRecusal = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/removeRecusal',
  access: { staff: 'examine_allot' },
  input: strict({ id: id(), reason: text(200, { minLength: 1 }) }),
  output: Type.Object({ id: Type.String() }),
})

/** A reviewer who knows the candidate says so while the sign-up is open at them. */
export const recuseSelf = defineRoute({
  method: 'POST',
  path: '/blade-signup/examine/recuse',
  access: { staff: ['examine_first', 'examine_second'] },
  input: strict({ signUpId: id(), reason: text(200, { minLength: 1 }) }),
  output: Type.Object({ id: Type.String(), nextId: nullable(Type.String()) }),
  means: 'declares a conflict of interest; the sign-up goes to somebody else at once',
})

// The same reviewers as the service of their own name (domain 5.11); both answer from one place.
export const examUserList = defineRoute({
  method: 'GET',
  path: '/blade-examUser/examuser/list',
  access: { staff: 'examine_allotview' },
  input: strict({ ...pageInput, examId: id(), level: optional(level()) }),
  output: pageOf(examUserRow),
  tx: 'read',
  also: ['GET /blade-examUser/examuser/page'],
})
export const examUserDetail = defineRoute({
  method: 'GET',
  path: '/blade-examUser/examuser/detail',
  access: { staff: 'examine_allotview' },
  input: strict({ id: id() }),
  output: examUserRow,
  tx: 'read',
})
export const examUserSubmit = defineRoute({
  method: 'POST',
  path: '/blade-examUser/examuser/submit',
  access: { staff: 'examine_allot' },
  input: strict({
    id: optional(Type.Union([id(), Type.Literal('')])),
    version: optional(int(0, 2_147_483_647)),
    examId: optional(id()),
    userId: optional(id()),
    level: optional(level()),
    units: optional(code()),
    codes: optional(code()),
    quota: optional(int(0, 100_000)),
    state: optional(flag()),
  }),
  output: Type.Object({ id: Type.String() }),
  means: 'adds a reviewer of an examination, or changes units, posts, quota and state of one',
})
export const examUserRemove = defineRoute({
  method: 'POST',
  path: '/blade-examUser/examuser/remove',
  access: { staff: 'examine_allot' },
  input: strict({ ids: ids() }),
  output: Type.Object({ removed: Type.Integer(), returned: Type.Integer() }),
  means: 'takes reviewers off; what is not open at them goes back to the pool',
})

export const allotRoutes = [
  getExamAllot,
  allotCheck,
  getExamUsers,
  saveCheck,
  getAllotted,
  transferAllot,
  getRecusals,
  saveRecusal,
  removeRecusal,
  recuseSelf,
  examUserList,
  examUserDetail,
  examUserSubmit,
  examUserRemove,
] as const
