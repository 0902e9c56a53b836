import { refuse } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { signupFigures } from '#contract/signup/figures.ts'
import type { CrossStat, crossBook } from '#contract/statistics/statistics.routes.ts'
import { fileName, watermarkOf } from '#kernel/crud/export.ts'
import { type Ctx, Refused, type SheetExport } from '#kernel/http/context.ts'
import type { SheetValue } from '#kernel/sheet/write-sheet.ts'
import { findExamHead, type Units } from '../data/statistics.repo.ts'
import { crossTable } from './cross-table.ts'

/** In the place of a number that must not be said. */
const star = '*'
type Row = CrossStat['rows'][number]
const columns: readonly { readonly label: Label; readonly value: (row: Row, ctx: Ctx) => SheetValue }[] = [
  { label: { zh: '计划数', en: 'Places' }, value: row => row.planNum ?? '' },
  { label: signupFigures.signedUp.label, value: row => row.signedUp ?? star },
  { label: signupFigures.everSignedUp.label, value: row => row.submitted ?? star },
  { label: signupFigures.unexamined.label, value: row => row.waiting ?? star },
  { label: signupFigures.returned.label, value: row => row.returned ?? star },
  { label: signupFigures.passed.label, value: row => row.passed ?? star },
  { label: signupFigures.refused.label, value: row => row.refused ?? star },
  { label: signupFigures.left.label, value: row => row.left ?? star },
  { label: signupFigures.paid.label, value: row => row.paid ?? star },
  { label: { zh: '竞争比', en: 'Per place' }, value: row => row.ratio ?? '' },
  {
    label: { zh: '是否达开考比例', en: 'Enough to be held' },
    value: (row, ctx) => (row.opens === null ? '' : ctx.say(row.opens ? { zh: '是', en: 'Yes' } : { zh: '否', en: 'No' })),
  },
]
const title = { zh: '报名统计', en: 'Sign-up figures' }
const legend = {
  zh: '标 * 处人数过少，或可据以推算出过少的人数，不予显示',
  en: '* stands for few people, or for a number by which few could be worked out',
}

/** The cross-table as a workbook (domain 5.10): with what its reader may not be told left out as on the screen. */
export const planCross = async (ctx: Ctx, input: InputOf<typeof crossBook>, units: Units): Promise<SheetExport> => {
  const { exam, table } = await ctx.tx(async db => {
    const exam = await findExamHead(db, input.examId)
    if (!exam) throw new Refused(refuse('kernel/not-found', {}))
    return { exam, table: await crossTable(db, ctx, exam, { ...input, units }) }
  })
  const what = `${exam.examName} ${ctx.say(title)}`
  return {
    fileName: fileName(exam.examCode, exam.examName, ctx.say(title), toWireTime(ctx.arrivedAt).replace(/\D/g, '')),
    total: table.rows.length,
    audit: { action: 'signup.exported', entity: 'examination', entityId: exam.id, after: { what: 'figures', filter: input } },
    book: {
      watermark: watermarkOf(ctx, table.hidden ? `${what} · ${ctx.say(legend)}` : what),
      sheets: [
        {
          name: ctx.say(title),
          columns: [
            ...table.dims.map(dim => ({ header: dim.label, kind: 'text' as const })),
            ...columns.map(({ label }) => ({ header: ctx.say(label), kind: 'number' as const })),
          ],
          rows: table.rows.map(row => [...table.dims.map((_, i) => row.labels[i] ?? ''), ...columns.map(({ value }) => value(row, ctx))]),
        },
      ],
    },
  }
}
