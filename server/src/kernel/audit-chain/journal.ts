import { randomUUID } from 'node:crypto'
import { appendFile, chmod, mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type KeyRing, ringOf } from '../crypto/key-ring.ts'
import { hmacSm3, sm3 } from '../crypto/sm3.ts'
import { writeOnce } from '../secrets.ts'
import type { AuditHead } from './line.ts'

/**
 * A second memory of the heads of the audit chains, which only grows: a file a day with a line a minute while the program runs, each line bound to the one
 * before it and signed with the installation's key. Whoever puts the database and the anchors back to an older copy cannot put these lines back
 * without leaving a hole in time, and where the folder is on another machine or a write-once store not at all.
 */
export interface JournalEntry {
  /** ISO, UTC. */
  readonly at: string
  readonly heads: readonly AuditHead[]
  /** Digest of the line before, of whatever file; zeros for the first. */
  readonly before: string
  readonly signature: string
}

/** The journal beside the data; a second one by `KAOPU_AUDIT_JOURNAL`. */
export const journalFolder = (dataDir: string): string => join(dataDir, 'audit-journal')

const writerFile = (dataDir: string): string => join(journalFolder(dataDir), 'writer')
export const writerForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The name under which the instances of a data folder write heads down. @returns undefined where none has written yet */
export const readWriter = async (dataDir: string): Promise<string | undefined> => {
  const text = await readFile(writerFile(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  if (writerForm.test(text.trim())) return text.trim()
  throw new Error(
    `The file ${writerFile(dataDir)} should hold the name of this journal's writer and does not. Put it back from a backup, or remove it: the next start takes a new name.`,
  )
}
/** The same, which is drawn and written down at the first time. */
export const takeWriter = async (dataDir: string): Promise<string> => {
  const known = await readWriter(dataDir)
  if (known !== undefined) return known
  await writeOnce(writerFile(dataDir), `${randomUUID()}\n`)
  // Of two that begin at the same moment the first has named both.
  return (await readWriter(dataDir)) ?? takeWriter(dataDir)
}

/** While the program runs a line is written so often, whether or not anything was sealed: what is missing shows as a hole. */
export const journalEveryMs = 60_000
/** So long without a line says that nothing was written down. */
export const holeMs = 15 * 60_000

const nothing = '0'.repeat(64)
const digestOf = (line: string): string => sm3(line).toString('hex')
const signatureOf = (key: Uint8Array, { at, heads, before }: Omit<JournalEntry, 'signature'>): string =>
  hmacSm3(key, `audit-journal|${at}|${before}|${JSON.stringify(heads)}`).toString('hex')
const nameOf = (at: string): string => `heads-${at.slice(0, 10)}.jsonl`
const fileName = /^heads-\d{4}-\d{2}-\d{2}\.jsonl$/

const filesOf = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder).catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? [] : Promise.reject(error))))
    .filter(name => fileName.test(name))
    .sort()

const linesOf = async (folder: string, name: string): Promise<readonly string[]> =>
  (await readFile(join(folder, name), 'utf8')).split('\n').filter(line => line !== '')

/** Appends the heads as they are now. Files of earlier days are closed to writing. */
export const appendJournal = async (folder: string, key: Uint8Array, at: Date, heads: readonly AuditHead[]): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const names = await filesOf(folder)
  const latest = names.at(-1)
  const last = latest === undefined ? undefined : (await linesOf(folder, latest)).at(-1)
  const body = { at: at.toISOString(), heads, before: last === undefined ? nothing : digestOf(last) }
  const name = nameOf(body.at)
  if (latest !== undefined && latest < name) await chmod(join(folder, latest), 0o400).catch(() => {})
  await appendFile(join(folder, name), `${JSON.stringify({ ...body, signature: signatureOf(key, body) })}\n`, { mode: 0o600, flag: 'a' })
}

/** The heads of the last day that was written down: how far the chains had come. Whole days before are not read. */
export const latestHeads = async (folder: string): Promise<readonly AuditHead[]> => {
  const latest = (await filesOf(folder)).at(-1)
  const heads = new Map<string, AuditHead>()
  for (const line of latest === undefined ? [] : await linesOf(folder, latest))
    for (const head of parsed(line)?.heads ?? []) heads.set(head.tenant, head)
  return [...heads.values()]
}

export interface Hole {
  readonly from: string
  readonly to: string
}
export interface Journal {
  readonly folder: string
  readonly entries: number
  /** The first and the last line; undefined for a journal that has none. */
  readonly since: string | undefined
  readonly until: string | undefined
  /** Times within which nothing was written down: what was cut then and put back is not shown. */
  readonly holes: readonly Hole[]
  /** Lines that do not follow the one before, or were not written with this installation's key: `heads-….jsonl:7`. */
  readonly broken: readonly string[]
  /** The furthest head of each chain, and every head that differs from another of the same place. */
  readonly heads: readonly AuditHead[]
}

const parsed = (line: string): JournalEntry | undefined => {
  try {
    const entry = JSON.parse(line) as JournalEntry
    return typeof entry.at === 'string' && Array.isArray(entry.heads) ? entry : undefined
  } catch {
    return undefined
  }
}

/** Reads a journal from end to end and judges it by itself. */
export const readJournal = async (folder: string, key: Uint8Array | KeyRing): Promise<Journal> => {
  const keys = ringOf(key).accepted()
  const broken: string[] = []
  const holes: Hole[] = []
  const heads = new Map<string, AuditHead>()
  const far = new Map<string, bigint>()
  let entries = 0
  let before = nothing
  let since: string | undefined
  let until: string | undefined
  for (const name of await filesOf(folder)) {
    for (const [at, line] of (await linesOf(folder, name)).entries()) {
      const entry = parsed(line)
      if (!entry || entry.before !== before || !keys.some(one => signatureOf(one, entry) === entry.signature))
        broken.push(`${name}:${at + 1}`)
      before = digestOf(line)
      if (!entry) continue
      entries += 1
      if (until !== undefined && Date.parse(entry.at) - Date.parse(until) > holeMs) holes.push({ from: until, to: entry.at })
      since ??= entry.at
      until = entry.at
      for (const head of entry.heads) {
        // Where a chain went on every head is on the way to the furthest; one that comes again smaller was put back.
        const furthest = far.get(head.tenant) ?? -1n
        const placeOf = BigInt(head.seq) > furthest ? `${head.tenant}` : `${head.tenant} ${head.seq} ${head.chain}`
        heads.set(placeOf, head)
        if (BigInt(head.seq) > furthest) far.set(head.tenant, BigInt(head.seq))
      }
    }
  }
  return { folder, entries, since, until, holes, broken, heads: [...heads.values()] }
}
