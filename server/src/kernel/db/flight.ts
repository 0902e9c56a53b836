import pg, { type PoolClient } from 'pg'
import { prepareValue } from 'pg/lib/utils.js'

// Several statements in one message to the database, closed by one synchronisation point. The driver alone closes each statement with a
// point of its own, at which the database sends what it has: a system call and a wake-up on both sides for every statement. It also asks for
// the description of the columns each time, which does not change while a statement is prepared.

/** What a statement brought back. */
export interface Landed {
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

/** The part of the driver's connection that speaks the extended query protocol. */
interface Wire {
  readonly stream: { write(bytes: Buffer): void }
  parse(message: { text: string; name: string }): void
  bind(message: { statement: string; values: readonly (string | Buffer | null)[] }): void
  describe(message: { type: 'P'; name: string }): void
  execute(message: object): void
  close(message: { type: 'S'; name: string }): void
  sync(): void
}
const wireOf = (client: PoolClient): Wire => (client as unknown as { readonly connection: Wire }).connection

interface Passenger {
  readonly text: string
  readonly name: string
  readonly values: readonly (string | Buffer | null)[]
  readonly rows: Record<string, unknown>[]
  columns: readonly Column[] | undefined
  readonly land: (landed: Landed) => void
  readonly fail: (error: unknown) => void
}

/** Names prepared on a connection, with the columns their statements answer. */
const prepared = new WeakMap<object, Map<string, readonly Column[]>>()

/** Told, as the database itself would, to what stood behind a statement that failed. */
const broken = (): Error =>
  Object.assign(new Error('current transaction is aborted, commands ignored until end of transaction block'), { code: '25P02' })

const columnsOf = (fields: readonly Field[]): Column[] =>
  fields.map(({ name, dataTypeID }) => ({ name, parse: pg.types.getTypeParser(dataTypeID, 'text') as (text: string) => unknown }))

const commandTag = /^([A-Z ]*[A-Z])(?: \d+)*?(?: (\d+))?$/

/** The messages of one flight; the driver hands it the answers in their order. */
class Flight extends pg.Query {
  readonly #passengers: readonly Passenger[]
  readonly #names: Map<string, readonly Column[]>
  #landed = 0
  readonly #close: (failure: unknown) => void

  /** `close` is called when the database has taken note of the end of the flight. */
  constructor(passengers: readonly Passenger[], names: Map<string, readonly Column[]>, close: (failure: unknown) => void) {
    super({ text: 'a flight' })
    this.#close = close
    this.#passengers = passengers
    this.#names = names
  }

  override submit = (connection: pg.Connection): void => {
    // The connection with its messages collected: one large write costs less than many small ones.
    const parts: Buffer[] = []
    const wire = Object.create(connection, { _send: { value: (message: Buffer) => void parts.push(message) } }) as Wire
    const parsed = new Set<string>()
    for (const passenger of this.#passengers) {
      const { text, name, values } = passenger
      passenger.columns = name === '' ? undefined : this.#names.get(name)
      if (passenger.columns === undefined && !parsed.has(name)) {
        // An earlier flight may have failed after it was prepared: closing what is not there is no error.
        if (name !== '') wire.close({ type: 'S', name })
        wire.parse({ text, name })
        if (name !== '') parsed.add(name)
      }
      wire.bind({ statement: name, values })
      if (passenger.columns === undefined) wire.describe({ type: 'P', name: '' })
      wire.execute({})
    }
    wire.sync()
    wire.stream.write(Buffer.concat(parts))
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    const passenger = this.#passengers[this.#landed]
    if (passenger) passenger.columns = columnsOf(fields)
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const passenger = this.#passengers[this.#landed]
    if (!passenger?.columns) return
    const row: Record<string, unknown> = {}
    for (let i = 0; i < fields.length; i += 1) {
      const column = passenger.columns[i]
      const text = fields[i]
      if (column) row[column.name] = text === null || text === undefined ? null : column.parse(text)
    }
    passenger.rows.push(row)
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const passenger = this.#passengers[this.#landed]
    this.#landed += 1
    if (!passenger) return
    if (passenger.name !== '') this.#names.set(passenger.name, passenger.columns ?? [])
    const [, command = '', count = '0'] = commandTag.exec(text) ?? []
    passenger.land({ rows: passenger.rows, rowCount: Number(count), command })
  }

  handleError(error: unknown): void {
    const [failed, ...rest] = this.#passengers.slice(this.#landed)
    this.#landed = this.#passengers.length
    // Whether it was prepared before it failed is not known, and its columns may be what no longer fits.
    if (failed) this.#names.delete(failed.name)
    failed?.fail(error)
    for (const passenger of rest) passenger.fail(broken())
    this.#close(error)
  }

  handleReadyForQuery(): void {
    if (this.#landed < this.#passengers.length) this.handleError(new Error('the database left a statement without an answer'))
    else this.#close(undefined)
  }
}

/** Statements of one connection that leave together. */
export interface Airfield {
  /** Leaves with everything else of this turn of the event loop, in the order of the calls. */
  readonly board: (statement: Statement) => Promise<Landed>
  /** Sends what waits at once. */
  readonly depart: () => void
  /** Resolves when the flight that waits now is over: what it did outside `begin` and `commit` is then committed. */
  readonly closed: () => Promise<void>
  /** Sends nothing of what waits. @returns whether anything was ever sent */
  readonly ground: () => boolean
}

/** Collects statements until the turn of the event loop is over, then sends them in one flight. */
export const createAirfield = (client: PoolClient): Airfield => {
  const wire = wireOf(client)
  const names = prepared.get(wire) ?? new Map<string, readonly Column[]>()
  prepared.set(wire, names)
  let waiting: Passenger[] = []
  let closing: { readonly done: () => void; readonly fail: (error: unknown) => void } | undefined
  let hasDeparted = false
  const depart = (): void => {
    if (waiting.length === 0) return
    const told = closing
    const flight = new Flight(waiting, names, failure => {
      if (failure === undefined) told?.done()
      else told?.fail(failure)
    })
    waiting = []
    closing = undefined
    hasDeparted = true
    client.query(flight)
  }
  return {
    board: ({ text, name = '', values = [] }) =>
      new Promise((land, fail) => {
        const bound = values.map(value => prepareValue(value))
        if (waiting.length === 0) process.nextTick(depart)
        waiting.push({ text, name, values: bound, rows: [], columns: undefined, land, fail })
      }),
    depart,
    closed: () =>
      new Promise((done, fail) => {
        closing = { done, fail }
      }),
    ground: () => {
      const left = waiting
      waiting = []
      closing?.fail(broken())
      closing = undefined
      for (const passenger of left) passenger.fail(broken())
      return hasDeparted
    },
  }
}
