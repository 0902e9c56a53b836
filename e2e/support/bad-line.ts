import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A line between browser and server that can be cut. */
export interface BadLine {
  readonly url: string
  /** Cuts the connection of the next so many uploads when a part of the file has gone through. */
  dropUploads(count: number): void
  dropped(): number
  /** Lets the next so many calls of this path (uploads without one) through to the server and cuts before their answers come back. */
  loseAnswers(count: number, path?: string): void
  lost(): number
  /** Nothing comes through until it is mended, not even a connection: emulated cuts of a browser do not hold for pages with a worker. */
  cut(): void
  mend(): void
  close(): Promise<void>
}

/** So much of an upload has passed when the line is cut. */
const cutBytes = 8_192

const uploadPath = '/api/file/upload'

export const badLine = async (server: URL): Promise<BadLine> => {
  const sockets = new Set<Socket>()
  let [toDrop, dropped, toLose, lost] = [0, 0, 0, 0]
  let lostPath = uploadPath
  let isCut = false
  const proxy = createServer(client => {
    if (isCut) return void client.destroy()
    const target = connect(Number(server.port), server.hostname)
    let [upload, isLost] = [false, false]
    let passed = 0
    const cut = () => {
      client.destroy()
      target.destroy()
    }
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.on('error', cut)
      socket.on('close', () => {
        sockets.delete(socket)
        cut()
      })
    }
    client.on('data', (chunk: Buffer) => {
      if (/^(POST|GET) /.test(chunk.subarray(0, 5).toString('latin1'))) {
        const start = chunk.subarray(0, 100).toString('latin1')
        upload = start.startsWith(`POST ${uploadPath}`)
        isLost = start.startsWith(`POST ${lostPath}`)
        passed = 0
      }
      passed += chunk.length
      if (upload && toDrop > 0 && passed > cutBytes) {
        toDrop -= 1
        dropped += 1
        cut()
        return
      }
      target.write(chunk)
    })
    target.on('data', (chunk: Buffer) => {
      if (isLost && toLose > 0) {
        toLose -= 1
        lost += 1
        cut()
        return
      }
      client.write(chunk)
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return {
    url: `http://localhost:${address.port}`,
    dropUploads: count => {
      toDrop = count
    },
    dropped: () => dropped,
    loseAnswers: (count, path = uploadPath) => {
      ;[toLose, lostPath] = [count, path]
    },
    lost: () => lost,
    cut: () => {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    mend: () => {
      isCut = false
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
