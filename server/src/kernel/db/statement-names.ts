/** A statement asked for this often gets a name: the database then keeps its plan on each connection. */
const namedFrom = 3
/** Bound of the plans a connection keeps; each takes some ten kilobytes there. */
const maxNames = 200
/** Texts that are counted and have no name yet. */
const maxCounted = 2_000

export interface StatementNames {
  /** The name under which this text is prepared; undefined = it is sent without one. */
  readonly of: (text: string) => string | undefined
  /** Gives every text a new name: the plans kept under the old ones no longer fit the tables. */
  readonly renew: () => void
}

/** Names of the statements this process asks for most; a text that varies with its input never gets one of the places. */
export const createStatementNames = (): StatementNames => {
  const names = new Map<string, string>()
  const counts = new Map<string, number>()
  let epoch = 0
  return {
    of: text => {
      const known = names.get(text)
      if (known !== undefined || names.size >= maxNames) return known
      const count = (counts.get(text) ?? 0) + 1
      if (count < namedFrom) {
        if (counts.size >= maxCounted) counts.clear()
        counts.set(text, count)
        return undefined
      }
      counts.delete(text)
      const name = `k${epoch}_${names.size}`
      names.set(text, name)
      return name
    },
    renew: () => {
      epoch += 1
      names.clear()
    },
  }
}
