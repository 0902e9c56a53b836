import { AsyncLocalStorage } from 'node:async_hooks'

const storage = new AsyncLocalStorage<string>()

/** The header in which a request's id travels: from the browser, to providers, and in every answer. */
export const traceHeader = 'x-request-id'

/** Does work under the id of the request that it is for; what it logs, orders and asks elsewhere carries the id. */
export const withTrace = <T>(id: string, work: () => T): T => storage.run(id, work)

/** The id of the request that is being worked for; undefined where nobody asked. */
export const currentTrace = (): string | undefined => storage.getStore()

/** What a caller names its request by, if it can be one: as long as the columns that keep it, and nothing that could be read as something else in a log. */
export const givenTrace = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === 'string' && /^[A-Za-z0-9_-]{8,40}$/.test(header) ? header : undefined
