import { createServer } from 'node:net'

/** Whether a server could listen on this port of this address now. */
export const isFree = (port: number, host: string): Promise<boolean> =>
  new Promise(done => {
    const server = createServer()
    // An address this machine does not have (no IPv6) cannot be taken by others.
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT'))
    server.listen({ port, host, exclusive: true }, () => server.close(() => done(true)))
  })

/** How far to look; more than this many taken ports in a row is somebody's mistake. */
const attempts = 100

/** @returns `wanted` or the next port that nobody listens on, on any address of this machine; undefined when there is none near. */
export const findFreePort = async (wanted: number): Promise<number | undefined> => {
  for (let port = wanted; port < wanted + attempts && port <= 65_535; port += 1) {
    let free = true
    for (const host of ['127.0.0.1', '::1', '0.0.0.0', '::']) free &&= await isFree(port, host)
    if (free) return port
  }
  return undefined
}
