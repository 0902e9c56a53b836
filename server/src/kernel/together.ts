/**
 * What many ask for at the same moment is read together: whoever asks while a reading is under way is in the next one, which begins after they asked,
 * so nobody gets an answer from before their question. One reading at a time; a key that is asked for twice is read once.
 *
 * @param most - keys of one reading
 * @param read - what there is of these keys; a failure is that of everybody in the reading, and of nobody else
 */
export const readTogether = <V>(
  most: number,
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>,
): ((key: string) => Promise<V | undefined>) => {
  const waiting = new Map<string, PromiseWithResolvers<V | undefined>>()
  let isReading = false
  const drain = async (): Promise<void> => {
    // The others of this turn come along.
    await new Promise(setImmediate)
    while (waiting.size > 0) {
      const part = [...waiting].slice(0, most)
      for (const [key] of part) waiting.delete(key)
      try {
        const found = await read(part.map(([key]) => key))
        for (const [key, { resolve }] of part) resolve(found.get(key))
      } catch (error) {
        for (const [, { reject }] of part) reject(error)
      }
    }
    isReading = false
  }
  return key => {
    const mine = waiting.get(key) ?? Promise.withResolvers<V | undefined>()
    waiting.set(key, mine)
    if (!isReading) {
      isReading = true
      void drain()
    }
    return mine.promise
  }
}
