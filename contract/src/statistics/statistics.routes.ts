import { type Static, Type } from 'typebox'
import { exportJobView } from '../kernel/export-job.ts'
import { defineRoute } from '../kernel/route.ts'
import { id, optional, strict, text, time } from '../kernel/schema.ts'
import { signupFilter } from '../signup/papers.routes.ts'

/** `getBmrsForType`, `getWshrsByType`, `getShtgrsByType` (domain 5.13): every category of the post table, those without a sign-up too. */
const typeStat = Type.Array(Type.Object({ type: Type.String(), typeName: Type.String(), num: Type.Integer() }))

/** `getZpjhForType`: the headcount as announced and after reductions. */
const planStat = Type.Array(Type.Object({ type: Type.String(), typeName: Type.String(), planNum: Type.Integer(), curNum: Type.Integer() }))

/** `getNumToLine`: what happened in each hour or day, not running totals. */
const lineStat = Type.Object({
  x: Type.Array(Type.String()),
  submitted: Type.Array(Type.Integer()),
  passed: Type.Array(Type.Integer()),
  paid: Type.Array(Type.Integer()),
})
export type LineStat = Static<typeof lineStat>

/** `getPayByState`: dues by state; `amount` is what was due in fen. */
const payStateStat = Type.Array(
  Type.Object({ state: Type.Integer(), stateName: Type.String(), num: Type.Integer(), amount: Type.Integer() }),
)

/** `getStatisticsInfo` with the dimension `stage`: how many got so far, and how many of them since midnight. */
const stageStat = Type.Array(Type.Object({ stage: Type.String(), stageName: Type.String(), num: Type.Integer(), today: Type.Integer() }))

const unitTree = Type.Array(
  Type.Object({
    value: Type.String(),
    label: Type.String(),
    children: Type.Array(Type.Object({ value: Type.String(), label: Type.String(), type: Type.String() })),
  }),
)
const paperList = Type.Array(Type.Object({ id: Type.String(), itemCode: Type.String(), itemName: Type.String(), itemType: Type.Integer() }))

const byExam = strict({ examId: id() })
const byUnit = strict({ examId: id(), unit: optional(text(20)) })

/**
 * Finance sees money only (domain 2.2), so figures about sign-ups have a code of their own. The names of these calls also answer under
 * `/blade-signup/signup` (domain 5.8).
 */
const signupFigures = { staff: 'dashboard_signup' } as const

export const unitAndCode = defineRoute({
  method: 'GET',
  path: '/blade-signup/statistics/getExamUnitAndCode',
  access: { staff: 'dashboard_view' },
  input: byExam,
  output: unitTree,
  tx: 'own',
  also: ['GET /blade-signup/signup/getExamUnitAndCode'],
})
export const papersOfExam = defineRoute({
  method: 'GET',
  path: '/blade-signup/statistics/getExamItemByExamId',
  access: { staff: 'dashboard_view' },
  input: byExam,
  output: paperList,
  tx: 'own',
  also: ['GET /blade-signup/signup/getExamItemByExamId'],
})
export const countsOverTime = defineRoute({
  method: 'GET',
  path: '/blade-signup/statistics/getNumToLine',
  access: signupFigures,
  input: strict({
    examId: id(),
    begin: optional(time()),
    end: optional(time()),
    grain: optional(Type.Union([Type.Literal('hour'), Type.Literal('day')])),
  }),
  output: lineStat,
  tx: 'own',
  also: ['GET /blade-signup/signup/getNumToLine'],
})
export const planByType = defineRoute({
  method: 'GET',
  path: '/blade-signup/statistics/getZpjhForType',
  access: signupFigures,
  input: byUnit,
  output: planStat,
  tx: 'own',
  also: ['GET /blade-signup/signup/getZpjhForType'],
})
export const signedUpByType = defineRoute({
  method: 'GET',
  path: '/blade-signup/statistics/getBmrsForType',
  access: signupFigures,
  input: byUnit,
  output: typeStat,
  tx: 'own',
  also: ['GET /blade-signup/signup/getBmrsForType'],
})
export const unexaminedByType = defineRoute({
  method: 'GET',
  path: '/blade-signup/statistics/getWshrsByType',
  access: signupFigures,
  input: byUnit,
  output: typeStat,
  tx: 'own',
  also: ['GET /blade-signup/signup/getWshrsByType'],
})
export const passedByType = defineRoute({
  method: 'GET',
  path: '/blade-signup/statistics/getShtgrsByType',
  access: signupFigures,
  input: byUnit,
  output: typeStat,
  tx: 'own',
  also: ['GET /blade-signup/signup/getShtgrsByType'],
})
export const payByState = defineRoute({
  method: 'GET',
  path: '/blade-signup/statistics/getPayByState',
  access: { staff: 'dashboard_pay' },
  input: byExam,
  output: payStateStat,
  tx: 'own',
  also: ['GET /blade-signup/signup/getPayByState'],
})
/** The dimension `stage` is the funnel of the dashboard (domain 6.2): from signing up to the shortlist. */
export const statisticsInfo = defineRoute({
  method: 'POST',
  path: '/blade-signup/statistics/getStatisticsInfo',
  access: signupFigures,
  input: strict({ examId: id(), dims: Type.Literal('stage'), unit: optional(text(20)) }),
  output: stageStat,
  tx: 'own',
  also: ['POST /blade-signup/signup/getStatisticsInfo'],
})

/** Sign-ups as a workbook (domain 5.10). Masked; the caller's own units only for a hiring unit. */
export const exportSignUps = defineRoute({
  method: 'POST',
  path: '/blade-signup/signup/exportSignUp',
  access: { staff: 'signup_export' },
  input: strict(signupFilter),
  output: exportJobView,
  answer: 'file',
  tx: 'own',
  also: ['GET /blade-signup/signup/exportSignUp'],
})

export const statisticsRoutes = [
  unitAndCode,
  papersOfExam,
  countsOverTime,
  planByType,
  signedUpByType,
  unexaminedByType,
  passedByType,
  payByState,
  statisticsInfo,
  exportSignUps,
] as const
