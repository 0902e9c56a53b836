import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { findFreePort } from '#kernel/free-port.ts'
import { startTestApp, type TestApp, type TestTenant } from '../support/app.ts'
import { needProgram } from '../support/debian.ts'
import { operateCommand } from '../support/operate-docs.ts'
import { type Replied, register } from '../support/registering.ts'

let t: TestApp
let tenant: TestTenant
let folder: string
let port: number
let ca: string
let stop: () => Promise<void>
beforeAll(async () => {
  needProgram('nginx', 'nginx-light')
  t = await startTestApp({ proxies: '127.0.0.1' })
  tenant = await t.tenant()
  const served = await t.app.server.listen({ port: 0, host: '127.0.0.1' })
  folder = await mkdtemp(join(tmpdir(), 'kaopu-nginx-'))
  port = (await findFreePort(18_440)) ?? 0
  execFileSync(
    'openssl',
    [
      ...[
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '2',
        '-subj',
        '/CN=zp.example.cn',
        '-addext',
        'subjectAltName=DNS:zp.example.cn',
      ],
      ...['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'fullchain.pem')],
    ],
    { stdio: 'ignore' },
  )
  ca = await readFile(join(folder, 'fullchain.pem'), 'utf8')
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(kind => `${kind}_temp_path ${folder}/${kind};`).join(' ')
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; events {} http { access_log off; ${temp} include ${folder}/kaopu.conf; }`,
  )
  const command = operateCommand('nginx-conf', {
    '/etc/nginx/conf.d/kaopu.conf': `${folder}/kaopu.conf`,
    '/etc/ssl/kaopu/': `${folder}/`,
    '127.0.0.1:7300': new URL(served).host,
    'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
    'nginx -t': `nginx -t -c ${folder}/nginx.conf`,
  })
  execFileSync('bash', ['-euc', command], { stdio: 'pipe' })
  const nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
  const end = once(nginx, 'exit')
  stop = async () => {
    nginx.kill('SIGTERM')
    await end
  }
  await vi.waitUntil(
    () =>
      ask('127.0.0.1', 'GET', '/api/live').then(
        ({ status }) => status === 200,
        () => false,
      ),
    { timeout: 20_000 },
  )
})
afterAll(async () => {
  await stop()
  await t.close()
  await rm(folder, { recursive: true, force: true })
})

/** A call by TLS from an address of this machine: on Linux all of 127.0.0.0/8 is. */
const ask = async (from: string, method: string, path: string, body?: FormData | URLSearchParams, headers = {}): Promise<Replied> => {
  const encoded = body === undefined ? undefined : new Response(body)
  const bytes = encoded === undefined ? undefined : Buffer.from(await encoded.arrayBuffer())
  const type = encoded?.headers.get('content-type')
  const call = request({
    ...{ host: '127.0.0.1', port, localAddress: from, servername: 'zp.example.cn', ca, method, path },
    headers: { host: 'zp.example.cn', 'tenant-id': tenant.tenantId, ...(type ? { 'content-type': type } : {}), ...headers },
  })
  call.end(bytes)
  const [answer] = await once(call, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  return { status: answer.statusCode, body: String(answer.headers['content-type']).includes('json') ? JSON.parse(text) : text }
}

test('behind nginx as the paper sets it up, 110 people register from addresses of their own, and the trail has each', async () => {
  const people = Array.from({ length: 110 }, (_, n) => ({ n, ip: `127.0.${1 + (n % 3)}.${n + 1}` }))
  const statuses: number[] = []
  for (let at = 0; at < people.length; at += 8)
    statuses.push(
      ...(await Promise.all(
        people
          .slice(at, at + 8)
          .map(async ({ n, ip }) => (await register(t, (path, form) => ask(ip, 'POST', `/api${path}`, form), n)).status),
      )),
    )

  expect(statuses).toEqual(people.map(() => 200))
  const trail = await tenant.rows(sql<{ ip: string }>`select ip from audit_log where action = 'candidate.registered'`)
  expect(trail.map(({ ip }) => ip).sort()).toEqual(people.map(({ ip }) => ip).sort())
})

test('what a caller writes of itself is not believed behind it, and the metrics stay inside', async () => {
  await ask('127.0.9.9', 'GET', '/api/blade-auth/oauth/captcha', undefined, {
    'x-forwarded-for': '1.1.1.1',
    forwarded: 'for=2.2.2.2',
    'x-real-ip': '3.3.3.3',
  })

  expect(await tenant.rows(sql`select ip from login_challenge where kind = 'captcha'`)).toEqual([{ ip: '127.0.9.9' }])
  expect((await ask('127.0.9.9', 'GET', '/metrics')).status).toBe(404)
})
