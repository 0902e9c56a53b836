/**
 * Does something to what waits, portion by portion, until none is left. A failure ends it, and what was made until then is given back:
 * a password that was made cannot be asked for again.
 */
export const inPortions = async <Waiting, Made>(
  waiting: () => Promise<readonly Waiting[]>,
  make: (some: readonly Waiting[]) => Promise<readonly Made[]>,
): Promise<readonly Made[]> => {
  const made: Made[] = []
  try {
    for (;;) {
      const some = await waiting()
      const next = some.length === 0 ? [] : await make(some)
      if (next.length === 0) return made
      made.push(...next)
    }
  } catch {
    return made // The api client has said why.
  }
}
