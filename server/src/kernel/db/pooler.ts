/** A connection as it is seen from here; behind a pooler it may be another one at each transaction. */
export interface Session {
  readonly query: (text: string) => Promise<{ readonly rows: readonly { readonly pid?: number }[] }>
  readonly end: () => Promise<void>
}

const pidOf = async ({ query }: Session): Promise<number | undefined> => (await query('select pg_backend_pid() as pid')).rows[0]?.pid

/** Looks more than once: a pooler with several idle servers may by chance hand out the same one again. */
const looks = 3

/**
 * Whether connections are those of a pooler that gives them a server for one transaction at a time: then one server serves two connections, or one
 * connection has two servers.
 */
export const isTransactionPooled = async (open: () => Promise<Session>): Promise<boolean> => {
  const one = await open()
  try {
    const own = await pidOf(one)
    for (let look = 0; look < looks; look += 1) {
      const other = await open()
      try {
        try {
          await other.query('begin')
        } catch (error) {
          // A pooler that gives servers for one statement says so.
          if (/statement pooling mode/.test((error as Error).message)) return true
          throw error
        }
        const its = await pidOf(other)
        await other.query('rollback')
        if (its === own || (await pidOf(one)) !== own) return true
      } finally {
        await other.end()
      }
    }
    return false
  } finally {
    await one.end()
  }
}
