import type { Spool } from './spool.ts'

/** Lines that wait to be written together, off the path of the calls they are about. */
export interface LineQueue<Line> {
  /** False when it was full and the line is lost; the loss is counted. */
  push(line: Line): boolean
  /** Writes all that is waiting; a second call waits for the first. Never fails: while the database is away the lines wait on disk. */
  flush(): Promise<void>
  /** The same at the end: what cannot be written now is on disk afterwards, for the next start. */
  stop(): Promise<void>
  /** Lines lost since the start. */
  readonly lost: () => number
}

interface QueueOptions<Line> {
  /** Most lines in memory. */
  readonly capacity: number
  readonly batch: number
  readonly write: (lines: readonly Line[]) => Promise<void>
  /** Whether a failure passes by itself, as of a database that is away. Lines that fail otherwise are lost, or they would hold up all others. */
  readonly passes: (error: unknown) => boolean
  readonly onFailure: (error: unknown, lines: number) => void
  /** Where lines wait while the database is away; undefined: in memory alone. */
  readonly spool?: Spool
  readonly toText: (line: Line) => string
  /** Undefined for what is no line. */
  readonly fromText: (text: string) => Line | undefined
}

export const createLineQueue = <Line>(options: QueueOptions<Line>): LineQueue<Line> => {
  const { capacity, batch, write, passes, onFailure, spool, toText, fromText } = options
  let waiting: Line[] = []
  let lost = 0
  let writing: Promise<void> = Promise.resolve()

  /** Puts lines behind all that are on disk. */
  const spill = async (lines: readonly Line[]): Promise<void> => {
    if (lines.length === 0) return
    const room = spool === undefined ? 0 : await spool.append(lines.map(toText)).catch(() => 0)
    lost += lines.length - room
  }
  /** @returns whether the lines are done with, written or lost for good */
  const attempt = async (lines: readonly Line[]): Promise<boolean> => {
    try {
      await write(lines)
    } catch (error) {
      if (passes(error)) {
        onFailure(error, 0)
        return false
      }
      lost += lines.length
      onFailure(error, lines.length)
    }
    return true
  }
  /** What is on disk is older than what is in memory. @returns whether it is empty now */
  const unspool = async (): Promise<boolean> => {
    while (spool && !spool.isEmpty()) {
      const texts = await spool.peek(batch)
      const lines = texts.flatMap(text => fromText(text) ?? [])
      if (lines.length > 0 && !(await attempt(lines))) return false
      await spool.drop(texts.length)
    }
    return true
  }
  const drain = async (): Promise<void> => {
    if (!(await unspool())) {
      const lines = waiting
      waiting = []
      return spill(lines)
    }
    while (waiting.length > 0) {
      const lines = waiting.slice(0, batch)
      waiting = waiting.slice(batch)
      if (await attempt(lines)) continue
      const rest = waiting
      waiting = []
      return spill([...lines, ...rest])
    }
  }
  const flush = (): Promise<void> => {
    writing = writing.then(drain).catch((error: unknown) => onFailure(error, 0))
    return writing
  }
  return {
    push: line => {
      if (waiting.length >= capacity) {
        lost += 1
        return false
      }
      waiting.push(line)
      return true
    },
    flush,
    stop: flush,
    lost: () => lost,
  }
}
