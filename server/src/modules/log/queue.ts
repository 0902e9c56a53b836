/** Lines that wait to be written together, off the path of the calls they are about. */
export interface LineQueue<Line> {
  /** False when it was full and the line is lost; the loss is counted. */
  push(line: Line): boolean
  /** Writes all that is waiting; a second call waits for the first. Never fails: what cannot be written is lost and counted. */
  flush(): Promise<void>
  /** Lines lost since the start. */
  readonly lost: () => number
}

interface QueueOptions<Line> {
  readonly capacity: number
  readonly batch: number
  readonly write: (lines: readonly Line[]) => Promise<void>
  readonly onFailure: (error: unknown, lines: number) => void
}

export const createLineQueue = <Line>({ capacity, batch, write, onFailure }: QueueOptions<Line>): LineQueue<Line> => {
  let waiting: Line[] = []
  let lost = 0
  let writing: Promise<void> = Promise.resolve()
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const lines = waiting.slice(0, batch)
      waiting = waiting.slice(batch)
      try {
        await write(lines)
      } catch (error) {
        lost += lines.length
        onFailure(error, lines.length)
        // The database is away: the rest waits for the next round, and grows no further than the queue.
        return
      }
    }
  }
  const flush = (): Promise<void> => {
    writing = writing.then(drain)
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
    lost: () => lost,
  }
}
