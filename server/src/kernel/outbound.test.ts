import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { neverHeld } from '#kernel/hold.ts'
import { createOutbound, isPublicAddress } from './outbound.ts'

const servers: Server[] = []
const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})
const local = (origin: string) => createOutbound({ hold: neverHeld, allowedOrigins: [], localOrigins: () => [origin] })
const refused = { name: 'OutboundError', failure: 'refused' }

describe('an answer', () => {
  test('comes back with status, lower-case headers and bytes', async () => {
    const origin = await serve((request, response) => {
      request.setEncoding('utf8').once('data', body => response.writeHead(201, { 'X-Echo': String(request.method) }).end(`got ${body}`))
    })

    const answer = await local(origin)({ method: 'POST', url: `${origin}/a?b=1`, body: '你好' })

    expect([answer.status, answer.headers['x-echo'], answer.body.toString()]).toEqual([201, 'POST', 'got 你好'])
  })
  test('that redirects is not followed', async () => {
    const origin = await serve((_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end())
    await expect(local(origin)({ method: 'GET', url: origin })).rejects.toMatchObject({ failure: 'redirected' })
  })
  test('above the size is cut off', async () => {
    const origin = await serve((_, response) => response.end(Buffer.alloc(2000)))
    await expect(local(origin)({ method: 'GET', url: origin, maxBytes: 1999 })).rejects.toMatchObject({ failure: 'tooLarge' })
    expect((await local(origin)({ method: 'GET', url: origin, maxBytes: 2000 })).body).toHaveLength(2000)
  })
  test('that never comes is a timeout, one that breaks off is broken', async () => {
    const silent = await serve(() => {})
    await expect(local(silent)({ method: 'GET', url: silent, timeoutMs: 30 })).rejects.toMatchObject({ failure: 'timeout' })
    const rude = await serve(request => request.socket.destroy())
    await expect(local(rude)({ method: 'GET', url: rude })).rejects.toMatchObject({ failure: 'broken' })
  })
  test('of a closed port is unreachable: nothing was sent', async () => {
    const origin = await serve(() => {})
    servers[0]?.close()
    await expect(local(origin)({ method: 'GET', url: origin })).rejects.toMatchObject({ failure: 'unreachable' })
  })
})

describe('refused before anything leaves', () => {
  const outbound = (address: string) =>
    createOutbound({ hold: neverHeld, allowedOrigins: ['https://api.mch.weixin.qq.com'], resolve: async () => ['93.184.216.34', address] })

  test.each([
    'http://api.mch.weixin.qq.com/',
    'https://api.mch.weixin.qq.com:8443/',
    'https://api.mch.weixin.qq.com.evil.example/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0177.0.0.1/',
    'file:///etc/passwd',
    'not an address',
  ])('%s is not on the list', async url => {
    await expect(outbound('93.184.216.34')({ method: 'GET', url })).rejects.toMatchObject(refused)
  })
  test('plain http, even for an origin that is listed so', async () => {
    const outbound = createOutbound({ hold: neverHeld, allowedOrigins: ['http://api.example'], resolve: async () => ['93.184.216.34'] })
    await expect(outbound({ method: 'GET', url: 'http://api.example/' })).rejects.toMatchObject(refused)
  })
  test('credentials in the address', async () => {
    await expect(outbound('93.184.216.34')({ method: 'GET', url: 'https://a:b@api.mch.weixin.qq.com/' })).rejects.toMatchObject(refused)
  })
  test.each(['127.0.0.1', '10.1.2.3', '169.254.169.254', '192.168.0.1', '::1', '::ffff:127.0.0.1', 'fd00::1', '64:ff9b::7f00:1'])(
    'an allowed name that leads to %s as well',
    async address => {
      await expect(outbound(address)({ method: 'GET', url: 'https://api.mch.weixin.qq.com/' })).rejects.toMatchObject(refused)
    },
  )
  test('loopback when it is not configured, and the link-local net even when it is', async () => {
    const origin = await serve((_, response) => response.end())
    await expect(createOutbound({ hold: neverHeld, allowedOrigins: [] })({ method: 'GET', url: origin })).rejects.toMatchObject(refused)
    await expect(local('http://169.254.169.254')({ method: 'GET', url: 'http://169.254.169.254/' })).rejects.toMatchObject(refused)
  })
  test('public addresses of both families are told from the rest', () => {
    expect(['93.184.216.34', '2606:2800:220:1::1'].map(isPublicAddress)).toEqual([true, true])
    expect(['172.31.0.1', '100.64.0.1', '224.0.0.1', '2001:db8::1', '2002:7f00:1::', 'fe80::1', 'x'].map(isPublicAddress)).toEqual(
      Array.from({ length: 7 }, () => false),
    )
  })
})

test('while an installation is held nothing leaves it; a store may still be read', async () => {
  const asked: string[] = []
  const origin = await serve((request, response) => {
    asked.push(String(request.method))
    response.end()
  })
  const held = { isHeld: () => true }
  const outbound = createOutbound({ hold: held, allowedOrigins: [], localOrigins: () => [origin] })
  const store = createOutbound({ hold: held, mayReadWhileHeld: true, allowedOrigins: [], localOrigins: () => [origin] })

  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] as const)
    await expect(outbound({ method, url: origin })).rejects.toMatchObject({ failure: 'held' })
  for (const method of ['POST', 'PUT', 'DELETE'] as const)
    await expect(store({ method, url: origin })).rejects.toMatchObject({ failure: 'held' })
  expect((await store({ method: 'GET', url: origin })).status).toBe(200)
  expect(asked).toEqual(['GET'])
})
