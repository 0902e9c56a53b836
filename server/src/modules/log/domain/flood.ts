/** A kind of line whose number is bounded per source and in all, so that nobody's calls can fill the disk. */
export interface FloodLimits {
  readonly perSourceMinute: number
  readonly perMinute: number
  readonly perDay: number
}

/** Lines of calls by people who are logged in, by nobody in particular, and refused ones by nobody; errors of one cause. */
export const floodLimits = {
  person: { perSourceMinute: 600, perMinute: 30_000, perDay: 5_000_000 },
  open: { perSourceMinute: 3_000, perMinute: 6_000, perDay: 1_000_000 },
  refused: { perSourceMinute: 60, perMinute: 120, perDay: 20_000 },
  error: { perSourceMinute: 5, perMinute: 60, perDay: 5_000 },
  usual: { perSourceMinute: 60, perMinute: 600, perDay: 100_000 },
} as const satisfies Readonly<Record<string, FloodLimits>>
export type FloodClass = keyof typeof floodLimits

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

export interface FloodGate {
  /** Whether a line of this class from this source is kept. */
  readonly admits: (kind: FloodClass, source: string, atMs: number) => boolean
  /** Lines that were not kept since the last call, by class. */
  readonly taken: () => Readonly<Record<FloodClass, number>>
}

const kinds = Object.keys(floodLimits) as FloodClass[]
const zeros = (): Record<FloodClass, number> => ({ person: 0, open: 0, refused: 0, error: 0, usual: 0 })

/** Counts in fixed windows. Sources of one minute are forgotten with it, so the memory is bounded by the limits themselves. */
export const createFloodGate = (limits: Readonly<Record<FloodClass, FloodLimits>> = floodLimits): FloodGate => {
  const sources = new Map<string, number>()
  let minute = -1
  let day = -1
  let inMinute = zeros()
  let inDay = zeros()
  let dropped = zeros()
  return {
    admits: (kind, source, atMs) => {
      const thisMinute = Math.floor(atMs / minuteMs)
      if (thisMinute !== minute) {
        minute = thisMinute
        sources.clear()
        inMinute = zeros()
      }
      const thisDay = Math.floor(atMs / dayMs)
      if (thisDay !== day) {
        day = thisDay
        inDay = zeros()
      }
      const limit = limits[kind]
      const key = `${kind}|${source}`
      const bySource = sources.get(key) ?? 0
      if (bySource >= limit.perSourceMinute || inMinute[kind] >= limit.perMinute || inDay[kind] >= limit.perDay) {
        dropped[kind] += 1
        return false
      }
      sources.set(key, bySource + 1)
      inMinute[kind] += 1
      inDay[kind] += 1
      return true
    },
    taken: () => {
      const counts = dropped
      dropped = zeros()
      return counts
    },
  }
}

/** The number of all classes together. */
export const sumOf = (counts: Readonly<Record<FloodClass, number>>): number => kinds.reduce((sum, kind) => sum + counts[kind], 0)
