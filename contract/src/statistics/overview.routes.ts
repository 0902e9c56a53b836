import { type Static, Type } from 'typebox'
import { shows } from '../kernel/field-rule.ts'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute } from '../kernel/route.ts'
import { id, nullable, strict } from '../kernel/schema.ts'
import { userNoun } from '../organisation/user.noun.ts'

/** What an examination comes to, one after another. */
export const stretchKeys = ['sign', 'examine', 'pay', 'adjust', 'ticket', 'paper', 'msTicket', 'score'] as const

/** Steps of the process that people or money stand in, in their order. */
export const stepKeys = [
  'waiting',
  'second',
  'returned',
  'refused',
  'passed',
  'disqualified',
  'withdrawn',
  'due',
  'refunds',
  'postings',
  'toSeat',
  'toReleaseTickets',
  'ticketsOut',
  'toScore',
  'toReleaseResults',
  'corrections',
  'resultsOut',
  'rereview',
] as const
export type StepKey = (typeof stepKeys)[number]

/** What an examination may need next; `none` where it waits for a date. */
export const nextKeys = [
  'mend',
  'release',
  'reviewFirst',
  'reviewSecond',
  'refunds',
  'proposals',
  'approvals',
  'postings',
  'rereview',
  'corrections',
  'reductions',
  'seat',
  'releaseTickets',
  'score',
  'releaseResults',
  'close',
  'none',
] as const
export type NextKey = (typeof nextKeys)[number]

/** What needs somebody: decisions of a second person, people to be rung up, and what is late. */
export const warningKeys = ['proposals', 'approvals', 'reductions', 'calls', 'lateReviews', 'overdue', 'payAlarms'] as const
export type WarningKey = (typeof warningKeys)[number]

const problem = Type.Object({ path: Type.String(), msg: Type.String() })
const change = Type.Object({
  id: Type.String(),
  time: Type.String(),
  /** Empty where the program did it by itself. */
  who: shows(userNoun, 'realName', Type.String()),
  /** What was done, in words. */
  what: Type.String(),
  /** Of the paper, post, field or file that it was done to; empty for the examination itself. */
  about: Type.String(),
})

/** An examination at a glance (the first page of its workspace). Numbers of work that the caller has no part in are left out. */
export const examOverview = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/overview',
  access: { staff: 'examination_view' },
  input: strict({ examId: id() }),
  output: Type.Object({
    examId: Type.String(),
    examName: Type.String(),
    examCode: Type.String(),
    state: Type.Integer(),
    phase: Type.String(),
    phaseLabel: Type.String(),
    serverTime: Type.String(),
    timeline: Type.Array(
      Type.Object({
        key: Type.Enum(stretchKeys),
        /** Of the paper. */
        paper: Type.String(),
        begin: nullable(Type.String()),
        end: nullable(Type.String()),
      }),
    ),
    /** What keeps a draft from being released, and what is only unusual; both empty for who does not prepare examinations. */
    problems: Type.Array(problem),
    notices: Type.Array(problem),
    steps: Type.Array(Type.Object({ key: Type.Enum(stepKeys), count: Type.Integer(), oldestTime: nullable(Type.String()) })),
    /** In fen; null for who does not see money. */
    money: nullable(Type.Object({ dueFen: Type.Integer(), paidFen: Type.Integer(), refundedFen: Type.Integer() })),
    warnings: Type.Array(Type.Object({ key: Type.Enum(warningKeys), count: Type.Integer() })),
    next: Type.Object({ key: Type.Enum(nextKeys), count: Type.Integer() }),
    changes: Type.Array(change),
  }),
  tx: 'read',
})
export type ExamOverview = Static<(typeof examOverview)['output']>

/** What was done to the examination and its parts, the newest first. */
export const examHistory = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/history',
  access: { staff: 'examination_view' },
  input: strict({ ...pageInput, examId: id() }),
  output: pageOf(change),
  tx: 'read',
})

export const overviewRoutes = [examOverview, examHistory] as const
