import { type Static, Type } from 'typebox'
import { shows } from '../kernel/field-rule.ts'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute } from '../kernel/route.ts'
import { id, ids, int, named, nullable, optional, strict, text } from '../kernel/schema.ts'
import { userNoun } from '../organisation/user.noun.ts'
import { designSchema } from './design.ts'

const S = Type.String()
const I = Type.Integer()

/** What stands in a cell: `shown` a value, `none` no rows at all, `hidden` few people or what would tell of them. */
export const cellState = { shown: 0, none: 1, hidden: 2 } as const
const cell = Type.Object({ value: nullable(Type.Number()), state: I })

/** A result as it is read: in the reader's language, with what an office puts around its figures. */
const grid = Type.Object({
  title: S,
  bureau: S,
  dataSet: S,
  madeTime: S,
  madeBy: shows(userNoun, 'realName', Type.String()),
  conditions: Type.Array(Type.Object({ label: S, text: S })),
  rowHeads: Type.Array(S),
  columnHeads: Type.Array(S),
  columns: Type.Array(Type.Object({ labels: Type.Array(S), measure: S, unit: S, isTotal: Type.Boolean() })),
  /** `level`: 0 a row, 1 a subtotal, 2 the total. */
  rows: Type.Array(Type.Object({ labels: Type.Array(S), level: I, cells: Type.Array(cell) })),
  totalRows: I,
  hidden: I,
  /** Few people are in it, for those alone who may see the rows. */
  showsFew: Type.Boolean(),
  /** Values of few people, and the smallest others, are told as one. */
  isMerged: Type.Boolean(),
  /** Examinations of few people, which are in no number. */
  leftOut: I,
  chart: Type.Object({
    kind: Type.Union([Type.Literal('none'), Type.Literal('bar'), Type.Literal('stacked'), Type.Literal('line'), Type.Literal('pie')]),
    axis: S,
    measure: S,
    unit: S,
    /** How many categories and series there are; the first of them are drawn. */
    allCategories: I,
    allSeries: I,
    /** Rows without a day or month are there, which have no place on an axis of time. */
    isUndated: Type.Boolean(),
    categories: Type.Array(S),
    series: Type.Array(Type.Object({ title: S, values: Type.Array(nullable(Type.Number())) })),
  }),
})
export type ReportGrid = Static<typeof grid>

const problems = Type.Array(Type.Object({ at: S, about: S, text: S }))
const schedule = {
  cron: named({ zh: '发送时间', en: 'Times' }, text(200)),
  people: named({ zh: '接收人', en: 'Sent to' }, Type.Array(id(), { maxItems: 200 })),
  linkDays: named({ zh: '链接有效天数', en: 'Days the link is open' }, int(1, 30)),
}
const row = {
  id: S,
  reportName: S,
  dataSet: S,
  dataSetName: S,
  isOwn: Type.Boolean(),
  ownerName: shows(userNoun, 'realName', Type.String()),
  /** Names of the roles that see it; none: its owner alone. */
  roleNames: Type.Array(S),
  needsMending: Type.Boolean(),
  isScheduled: Type.Boolean(),
  nextTime: nullable(S),
  createTime: S,
  updateTime: S,
}

/** 0 waiting, 3 at work, 4 done, 5 failed, 6 cancelled: the numbers of exports. */
export const runState = { waiting: 0, working: 3, done: 4, failed: 5, cancelled: 6 } as const
const run = {
  id: S,
  reportId: S,
  reportName: S,
  state: I,
  /** Of a hundred. */
  progress: I,
  isScheduled: Type.Boolean(),
  createTime: S,
  endTime: nullable(S),
  expireTime: nullable(S),
  problem: nullable(S),
}

export const reportDataSets = defineRoute({
  method: 'GET',
  path: '/blade-report/report/datasets',
  access: { staff: 'report_view' },
  input: strict({}),
  /** Names of the data sets that the caller may see figures of, and of their fields that are closed by rules of roles. */
  output: Type.Array(Type.Object({ dataSet: S, closed: Type.Array(S) })),
  means: 'the data sets whose figures the caller may see',
})
export const reportValues = defineRoute({
  method: 'GET',
  path: '/blade-report/report/values',
  access: { staff: 'report_view' },
  input: strict({
    dataSet: named({ zh: '数据集', en: 'Data set' }, text(60)),
    dimension: named({ zh: '筛选项', en: 'Filter' }, text(60)),
  }),
  output: Type.Array(Type.Object({ value: S, label: S })),
  tx: 'own',
  means: 'the values of a dimension that a filter can choose',
})
export const reportPreview = defineRoute({
  method: 'POST',
  path: '/blade-report/report/preview',
  access: { staff: 'report_view' },
  input: strict({ design: designSchema, firstRows: optional(named({ zh: '预览行数', en: 'Rows of the preview' }, int(1, 200))) }),
  output: grid,
  tx: 'own',
  means: 'the first rows of a design, at once',
})
export const reportList = defineRoute({
  method: 'GET',
  path: '/blade-report/report/list',
  access: { staff: 'report_view' },
  input: strict({ ...pageInput, reportName: optional(named({ zh: '报表名称', en: 'Name' }, text(100))) }),
  output: pageOf(Type.Object(row)),
  also: ['GET /blade-report/report/page', 'GET /blade-report/report/rest/list'],
})
export const reportDetail = defineRoute({
  method: 'GET',
  path: '/blade-report/report/detail',
  access: { staff: 'report_view' },
  input: strict({ id: id() }),
  output: Type.Object({
    ...row,
    design: designSchema,
    dataSetVersion: I,
    roleIds: Type.Array(S),
    ...schedule,
    problems,
    runs: Type.Array(Type.Object(run)),
  }),
})
export const reportSubmit = defineRoute({
  method: 'POST',
  path: '/blade-report/report/submit',
  access: { staff: ['report_add', 'report_edit'] },
  input: strict({
    id: optional(id()),
    reportName: named({ zh: '报表名称', en: 'Name' }, text(100, { minLength: 1 })),
    design: designSchema,
    roleIds: optional(named({ zh: '可查看的角色', en: 'Roles that see it' }, Type.Array(id(), { maxItems: 50 }))),
  }),
  output: Type.Object({ id: S }),
})
export const reportSchedule = defineRoute({
  method: 'POST',
  path: '/blade-report/report/schedule',
  access: { staff: 'report_send' },
  input: strict({ id: id(), ...schedule }),
  output: Type.Object({ id: S, nextTime: nullable(S) }),
  means: 'sets when a report is run and to whom it is sent; no times: not any more',
})
export const reportRemove = defineRoute({
  method: 'POST',
  path: '/blade-report/report/remove',
  access: { staff: 'report_delete' },
  input: strict({ ids: ids() }),
  output: Type.Object({ removed: I }),
  also: ['POST /blade-report/report/rest/remove'],
})
export const reportChoices = defineRoute({
  method: 'GET',
  path: '/blade-report/report/choices',
  access: { staff: ['report_add', 'report_edit', 'report_send'] },
  input: strict({ dataSet: named({ zh: '数据集', en: 'Data set' }, text(60)) }),
  output: Type.Object({
    roles: Type.Array(Type.Object({ id: S, label: S })),
    people: Type.Array(Type.Object({ id: S, realName: shows(userNoun, 'realName', Type.String()) })),
  }),
  means: 'the roles that may see a report, and the people it can be sent to',
})
export const reportRun = defineRoute({
  method: 'POST',
  path: '/blade-report/report/run',
  access: { staff: 'report_view' },
  input: strict({ id: id() }),
  output: Type.Object(run),
  means: 'runs a saved report in the background',
})
export const reportCancel = defineRoute({
  method: 'POST',
  path: '/blade-report/report/cancel',
  access: { staff: 'report_view' },
  input: strict({ id: id() }),
  output: Type.Object({ id: S, state: I }),
  means: 'stops a run of the caller',
})
export const reportResult = defineRoute({
  method: 'GET',
  path: '/blade-report/report/result',
  access: { signedIn: true, because: 'a result opens for whoever ran it, and for whom it was sent to' },
  input: strict({ id: id() }),
  output: Type.Object({ ...run, grid: nullable(grid) }),
  means: 'a run with its result',
  background: true,
})
export const reportFile = defineRoute({
  method: 'GET',
  path: '/blade-report/report/file',
  access: { staff: 'report_export' },
  input: strict({
    id: id(),
    format: named({ zh: '文件格式', en: 'Format' }, Type.Union([Type.Literal('xlsx'), Type.Literal('pdf')])),
  }),
  output: Type.Unknown(),
  answer: 'file',
  kinds: ['xlsx', 'pdf'],
  tx: 'own',
  means: 'the result of a run as a workbook or a PDF',
})

export const reportRoutes = [
  reportDataSets,
  reportValues,
  reportPreview,
  reportList,
  reportDetail,
  reportSubmit,
  reportSchedule,
  reportRemove,
  reportChoices,
  reportRun,
  reportCancel,
  reportResult,
  reportFile,
] as const
