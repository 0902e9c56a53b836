import { attach } from '#contract/file/attach.resource.ts'
import { isFor } from '#contract/file/file-use.ts'
import { submitSchema } from '#contract/kernel/crud-routes.ts'
import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { mayBeNamed, withKnownEnding } from '#contract/kernel/picture-name.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { audit } from '#kernel/audit.ts'
import { checkInput } from '#kernel/crud/check-input.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { checkerOf } from '#kernel/http/input.ts'
import { fileNameOf } from '#kernel/http/receive.ts'
import { type AttachRow, insertAttach, lockAttach, removeAttach, renameAttach } from '../data/attach.repo.ts'
import { findFile, removeFile, type StoredFileRow } from '../data/file.repo.ts'
import { problemText } from '../domain/limits.ts'
import { dropBytes } from '../jobs/move-files.ts'

type Input = Readonly<Record<string, unknown>>

const checks = {
  add: checkerOf(submitSchema(attach.fields, 'add', attach.takes) as never),
  edit: checkerOf(submitSchema(attach.fields, 'edit', attach.takes) as never),
}

/** The file that a link of ours, an id or a stored name (`<id>.pdf`) means. */
export const fileIdOf = (text: string): string | undefined =>
  /^(?:\S*\/api\/file\/)?(\d{1,19})(?:\.[a-z]{3,4})?(?:\?\S*)?$/.exec(text.trim())?.[1]

/** Lists a file among the attachments, with its line in the trail. */
export const addAttach = async (
  ctx: Ctx,
  db: TenantDb,
  of: { readonly file: StoredFileRow; readonly originalName: string; readonly domainUrl: string },
): Promise<AttachRow> => {
  const { realName, account } = sessionOf(ctx)
  const row = await insertAttach(db, { ...of, uploader: (realName || account).slice(0, 60) })
  await audit(db, ctx, {
    action: 'attach.added',
    entity: attach.name,
    entityId: row.id,
    after: { originalName: row.originalName, name: row.name, attachSize: Number(of.file.sizeBytes), sha256: of.file.sha256 },
  })
  return row
}

/** The name that somebody gives to a file that is there: by the rule of an upload, so that no list says another kind than the content has. */
const givenName = (given: string, kind: string): string => {
  if (!mayBeNamed(given, kind)) throw new Refused(refuseField('originalName', problemText.extension))
  return withKnownEnding(given, kind)
}

/** Renames an attachment, or makes one of a file that the caller has uploaded and nothing has taken yet. */
export const saveAttach = async (ctx: Ctx, domainUrl: string, raw: Input): Promise<{ id: string } | Refusal> => {
  const { input, id, version } = checkInput(attach, checks, ctx, raw)
  const given = input['originalName']
  const wanted = typeof given === 'string' ? fileNameOf(given) : undefined
  return ctx.tx(async db => {
    if (id === undefined) {
      const fileId = fileIdOf(String(input['link'] ?? ''))
      const file = fileId === undefined ? undefined : await findFile(db, fileId)
      if (!file || file.ownerKind !== null || !isFor('attachment', file, { userId: sessionOf(ctx).userId }))
        throw new Refused(
          refuseField('link', { zh: '请先上传文件，再保存为附件', en: 'Upload the file first, then save it as an attachment' }),
        )
      const named = wanted === undefined ? file.name : givenName(wanted, file.ext)
      return { id: (await addAttach(ctx, db, { file, originalName: named, domainUrl })).id }
    }
    const row = await lockAttach(db, id)
    if (!row) throw new Refused(refuse('kernel/not-found', {}))
    if (version !== undefined && version !== row.version) throw new Refused(refuse('kernel/changed-meanwhile', {}))
    const originalName = wanted === undefined || wanted === row.originalName ? row.originalName : givenName(wanted, row.extension)
    if (originalName !== row.originalName) {
      await renameAttach(db, row, originalName)
      await audit(db, ctx, {
        action: 'attach.updated',
        entity: attach.name,
        entityId: id,
        before: { originalName: row.originalName },
        after: { originalName },
      })
    }
    return { id }
  })
}

/** The bytes go too, as soon as the queue comes to it. */
export const removeAttaches = (ctx: Ctx, ids: readonly string[]): Promise<{ removed: number } | Refusal> =>
  ctx.tx(async db => {
    if (ids.length === 0) return refuse('kernel/select-one', {})
    const wanted = [...new Set(ids)]
    for (const id of wanted) {
      const row = await lockAttach(db, id)
      if (!row) throw new Refused(refuse('kernel/not-found', {}))
      await removeAttach(db, id)
      const key = await removeFile(db, row.fileId)
      if (key !== undefined) await dropBytes(db, [key])
      await audit(db, ctx, {
        action: 'attach.removed',
        entity: attach.name,
        entityId: id,
        before: { originalName: row.originalName, name: row.name },
      })
    }
    return { removed: wanted.length }
  })
