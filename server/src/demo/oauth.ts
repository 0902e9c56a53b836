import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '#kernel/clock.ts'
import type { Hold } from '#kernel/hold.ts'
import { createOutbound } from '#kernel/outbound.ts'
import type { ThirdParty } from '#server/login-providers.ts'
import { createOauthEmulator, type OauthEmulator } from './oauth-emulator/emulator.ts'
import { oauthClients } from './oauth-emulator/people.ts'

/** The providers of a demo or test: pages of this server for people, and an own port of this machine for the calls between servers. */
export interface DemoOauth {
  readonly thirdParty: ThirdParty
  readonly emulator: OauthEmulator
  close(): Promise<void>
}

/** Path of the page where a person says who they are. */
export const authorizePagePath = '/demo/oauth/authorize'
const maxBodyBytes = 16 * 1024

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length
    if (sizeBytes > maxBodyBytes) throw new Error('body too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Listens from the first question for the providers on. */
export const createDemoOauth = (clock: Clock, hold: Hold): DemoOauth => {
  const emulator = createOauthEmulator(clock)
  const server = createServer((request, response) => {
    const serve = async () => {
      const { authorization } = request.headers
      if (request.method === 'GET' && request.url === '/userinfo') return emulator.userinfo(authorization)
      if (request.method === 'POST' && request.url === '/token')
        return emulator.token({ authorization }, Object.fromEntries(new URLSearchParams(await bodyOf(request))))
      return { status: 404, json: { error: 'not_found' } }
    }
    serve().then(
      ({ status, json }) =>
        response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify(json)),
      () => request.socket.destroy(),
    )
  })
  let origin: string | undefined
  let listening: Promise<string> | undefined
  const start = (): Promise<string> => {
    listening ??= new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(0, '127.0.0.1', () => {
        origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
        resolve(origin)
      })
    })
    return listening
  }
  return {
    emulator,
    thirdParty: {
      outbound: createOutbound({ hold, purpose: 'login', allowedOrigins: [], localOrigins: () => (origin === undefined ? [] : [origin]) }),
      providers: async () => {
        const base = await start()
        return oauthClients.map(({ source, kind, name, icon, clientId }) => ({
          source,
          kind,
          name,
          icon,
          clientId,
          clientSecret: emulator.secretOf(clientId),
          authorizeUrl: authorizePagePath,
          tokenUrl: `${base}/token`,
          userinfoUrl: `${base}/userinfo`,
          scope: 'openid profile',
          clientAuth: 'basic' as const,
          fields: { id: 'sub', account: 'preferred_username', name: 'name' },
          matchAccounts: kind === 'sso',
        }))
      },
    },
    close: async () => {
      if (listening === undefined) return
      await listening
      await new Promise<void>(done => {
        server.close(() => done())
        server.closeAllConnections()
      })
    },
  }
}
