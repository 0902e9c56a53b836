import type { Journal } from './journal.ts'
import type { AuditHead } from './line.ts'

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

/** Compares the anchors and the journals: an older copy of one of them is behind the others. */
export const compareMemories = (path: string, anchors: readonly AuditHead[], journals: readonly Journal[]): readonly MemoryFinding[] => [
  ...journals.flatMap(({ folder, broken }) => broken.map(at => ({ place: `${folder}/${at}`, problem: 'journalBroken' as const }))),
  // The anchors move with every seal, the journals once a minute: anchors that are behind are an old copy.
  ...(journals.some(({ heads }) => isBehind(anchors, heads)) ? [{ place: path, problem: 'anchorOld' as const }] : []),
  ...journals
    .filter(one => journals.some(other => other !== one && isEarlier(one, other)))
    .map(({ folder }) => ({ place: folder, problem: 'journalBehind' as const })),
]

/** Journals are written one right after the other. */
const tolerance = 2 * 60_000
const isEarlier = (one: Journal, other: Journal): boolean =>
  other.until !== undefined && (one.until === undefined || Date.parse(other.until) - Date.parse(one.until) > tolerance)
