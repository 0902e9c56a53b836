import { once } from 'node:events'
import { createServer, request } from 'node:http'

/** A proxy as small as can be, that says of its callers what a test wants it to say. */
export interface Forwarder {
  /** `http://127.0.0.1:…` */
  readonly url: string
  close(): Promise<void>
}

/**
 * Passes calls on to `target` and appends `callerOf` to `X-Forwarded-For`, as real proxies append the address they see. What a caller sent in these
 * headers is passed on before it.
 */
export const forwarder = async (target: string, callerOf: (headers: NodeJS.Dict<string | string[]>) => string): Promise<Forwarder> => {
  const server = createServer((call, answer) => {
    const { 'x-test-caller': _, ...headers } = call.headers
    const before = headers['x-forwarded-for']
    const passed = request(
      new URL(call.url ?? '/', target),
      {
        method: call.method ?? 'GET',
        headers: {
          ...headers,
          'x-forwarded-for': [...(before === undefined ? [] : [before]), callerOf(call.headers)].join(', '),
          'x-forwarded-proto': 'https',
        },
      },
      got => {
        answer.writeHead(got.statusCode ?? 502, got.headers)
        got.pipe(answer)
      },
    )
    passed.on('error', () => answer.destroy())
    call.pipe(passed)
  })
  // A test that computes for some seconds must not find its connection just closed.
  server.keepAliveTimeout = 600_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
