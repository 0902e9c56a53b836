/** The link to the database was lost after the commit had been sent: it may have happened or not, and only the rows can tell. */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError'
}
