import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createForeignDatabases, ForeignError, type ForeignSource } from './foreign-database.ts'

let server: Server | undefined
let sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  server?.close()
  sockets = []
})

/** Something that listens where a database should. */
const listen = (talk: (socket: Socket) => void): Promise<number> =>
  new Promise(done => {
    const made = createServer(socket => {
      sockets.push(socket)
      socket.on('error', () => {})
      talk(socket)
    }).listen(0, '127.0.0.1', () => done((made.address() as AddressInfo).port))
    server = made
  })

const secret = 'word-that-nobody-reads'
const sourceAt = (port: number, over: Partial<ForeignSource> = {}): ForeignSource => ({
  kind: 'mysql',
  host: '127.0.0.1',
  port,
  database: 'stat',
  user: 'reader',
  password: secret,
  ...over,
})
const failureOf = async (port: number, over: Partial<ForeignSource> = {}, limitMs = 2_000): Promise<unknown> => {
  try {
    await createForeignDatabases([`127.0.0.1:${port}`, `169.254.169.254:${port}`], limitMs).use(sourceAt(port, over), db =>
      db.rows('select 1'),
    )
    return 'nothing failed'
  } catch (error) {
    if (!(error instanceof ForeignError)) throw error
    expect(`${error.message} ${error.stack}`).not.toContain(secret)
    return error.failure
  }
}

/** A packet of the protocol of MySQL. */
const packet = (no: number, body: Buffer): Buffer => {
  const head = Buffer.alloc(4)
  head.writeUIntLE(body.length, 0, 3)
  head[3] = no
  return Buffer.concat([head, body])
}
/** The greeting of a server that has no TLS. */
const greeting = packet(
  0,
  Buffer.concat([
    Buffer.from([10]),
    Buffer.from('8.0.0\0'),
    Buffer.from([1, 0, 0, 0]),
    Buffer.from('12345678\0'),
    Buffer.from([0xff, 0xf7, 45, 2, 0, 0x08, 0x80, 21]),
    Buffer.alloc(10),
    Buffer.from('123456789012\0'),
    Buffer.from('mysql_native_password\0'),
  ]),
)
const ok = (no: number): Buffer => packet(no, Buffer.from([0, 0, 0, 2, 0, 0, 0]))
const refused = (no: number, code: number, text: string): Buffer => {
  const head = Buffer.from([0xff, 0, 0])
  head.writeUInt16LE(code, 1)
  return packet(no, Buffer.concat([head, Buffer.from(`#28000${text}`)]))
}

test.each(['mysql', 'postgresql'] as const)('a source of kind %s that says nothing is left after the time limit', async kind => {
  const port = await listen(() => {})
  expect(await failureOf(port, { kind }, 150)).toBe('timeout')
})

test.each(['mysql', 'postgresql'] as const)('what is no database of kind %s is said to be none', async kind => {
  const port = await listen(socket => socket.end('HTTP/1.1 302 Found\r\nLocation: http://10.0.0.1/\r\n\r\n'))
  expect(await failureOf(port, { kind })).toBe('broken')
})

test('nothing leaves for an address that is not on the list, nor for one that the list names and nobody may reach', async () => {
  let isCalled = false
  const port = await listen(() => {
    isCalled = true
  })
  expect(await failureOf(port, { host: 'localhost' })).toBe('refused')
  expect(await failureOf(port, { port: port + 1 })).toBe('refused')
  expect(await failureOf(port, { host: '169.254.169.254' })).toBe('refused')
  expect(isCalled).toBe(false)
})

test('a wrong password is told apart, whatever words the server has for it', async () => {
  const port = await listen(socket => {
    socket.write(greeting)
    socket.once('data', () => socket.write(refused(2, 1045, `Access denied for ${secret}`)))
  })
  expect(await failureOf(port)).toBe('login')
})

test('a server of MySQL that asks for a file of this machine gets none', async () => {
  const heard: Buffer[] = []
  const port = await listen(socket => {
    socket.write(greeting)
    let isIn = false
    socket.on('data', data => {
      if (!isIn) {
        isIn = true
        socket.write(ok(2))
      } else {
        heard.push(Buffer.from(data as Buffer))
        // LOCAL INFILE: the answer to any statement may be a demand for a file.
        socket.write(packet(1, Buffer.from('\xfb/etc/passwd', 'latin1')))
      }
    })
  })
  expect(await failureOf(port)).not.toBe('nothing failed')
  expect(Buffer.concat(heard).toString('latin1')).not.toContain('root:')
})

test('a server of MySQL that wants the password in plain does not get it', async () => {
  const heard: Buffer[] = []
  const port = await listen(socket => {
    socket.write(greeting)
    socket.on('data', data => {
      heard.push(Buffer.from(data as Buffer))
      socket.write(packet(2, Buffer.from('\xfemysql_clear_password\0', 'latin1')))
    })
  })
  expect(await failureOf(port)).not.toBe('nothing failed')
  expect(Buffer.concat(heard).toString('latin1')).not.toContain(secret)
})

test('a server of PostgreSQL that wants the password in plain does not get it', async () => {
  const heard: Buffer[] = []
  const port = await listen(socket => {
    const isFirst = sockets.length === 1
    socket.on('data', data => {
      heard.push(Buffer.from(data as Buffer))
      // It has no TLS; then it wants the password as it is.
      socket.write(isFirst ? 'N' : Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]))
    })
  })
  expect(await failureOf(port, { kind: 'postgresql' })).toBe('broken')
  expect(Buffer.concat(heard).toString('latin1')).toContain('reader')
  expect(Buffer.concat(heard).toString('latin1')).not.toContain(secret)
})
