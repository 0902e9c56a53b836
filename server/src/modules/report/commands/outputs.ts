import { refuse } from '#contract/kernel/errors.ts'
import { mediaTypes } from '#contract/kernel/media-types.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { Unit } from '#contract/report/data-sets.ts'
import { refuseReport } from '#contract/report/report.errors.ts'
import { cellState, type ReportGrid } from '#contract/report/report.routes.ts'
import { reportNumber } from '#contract/report/report-number.ts'
import { audit } from '#kernel/audit.ts'
import { fileName, streamWorkbook } from '#kernel/crud/export.ts'
import { type Ctx, type FileAnswer, Refused } from '#kernel/http/context.ts'
import { PdfBusyError, PdfRenderError } from '#kernel/pdf/pool.ts'
import { type SheetBook, type SheetColumnKind, type SheetLine, writeSheet } from '#kernel/sheet/write-sheet.ts'
import type { ReportKit } from '../deps.ts'
import { gridOf } from '../domain/table.ts'
import type { ReportSheet } from '../templates/report-pdf.ts'
import { openRun } from './run-report.ts'

/** What stands in a hidden cell. */
const star = '*'

const notesOf = (ctx: Ctx, grid: ReportGrid): readonly string[] => [
  ...(grid.conditions.length === 0
    ? [ctx.say({ zh: '筛选条件：无', en: 'Filters: none' })]
    : [
        `${ctx.say({ zh: '筛选条件', en: 'Filters' })}${ctx.say({ zh: '：', en: ': ' })}${grid.conditions
          .map(({ label, text }) => `${label} ${text}`)
          .join(ctx.say({ zh: '；', en: '; ' }))}`,
      ]),
  // Under columns a single measure has no head of its own.
  ...(grid.columnHeads.length > 0 && new Set(grid.columns.map(column => column.measure)).size === 1
    ? [
        ctx.say(
          grid.columns[0]?.unit === 'money'
            ? { zh: `指标：${grid.columns[0].measure}（元）`, en: `Measure: ${grid.columns[0].measure} (CNY)` }
            : { zh: `指标：${grid.columns[0]?.measure ?? ''}`, en: `Measure: ${grid.columns[0]?.measure ?? ''}` },
        ),
      ]
    : []),
  ctx.say({
    zh: `数据集：${grid.dataSet}　　统计时间：${grid.madeTime}　　制表：${grid.madeBy}`,
    en: `Data set: ${grid.dataSet}    As of: ${grid.madeTime}    Made by: ${grid.madeBy}`,
  }),
]
const feetOf = (ctx: Ctx, grid: ReportGrid, isPrinted: boolean): readonly string[] => [
  ...(grid.hidden === 0
    ? []
    : [
        ctx.say({
          zh: `${star} 少于 3 人的格不显示（按人数，不按行数或笔数）；为防止由合计推算，另有若干格一并不显示。`,
          en: `${star} Cells of fewer than 3 people (people, not rows or payments) are not shown, nor are some others from which they could be worked out.`,
        }),
      ]),
  ...(grid.isMerged
    ? [
        ctx.say({
          zh: '“其他（合并）”含人数少于 3 人的各项，以及为防止推算而并入的最小几项；同一考试的各报表合并相同。',
          en: '“Others, merged” are values of fewer than 3 people, and the smallest others so that none can be worked out: the same in every report of an examination.',
        }),
      ]
    : []),
  ...(grid.leftOut === 0
    ? []
    : [
        ctx.say({
          zh: `未计入人数少于 3 人的考试 ${grid.leftOut} 场。`,
          en: `Examinations of fewer than 3 people are left out: ${grid.leftOut}.`,
        }),
      ]),
  ...(grid.rows.some(row => row.cells.some(cell => cell.state === cellState.none))
    ? [ctx.say({ zh: '空白表示该格没有数据。', en: 'An empty cell has no data.' })]
    : []),
  ...(isPrinted && grid.chart.kind !== 'none' ? [ctx.say({ zh: '图表请在系统内查看。', en: 'The chart is on the screen.' })] : []),
  ...(grid.showsFew
    ? [
        ctx.say({
          zh: '未隐去少于 3 人的数字，只供有权查看明细的人员使用。',
          en: 'Figures of fewer than 3 people are not hidden: for those alone who may see the rows.',
        }),
      ]
    : []),
  ctx.say({ zh: '内部资料 注意保密', en: 'Internal, confidential' }),
]
/** Rows of heads: the words of the columns from the outermost, then the measures; heads of the rows stand in the last. */
const headsOf = (ctx: Ctx, grid: ReportGrid): readonly (readonly string[])[] => {
  const measureOf = ({ measure, unit }: ReportGrid['columns'][number]): string =>
    unit === 'money' ? ctx.say({ zh: `${measure}（元）`, en: `${measure} (CNY)` }) : measure
  const depth = grid.columnHeads.length
  const measures = new Set(grid.columns.map(column => column.measure)).size
  const outer = Array.from({ length: depth }, (_, level) => [
    ...grid.rowHeads.map((_, i) => (i === grid.rowHeads.length - 1 ? (grid.columnHeads[level] ?? '') : '')),
    ...grid.columns.map(column => column.labels[level] ?? (level === 0 ? (column.labels[0] ?? '') : '')),
  ])
  const isMeasured = measures > 1 || depth === 0
  const last = [
    ...grid.rowHeads,
    ...grid.columns.map((column, i) => (isMeasured ? measureOf(column) : (outer.at(-1)?.[grid.rowHeads.length + i] ?? ''))),
  ]
  return isMeasured ? [...outer, last] : [...outer.slice(0, -1), last.map((text, i) => (text === '' ? (outer.at(-1)?.[i] ?? '') : text))]
}
const labelsOf = (grid: ReportGrid, labels: readonly string[]): readonly string[] => grid.rowHeads.map((_, i) => labels[i] ?? '')

const kinds: Readonly<Record<Unit, SheetColumnKind>> = { count: 'number', money: 'money', number: 'decimal' }

const bookOf = (ctx: Ctx, grid: ReportGrid): SheetBook => {
  const heads = headsOf(ctx, grid)
  const own = heads.at(-1) ?? []
  return {
    sheets: [
      {
        name: grid.title,
        columns: own.map((header, i) => {
          const column = grid.columns[i - grid.rowHeads.length]
          return column ? { header, kind: kinds[column.unit as Unit], width: 14 } : { header, kind: 'text' as const, width: 24 }
        }),
        rows: grid.rows.map(
          (row): SheetLine => [
            ...labelsOf(grid, row.labels).map(value => ({ value, strong: row.level > 0 })),
            ...row.cells.map(cell => ({ value: cell.state === cellState.hidden ? star : cell.value, strong: row.level > 0 })),
          ],
        ),
        page: {
          title: grid.title,
          notes: [grid.bureau, ...notesOf(ctx, grid)],
          feet: feetOf(ctx, grid, false),
          heads: heads.slice(0, -1),
          pageFoot: ctx.say({ zh: '第 &P 页 共 &N 页', en: 'Page &P of &N' }),
        },
      },
    ],
  }
}

const sheetOf = (ctx: Ctx, grid: ReportGrid): ReportSheet => ({
  title: grid.title,
  bureau: grid.bureau,
  notes: notesOf(ctx, grid),
  feet: feetOf(ctx, grid, true),
  heads: headsOf(ctx, grid),
  words: grid.rowHeads.length,
  rows: grid.rows.map(row => ({
    isStrong: row.level > 0,
    cells: [
      ...labelsOf(grid, row.labels),
      ...row.cells.map((cell, i) => {
        if (cell.state === cellState.hidden) return star
        return cell.value === null ? '' : reportNumber(cell.value, (grid.columns[i]?.unit ?? 'count') as Unit)
      }),
    ],
  })),
  pageFoot: ctx.say({ zh: '第 {page} 页 共 {pages} 页', en: 'Page {page} of {pages}' }),
  isWide: grid.columns.length + grid.rowHeads.length > 7,
  createdAt: ctx.arrivedAt.toISOString(),
})

/** Rows of one PDF: a printer has no use for more, a workbook has. */
const mostPrinted = 5_000

/** The result of a run as a file. @throws Refused as `openRun`, report/run-not-ready, report/too-many-cells, report/unprintable */
export const fileOf = async (kit: ReportKit, ctx: Ctx, runId: string, format: 'xlsx' | 'pdf'): Promise<FileAnswer | Refusal> => {
  const { grid, name } = await ctx.tx(async db => {
    const { run, table } = await openRun(db, ctx, runId)
    if (!table) throw new Refused(refuseReport('report/run-not-ready', {}))
    await audit(db, ctx, {
      action: 'report.exported',
      entity: 'report',
      entityId: run.reportId,
      after: { runId, format, rows: table.rows.length },
    })
    return { grid: gridOf(table, ctx.say), name: fileName(run.reportName, table.madeTime.replace(/\D/g, '')) }
  })
  if (format === 'xlsx') return streamWorkbook(name, target => writeSheet(target, bookOf(ctx, grid)))
  if (grid.rows.length > mostPrinted) return refuseReport('report/too-long-to-print', { limit: mostPrinted })
  try {
    const body = Buffer.from(await kit.pool().render(sheetOf(ctx, grid)))
    return { body, mime: mediaTypes.pdf, name: name.replace(/\.xlsx$/, '.pdf'), sizeBytes: body.length, inline: true }
  } catch (error) {
    if (error instanceof PdfBusyError) return refuse('kernel/busy', {}, { retryAfterSeconds: 5 })
    if (error instanceof PdfRenderError && error.missingCharacters.length > 0)
      return refuseReport('report/unprintable', { characters: error.missingCharacters.join(' ') })
    throw error
  }
}
