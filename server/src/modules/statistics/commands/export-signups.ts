import { refuse } from '#contract/kernel/errors.ts'
import { stateOfWire } from '#contract/kernel/machine.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { type PayState, payStateWire } from '#contract/pay/order.state.ts'
import { signupMachine } from '#contract/signup/signup.state.ts'
import type { exportSignUps } from '#contract/signup/statistics.routes.ts'
import { audit } from '#kernel/audit.ts'
import { fileName, streamWorkbook, watermarkOf } from '#kernel/crud/export.ts'
import { type Ctx, type FileAnswer, Refused } from '#kernel/http/context.ts'
import { type SheetLine, writeSheet } from '#kernel/sheet/write-sheet.ts'
import type { SystemModule } from '#modules/system/index.ts'
import { listExportFields, listSignupIds, readSignups, type SignupFilter } from '../data/export.repo.ts'
import { findExamHead, type Units } from '../data/statistics.repo.ts'
import { signupSheet } from '../domain/signup-sheet.ts'
import { regionName } from './regions.ts'

/** Decision 4.7, Exports. */
const maxRows = 200_000
const largeRows = 5_000
const batch = 1_000

const filterOf = (input: InputOf<typeof exportSignUps>): SignupFilter => ({
  ...input,
  examine: input.examine === undefined ? undefined : stateOfWire(signupMachine, input.examine),
  payState: (Object.keys(payStateWire) as PayState[]).find(state => payStateWire[state] === input.payState),
})

/**
 * Sign-ups of an examination as a workbook, masked. The audit line with filter and count is committed before the first byte; the
 * rows follow in batches with a transaction each, so that a slow reader holds nothing open.
 */
export const exportSignups = async (
  system: SystemModule,
  ctx: Ctx,
  input: InputOf<typeof exportSignUps>,
  units: Units,
): Promise<FileAnswer> => {
  const { exam, ids, fields, dictionaries } = await ctx.tx(async db => {
    const exam = await findExamHead(db, input.examId)
    if (!exam) throw new Refused(refuse('kernel/not-found', {}))
    const ids = await listSignupIds(db, filterOf(input), units, maxRows + 1)
    if (ids.length > maxRows) throw new Refused(refuse('kernel/too-many', { limit: maxRows }))
    const fields = await listExportFields(db, exam.id)
    const codes = ['sex', 'nation', 'political', 'education', 'degree', 'yes_no', ...fields.flatMap(field => field.dictCode ?? [])]
    const dictionaries = await system.dictionaries(db, [...new Set(codes)])
    await audit(db, ctx, {
      action: 'signup.exported',
      entity: 'examination',
      entityId: exam.id,
      after: { filter: input, units, rows: ids.length, large: ids.length > largeRows },
    })
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
  async function* lines(): AsyncGenerator<SheetLine> {
    let number = 0
    for (let from = 0; from < ids.length; from += batch) {
      for (const row of await ctx.tx(db => readSignups(db, ids.slice(from, from + batch)))) {
        number += 1
        yield sheet.line(row, number)
      }
    }
  }
  const title = ctx.say({ zh: '报名信息', en: 'Sign-ups' })
  const name = fileName(exam.examCode, exam.examName, title, toWireTime(ctx.arrivedAt).replace(/\D/g, ''))
  return streamWorkbook(name, target =>
    writeSheet(target, {
      watermark: watermarkOf(ctx, `${exam.examName} ${title}`),
      sheets: [{ name: title, columns: sheet.headers.map((header, i) => ({ header, kind: i === 0 ? 'number' : 'text' })), rows: lines() }],
    }),
  )
}
