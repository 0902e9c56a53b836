import { readFile } from 'node:fs/promises'
import { refuse } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import { tenant } from '#contract/tenancy/tenant.routes.ts'
import { systemOf } from '#kernel/db/scope.ts'
import { cleanImage, ImageError } from '#kernel/files/image.ts'
import { CONTENT_TYPES, inspectFile } from '#kernel/files/kinds.ts'
import { type Handler, handle, type ReceivedFile, Refused } from '#kernel/http/context.ts'
import { platformAudit } from '#kernel/platform-audit.ts'
import { findTenantRecord } from '../data/tenant-admin.repo.ts'
import { findPicture, removePicture, savePicture } from '../data/tenant-picture.repo.ts'
import type { TenancyDeps } from '../deps.ts'

export type PictureKind = 'logo' | 'background'

/** Pixels a side: no login page shows a larger one. */
const maxSide: Readonly<Record<PictureKind, number>> = { logo: 256, background: 1_920 }

/** Where a picture is read; the moment it was set stands in the address, so a new one has a new address. */
export const pictureUrl = (tenantId: string, kind: PictureKind, setAt: string | null): string =>
  setAt === null ? '' : `/api/blade-system/tenant/picture?tenantId=${tenantId}&kind=${kind}&v=${setAt}`

const refuseFile = (detail: Label) => new Refused(refuse('kernel/file-kind', { detail }))

/** Decoded and written anew, so that nothing hides in what every visitor is sent. */
const clean = async ({ path, name }: Pick<ReceivedFile, 'path' | 'name'>, kind: PictureKind) => {
  try {
    const bytes = await readFile(path)
    const inspected = await inspectFile(bytes, name)
    if ('problem' in inspected && inspected.problem === 'extension')
      throw refuseFile({ zh: '文件扩展名不是图片，请选择 jpg、png', en: 'the name is not that of a picture; choose jpg or png' })
    return await cleanImage(bytes, { maxSide: maxSide[kind] })
  } catch (error) {
    if (error instanceof ImageError)
      throw refuseFile({ zh: '只接受完好的 jpg、png 图片', en: 'only sound jpg and png pictures are accepted' })
    throw error
  }
}

export const pictureHandlers = ({ services: { scopes } }: TenancyDeps): Handler[] => [
  handle(tenant.setPicture, async ({ ctx, input }) => {
    const { kind } = input
    const known = await scopes.asPlatform('the platform administers its tenants', ctx.arrivedAt, db => findTenantRecord(db, input.tenantId))
    if (!known) return refuse('kernel/not-found', {})
    const [file] = ctx.files
    if (input.remove !== 1 && !file) throw refuseFile({ zh: '请选择文件', en: 'choose a file' })
    const picture = input.remove === 1 || !file ? undefined : await clean(file, kind)
    return scopes.asPlatform('the platform administers its tenants', ctx.arrivedAt, async db => {
      const { tenantId } = known
      if (picture)
        await savePicture(
          db,
          { tenantId, kind },
          { mime: CONTENT_TYPES[picture.kind], bytes: Buffer.from(picture.bytes) },
          ctx.session?.userId ?? '0',
        )
      else await removePicture(db, { tenantId, kind })
      await platformAudit(ctx, db, {
        action: 'tenant.picture-set',
        entity: 'tenant',
        entityId: tenantId,
        after: { kind, sizeBytes: picture?.bytes.length ?? 0 },
      })
      return { url: picture ? pictureUrl(tenantId, kind, String(db.now.getTime())) : '' }
    })
  }),
  handle(tenant.picture, async ({ ctx, input }) => {
    const row = await scopes.tx(systemOf(input.tenantId), ctx.arrivedAt, db => findPicture(db, input.kind))
    if (!row) return refuse('kernel/not-found', {})
    return {
      body: row.bytes,
      mime: row.mime,
      name: `${input.kind}.${row.mime === CONTENT_TYPES.png ? 'png' : 'jpg'}`,
      sizeBytes: row.bytes.length,
      inline: true,
    }
  }),
]
