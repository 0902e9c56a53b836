import { refuse } from '#contract/kernel/errors.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { dictCodesOf } from '#contract/signup/dict-codes.ts'
import type { exportSignUps } from '#contract/statistics/statistics.routes.ts'
import { fileName, maxExportRows, watermarkOf } from '#kernel/crud/export.ts'
import { type Ctx, type ExportPlan, Refused, sessionOf } from '#kernel/http/context.ts'
import type { SheetLine } from '#kernel/sheet/write-sheet.ts'
import { readDictionaries, regionName } from '#modules/reference/index.ts'
import { listSignupIds, readerOf, signupFilterOf } from '#modules/signup/index.ts'
import { listExportFields, readSignups } from '../data/export.repo.ts'
import { findExamHead, type Units } from '../data/statistics.repo.ts'
import { type SignupExportRow, signupSheet } from '../domain/signup-sheet.ts'

/** Few enough for the rows of a batch to be gone before the collector thinks they stay. */
const batch = 200

/**
 * Sign-ups of an examination as a workbook, masked. The rows follow in batches with a transaction each, so that a slow reader holds
 * nothing open but one batch.
 */
export const planSignups = async (ctx: Ctx, input: InputOf<typeof exportSignUps>, units: Units): Promise<ExportPlan> => {
  const { exam, ids, fields, dictionaries } = await ctx.tx(async db => {
    const exam = await findExamHead(db, input.examId)
    if (!exam) throw new Refused(refuse('kernel/not-found', {}))
    const ids = await listSignupIds(db, { ...signupFilterOf(input), ...readerOf(sessionOf(ctx)) }, units, maxExportRows + 1)
    if (ids.length > maxExportRows) throw new Refused(refuse('kernel/too-many', { limit: maxExportRows }))
    const fields = await listExportFields(db, exam.id)
    const codes = ['sex', 'nation', 'political', 'education', 'degree', 'yes_no', ...fields.flatMap(dictCodesOf)]
    const dictionaries = await readDictionaries(db, [...new Set(codes)])
    return { exam, ids, fields, dictionaries }
  })
  const texts = new Map(
    Object.entries(dictionaries).flatMap(([code, entries]) =>
      entries.map(entry => [`${code}|${entry.key}`, ctx.language === 'zh' ? entry.zh : entry.en] as const),
    ),
  )
  const sheet = signupSheet(fields, {
    language: ctx.language,
    dictionary: (code, key) => texts.get(`${code}|${key}`) ?? key,
    region: regionName,
  })
  const read = (from: number): Promise<SignupExportRow[]> => {
    const rows = from < ids.length ? ctx.tx(db => readSignups(db, ids.slice(from, from + batch))) : Promise.resolve([])
    // Nobody waits for it when the export ends before.
    rows.catch(() => {})
    return rows
  }
  async function* lines(): AsyncGenerator<SheetLine> {
    let number = 0
    let next = read(0)
    for (let from = 0; from < ids.length; from += batch) {
      const rows = await next
      // The database reads a batch while the one before is written.
      next = read(from + batch)
      for (const row of rows) {
        number += 1
        yield sheet.line(row, number)
      }
    }
  }
  const title = ctx.say({ zh: '报名信息', en: 'Sign-ups' })
  const name = fileName(exam.examCode, exam.examName, title, toWireTime(ctx.arrivedAt).replace(/\D/g, ''))
  return {
    fileName: name,
    total: ids.length,
    audit: { action: 'signup.exported', entity: 'examination', entityId: exam.id, after: { filter: input, units } },
    book: {
      watermark: watermarkOf(ctx, `${exam.examName} ${title}`),
      sheets: [
        {
          name: title,
          columns: sheet.headers.map(({ header, field }, i) => ({
            header,
            kind: i === 0 ? 'number' : 'text',
            ...(field ? { field } : {}),
          })),
          rows: lines(),
        },
      ],
    },
  }
}
