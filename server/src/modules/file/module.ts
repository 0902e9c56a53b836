import { createHash } from 'node:crypto'
import { readFile as readBytes } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { attach } from '#contract/file/attach.resource.ts'
import { attachCalls } from '#contract/file/attach.routes.ts'
import { putFile, readFile, uploadFile } from '#contract/file/file.routes.ts'
import { storageKind } from '#contract/file/storage-kind.ts'
import { crudRoutes } from '#contract/kernel/crud-routes.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import type { Label } from '#contract/kernel/label.ts'
import { mayBeNamed, withKnownEnding } from '#contract/kernel/picture-name.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import type { Route } from '#contract/kernel/route.ts'
import { audit } from '#kernel/audit.ts'
import { crud } from '#kernel/crud/crud.ts'
import { hashToken } from '#kernel/crypto/token.ts'
import { lock } from '#kernel/db/lock.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { checkPortrait, cleanImage, ImageError, makePortrait, sizeBeyondLimit } from '#kernel/files/image.ts'
import { CONTENT_TYPES, type FileKind, inspectFile } from '#kernel/files/kinds.ts'
import { keyIn } from '#kernel/files/places.ts'
import { createLinkSigner } from '#kernel/files/signed-link.ts'
import type { StoredFile } from '#kernel/files/store.ts'
import { type Ctx, type Handler, handle, type ReceivedFile, Refused, type Session, sessionOf } from '#kernel/http/context.ts'
import { answerSealOf, inputDigest, once } from '#kernel/http/idempotency.ts'
import { fileNameOf } from '#kernel/http/receive.ts'
import type { Invariant } from '#kernel/invariant.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import type { Services } from '#server/services.ts'
import { addAttach, removeAttaches, saveAttach } from './commands/save-attach.ts'
import { storageByCode } from './commands/save-storage.ts'
import {
  type AccountFileColumn,
  attachFiles,
  findChecks,
  findFile,
  findFiles,
  insertFile,
  keepFiles,
  listFilesOf,
  removeFiles,
  type StoredFileRow,
  setAccountFile,
  sumOf,
  tieAvatar,
  untieAvatars,
} from './data/file.repo.ts'
import type { StorageDeps, StorageKit } from './deps.ts'
import { type FilePurpose, limitKbOf, limitParameters, problemText, tooManyPixels } from './domain/limits.ts'
import { endpointHandlers } from './http-endpoint.ts'
import { storageHandlers } from './http-storage.ts'
import { fileInvariants } from './jobs/lying-files.ts'
import { dropBytes, moveTasks } from './jobs/move-files.ts'
import { type NamedFiles, sweepProcessor } from './jobs/sweep.ts'

/** A photo link answers so long (domain P4). */
const linkMs = 10 * 60_000
/** The ticket of a program, which sends no session with it. */
const ticketMs = 60_000
/** Of what the program makes itself; uploads are smaller. */
const maxStoredBytes = 256 * 1024 * 1024
/** All files of one candidate (decision 4.7). */
const candidateBytes = 100 * 1024 * 1024

/** Refuses a reading, or lets it pass and writes its audit line. */
export type LinkGuard = (db: TenantDb, ctx: Ctx & { readonly session: Session }, ownerId: string) => Promise<Refusal | undefined>

export interface FileModule {
  readonly handlers: readonly Handler[]
  readonly invariants: readonly Invariant[]
  readonly tasks: readonly Task[]
  readonly processors: readonly Processor[]
  /** Files of this kind of owner leave by their links only as their module lets them: asked at each reading, and with its audit line. */
  readonly guard: (ownerKind: string, leave: LinkGuard) => void
  /** Uploads that are named there stay, though nothing has taken them yet. */
  readonly spare: (named: NamedFiles) => void
  /** Inspects, cleans and stores one upload; a refusal names what is wrong. */
  readonly keepUpload: (
    db: TenantDb,
    upload: { file: ReceivedFile; userId: string; ownerKind: string; ownerId: string; column?: string; purpose?: FilePurpose },
  ) => Promise<StoredFileRow>
  /** Why `keepUpload` would refuse it, before anything is kept. */
  readonly problemOf: (db: TenantDb, file: ReceivedFile, purpose?: FilePurpose) => Promise<Refusal | undefined>
  /** Stores what the server made itself (a rendered ticket, an error workbook). */
  readonly keepBytes: (
    db: TenantDb,
    made: { bytes: Uint8Array; name: string; kind: FileKind; userId: string; ownerKind: string; ownerId: string },
  ) => Promise<StoredFileRow>
  readonly find: (db: TenantDb, id: string) => Promise<StoredFileRow | undefined>
  /** Several at once, in no particular order; missing ones are left out. */
  readonly findMany: (db: TenantDb, ids: readonly string[]) => Promise<StoredFileRow[]>
  /** The checks alone of several. */
  readonly findChecks: (db: TenantDb, ids: readonly string[]) => Promise<Pick<StoredFileRow, 'id' | 'checks'>[]>
  /** Files that belong to one of these. */
  readonly idsOf: (db: TenantDb, ownerKind: string, ownerIds: readonly string[]) => Promise<string[]>
  /** Removes files for good; their bytes go with the queue. @returns how many there were */
  readonly erase: (db: TenantDb, ids: readonly string[]) => Promise<number>
  readonly read: (file: StoredFileRow) => Promise<Buffer>
  readonly open: (file: StoredFileRow) => Promise<Readable>
  /** A link for this reader, ten minutes long. The caller has decided that they may read it. */
  readonly linkFor: (reader: { tenantId: string; userId: string }, fileId: string, now: Date) => string
  /** Keeps the picture of a call as the caller's, for `keepAvatar`; nothing of it stays when that does not follow. */
  readonly receiveAvatar: (ctx: Ctx, path: string) => Promise<string | Refusal>
  /** Ties one of the person's own avatars to their account and lets go of the others; false when there is no such picture of theirs. */
  readonly keepAvatar: (db: TenantDb, userId: string, fileId: string | null) => Promise<boolean>
  /** Ties uploaded files to what they belong to, so that they are not swept; only the owner's own files. @returns how many that were */
  readonly attach: (db: TenantDb, fileIds: readonly string[], userId: string, ownerKind: string, ownerId: string) => Promise<number>
  /** The same where nobody asks how many. */
  readonly keep: (db: TenantDb, fileIds: readonly string[], userId: string, ownerKind: string, ownerId: string) => void
}

const refuseFile = (detail: Label): Refusal => refuse('kernel/file-kind', { detail })

/** Pixels a side; no screen shows an avatar larger. */
const avatarSide = 512
const isPicture = (purpose: FilePurpose): boolean => purpose === 'avatar' || purpose === 'photo' || purpose === 'image'

interface Prepared {
  readonly bytes: Uint8Array
  readonly kind: FileKind
  readonly checks: object | null
  readonly receivedBytes: number
  readonly sentSha256: string
}

/** What an upload becomes: images are decoded and written anew, so nothing hides in them; portraits are checked and cut to size. */
const prepare = async (
  file: ReceivedFile,
  purpose: FilePurpose,
  parameters: Readonly<Record<string, string>>,
): Promise<Prepared | Refusal> => {
  const bytes = await readBytes(file.path)
  const received = { receivedBytes: bytes.length, sentSha256: createHash('sha256').update(bytes).digest('hex') }
  const inspected = await inspectFile(bytes, file.name)
  if ('problem' in inspected)
    return refuseFile(
      inspected.problem === 'unknown' && isPicture(purpose)
        ? { zh: '只接受 jpg、png', en: 'only jpg and png are accepted' }
        : inspected.problem === 'unknown' && (purpose === 'document' || purpose === 'attach')
          ? { zh: '只接受 pdf、docx、xlsx、jpg、png', en: 'only pdf, docx, xlsx, jpg and png are accepted' }
          : problemText[inspected.problem],
    )
  const { kind } = inspected
  const limitKb = limitKbOf(purpose, kind, parameters)
  if (limitKb === undefined) return refuseFile({ zh: `不支持 ${kind} 文件`, en: `${kind} files are not accepted here` })
  if (bytes.length > limitKb * 1024) return refuseFile({ zh: `文件不能超过 ${limitKb} KB`, en: `the file must not exceed ${limitKb} KB` })
  if (kind !== 'jpg' && kind !== 'png') return { bytes, kind, checks: null, ...received }
  const beyond = await sizeBeyondLimit(bytes)
  if (beyond) return refuseFile(tooManyPixels(beyond))
  try {
    if (purpose === 'photo') {
      const { findings } = await checkPortrait(bytes, { fileName: withKnownEnding(file.name, kind) })
      if (findings.some(finding => finding.rule === 'decode' && !finding.ok)) return refuseFile(problemText.truncated)
      return { bytes: await makePortrait(bytes), kind: 'jpg', checks: findings, ...received }
    }
    const clean = await cleanImage(bytes, purpose === 'avatar' ? { maxSide: avatarSide } : {})
    return { bytes: clean.bytes, kind: clean.kind, checks: null, ...received }
  } catch (error) {
    if (error instanceof ImageError) return refuseFile(problemText.truncated)
    throw error
  }
}

/** Where an account keeps the file of a part of an upload. */
const accountColumns: Readonly<Record<string, AccountFileColumn>> = {
  avatar: 'avatar_file_id',
  cardFront: 'card_front_file_id',
  cardBack: 'card_back_file_id',
}

export const createFileModule = (
  services: Services,
  sessions: {
    readonly authenticate: (token: string, now: Date, activity: boolean) => Promise<Session | undefined>
    /** An open session by its id. */
    readonly openSession: (tenantId: string, sessionId: string) => Promise<Session | undefined>
  },
  parametersOf: (db: TenantDb, keys: readonly string[]) => Promise<Readonly<Record<string, string>>>,
  storage: StorageDeps,
): FileModule => {
  const kit: StorageKit = { services, ...storage }
  const limitsOf = (db: TenantDb) => parametersOf(db, limitParameters)
  const { files: store, keys } = services
  const signer = createLinkSigner(keys.tokenKey)
  const guards = new Map<string, LinkGuard>()
  const spared: NamedFiles[] = []

  type Made = Omit<Prepared, 'receivedBytes' | 'sentSha256'> & {
    receivedBytes: number | null
    sentSha256: string | null
    name: string
    purpose: string
    userId: string
    ownerKind: string | null
    ownerId: string | null
  }
  const note = (db: TenantDb, made: Made, stored: StoredFile): Promise<StoredFileRow> =>
    insertFile(db, {
      ...made,
      name: withKnownEnding(made.name, made.kind),
      mime: CONTENT_TYPES[made.kind],
      sizeBytes: stored.sizeBytes,
      sha256: stored.sha256,
      storageKey: stored.key,
    })
  const keep = async (db: TenantDb, made: Made): Promise<StoredFileRow> => {
    const stored = await store.put(made.bytes, { tenantId: db.actor.tenantId, maxBytes: maxStoredBytes })
    try {
      return await note(db, made, stored)
    } catch (error) {
      await store.remove(stored.key)
      throw error
    }
  }
  const linkFor: FileModule['linkFor'] = ({ tenantId, userId }, fileId, now) =>
    `/api/file/${fileId}?t=${tenantId}&u=${userId}&s=${signer.sign({ tenantId, userId, fileId }, new Date(now.getTime() + linkMs))}`

  /** The link of an attachment for a program that sends no session; the ordinary one of any other file. */
  const ticketFor = (ctx: Ctx, { id, ownerKind }: Pick<StoredFileRow, 'id' | 'ownerKind'>): string => {
    const { id: sessionId, tenantId, userId } = sessionOf(ctx)
    if (ownerKind !== 'attach') return linkFor({ tenantId, userId }, id, ctx.arrivedAt)
    const signature = signer.sign({ tenantId, userId, fileId: id, sessionId }, new Date(ctx.arrivedAt.getTime() + ticketMs))
    return `/api/file/${id}?t=${tenantId}&u=${userId}&k=${sessionId}&s=${signature}`
  }

  const view = (ctx: Ctx, row: StoredFileRow) => ({
    fileId: row.id,
    link: linkFor({ tenantId: ctx.tenantId, userId: ctx.session?.userId ?? '0' }, row.id, ctx.arrivedAt),
    domain: '',
    name: row.name,
    originalName: row.name,
    sizeBytes: Number(row.sizeBytes),
    mime: row.mime,
    sha256: row.sha256,
    checks: (row.checks as { rule: string; ok: boolean; got: string }[] | null) ?? null,
  })

  /** Where the file of a call goes: to a storage that is named by its code, or where all new ones go. */
  const storeBytes = async (ctx: Ctx, bytes: Uint8Array, code: string | undefined): Promise<StoredFile> => {
    if (code === undefined || code === '') return store.put(bytes, { tenantId: ctx.tenantId, maxBytes: maxStoredBytes })
    if (!ctx.session?.permissions.has('oss_edit')) throw new Refused(refuse('kernel/forbidden', {}))
    const row = await storageByCode(ctx, code)
    const storageId = row.category === storageKind.local ? undefined : row.id
    const stored = await (await store.at(storageId)).put(bytes, { maxBytes: maxStoredBytes })
    return { ...stored, key: keyIn(storageId, stored.key) }
  }

  /** Keeps the one file of a call, once per Idempotency-Key. `finish` works in the same transaction. */
  const receiveOne = async <T extends object = ReturnType<typeof view>>(
    ctx: Ctx,
    path: string,
    purpose: FilePurpose,
    { name, code, finish }: { name?: string; code?: string; finish?: (db: TenantDb, row: StoredFileRow) => Promise<T> } = {},
  ): Promise<T | Refusal> => {
    const [file] = ctx.files
    const { session } = ctx
    if (!file || !session) return refuseFile({ zh: '请选择文件', en: 'choose a file' })
    const named = { ...file, name: fileNameOf(name ?? file.name) }
    const prepared = await prepare(named, purpose, await ctx.tx(limitsOf))
    if (isRefusal(prepared)) return prepared
    // The name that the file came under is looked at too, where the call gives it another.
    if (name !== undefined && !mayBeNamed(file.name, prepared.kind)) return refuseFile(problemText.extension)
    const key = ctx.header('idempotency-key')
    // Before the transaction: a store at the other end of a line may take its time.
    const stored = await storeBytes(ctx, prepared.bytes, code)
    let isKept = false
    const save = async (db: TenantDb): Promise<T> => {
      // Uploads that arrive together are summed one after another.
      await lock(db, `uploads|${session.userId}`)
      if (session.userType === 2 && (await sumOf(db, session.userId)) + prepared.bytes.length > candidateBytes)
        throw new Refused(refuseFile({ zh: '上传文件总量超过 100 MB', en: 'your files exceed 100 MB together' }))
      const made = { ...prepared, name: named.name, purpose, userId: session.userId, ownerKind: null, ownerId: null }
      const row = await note(db, made, stored)
      db.afterCommit(() => {
        isKept = true
      })
      return finish ? await finish(db, row) : (view(ctx, row) as unknown as T)
    }
    const digest = () =>
      inputDigest(path, { purpose, name: named.name, digest: hashToken(Buffer.from(prepared.bytes).toString('base64')) }, [])
    try {
      return await ctx.tx(db => (key ? once(db, key, path, digest(), () => save(db), answerSealOf(services.cipher)) : save(db)))
    } finally {
      if (!isKept) await store.remove(stored.key)
    }
  }

  const putPicture = async (ctx: Ctx, path: string, name?: string) => {
    const kept = await receiveOne(ctx, path, 'avatar', name === undefined ? {} : { name })
    if (isRefusal(kept)) return kept
    const { link, name: stored, originalName, fileId: attachId, sizeBytes: length, mime: contentType } = kept
    return { link, domain: '', name: stored, originalName, attachId, length, contentType }
  }
  const domainUrl = services.config.publicUrl ?? ''
  const putAttach = (ctx: Ctx, path: string, options: { name?: string; code?: string }) =>
    receiveOne(ctx, path, 'attach', {
      ...options,
      finish: async (db, file) => {
        const { id, name, originalName } = await addAttach(ctx, db, { file, originalName: file.name, domainUrl })
        return { link: view(ctx, file).link, domain: domainUrl, name, originalName, attachId: id }
      },
    })
  const attachOwn = crudRoutes(attach)
  guards.set('attach', async (_db, { session }) =>
    session.permissions.has('attach_download') ? undefined : refuse('kernel/not-found', {}),
  )

  const handlers: Handler[] = [
    handle(uploadFile, ({ ctx, input }) =>
      receiveOne(ctx, uploadFile.path, input.purpose ?? 'document', input.name === undefined ? {} : { name: input.name }),
    ),
    handle(putFile, ({ ctx }) => putPicture(ctx, putFile.path)),
    handle(attachCalls.putByName, ({ ctx, input }) => putPicture(ctx, attachCalls.putByName.path, input.fileName)),
    handle(attachCalls.putDetail, ({ ctx }) => putPicture(ctx, attachCalls.putDetail.path)),
    handle(readFile, async ({ ctx, input }) => {
      const token =
        /^bearer\s+(\S+)$/i.exec(ctx.header('blade-auth') ?? '')?.[1] ??
        /(?:^|;\s*)kaopu-access-token=([^;]+)/.exec(ctx.header('cookie') ?? '')?.[1]
      const subject = { tenantId: input.t, userId: input.u, fileId: input.id, ...(input.k === undefined ? {} : { sessionId: input.k }) }
      const verdict = signer.verify(subject, input.s, ctx.arrivedAt)
      if (verdict === 'invalid') return refuse('kernel/not-found', {})
      // A link is no key: whoever comes by it in a history, a log or a message opens nothing without the session of its reader.
      const caller = token === undefined ? undefined : await sessions.authenticate(token, ctx.arrivedAt, false)
      const reader = caller ?? (input.k === undefined ? undefined : await sessions.openSession(input.t, input.k))
      if (reader && (reader.userId !== input.u || reader.tenantId !== input.t)) return refuse('kernel/not-found', {})
      if (token === undefined && input.k === undefined) return refuse('kernel/no-token', {})
      if (verdict === 'expired' || !reader) return refuse('kernel/file-link', {})
      if (reader.locked) return refuse('kernel/session-locked', {})
      if (reader.mustChangePassword) return refuse('kernel/password-due', {})
      const row = await services.scopes.tx({ ...systemOf(input.t), userId: reader.userId }, ctx.arrivedAt, async db => {
        const found = await findFile(db, input.id)
        // A ticket opens what staff share and nothing of a person.
        if (caller === undefined && found?.ownerKind !== 'attach') return undefined
        // The owner may ask who looked (P6).
        if (found && found.userId !== reader.userId)
          await audit(db, { ...ctx, session: reader }, { action: 'file.read', entity: 'stored_file', entityId: found.id })
        const why = found && (await guards.get(found.ownerKind ?? '')?.(db, { ...ctx, session: reader }, found.ownerId ?? '0'))
        if (why) throw new Refused(why)
        return found
      })
      if (!row) return refuse('kernel/not-found', {})
      return {
        body: range => store.open(row.storageKey, range),
        mime: row.mime,
        name: row.name,
        sizeBytes: Number(row.sizeBytes),
        version: row.sha256,
        inline: row.ext === 'jpg' || row.ext === 'png' || row.ext === 'pdf',
      }
    }),
  ]

  handlers.push(
    ...storageHandlers(kit),
    ...endpointHandlers(kit, {
      domainUrl,
      ticketFor,
      linkFor: (ctx, fileId) => linkFor({ tenantId: ctx.tenantId, userId: ctx.session?.userId ?? '0' }, fileId, ctx.arrivedAt),
    }),
    ...crud(attach, {
      present: (ctx, row) => ({
        ...row,
        link: ctx.session?.permissions.has('attach_download') ? linkFor(ctx.session, String(row['fileId']), ctx.arrivedAt) : '',
      }),
    }),
    handle(attachOwn.submit as Route, ({ ctx, input }) => saveAttach(ctx, domainUrl, input as Readonly<Record<string, unknown>>)),
    handle(attachOwn.remove as Route, ({ ctx, input }) => removeAttaches(ctx, idsOf(String((input as { ids?: unknown }).ids ?? '')))),
    handle(attachCalls.putAttach, ({ ctx, input }) =>
      putAttach(ctx, attachCalls.putAttach.path, input.code === undefined ? {} : { code: input.code }),
    ),
    handle(attachCalls.putAttachByName, ({ ctx, input }) =>
      putAttach(ctx, attachCalls.putAttachByName.path, { name: input.fileName, ...(input.code === undefined ? {} : { code: input.code }) }),
    ),
  )

  return {
    invariants: fileInvariants(kit),
    handlers,
    tasks: moveTasks(kit),
    processors: [sweepProcessor(kit, spared)],
    spare: named => void spared.push(named),
    guard: (ownerKind, leave) => void guards.set(ownerKind, leave),
    problemOf: async (db, file, purpose = 'image') => {
      const prepared = await prepare(file, purpose, await limitsOf(db))
      return isRefusal(prepared) ? prepared : undefined
    },
    keepUpload: async (db, upload) => {
      const prepared = await prepare(upload.file, upload.purpose ?? 'image', await limitsOf(db))
      if (isRefusal(prepared)) throw new Refused(prepared)
      const row = await keep(db, {
        ...prepared,
        name: upload.file.name,
        purpose: upload.purpose ?? 'image',
        userId: upload.userId,
        ownerKind: upload.ownerKind,
        ownerId: upload.ownerId,
      })
      const column = upload.ownerKind === 'account' ? accountColumns[upload.column ?? ''] : undefined
      if (column) await setAccountFile(db, upload.ownerId, column, row.id)
      return row
    },
    keepBytes: (db, made) => keep(db, { ...made, checks: null, receivedBytes: null, sentSha256: null, purpose: 'made' }),
    find: findFile,
    findMany: findFiles,
    idsOf: listFilesOf,
    erase: async (db, ids) => {
      const keys = await removeFiles(db, ids)
      if (keys.length > 0) await dropBytes(db, keys)
      return keys.length
    },
    findChecks,
    read: async file => {
      const chunks: Buffer[] = []
      for await (const chunk of await store.open(file.storageKey)) chunks.push(chunk as Buffer)
      return Buffer.concat(chunks)
    },
    open: file => store.open(file.storageKey),
    linkFor,
    receiveAvatar: async (ctx, path) => {
      const kept = await receiveOne(ctx, path, 'avatar')
      return isRefusal(kept) ? kept : kept.fileId
    },
    keepAvatar: async (db, userId, fileId) => {
      if (fileId !== null && !(await tieAvatar(db, userId, fileId))) return false
      await untieAvatars(db, userId, fileId)
      return true
    },
    attach: attachFiles,
    keep: keepFiles,
  }
}
