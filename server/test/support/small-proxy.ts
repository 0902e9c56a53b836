import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'

/** A proxy in front of several instances, as operators have: it asks each whether it is ready, and never sends anything twice. */
export interface FrontProxy {
  readonly url: string
  close(): Promise<void>
}

const lookEveryMs = 100

export const startSmallProxy = async (ports: readonly number[]): Promise<FrontProxy> => {
  const agent = new Agent({ keepAlive: true })
  const ready = new Set<number>()
  const look = async (): Promise<void> => {
    await Promise.all(
      ports.map(async port => {
        const isReady = await fetch(`http://127.0.0.1:${port}/api/ready?scope=own`).then(
          answer => answer.ok,
          () => false,
        )
        if (isReady) ready.add(port)
        else ready.delete(port)
      }),
    )
  }
  await look()
  const timer = setInterval(() => void look(), lookEveryMs)
  let turn = 0
  const server = createServer((incoming, outgoing) => {
    const living = [...ready]
    turn += 1
    const port = living[turn % living.length]
    if (port === undefined) return void outgoing.writeHead(503).end('no instance is ready')
    const { method, url, headers } = incoming
    const onward = request({ host: '127.0.0.1', port, agent, method, path: url, headers }, answer => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on('error', error => outgoing.writeHead(502).end(error.message))
    incoming.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      clearInterval(timer)
      server.close()
      server.closeAllConnections()
      agent.destroy()
      await once(server, 'close')
    },
  }
}
