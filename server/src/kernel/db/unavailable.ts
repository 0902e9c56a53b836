/** The link to the database was lost after the commit had been sent: it may have happened or not, and only the rows can tell. */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError'
}

/** No server of the database takes writes at the moment: none is reached, or all that are reached are standbys. */
export class NoPrimaryError extends Error {
  override readonly name = 'NoPrimaryError'
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code ?? '')

/** What the driver and a database that shuts down say when a connection ends; every other failure of the database comes with its own code. */
export const isLinkLost = (error: unknown): boolean => {
  // What may have been committed must not be done again.
  if (error instanceof OutcomeUnknownError) return false
  const code = codeOf(error)
  if (/^(57P0[123]|08...|E(CONNRESET|CONNABORTED|PIPE|CONNREFUSED|TIMEDOUT))$/.test(code)) return true
  return (
    code === '' &&
    error instanceof Error &&
    /^Connection terminated|^the database connection was lost|^Client (was closed|has encountered a connection error)/.test(error.message)
  )
}

/** Whether an answer to a statement is the last one of its connection. */
export const endsConnection = (error: unknown): boolean =>
  isLinkLost(error) || (error as { severity?: unknown } | undefined)?.severity === 'FATAL'

/** `read_only_sql_transaction`: the server has become a standby, or was set to take no writes. */
export const readOnlyCode = '25006'

/** The name or the way to a server is not there: a machine that is off, or a name that is just being moved. */
const unreachable = /^E(HOSTUNREACH|HOSTDOWN|NETUNREACH|NETDOWN|NOTFOUND|AI_AGAIN)$/

/**
 * Whether an error says that there is no database to write to at the moment: it is stopped, starting, changing its primary, or not reached. It
 * passes by itself, and nothing of the transaction stands. The outcome of a commit that had left is another question (`OutcomeUnknownError`).
 */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  error instanceof NoPrimaryError ||
  isLinkLost(error) ||
  codeOf(error) === readOnlyCode ||
  unreachable.test(codeOf(error)) ||
  (codeOf(error) === '' && error instanceof Error && /^timeout expired$|due to connection timeout/.test(error.message))
