import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createManualClock } from '../clock.ts'
import { createLog } from '../log.ts'
import { createServer, type HttpServer } from './server.ts'

let folder: string
let app: HttpServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kaopu-methods-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>x</title>')
  await writeFile(join(folder, 'assets', 'main-Abc12345.js'), 'void 0;'.repeat(1000))
  app = await createServer({
    clock: createManualClock('2026-03-17T10:00:00+08:00'),
    log: createLog('silent'),
    webRoot: folder,
    isHttps: false,
    frameHosts: [],
    ready: () => true,
  })
  app.get('/api/thing/:id', async () => ({ is: 'here' }))
  app.post('/api/thing/submit', async () => ({ done: true }))
  app.post('/api/thing/remove', async () => ({ done: true }))
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

const ask = async (method: string, url: string, headers: Record<string, string> = {}) => {
  const answer = await app.inject({ method: method as 'GET', url, headers })
  return { status: answer.statusCode, allow: answer.headers['allow'], body: answer.body, headers: answer.headers }
}

describe('[21.10] methods of HTTP', () => {
  test.each([
    ['/api/thing/7', 'GET, HEAD, OPTIONS'],
    ['/api/thing/remove', 'GET, HEAD, POST, OPTIONS'],
    ['/api/health', 'GET, HEAD, OPTIONS'],
    ['/', 'GET, HEAD, OPTIONS'],
    ['/login?x=1', 'GET, HEAD, OPTIONS'],
    ['/assets/main-Abc12345.js', 'GET, HEAD, OPTIONS'],
  ])('%s says what it takes', async (url, allow) => {
    const asked = await ask('OPTIONS', url, { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' })
    expect([asked.status, asked.allow, asked.body]).toEqual([204, allow, ''])
    expect(Object.keys(asked.headers).filter(name => name.startsWith('access-control'))).toEqual([])
    for (const method of ['PUT', 'DELETE', 'PATCH', 'TRACE']) {
      // The body of a method that is not taken is not looked at, whatever it is.
      const refused = await ask(method, url, method === 'TRACE' ? {} : { 'content-type': 'application/xml' })
      expect([method, refused.status, refused.allow]).toEqual([method, 405, allow])
      expect(JSON.parse(refused.body)).toMatchObject({
        code: 405,
        success: false,
        reason: 'kernel/method',
        msg: `此地址不支持 ${method} 请求，可用的请求方法：${allow}`,
      })
    }
  })

  test('the refusal is in the language of the reader', async () =>
    expect(JSON.parse((await ask('PUT', '/api/thing/7', { 'accept-language': 'en' })).body).msg).toBe(
      'This address does not take PUT; it takes GET, HEAD, OPTIONS',
    ))

  test.each(['/api/thing/7', '/api/health', '/', '/login', '/assets/main-Abc12345.js'])(
    'HEAD of %s is its GET without the body',
    async url => {
      for (const encoding of ['identity', 'gzip']) {
        const [head, get] = [
          await ask('HEAD', url, { 'accept-encoding': encoding }),
          await ask('GET', url, { 'accept-encoding': encoding }),
        ]
        expect([head.status, head.body, get.body.length > 0]).toEqual([get.status, '', true])
        for (const name of ['content-type', 'cache-control', 'content-security-policy', 'vary', 'etag', 'content-encoding'])
          expect([url, encoding, name, head.headers[name]]).toEqual([url, encoding, name, get.headers[name]])
      }
    },
  )

  test.each(['/api/nothing', '/api', '/assets/none.js', '/api/thing', '/api/thing/7/8'])(
    '%s stays unknown, whatever the method',
    async url => {
      const isPage = url === '/api'
      for (const method of ['GET', 'POST', 'PUT', 'OPTIONS', 'HEAD'])
        if (!isPage) expect([method, (await ask(method, url)).status]).toEqual([method, 404])
    },
  )
})

test.each([
  ...['/api', '/api/', '/api?x=1', '/api/no/such/call', '/API/ready', '//api/ready', '/%61pi/no', '/api%2Fready', '/api.txt'],
  ...['/metrics', '/metrics/', '/metrics/node', '/metrics-old', '/Metrics', '/api/metrics'],
])('%s is for programs: where nothing is there, they are told so and get no page', async url => {
  const { status, headers, body } = await ask('GET', url)

  expect([status, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8'])
  expect(JSON.parse(body)).toMatchObject({ code: 404, success: false, reason: 'kernel/no-route' })
})
test.each(['/login', '/apiary', '/signup/api'])('%s is a page of the program', async url => {
  expect(await ask('GET', url)).toMatchObject({ status: 200, body: expect.stringContaining('<title>x</title>') })
})
