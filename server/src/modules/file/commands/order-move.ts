import { refuseFiles } from '#contract/file/file.errors.ts'
import type { FileMoveView, FilePlace } from '#contract/file/storage.routes.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { audit } from '#kernel/audit.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { tryStore } from '#kernel/files/s3.ts'
import { storageFaultOf } from '#kernel/files/storage-fault.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { enqueue } from '#kernel/queue/outbox.ts'
import { cancelMoves, findLastMove, insertMove, listLastMoves, listMovingTenants, type MoveRow } from '../data/move.repo.ts'
import { countByPlace, type Lying, listAllStorages } from '../data/storage.repo.ts'
import type { StorageKit } from '../deps.ts'
import { moveTask } from '../jobs/move-files.ts'

const because = 'the platform looks after the files of all tenants'

/** Whether the caller means all tenants, which only who looks after the installation may. */
const meansAll = (ctx: Ctx, all: number | undefined): boolean => {
  if (all !== 1) return false
  if (!ctx.actsForPlatform()) throw new Refused(refuse('kernel/forbidden', {}))
  return true
}

const lying = (kit: StorageKit, ctx: Ctx, all: boolean): Promise<Lying[]> =>
  all ? kit.services.scopes.asPlatform(because, ctx.arrivedAt, countByPlace) : ctx.tx(countByPlace)

/** Those that do not lie where new files of their tenant go. */
const elsewhereOf = async (kit: StorageKit, found: readonly Lying[]): Promise<Lying[]> => {
  const chosen = new Map<string, string | null>()
  for (const { tenantId } of found) if (!chosen.has(tenantId)) chosen.set(tenantId, (await kit.places.chosen(tenantId)) ?? null)
  return found.filter(({ tenantId, storageId }) => chosen.get(tenantId) !== storageId)
}

const viewOf = (ctx: Ctx, moves: readonly MoveRow[]): FileMoveView | null => {
  const going = moves.filter(({ state }) => state === 1)
  const shown = going.length > 0 ? going : moves.length > 0 ? [moves.reduce((a, b) => (a.startedAt >= b.startedAt ? a : b))] : []
  const [first] = shown
  if (!first) return null
  const sum = (of: (move: MoveRow) => number): number => shown.reduce((total, move) => total + of(move), 0)
  const { problemZh, problemEn } = shown.find(move => move.problemZh !== '') ?? first
  return {
    state: first.state,
    total: sum(move => move.total),
    moved: sum(move => move.moved),
    failed: sum(move => move.failed),
    bytes: sum(move => Number(move.bytes)),
    problem: ctx.say({ zh: problemZh, en: problemEn }),
    startTime: toWireTime(new Date(Math.min(...shown.map(move => move.startedAt.getTime())))),
    endTime: first.endedAt && toWireTime(first.endedAt),
  }
}

/** Where files lie and how far a move is. */
export const tellPlaces = async (kit: StorageKit, ctx: Ctx, asked: number | undefined) => {
  const all = meansAll(ctx, asked)
  const { scopes } = kit.services
  const found = await lying(kit, ctx, all)
  const rows = await scopes.asPlatform(because, ctx.arrivedAt, listAllStorages)
  const chosen = await kit.places.chosenRow(ctx.tenantId)
  const chosenId = (await kit.places.chosen(ctx.tenantId)) ?? ''
  const sums = new Map<string, { files: number; bytes: number }>([[chosenId, { files: 0, bytes: 0 }]])
  for (const { storageId, files, bytes } of found) {
    const sum = sums.get(storageId ?? '') ?? { files: 0, bytes: 0 }
    sums.set(storageId ?? '', { files: sum.files + Number(files), bytes: sum.bytes + Number(bytes) })
  }
  const places: FilePlace[] = [...sums].map(([ossId, sum]) => {
    const row = rows.find(({ id }) => id === ossId)
    // What another tenant calls its storage is its own.
    const isKnown = row && (all || row.tenantId === ctx.tenantId)
    const isPlatform =
      ossId === chosenId ? chosen !== undefined && chosen.tenantId !== ctx.tenantId : row !== undefined && row.tenantId !== ctx.tenantId
    return { ossId, ossCode: isKnown ? row.code : '', ...sum, isChosen: ossId === chosenId ? 1 : 0, isPlatform: isPlatform ? 1 : 0 }
  })
  const moves = all
    ? await scopes.asPlatform(because, ctx.arrivedAt, listLastMoves)
    : await ctx.tx(async db => [await findLastMove(db)].flatMap(move => move ?? []))
  const elsewhere = (await elsewhereOf(kit, found)).reduce((total, { files }) => total + Number(files), 0)
  return { places, elsewhere, move: viewOf(ctx, moves), mayAll: ctx.actsForPlatform() ? (1 as const) : (0 as const) }
}

/** Orders that all files go where new ones go: one move for each tenant that has some elsewhere. */
export const startMove = async (kit: StorageKit, ctx: Ctx, asked: number | undefined): Promise<{ files: number } | Refusal> => {
  const all = meansAll(ctx, asked)
  const { userId } = sessionOf(ctx)
  const found = await elsewhereOf(kit, await lying(kit, ctx, all))
  const wanted = new Map<string, number>()
  for (const { tenantId, files } of found) wanted.set(tenantId, (wanted.get(tenantId) ?? 0) + Number(files))
  if (wanted.size === 0) return refuseFiles('file/nothing-to-move', {})
  const targets = new Map<string, string>()
  for (const tenantId of wanted.keys()) {
    const row = await kit.places.chosenRow(tenantId)
    const id = await kit.places.chosen(tenantId)
    if (row && id !== undefined) targets.set(id, row.code)
  }
  for (const [id, code] of targets)
    try {
      await tryStore(await kit.services.files.at(id))
    } catch (error) {
      const fault = storageFaultOf(error)
      if (fault) return refuseFiles('file/try-failed', { code, why: fault.why })
      throw error
    }
  const begin = async (db: TenantDb, files: number): Promise<number> => {
    const id = await insertMove(db, files, userId)
    if (id === undefined) return 0
    await audit(db, db.actor.tenantId === ctx.tenantId ? ctx : undefined, {
      action: 'file-move.begun',
      entity: 'file-move',
      entityId: id,
      after: { files },
    })
    await enqueue(db, moveTask, { id })
    return files
  }
  let ordered = 0
  for (const [tenantId, files] of wanted)
    ordered +=
      tenantId === ctx.tenantId
        ? await ctx.tx(db => begin(db, files))
        : await kit.services.scopes.tx(systemOf(tenantId), ctx.arrivedAt, db => begin(db, files))
  return ordered === 0 ? refuseFiles('file/moving-already', {}) : { files: ordered }
}

/** What has been moved stays where it is now; the file in hand goes back. */
export const cancelMove = async (kit: StorageKit, ctx: Ctx, asked: number | undefined): Promise<{ cancelled: number } | Refusal> => {
  const tenants = meansAll(ctx, asked) ? await kit.services.scopes.asPlatform(because, ctx.arrivedAt, listMovingTenants) : [ctx.tenantId]
  const cancel = async (db: TenantDb): Promise<number> => {
    const ended = await cancelMoves(db)
    for (const { id, moved } of ended)
      await audit(db, db.actor.tenantId === ctx.tenantId ? ctx : undefined, {
        action: 'file-move.cancelled',
        entity: 'file-move',
        entityId: id,
        after: { moved },
      })
    return ended.length
  }
  let cancelled = 0
  for (const tenantId of tenants)
    cancelled += tenantId === ctx.tenantId ? await ctx.tx(cancel) : await kit.services.scopes.tx(systemOf(tenantId), ctx.arrivedAt, cancel)
  return cancelled === 0 ? refuseFiles('file/no-move', {}) : { cancelled }
}
