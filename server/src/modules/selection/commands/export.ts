import { refuse } from '#contract/kernel/errors.ts'
import type { FieldMark } from '#contract/kernel/field-rule.ts'
import { markOf } from '#contract/kernel/field-rule.ts'
import { stateOfWire } from '#contract/kernel/machine.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toEndMinute, toWireTime } from '#contract/kernel/when.ts'
import { resultNoun } from '#contract/result/result.noun.ts'
import type { exportRecheck, exportStage } from '#contract/selection/selection.routes.ts'
import { callMachine, recheckMachine, type StepState, stepMachine } from '#contract/selection/selection.state.ts'
import { stageNames } from '#contract/selection/words.ts'
import { signupNoun } from '#contract/signup/signup.noun.ts'
import { fileName, maxExportRows, watermarkOf } from '#kernel/crud/export.ts'
import { type Ctx, type ExportPlan, Refused, sessionOf } from '#kernel/http/context.ts'
import type { SheetColumn, SheetLine } from '#kernel/sheet/write-sheet.ts'
import { findExam } from '#modules/exam/index.ts'
import { countReview, countStages, readReview, readStages } from '../data/list.repo.ts'
import { callOf, unitsFor } from './scope.ts'

const batch = 1_000
const stamp = (ctx: Ctx): string => toWireTime(ctx.arrivedAt).replace(/\D/g, '').slice(0, 12)

type Column<Row> = readonly [zh: string, en: string, of: (row: Row, number: number) => string | number, mark?: FieldMark]

/** A list as a workbook; its rows are read in parts while it is written. */
const planOf = async <Row>(
  ctx: Ctx,
  of: {
    readonly examId: string
    readonly title: string
    readonly action: string
    readonly filter: Readonly<Record<string, unknown>>
    readonly count: () => Promise<number>
    readonly read: (offset: number) => Promise<readonly Row[]>
    readonly columns: readonly Column<Row>[]
  },
): Promise<ExportPlan> => {
  const exam = await ctx.tx(db => findExam(db, of.examId))
  if (!exam) throw new Refused(refuse('kernel/not-found', {}))
  const total = await of.count()
  if (total > maxExportRows) throw new Refused(refuse('kernel/too-many', { limit: maxExportRows }))
  async function* lines(): AsyncGenerator<SheetLine> {
    for (let from = 0; from < total; from += batch)
      for (const [at, row] of (await of.read(from)).entries()) yield of.columns.map(([, , value]) => value(row, from + at + 1))
  }
  const columns: SheetColumn[] = of.columns.map(([zh, en, , mark], at) => ({
    header: ctx.say({ zh, en }),
    ...(at === 0 || mark === scoreMark ? { kind: 'number' as const } : {}),
    ...(mark ? { field: mark } : {}),
  }))
  return {
    fileName: fileName(exam.examCode, exam.examName, of.title, stamp(ctx)),
    total,
    audit: { action: of.action, entity: 'examination', entityId: exam.id, after: { filter: of.filter } },
    book: { watermark: watermarkOf(ctx, `${exam.examName} ${of.title}`), sheets: [{ name: of.title, columns, rows: lines() }] },
  }
}

const [nameMark, cardMark, phoneMark, scoreMark] = [
  markOf(signupNoun, 'name'),
  markOf(signupNoun, 'idCard'),
  markOf(signupNoun, 'phone'),
  markOf(resultNoun, 'score'),
]
const sexes: Readonly<Record<number, { zh: string; en: string }>> = { 1: { zh: '男', en: 'Male' }, 2: { zh: '女', en: 'Female' } }

/** Who goes to the hospital, who is vetted, who is hired: the list of a stage. */
export const planStages = (ctx: Ctx, input: InputOf<typeof exportStage>): Promise<ExportPlan> => {
  const filter = { ...input, units: unitsFor(sessionOf(ctx)) }
  const { stage } = input
  const title =
    stage === undefined
      ? ctx.say({ zh: '体检考察聘用名单', en: 'Medical check to hire' })
      : ctx.say(stageNames[stage] ?? { zh: '', en: '' })
  return planOf(ctx, {
    ...{ examId: input.examId, title, action: 'selection.exported', filter: input },
    count: () => ctx.tx(db => countStages(db, filter)),
    read: offset => ctx.tx(db => readStages(db, filter, batch, offset)),
    columns: [
      ['序号', 'No.', (_row, number) => number],
      ['单位', 'Unit', row => row.unitName ?? ''],
      ['岗位代码', 'Post code', row => row.code ?? ''],
      ['岗位', 'Post', row => row.codeName ?? ''],
      ['姓名', 'Name', row => row.name, nameMark],
      ['性别', 'Sex', row => (row.sex === null ? '' : ctx.say(sexes[row.sex] ?? { zh: '', en: '' })), markOf(signupNoun, 'sex')],
      ['身份证号', 'Id number', row => row.idCardMask ?? '', cardMark],
      ['手机号', 'Phone', row => row.phoneMask ?? '', phoneMark],
      ['准考证号', 'Ticket no.', row => row.ticketNo ?? '', markOf(resultNoun, 'ticketNo')],
      ['总成绩', 'Total', row => row.total ?? '', scoreMark],
      ['名次', 'Rank', row => (row.rank === null ? '' : String(row.rank)), scoreMark],
      ['环节', 'Stage', row => ctx.say(stageNames[row.stage] ?? { zh: '', en: '' })],
      ['结果', 'Outcome', row => ctx.say(stepMachine.label[row.step as StepState])],
      ['是否递补', 'Moved up', row => ctx.say(row.kind === 2 ? { zh: '递补', en: 'Yes' } : { zh: '', en: '' })],
      ['日期', 'Date', row => row.date ?? ''],
      ['备注', 'Remark', row => row.remark ?? ''],
    ],
  })
}

/** The people of the re-review. */
export const planReview = (ctx: Ctx, input: InputOf<typeof exportRecheck>): Promise<ExportPlan> => {
  const session = sessionOf(ctx)
  const filter = { ...input, callState: callOf(input.callState), units: unitsFor(session) }
  return planOf(ctx, {
    ...{ examId: input.examId, title: ctx.say({ zh: '资格复审名单', en: 'Re-review' }), action: 'recheck.exported', filter: input },
    count: () => ctx.tx(db => countReview(db, filter)),
    read: offset => ctx.tx(db => readReview(db, filter, session.userId, batch, offset)),
    columns: [
      ['序号', 'No.', (_row, number) => number],
      ['单位', 'Unit', row => row.unitName ?? ''],
      ['岗位代码', 'Post code', row => row.code ?? ''],
      ['岗位', 'Post', row => row.codeName ?? ''],
      ['姓名', 'Name', row => row.name, nameMark],
      ['身份证号', 'Id number', row => row.idCardMask ?? '', cardMark],
      ['手机号', 'Phone', row => row.phoneMask ?? '', phoneMark],
      ['成绩', 'Score', row => row.score ?? '', scoreMark],
      ['名次', 'Rank', row => (row.rank === null ? '' : String(row.rank)), scoreMark],
      ['入围', 'List', row => ctx.say(listed[row.shortlist] ?? { zh: '', en: '' })],
      ['复审状态', 'State', row => ctx.say(recheckMachine.label[stateOfWire(recheckMachine, row.reviewState) ?? 'none'])],
      [
        '确认',
        'Answer',
        row => (row.callState === null ? '' : ctx.say(callMachine.label[row.callState as keyof typeof callMachine.label])),
      ],
      ['确认期限', 'Deadline', row => (row.deadline ? toEndMinute(row.deadline) : '')],
      ['意见', 'Remark', row => row.reviewRemark ?? ''],
    ],
  })
}
const listed: Readonly<Record<number, { zh: string; en: string }>> = {
  1: { zh: '入围', en: 'On the list' },
  2: { zh: '递补', en: 'Moved up' },
  3: { zh: '退出', en: 'Out' },
}
