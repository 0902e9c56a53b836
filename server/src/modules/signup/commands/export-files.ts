import { refuse } from '#contract/kernel/errors.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireDay, toWireTime } from '#contract/kernel/when.ts'
import type { exportFiles } from '#contract/signup/papers.routes.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import { audit } from '#kernel/audit.ts'
import { safeName } from '#kernel/crud/export.ts'
import { type ArchiveExport, type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { PdfRenderError } from '#kernel/pdf/pool.ts'
import type { ZipEntry } from '#kernel/zip.ts'
import { findExam, listSignFiles } from '#modules/exam/index.ts'
import type { StoredFileRow } from '#modules/file/index.ts'
import type { SignupContext } from '../deps.ts'
import { idsToLeave, inOrder, placeOf, readLeaving } from './leaving.ts'

/** More people than this are done in the background. */
const mostInline = 50
/** More people than this need somebody else's approval (domain 5.8, P13). */
const mostAlone = 200
const atOnce = 2
const what = { zh: '报名材料', en: 'Uploaded files' }
const approveRight = 'signup_approve'

const stampable = (ext: string): 'pdf' | 'jpg' | 'png' | undefined => (ext === 'pdf' || ext === 'jpg' || ext === 'png' ? ext : undefined)

/** Copies of what people uploaded, each with a mark across it: what for, by whom, when. Nothing leaves without one. */
export const planFiles = async (deps: SignupContext, ctx: Ctx, input: InputOf<typeof exportFiles>): Promise<ArchiveExport> => {
  const session = sessionOf(ctx)
  const { exam, keys, ids } = await ctx.tx(async db => {
    const exam = await findExam(db, input.examId)
    if (!exam) throw new Refused(refuse('kernel/not-found', {}))
    const ids = await idsToLeave(db, ctx, input)
    const kinds = input.kinds?.split(',').map(Number)
    const files = await listSignFiles(db, exam.id)
    const keys = kinds && new Set(files.filter(file => kinds.includes(file.kind)).map(file => file.fileKey))
    return { exam, ids, keys }
  })
  const reason = input.reason?.trim() ?? ''
  const needsApproval = ids.length > mostAlone
  if (needsApproval && reason === '') throw new Refused(refuseSignup('signup/files-purpose', { limit: mostAlone }))
  const lines = [
    ctx.say({ zh: `仅用于${exam.examName}资格审核`, en: `Only for the eligibility review of ${exam.examName}` }),
    `${session.realName} ${toWireDay(ctx.arrivedAt)}`,
  ]

  const copyOf = async (file: StoredFileRow, name: string): Promise<ZipEntry> => {
    const type = stampable(file.ext)
    const failed = (why: string): ZipEntry => ({
      name: `${name}.txt`,
      content: Buffer.from(ctx.say({ zh: `${file.name} 未导出：${why}`, en: `${file.name} was not exported: ${why}` })),
      time: ctx.arrivedAt,
    })
    if (type === undefined)
      return failed(
        ctx.say({ zh: '此类文件无法加水印，请在系统中查看', en: 'no mark can be put on this kind of file; look at it in the system' }),
      )
    try {
      const bytes = await deps.papers().render({ kind: 'stamp', type, bytes: await deps.file.read(file), lines })
      return { name: `${name}.${type}`, content: Buffer.from(bytes), time: ctx.arrivedAt }
    } catch (error) {
      if (!(error instanceof PdfRenderError)) throw error
      return failed(
        ctx.say({
          zh: '文件受保护或已损坏，无法加水印，请在系统中查看',
          en: 'it is protected or damaged, so no mark can be put on it; look at it in the system',
        }),
      )
    }
  }

  const make = async (id: string): Promise<readonly ZipEntry[]> => {
    const found = await ctx.tx(async db => {
      const leaving = await readLeaving(deps, db, ctx, id)
      if (!leaving) return undefined
      const shown = leaving.view.files.filter(file => file.link && (keys === undefined || keys.has(file.fileKey)))
      const stored = await deps.file.findMany(
        db,
        shown.map(file => file.fileId),
      )
      await audit(db, ctx, {
        action: 'signup.files-exported',
        entity: 'signup',
        entityId: id,
        after: { files: shown.map(file => file.fileKey) },
      })
      return {
        place: placeOf(leaving),
        files: shown.flatMap(file => stored.filter(row => row.id === file.fileId).map(row => ({ row, label: file.fileLabel }))),
      }
    })
    const counts = new Map<string, number>()
    const copies: ZipEntry[] = []
    for (const { row, label } of found?.files ?? []) {
      const nth = (counts.get(label) ?? 0) + 1
      counts.set(label, nth)
      copies.push(await copyOf(row, `${found?.place}/${safeName(label)}${nth > 1 ? nth : ''}`))
    }
    return copies
  }
  return {
    fileName: `${safeName([exam.examCode, exam.examName, ctx.say(what), toWireTime(ctx.arrivedAt).replace(/\D/g, '')].join('_'))}.zip`,
    total: ids.length,
    mostInline,
    ...(needsApproval
      ? {
          approval: {
            right: approveRight,
            what: { zh: `导出《${exam.examName}》${ids.length} 人的报名材料`, en: `Files of ${ids.length} people of ${exam.examName}` },
            reason,
          },
        }
      : {}),
    audit: {
      action: 'signup.exported',
      entity: ids.length === 1 ? 'signup' : 'examination',
      entityId: ids.length === 1 ? (ids[0] ?? null) : exam.id,
      after: { what: 'files', filter: input },
      ...(reason === '' ? {} : { reason }),
    },
    archive: inOrder(ids, atOnce, make),
  }
}
