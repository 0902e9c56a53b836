import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { KeyRing } from '../crypto/key-ring.ts'
import { anchorPath, readAnchors } from './anchor.ts'
import { type Journal, journalFolder, latestHeads, readJournal, readWriter, writerForm } from './journal.ts'
import type { AuditHead } from './line.ts'

/** Where an instance writes down how far the chains have come. Instances that share a data folder share its memory; others have their own. */
export interface HeadPlaces {
  readonly dataDir: string
  /** `KAOPU_AUDIT_JOURNAL`: a folder in which every data folder has a journal of its own, named after its writer. */
  readonly second: string | undefined
}

/** The journals of a writer: beside its data, and in the second folder where there is one. */
export const journalsOf = ({ dataDir, second }: HeadPlaces, writer: string): readonly string[] => [
  journalFolder(dataDir),
  ...(second === undefined ? [] : [join(second, writer)]),
]

/** Journals of the second folder that are not this writer's: of other instances, and of releases that wrote into the folder itself. */
const othersIn = async (second: string, writer: string | undefined): Promise<readonly string[]> => {
  const names = await readdir(second).catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? [] : Promise.reject(error)))
  return ['', ...names.filter(one => writerForm.test(one) && one !== writer).sort()].map(name => join(second, name))
}

/** How far the chains had come, as the anchors and the last day of every journal have it. @throws AnchorUnreadable */
export const latestRemembered = async (places: HeadPlaces): Promise<readonly AuditHead[]> => {
  const { dataDir, second } = places
  const writer = await readWriter(dataDir)
  const folders = [
    ...journalsOf(places, writer ?? ''),
    ...(second === undefined || writer === undefined ? [] : await othersIn(second, writer)),
  ]
  return [...(await readAnchors(anchorPath(dataDir))), ...(await Promise.all(folders.map(latestHeads))).flat()]
}

/** All that is written down of the heads and can be read from here. */
export interface Memories {
  readonly anchorPath: string
  readonly anchors: readonly AuditHead[]
  /** Of this data folder. They are written one right after the other, and after the anchors. */
  readonly own: readonly Journal[]
  /** Of other instances, and of releases that wrote into the second folder itself. Each goes as far as its writer ran. */
  readonly others: readonly Journal[]
}

/** @throws AnchorUnreadable */
export const readMemories = async (places: HeadPlaces, key: Uint8Array | KeyRing): Promise<Memories> => {
  const path = anchorPath(places.dataDir)
  const anchors = await readAnchors(path)
  const { second } = places
  const writer = await readWriter(places.dataDir)
  const own: Journal[] = []
  // Before the first line there is no writer: the journals are empty, and the command says that nothing vouches.
  for (const folder of journalsOf(places, writer ?? '')) own.push(await readJournal(folder, key))
  const others: Journal[] = []
  if (second !== undefined && writer !== undefined) {
    for (const folder of await othersIn(second, writer)) {
      const journal = await readJournal(folder, key)
      if (journal.entries > 0 || journal.broken.length > 0) others.push(journal)
    }
  }
  return { anchorPath: path, anchors, own, others }
}

export const allHeads = ({ anchors, own, others }: Memories): readonly AuditHead[] => [
  ...anchors,
  ...[...own, ...others].flatMap(({ heads }) => heads),
]

/** What is wrong between the memories of the heads themselves. */
export type MemoryProblem = 'journalBroken' | 'anchorOld' | 'journalBehind'
export interface MemoryFinding {
  readonly place: string
  readonly problem: MemoryProblem
}

const furthest = (heads: readonly AuditHead[]): ReadonlyMap<string, bigint> => {
  const far = new Map<string, bigint>()
  for (const { tenant, seq } of heads) if (BigInt(seq) > (far.get(tenant) ?? -1n)) far.set(tenant, BigInt(seq))
  return far
}
const isBehind = (one: readonly AuditHead[], other: readonly AuditHead[]): boolean => {
  const here = furthest(one)
  return [...furthest(other)].some(([tenant, seq]) => (here.get(tenant) ?? -1n) < seq)
}

/**
 * Compares the anchors and the journals of a data folder: an older copy of one of them is behind the others. Those of other instances are read line by
 * line only: their writers run at other times.
 */
export const compareMemories = ({ anchorPath: path, anchors, own, others }: Memories): readonly MemoryFinding[] => [
  ...[...own, ...others].flatMap(({ folder, broken }) =>
    broken.map(at => ({ place: `${folder}/${at}`, problem: 'journalBroken' as const })),
  ),
  // The anchors move with every seal and before every line of the journals: anchors that are behind are an old copy.
  ...(own.some(({ heads }) => isBehind(anchors, heads)) ? [{ place: path, problem: 'anchorOld' as const }] : []),
  ...own
    .filter(one => own.some(other => other !== one && isEarlier(one, other)))
    .map(({ folder }) => ({ place: folder, problem: 'journalBehind' as const })),
]

/** Journals are written one right after the other. */
const tolerance = 2 * 60_000
const isEarlier = (one: Journal, other: Journal): boolean =>
  other.until !== undefined && (one.until === undefined || Date.parse(other.until) - Date.parse(one.until) > tolerance)
