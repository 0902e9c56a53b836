import pg, { type PoolClient } from 'pg'
import { prepareValue } from 'pg/lib/utils.js'
import { serialize } from 'pg-protocol'
import { endsConnection } from './unavailable.ts'

// The pipeline mode of PostgreSQL's extended query protocol: several statements in one message to the database, closed by one synchronisation
// point. The driver alone closes each statement with a point of its own, at which the database sends what it has: a system call and a wake-up
// on both sides for every statement. It also asks for the description of the columns each time, which does not change while a statement is
// prepared.

/** What a statement brought back. */
export interface StatementResult {
  readonly rows: readonly Record<string, unknown>[]
  readonly rowCount: number
  readonly command: string
}

/** A statement with a name is prepared once on each connection. */
export interface Statement {
  readonly text: string
  readonly name?: string | undefined
  readonly values?: readonly unknown[]
}

interface Field {
  readonly name: string
  readonly dataTypeID: number
}
interface Column {
  readonly name: string
  readonly parse: (text: string) => unknown
}

/** The driver's connection behind a client: the same one for as long as it lives. */
const connectionOf = (client: PoolClient): object => (client as unknown as { readonly connection: object }).connection

/** A statement that was given and has no answer yet. */
interface PendingStatement {
  readonly text: string
  readonly name: string
  readonly values: readonly (string | Buffer | null)[]
  readonly rows: Record<string, unknown>[]
  columns: readonly Column[] | undefined
  readonly resolve: (result: StatementResult) => void
  readonly reject: (error: unknown) => void
}

/** Names prepared on a connection, with the columns their statements answer. */
const prepared = new WeakMap<object, Map<string, readonly Column[]>>()

/** Told, as the database itself would, to what stood behind a statement that failed. */
const aborted = (): Error =>
  Object.assign(new Error('current transaction is aborted, commands ignored until end of transaction block'), { code: '25P02' })

/** A text that came over the wire is looked up anew each time it names a property; one that has named one is not. */
const asKey = (name: string): string => Object.keys({ [name]: true })[0] ?? name

const columnsOf = (fields: readonly Field[]): Column[] =>
  fields.map(({ name, dataTypeID }) => ({
    name: asKey(name),
    parse: pg.types.getTypeParser(dataTypeID, 'text') as (text: string) => unknown,
  }))

const commandTag = /^([A-Z ]*[A-Z])(?: \d+)*?(?: (\d+))?$/

/** Statements up to one synchronisation point; the driver hands it the answers in their order. */
class Batch implements pg.Submittable {
  readonly #statements: readonly PendingStatement[]
  readonly #names: Map<string, readonly Column[]>
  /** How many have their answer. */
  #answered = 0
  readonly #end: (failure: unknown) => void

  /** `end` is called when the database has reached the synchronisation point. */
  constructor(statements: readonly PendingStatement[], names: Map<string, readonly Column[]>, end: (failure: unknown) => void) {
    this.#end = end
    this.#statements = statements
    this.#names = names
  }

  readonly submit = (connection: pg.Connection): void => {
    // One large write costs less than many small ones.
    const parts: Buffer[] = []
    const parsed = new Set<string>()
    for (const statement of this.#statements) {
      const { text, name, values } = statement
      statement.columns = name === '' ? undefined : this.#names.get(name)
      if (statement.columns === undefined && !parsed.has(name)) {
        // An earlier batch may have failed after it was prepared: closing what is not there is no error.
        if (name !== '') parts.push(serialize.close({ type: 'S', name }))
        parts.push(serialize.parse({ text, name }))
        if (name !== '') parsed.add(name)
      }
      parts.push(serialize.bind({ statement: name, values: values as (string | Buffer | null)[] }))
      if (statement.columns === undefined) parts.push(serialize.describe({ type: 'P', name: '' }))
      parts.push(serialize.execute())
    }
    parts.push(serialize.sync())
    connection.stream.write(Buffer.concat(parts))
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    const statement = this.#statements[this.#answered]
    if (statement) statement.columns = columnsOf(fields)
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const statement = this.#statements[this.#answered]
    if (!statement?.columns) return
    const row: Record<string, unknown> = {}
    for (let i = 0; i < fields.length; i += 1) {
      const column = statement.columns[i]
      const text = fields[i]
      if (column) row[column.name] = text === null || text === undefined ? null : column.parse(text)
    }
    statement.rows.push(row)
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const statement = this.#statements[this.#answered]
    this.#answered += 1
    if (!statement) return
    if (statement.name !== '') this.#names.set(statement.name, statement.columns ?? [])
    const [, command = '', count = '0'] = commandTag.exec(text) ?? []
    statement.resolve({ rows: statement.rows, rowCount: Number(count), command })
  }

  handleError(error: unknown): void {
    const [failed, ...rest] = this.#statements.slice(this.#answered)
    this.#answered = this.#statements.length
    // Whether it was prepared before it failed is not known, and its columns may be what no longer fits.
    if (failed) this.#names.delete(failed.name)
    failed?.reject(error)
    // With the connection the others end for the same reason: whether a commit among them was carried out is not known.
    for (const statement of rest) statement.reject(endsConnection(error) ? error : aborted())
    this.#end(error)
  }

  /** A statement without text has no answer, which is told at the synchronisation point. */
  handleEmptyQuery(): void {}

  /** Nobody sends rows by a statement of these. */
  handleCopyInResponse(connection: { sendCopyFail(why: string): void }): void {
    connection.sendCopyFail('rows are not sent in a batch of statements')
  }
  handleCopyData(): void {}
  handlePortalSuspended(): void {}

  handleReadyForQuery(): void {
    if (this.#answered < this.#statements.length) this.handleError(new Error('the database left a statement without an answer'))
    else this.#end(undefined)
  }
}

// The driver takes nothing else while it speaks in pipelines. What its constructor sets up, copies of the configuration and an emitter, nobody uses here.
Object.setPrototypeOf(Batch.prototype, pg.Query.prototype)

/** The statements of one connection. */
export interface Pipeline {
  /** Queues a statement; it is flushed with everything else of this turn of the event loop, in the order of the calls. */
  readonly send: (statement: Statement) => Promise<StatementResult>
  /** Gives the database what is queued at once. */
  readonly flush: () => void
  /** Resolves at the synchronisation point of what is queued now: what it did outside `begin` and `commit` is then committed. */
  readonly synced: () => Promise<void>
  /** Drops what is queued. @returns whether anything was ever flushed */
  readonly discard: () => boolean
}

/** Queues statements until the turn of the event loop is over, then flushes them as one batch. */
export const createPipeline = (client: PoolClient): Pipeline => {
  const connection = connectionOf(client)
  const names = prepared.get(connection) ?? new Map<string, readonly Column[]>()
  prepared.set(connection, names)
  let queued: PendingStatement[] = []
  let sync: { readonly resolve: () => void; readonly reject: (error: unknown) => void } | undefined
  let hasFlushed = false
  const flush = (): void => {
    if (queued.length === 0) return
    const told = sync
    const batch = new Batch(queued, names, failure => {
      if (failure === undefined) told?.resolve()
      else told?.reject(failure)
    })
    queued = []
    sync = undefined
    hasFlushed = true
    client.query(batch)
  }
  return {
    send: ({ text, name = '', values = [] }) =>
      new Promise((resolve, reject) => {
        const bound = values.map(value => prepareValue(value))
        if (queued.length === 0) process.nextTick(flush)
        queued.push({ text, name, values: bound, rows: [], columns: undefined, resolve, reject })
      }),
    flush,
    synced: () =>
      new Promise((resolve, reject) => {
        sync = { resolve, reject }
      }),
    discard: () => {
      const left = queued
      queued = []
      sync?.reject(aborted())
      sync = undefined
      for (const statement of left) statement.reject(aborted())
      return hasFlushed
    },
  }
}
