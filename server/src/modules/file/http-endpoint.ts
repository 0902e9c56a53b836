import { attach } from '#contract/file/attach.resource.ts'
import { endpointCalls } from '#contract/file/attach.routes.ts'
import { refuseFiles } from '#contract/file/file.errors.ts'
import { storageKind } from '#contract/file/storage-kind.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { audit } from '#kernel/audit.ts'
import { StorageError } from '#kernel/files/store.ts'
import { type Ctx, type Handler, handle, Refused, sessionOf } from '#kernel/http/context.ts'
import { addAttach, fileIdOf, removeAttaches } from './commands/save-attach.ts'
import { storageByCode } from './commands/save-storage.ts'
import { findAttachOf } from './data/attach.repo.ts'
import { findFile, insertFile, type StoredFileRow } from './data/file.repo.ts'
import { lockStorages } from './data/storage.repo.ts'
import type { StorageKit } from './deps.ts'

const missing = (): Refused => new Refused(refuse('kernel/not-found', {}))

/** The file that a name means, where this caller may read it: their own, or an attachment by right. */
const readable = async (ctx: Ctx, fileName: string): Promise<StoredFileRow> => {
  const { userId, permissions } = sessionOf(ctx)
  const id = fileIdOf(fileName)
  const row = id === undefined ? undefined : await ctx.tx(db => findFile(db, id))
  if (!row || !(row.userId === userId || (row.ownerKind === 'attach' && permissions.has('attach_download')))) throw missing()
  return row
}

const removeByNames = async (ctx: Ctx, names: readonly string[]) => {
  const ids = await ctx.tx(async db => {
    const found: string[] = []
    for (const name of names) {
      const fileId = fileIdOf(name)
      const row = fileId === undefined ? undefined : await findAttachOf(db, fileId)
      if (!row) throw missing()
      found.push(row.id)
    }
    return found
  })
  return removeAttaches(ctx, ids)
}

/** The calls of the framework on single files and buckets (framework-contract 3.19). */
export const endpointHandlers = (
  kit: StorageKit,
  {
    domainUrl,
    linkFor,
    ticketFor,
  }: {
    readonly domainUrl: string
    readonly linkFor: (ctx: Ctx, fileId: string) => string
    readonly ticketFor: (ctx: Ctx, row: StoredFileRow) => string
  },
): readonly Handler[] => {
  const { files } = kit.services
  const changeBucket = async (ctx: Ctx, change: 'make' | 'remove', bucketName: string, code: string | undefined) => {
    const chosen = await kit.places.chosenRow(ctx.tenantId)
    const row =
      code === undefined || code === '' ? (chosen?.tenantId === ctx.tenantId ? chosen : undefined) : await storageByCode(ctx, code)
    if (!row || row.category === storageKind.local) return refuseFiles('file/no-service', {})
    return ctx.tx(async db => {
      const user = (await lockStorages(db)).find(one => one.endpoint === row.endpoint && one.bucketName === bucketName)
      if (change === 'remove' && user) throw new Refused(refuseFiles('file/bucket-used', { code: user.code, bucket: bucketName }))
      await audit(db, ctx, {
        action: `oss.bucket-${change === 'make' ? 'made' : 'removed'}`,
        entity: 'oss',
        entityId: row.id,
        after: { bucketName },
      })
      try {
        await kit.places.changeBucket(row, bucketName, change)
      } catch (error) {
        if (error instanceof StorageError) throw new Refused(refuseFiles('file/try-failed', { code: row.code, why: error.why }))
        throw error
      }
      return { bucketName }
    })
  }
  return [
    handle(endpointCalls.filePath, async ({ ctx, input }) => linkFor(ctx, (await readable(ctx, input.fileName)).id)),
    handle(endpointCalls.fileLink, async ({ ctx, input }) => `${domainUrl}${ticketFor(ctx, await readable(ctx, input.fileName))}`),
    handle(endpointCalls.statFile, async ({ ctx, input }) => {
      const row = await readable(ctx, input.fileName)
      return {
        link: linkFor(ctx, row.id),
        name: row.name,
        length: Number(row.sizeBytes),
        putTime: toWireTime(row.createdAt),
        contentType: row.mime,
      }
    }),
    handle(endpointCalls.fileContent, async ({ ctx, input }) => {
      const row = await readable(ctx, input.fileName)
      if (row.userId !== sessionOf(ctx).userId)
        await ctx.tx(db => audit(db, ctx, { action: 'file.read', entity: 'stored_file', entityId: row.id }))
      return { body: await files.open(row.storageKey), mime: row.mime, name: row.name, sizeBytes: Number(row.sizeBytes) }
    }),
    handle(endpointCalls.removeFile, ({ ctx, input }) => removeByNames(ctx, [input.fileName])),
    handle(endpointCalls.removeFiles, ({ ctx, input }) =>
      removeByNames(
        ctx,
        input.fileNames
          .split(',')
          .map(name => name.trim())
          .filter(name => name !== ''),
      ),
    ),
    handle(endpointCalls.copyFile, async ({ ctx, input }) => {
      const from = await readable(ctx, input.fileName)
      const { userId } = sessionOf(ctx)
      const stored = await files.put(await files.open(from.storageKey), { tenantId: ctx.tenantId, maxBytes: Number(from.sizeBytes) })
      let isKept = false
      try {
        const made = await ctx.tx(async db => {
          const file = await insertFile(db, {
            userId,
            purpose: attach.name,
            name: from.name,
            kind: from.ext,
            mime: from.mime,
            sizeBytes: stored.sizeBytes,
            receivedBytes: null,
            sentSha256: null,
            sha256: stored.sha256,
            storageKey: stored.key,
            checks: null,
            ownerKind: null,
            ownerId: null,
          })
          db.afterCommit(() => {
            isKept = true
          })
          const { id, name, originalName } = await addAttach(ctx, db, { file, originalName: from.name, domainUrl })
          return { link: linkFor(ctx, file.id), domain: domainUrl, name, originalName, attachId: id }
        })
        return made
      } finally {
        if (!isKept) await files.remove(stored.key)
      }
    }),
    handle(endpointCalls.makeBucket, ({ ctx, input }) => changeBucket(ctx, 'make', input.bucketName, input.code)),
    handle(endpointCalls.removeBucket, ({ ctx, input }) => changeBucket(ctx, 'remove', input.bucketName, input.code)),
  ]
}
