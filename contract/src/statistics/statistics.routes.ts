import { type Static, Type } from 'typebox'
import { exportJobView } from '../kernel/export-job.ts'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute } from '../kernel/route.ts'
import { id, named, nullable, optional, strict, text, time } from '../kernel/schema.ts'
import { signupFilter } from '../signup/papers.routes.ts'

/** `getBmrsForType`, `getWshrsByType`, `getShtgrsByType` (domain 5.13): every category of the post table, those without a sign-up too. */
const typeStat = Type.Array(Type.Object({ type: Type.String(), typeName: Type.String(), num: Type.Integer() }))

/** `getZpjhForType`: the headcount as announced and after reductions. */
const planStat = Type.Array(Type.Object({ type: Type.String(), typeName: Type.String(), planNum: Type.Integer(), curNum: Type.Integer() }))

/** Posts by the number of people who signed up for them, the most first, and those nobody has chosen; cancelled posts are left out. */
const postRanking = Type.Object({
  posts: Type.Array(
    Type.Object({
      code: Type.String(),
      codeName: Type.String(),
      unitName: Type.String(),
      /** Places. */
      curNum: Type.Integer(),
      num: Type.Integer(),
    }),
  ),
  /** The first of those without a sign-up, and how many there are. */
  empty: Type.Array(Type.Object({ code: Type.String(), codeName: Type.String(), unitName: Type.String(), curNum: Type.Integer() })),
  emptyCount: Type.Integer(),
  postCount: Type.Integer(),
})

/** `getNumToLine`: what happened in each hour or day, not running totals. */
const lineStat = Type.Object({
  x: Type.Array(Type.String()),
  submitted: Type.Array(Type.Integer()),
  passed: Type.Array(Type.Integer()),
  paid: Type.Array(Type.Integer()),
  /** Events before or after what is shown. */
  outside: Type.Integer(),
})
export type LineStat = Static<typeof lineStat>

/** `getPayByState`: dues by state; `amount` is what was due in fen, `paidFen` what of it came in and did not go back. */
const payStateStat = Type.Array(
  Type.Object({ state: Type.Integer(), stateName: Type.String(), num: Type.Integer(), amount: Type.Integer(), paidFen: Type.Integer() }),
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
export const rankedPosts = defineRoute({
  method: 'GET',
  path: '/blade-signup/statistics/getPostRanking',
  access: signupFigures,
  input: byUnit,
  output: postRanking,
  tx: 'own',
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
/** What a cross-table is counted by (domain 5.8), and the dimension of the data set `signups` behind each. */
export const crossDimensions = {
  unit: 'unit',
  type: 'postType',
  code: 'post',
  education: 'education',
  degree: 'degree',
  age: 'ageGroup',
  sex: 'sex',
  region: 'region',
  political: 'political',
  fresh: 'fresh',
  school: 'school',
} as const
export type CrossDimension = keyof typeof crossDimensions
const crossDimension = Type.Union([
  Type.Literal('unit'),
  Type.Literal('type'),
  Type.Literal('code'),
  Type.Literal('education'),
  Type.Literal('degree'),
  Type.Literal('age'),
  Type.Literal('sex'),
  Type.Literal('region'),
  Type.Literal('political'),
  Type.Literal('fresh'),
  Type.Literal('school'),
])
export const mostDimensions = 3
const dims = named(
  { zh: '统计维度', en: 'Dimensions' },
  Type.Array(crossDimension, { minItems: 1, maxItems: mostDimensions, uniqueItems: true }),
)

/** Numbers of people are null where they must not be said: few are in them, or would be told by them. */
const people = () => nullable(Type.Integer())
const crossStat = Type.Object({
  dims: Type.Array(Type.Object({ name: Type.String(), label: Type.String() })),
  rows: Type.Array(
    Type.Object({
      keys: Type.Array(nullable(Type.String())),
      labels: Type.Array(Type.String()),
      /** 0 a row, 1 a sum over the inner dimensions, 2 the sum of all. */
      level: Type.Integer(),
      /** Headcount, where the row is of units, categories or posts alone. */
      planNum: nullable(Type.Integer()),
      /** `signupFigures.everSignedUp`. */
      submitted: people(),
      /** `signupFigures.signedUp`: without those who have withdrawn. */
      signedUp: people(),
      waiting: people(),
      passed: people(),
      /** Sent back for corrections. */
      returned: people(),
      refused: people(),
      /** Withdrawn or disqualified; with what waits, was returned, passed and was refused they make up `submitted`. */
      left: people(),
      paid: people(),
      /** Sign-ups for each place, as `3.5:1`. */
      ratio: nullable(Type.String()),
      /** Whether a post has enough people to be held; null where nothing is asked or it must not be said. */
      opens: nullable(Type.Boolean()),
    }),
  ),
  /** Numbers are hidden from this reader. */
  hidden: Type.Boolean(),
  /** States and payments are not told with three dimensions to whoever has figures only. */
  totalsOnly: Type.Boolean(),
})
export type CrossStat = Static<typeof crossStat>

const byExamAndPaper = strict({ examId: id(), itemId: optional(id()) })
/** Dues of a post: people with dues that count, people who have paid all of them, fen that came in and did not go back (`dueFigures`). */
const postPay = Type.Object({
  unit: Type.String(),
  unitName: Type.String(),
  code: Type.String(),
  codeName: Type.String(),
  planNum: Type.Integer(),
  should: people(),
  paid: people(),
  amount: people(),
  /** People who paid for each place, as `3.5:1`. */
  ratio: Type.String(),
  /** Fewer have paid than the post needs to be held. */
  below: Type.Boolean(),
})
export const payByPost = defineRoute({
  method: 'GET',
  path: '/blade-signup/statistics/getPayByGW',
  access: { staff: 'dashboard_pay' },
  input: byExamAndPaper,
  output: Type.Array(postPay),
  tx: 'own',
  also: ['GET /blade-signup/signup/getPayByGW'],
  means: 'the twenty posts with most dues',
})
export const payByPostPage = defineRoute({
  method: 'GET',
  path: '/blade-signup/statistics/getPayByGWPage',
  access: { staff: 'dashboard_pay' },
  input: strict({ ...pageInput, examId: id(), itemId: optional(id()), unit: optional(text(20)) }),
  output: pageOf(postPay),
  tx: 'own',
  also: ['GET /blade-signup/signup/getPayByGWPage'],
  means: 'dues of all posts',
})
export const sexStatistics = defineRoute({
  method: 'POST',
  path: '/blade-signup/statistics/getSexStatisticsInfo',
  access: signupFigures,
  input: strict({
    examId: id(),
    unit: optional(text(20)),
    type: optional(named({ zh: '岗位类别', en: 'Kind of post' }, text(20))),
  }),
  output: Type.Array(Type.Object({ name: Type.String(), male: people(), female: people(), unknown: people() })),
  tx: 'own',
  also: ['POST /blade-signup/signup/getSexStatisticsInfo'],
  means: 'men and women by age group',
})
const crossInput = {
  examId: id(),
  unit: optional(text(20)),
  type: optional(named({ zh: '岗位类别', en: 'Kind of post' }, text(20))),
}
export const crossBook = defineRoute({
  method: 'POST',
  path: '/blade-signup/statistics/statisticsInfoExcel',
  access: signupFigures,
  input: strict({ ...crossInput, dims }),
  output: exportJobView,
  answer: 'file',
  tx: 'own',
  also: ['POST /blade-signup/signup/statisticsInfoExcel'],
  means: 'the cross-table of getStatisticsInfo as a workbook',
})

/** The dimension `stage` is the funnel of the dashboard (domain 6.2): from signing up to the shortlist. */
export const statisticsInfo = defineRoute({
  method: 'POST',
  path: '/blade-signup/statistics/getStatisticsInfo',
  access: signupFigures,
  input: strict({ ...crossInput, dims: Type.Union([Type.Literal('stage'), dims]) }),
  /** The funnel for `stage`, else a cross-table. */
  output: Type.Union([stageStat, crossStat]),
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
  rankedPosts,
  payByState,
  statisticsInfo,
  payByPost,
  payByPostPage,
  sexStatistics,
  crossBook,
  exportSignUps,
] as const
