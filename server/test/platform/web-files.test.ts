import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveWebFiles } from '#kernel/http/web-files.ts'

const script = 'export const a = 1\n'.repeat(200)
let root: string
let app: FastifyInstance
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'kaopu-web-'))
  await mkdir(join(root, 'web', 'assets', 'below'), { recursive: true })
  const web = join(root, 'web')
  await writeFile(join(root, 'secret.txt'), 'secret')
  await writeFile(join(web, 'sw.js'), 'worker')
  await writeFile(join(web, 'assets', 'console-Abc12_3.js'), script)
  await writeFile(join(web, 'assets', 'console-Abc12_3.js.br'), brotliCompressSync(script))
  await writeFile(join(web, 'assets', 'console-Abc12_3.js.gz'), gzipSync(script))
  await writeFile(join(web, 'assets', 'plain.txt'), 'plain')
  await writeFile(join(web, 'assets', 'below', 'x.js'), 'below')
  app = Fastify()
  await serveWebFiles(app, web)
  app.setNotFoundHandler((_request, reply) => reply.status(404).send('nothing here'))
  // Made after the start, and so no file of the build that was started.
  await writeFile(join(web, 'assets', 'later-Abc12_4.js'), 'later')
})
afterAll(async () => {
  await app?.close()
  await rm(root, { recursive: true, force: true })
})
const get = (url: string, encoding?: string) =>
  app.inject({ method: 'GET', url, headers: encoding === undefined ? {} : { 'accept-encoding': encoding } })

describe('files of the built web', () => {
  test('are sent as the build has packed them, and kept by browsers where their name holds their content', async () => {
    const packed = await get('/assets/console-Abc12_3.js', 'gzip, br')
    expect(packed.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': expect.stringContaining('javascript'),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    })
    expect(brotliDecompressSync(packed.rawPayload).toString()).toBe(script)
    const plain = await get('/assets/console-Abc12_3.js')
    expect([plain.headers['content-encoding'], plain.body]).toEqual([undefined, script])
    expect((await get('/assets/plain.txt', 'br')).headers['cache-control']).toBe('no-cache')
    const worker = await get('/sw.js')
    expect([worker.statusCode, worker.headers['cache-control'], worker.body]).toEqual([200, 'no-cache', 'worker'])
  })

  test('are there for HEAD, and not sent again to whoever has them', async () => {
    const { headers } = await get('/assets/console-Abc12_3.js')
    const head = await app.inject({ method: 'HEAD', url: '/assets/console-Abc12_3.js' })
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', String(script.length)])
    const again = await app.inject({ url: '/assets/console-Abc12_3.js', headers: { 'if-none-match': String(headers['etag']) } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  test.each([
    '/assets/later-Abc12_4.js',
    '/assets/nothing.js',
    '/assets/below/x.js',
    '/assets/below',
    '/assets/..%2fsw.js',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/%2e%2e',
    '/..%2fsecret.txt',
    '/secret.txt',
    '/assets/console-Abc12_3.js%00',
  ])('nothing else is: %s', async url => {
    const answer = await get(url, 'br')
    expect([answer.statusCode, answer.body]).toEqual([404, 'nothing here'])
  })
})
