import { refuseFiles } from '#contract/file/file.errors.ts'
import { oss } from '#contract/file/oss.resource.ts'
import { storageKind } from '#contract/file/storage-kind.ts'
import { submitSchema } from '#contract/kernel/crud-routes.ts'
import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { requiredMessage } from '#contract/kernel/field.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import type { AuditEntry } from '#kernel/audit.ts'
import { checkInput } from '#kernel/crud/check-input.ts'
import { refuseUnknownKey } from '#kernel/crud/crud.ts'
import { duplicateValue } from '#kernel/crud/duplicate.ts'
import { tellCaches } from '#kernel/db/changes.ts'
import { newId } from '#kernel/db/new-id.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { tryStore } from '#kernel/files/s3.ts'
import { storageFaultOf } from '#kernel/files/storage-fault.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { checkerOf } from '#kernel/http/input.ts'
import { sharedAudit } from '#kernel/platform-audit.ts'
import {
  countFilesIn,
  enableStorage,
  findStorage,
  findStorageByCode,
  insertStorage,
  lockStorages,
  removeStorage,
  type StorageRow,
  type StorageValues,
  updateStorage,
} from '../data/storage.repo.ts'
import type { StorageKit } from '../deps.ts'
import { secretPlace } from '../places.ts'

type Input = Readonly<Record<string, unknown>>

const checks = {
  add: checkerOf(submitSchema(oss.fields, 'add') as never),
  edit: checkerOf(submitSchema(oss.fields, 'edit') as never),
}

/** For the trail: neither of the keys, whoever looks. */
const shown = (row: Omit<StorageValues, 'secret' | 'id'>): Record<string, unknown> => ({
  category: row.category,
  ossCode: row.code,
  endpoint: row.endpoint,
  transformEndpoint: row.transformEndpoint,
  bucketName: row.bucketName,
  region: row.region,
  appId: row.appId,
  remark: row.remark,
})

const filesIn = ({ services }: StorageKit, id: string): Promise<number> =>
  services.scopes.asPlatform('files of every tenant may lie in a storage of the platform', services.clock.now(), db => countFilesIn(db, id))

/** What changes is known to this process at once and to the others when they hear of it. */
const tell = async ({ places }: StorageKit, db: TenantDb): Promise<void> => {
  await tellCaches(db, 'storage')
  db.afterCommit(places.forget)
}

/** A storage of the platform is that of every tenant without one of its own. */
const shared = (db: TenantDb, ctx: Ctx, entry: AuditEntry): Promise<void> => sharedAudit(ctx, db, entry, { without: 'oss' })

const missing = (values: Omit<StorageValues, 'secret'>, hasSecret: boolean): Refusal | undefined => {
  const given = { endpoint: values.endpoint, bucketName: values.bucketName, accessKey: values.accessKey, secretKey: hasSecret ? 'set' : '' }
  const empty = Object.entries(given).filter(([, value]) => value.trim() === '')
  if (values.category === storageKind.local || empty.length === 0) return undefined
  const fields = empty.map(([field]) => ({ field, text: requiredMessage(oss.fields[field as keyof typeof given]) }))
  const [first] = fields
  return first && { ...refuseField(first.field, first.text), data: { fields: fields.map(({ field, text }) => ({ field, msg: text })) } }
}

const tried = async (code: string, open: () => Parameters<typeof tryStore>[0] | undefined): Promise<Refusal | undefined> => {
  try {
    const store = open()
    if (store) await tryStore(store)
    return undefined
  } catch (error) {
    const fault = storageFaultOf(error)
    if (fault) return refuseFiles('file/try-failed', { code, why: fault.why })
    throw error
  }
}

const secretOf = ({ services }: StorageKit, row: StorageRow): string =>
  row.secret === null ? '' : services.cipher.open(row.tenantId, secretPlace(row.id), row.secret)

/** Writes, reads back and removes a small file. */
export const tryStorage = async (kit: StorageKit, ctx: Ctx, id: string): Promise<{ id: string } | Refusal> => {
  const row = await ctx.tx(db => findStorage(db, id))
  if (!row) return refuse('kernel/not-found', {})
  const refusal = await tried(row.code, () =>
    row.category === storageKind.local ? undefined : kit.places.open({ ...row, secretKey: secretOf(kit, row) }),
  )
  return refusal ?? { id }
}

/** Adds or changes a storage. One that is on is tried first with what it would become, so that no upload meets a wrong key. */
export const saveStorage = async (kit: StorageKit, ctx: Ctx, raw: Input): Promise<{ id: string } | Refusal> => {
  const { input, id: wanted, version } = checkInput(oss, checks, ctx, raw)
  const before = wanted === undefined ? undefined : await ctx.tx(db => findStorage(db, wanted))
  if (wanted !== undefined && !before) return refuse('kernel/not-found', {})
  const value = (name: string, old: string | undefined): string => String(input[name] === undefined ? (old ?? '') : (input[name] ?? ''))
  const cipher = typeof input['secretKey'] === 'string' ? input['secretKey'] : ''
  const secret = cipher === '' ? undefined : await ctx.asSystem('a cipher is used once', db => kit.openSecret(db, cipher))
  const typed = value('endpoint', before?.endpoint)
  const category = value('category', before?.category)
  const isLocal = category === storageKind.local
  const endpoint = isLocal || typed === '' ? typed : kit.servers.find(typed)
  if (endpoint === undefined) {
    const refusal = refuseFiles('file/address-not-allowed', { address: typed })
    return { ...refusal, data: { fields: [{ field: 'endpoint', msg: refusal.text[ctx.language] }] } }
  }
  const values = {
    category,
    code: value('ossCode', before?.code),
    endpoint,
    transformEndpoint: value('transformEndpoint', before?.transformEndpoint),
    bucketName: value('bucketName', before?.bucketName),
    accessKey: value('accessKey', before?.accessKey),
    region: value('region', before?.region),
    appId: value('appId', before?.appId),
    remark: value('remark', before?.remark),
  }
  const secretKey = secret ?? (before ? secretOf(kit, before) : '')
  const unknown = await ctx.tx(db => refuseUnknownKey(db, oss, { category }, before && { category: before.category }))
  if (unknown) return unknown
  const lacking = missing({ id: '', ...values }, secretKey.trim() !== '')
  if (lacking) return lacking
  // Whoever could point a known secret at a server of their own would be sent requests signed with it.
  if (
    before &&
    secret === undefined &&
    !isLocal &&
    (before.endpoint !== endpoint || before.accessKey !== values.accessKey) &&
    before.secret
  )
    return refuseField('secretKey', {
      zh: '更换地址或 AccessKey 时请重新输入 SecretKey',
      en: 'Enter the secret key again with another address or access key',
    })
  const isElsewhere =
    before !== undefined &&
    (['category', 'endpoint', 'bucketName', 'appId'] as const).some(name => before[name] !== values[name]) &&
    before.category !== storageKind.local
  const files = isElsewhere && before ? await filesIn(kit, before.id) : 0
  if (before && files > 0) return refuseFiles('file/storage-in-use', { code: before.code, files })
  if (before?.status === 2 && !isLocal) {
    const refusal = await tried(values.code, () => kit.places.open({ ...values, secretKey }))
    if (refusal) return refusal
  }
  return ctx.tx(async db => {
    const all = await lockStorages(db)
    const now = all.find(({ id }) => id === wanted)
    if (wanted !== undefined && !now) throw new Refused(refuse('kernel/not-found', {}))
    if (now && (version ?? before?.version) !== now.version) throw new Refused(refuse('kernel/changed-meanwhile', {}))
    if (all.some(({ id, code }) => code === values.code && id !== wanted))
      throw new Refused(duplicateValue('ossCode', oss.fields.ossCode.label, values.code))
    const id = wanted ?? (await newId(db))
    const sealed = secret === undefined ? undefined : kit.services.cipher.seal(ctx.tenantId, secretPlace(id), secret)
    await (now ? updateStorage : insertStorage)(db, { id, ...values, secret: sealed })
    await tell(kit, db)
    await shared(db, ctx, {
      action: `oss.${now ? 'updated' : 'added'}`,
      entity: oss.name,
      entityId: id,
      ...(now ? { before: shown(now) } : {}),
      after: { ...shown(values), accessKeyChanged: values.accessKey !== (now?.accessKey ?? ''), secretSet: secret !== undefined },
    })
    return { id }
  })
}

/** Lets new files go to it, when a small one could be written and read back. */
export const switchOn = async (kit: StorageKit, ctx: Ctx, id: string): Promise<{ id: string; status: number } | Refusal> => {
  const refusal = await tryStorage(kit, ctx, id)
  if (isRefusal(refusal)) return refusal
  return ctx.tx(async db => {
    const all = await lockStorages(db)
    const row = all.find(one => one.id === id)
    if (!row) throw new Refused(refuse('kernel/not-found', {}))
    if (row.status === 2) return { id, status: 2 }
    await enableStorage(db, id)
    await tell(kit, db)
    await shared(db, ctx, {
      action: 'oss.enabled',
      entity: oss.name,
      entityId: id,
      before: { ossCode: all.find(one => one.status === 2)?.code ?? null },
      after: { ossCode: row.code },
    })
    return { id, status: 2 }
  })
}

export const removeStorages = (kit: StorageKit, ctx: Ctx, ids: readonly string[]): Promise<{ removed: number } | Refusal> =>
  ctx.tx(async db => {
    if (ids.length === 0) return refuse('kernel/select-one', {})
    const all = await lockStorages(db)
    for (const id of new Set(ids)) {
      const row = all.find(one => one.id === id)
      if (!row) throw new Refused(refuse('kernel/not-found', {}))
      const files = await filesIn(kit, id)
      if (files > 0) throw new Refused(refuseFiles('file/storage-in-use', { code: row.code, files }))
      await removeStorage(db, id)
      await shared(db, ctx, { action: 'oss.removed', entity: oss.name, entityId: id, before: { ...shown(row), status: row.status } })
    }
    await tell(kit, db)
    return { removed: new Set(ids).size }
  })

/** The row that somebody names by its code. */
export const storageByCode = async (ctx: Ctx, code: string): Promise<StorageRow> => {
  const row = await ctx.tx(db => findStorageByCode(db, code))
  if (!row) throw new Refused(refuseFiles('file/unknown-storage', { code }))
  return row
}
