import { refuse } from '#contract/kernel/errors.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireDay, toWireTime } from '#contract/kernel/when.ts'
import type { exportForms } from '#contract/signup/papers.routes.ts'
import { asksRegion, regionLabelOf } from '#contract/signup/region.ts'
import { safeName } from '#kernel/crud/export.ts'
import { type ArchiveExport, type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { PdfRenderError } from '#kernel/pdf/pool.ts'
import type { ZipEntry } from '#kernel/zip.ts'
import { findExam, listSignItems } from '#modules/exam/index.ts'
import { regionName } from '#modules/reference/index.ts'
import { findUndertaking } from '../data/leaving.repo.ts'
import type { SignupContext } from '../deps.ts'
import { registrationForm } from '../domain/registration-form.ts'
import { formOf } from '../form-call.ts'
import { idsToLeave, inOrder, placeOf, readLeaving } from './leaving.ts'

/** More people than this are done in the background (domain 5.8). */
const mostInline = 50
const atOnce = 2
const formName = { zh: '报名登记表', en: 'Registration form' }

/** Registration forms of the people asked for. What a role sees in part is printed in part. */
export const planForms = async (deps: SignupContext, ctx: Ctx, input: InputOf<typeof exportForms>): Promise<ArchiveExport> => {
  const session = sessionOf(ctx)
  const { exam, items, groups, ids } = await ctx.tx(async db => {
    const exam = await findExam(db, input.examId)
    if (!exam) throw new Refused(refuse('kernel/not-found', {}))
    const ids = await idsToLeave(db, ctx, input)
    const all = await listSignItems(db, exam.id)
    const items = session.userType === 2 ? all : all.filter(item => item.reviewerVisible === 1)
    return { exam, items, ids, groups: await formOf(db, ctx, items) }
  })
  const regionLabel = asksRegion(exam.regionLabel, items) ? regionLabelOf(exam.regionLabel) : null
  const printed =
    `${ctx.say({ zh: '打印', en: 'printed' })} ${toWireTime(ctx.arrivedAt).slice(0, 16)} ${session.userType === 2 ? '' : session.realName}`.trim()

  const make = async (id: string): Promise<readonly ZipEntry[]> => {
    const made = await ctx.tx(async db => {
      const leaving = await readLeaving(deps, db, ctx, id)
      if (!leaving) return undefined
      const { row, view } = leaving
      const undertaking = await findUndertaking(db, row.id)
      // A picture whose link the reader's rules took away is not printed either.
      const bytesOf = async (fileId: string | null, isSeen: boolean): Promise<Uint8Array | null> => {
        const file = fileId === null || !isSeen ? undefined : await deps.file.find(db, fileId)
        return file ? await deps.file.read(file) : null
      }
      const seen = new Set(view.files.flatMap(file => (file.link ? [file.fileId] : [])))
      const sheet = registrationForm({
        ...{
          say: ctx.say,
          exam,
          groups,
          items,
          regionName,
          regionLabel,
          signup: view,
          levels: exam.examineLevels,
          printed,
          isDraft: false,
        },
        promiseDate: undertaking?.promiseTime ? toWireDay(undertaking.promiseTime) : null,
        photo: await bytesOf(row.photoFileId, row.photoFileId !== null && seen.has(row.photoFileId)),
        signature: await bytesOf(
          row.signatureFileId,
          session.userType === 2 || (row.signatureFileId !== null && seen.has(row.signatureFileId)),
        ),
        createdAt: ctx.arrivedAt.toISOString(),
      })
      return { sheet, place: placeOf(leaving) }
    })
    if (!made) return []
    try {
      const bytes = await deps.papers().render({ kind: 'form', sheet: made.sheet })
      return [{ name: `${made.place}.pdf`, content: Buffer.from(bytes), time: ctx.arrivedAt }]
    } catch (error) {
      if (!(error instanceof PdfRenderError)) throw error
      // One name that no font has must not cost the others their forms; whoever opens the archive sees whose is missing, and why.
      const why = error.missingCharacters.length > 0 ? error.missingCharacters.join(' ') : error.message
      const text = ctx.say({ zh: `无法生成：${why}`, en: `Could not be made: ${why}` })
      return [{ name: `${made.place}.txt`, content: Buffer.from(text), time: ctx.arrivedAt }]
    }
  }
  return {
    fileName: `${safeName([exam.examCode, exam.examName, ctx.say(formName), toWireTime(ctx.arrivedAt).replace(/\D/g, '')].join('_'))}.zip`,
    total: ids.length,
    mostInline,
    alone: 'pdf',
    audit: {
      action: 'signup.exported',
      entity: ids.length === 1 ? 'signup' : 'examination',
      entityId: ids.length === 1 ? (ids[0] ?? null) : exam.id,
      after: { what: 'forms', filter: input },
    },
    archive: inOrder(ids, atOnce, make),
  }
}
