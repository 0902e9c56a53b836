import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** The way between a process and its database, which can lose the answer to a commit that was carried out, end, and lead to a standby. */
export interface LossyLink {
  /** The database as it is reached through this link. */
  readonly url: string
  /** Cuts the next connection that sends these words, when the database says that it has committed. */
  loseCommitOf(words: string): void
  /** The same, and the database is down from then on until `accept`; `answered` lets the answer to that commit through. */
  goDownAtCommitOf(words: string, isAnswered?: 'answered'): void
  /** Connections stay open and new ones are taken, but nothing passes until `thaw`. */
  freeze(): void
  thaw(): void
  /** Cuts all connections and takes none until `accept`, as a database that is down. */
  refuse(): void
  accept(): void
  /** Commits whose answer was lost. */
  lost(): number
  /** Connections are refused, and those that there are end, as when the server is stopped; `true` takes them again. */
  isUp(up: boolean): Promise<void>
  /** The server says of itself to new connections that it is a standby. */
  isStandby(standby: boolean): void
  /** Connections to which that was said. */
  standbys(): number
  /** Connections that are open now. */
  open(): number
  close(): Promise<void>
}

/** What the database answers to a commit that it has carried out: the tag of the command, with its closing zero. */
const committed = Buffer.from('COMMIT\0')

/** What a server says of itself while a connection is made: the message that it is none of the standbys, and the one that it is. */
const parameter = (value: string): Buffer => {
  const text = Buffer.from(`in_hot_standby\0${value}\0`)
  const head = Buffer.alloc(5)
  head.write('S')
  head.writeInt32BE(text.length + 4, 1)
  return Buffer.concat([head, text])
}
const [isPrimary, isAStandby] = [parameter('off'), parameter('on')]

export const lossyLink = async (databaseUrl: string): Promise<LossyLink> => {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let words: Buffer | undefined
  let goesDown: 'lost' | 'answered' | undefined
  let lost = 0
  let isFrozen = false
  let isDown = false
  let standby = false
  let standbys = 0
  const asStandby = (chunk: Buffer): Buffer => {
    const at = chunk.indexOf(isPrimary)
    if (at < 0) return chunk
    standbys += 1
    return Buffer.concat([chunk.subarray(0, at), isAStandby, chunk.subarray(at + isPrimary.length)])
  }
  const refuse = () => {
    isDown = true
    for (const socket of sockets) socket.destroy()
  }
  const proxy = createServer(client => {
    if (isDown) {
      client.destroy()
      return
    }
    const database = connect(Number(target.port), target.hostname)
    let isTheOne = false
    const cut = () => {
      client.destroy()
      database.destroy()
    }
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on('error', cut)
      socket.on('close', () => {
        sockets.delete(socket)
        cut()
      })
      if (isFrozen) socket.pause()
    }
    client.on('data', (chunk: Buffer) => {
      if (words !== undefined && chunk.includes(words)) {
        words = undefined
        isTheOne = true
      }
      database.write(chunk)
    })
    database.on('data', (chunk: Buffer) => {
      if (isTheOne && chunk.includes(committed)) {
        const down = goesDown
        goesDown = undefined
        isTheOne = false
        if (down === 'answered') {
          isDown = true
          client.end(chunk)
          refuse()
          return
        }
        lost += 1
        if (down) refuse()
        cut()
      } else client.write(standby ? asStandby(chunk) : chunk)
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  const shut = async () => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
    await once(proxy, 'close')
  }
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(address.port)
  // By the address, which this stands before.
  url.searchParams.delete('host')
  return {
    url: url.href,
    loseCommitOf: text => {
      words = Buffer.from(text)
    },
    goDownAtCommitOf: (text, isAnswered) => {
      words = Buffer.from(text)
      goesDown = isAnswered ?? 'lost'
    },
    freeze: () => {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw: () => {
      isFrozen = false
      for (const socket of sockets) socket.resume()
    },
    refuse,
    accept: () => {
      isDown = false
    },
    lost: () => lost,
    open: () => sockets.size / 2,
    standbys: () => standbys,
    isStandby: now => {
      standby = now
    },
    isUp: async up => {
      if (up) {
        proxy.listen(address.port, '127.0.0.1')
        await once(proxy, 'listening')
      } else await shut()
    },
    close: async () => {
      if (proxy.listening) await shut()
    },
  }
}
