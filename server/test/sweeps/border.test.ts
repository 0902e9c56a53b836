import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp } from '../support/app.ts'

let t: TestApp
let candidate: Person
beforeAll(async () => {
  t = await startTestApp()
  candidate = await (await t.tenant()).candidate()
})
afterAll(() => t.close())

/** One request as bytes on a socket, answered until the server closes. */
const wire = async (request: string): Promise<string> => {
  const { server } = t.app
  const address = server.server.address() ?? (await server.listen({ port: 0, host: '127.0.0.1' }).then(() => server.server.address()))
  const port = typeof address === 'object' && address ? address.port : 0
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    let text = ''
    socket.on('data', bytes => {
      text += bytes.toString('utf8')
    })
    socket.on('end', () => resolve(text))
    socket.on('error', error => (text === '' ? reject(error) : resolve(text)))
  })
}
const envelopeOf = (answer: string) => ({
  status: Number(answer.split(' ')[1]),
  ...JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)),
})

describe('what is refused before a route is reached', () => {
  test.each([
    ['an address that cannot be decoded', 'GET /api/%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400, 'kernel/unreadable-body'],
    [
      'a part of the address that is too long',
      `GET /api/file/${'1'.repeat(500)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      400,
      'kernel/unreadable-body',
    ],
    ['bytes that are no HTTP', 'HELLO\r\n\r\n', 400, 'kernel/unreadable-body'],
    ['headers beyond their limit', `GET /api/health HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'kernel/too-large'],
  ])('%s has the envelope', async (_name, request, status, reason) => {
    const code = reason === 'kernel/too-large' ? 413 : 400
    expect(envelopeOf(await wire(request))).toMatchObject({ status, code, success: false, data: null, reason })
  })

  test('a tenant that cannot be one is as good as none', async () => {
    const answer = await t.app.server.inject({ method: 'GET', url: '/api/blade-system/tenant/info?tenantId=%00' })
    const sealed = await t.app.server.inject({ method: 'GET', url: '/api/blade-auth/oauth/public-key?tenantId=%00' })
    expect([answer.statusCode, sealed.statusCode]).toEqual([400, 200])
  })
})

test('a key of repetition that cannot be one is refused in words, never ignored', async () => {
  const answer = await candidate.post('/blade-auth/oauth/lock', {
    json: {},
    headers: { 'idempotency-key': 'short', 'accept-language': 'en' },
  })
  expect(answer).toMatchObject({
    status: 400,
    body: { success: false, msg: 'The header Idempotency-Key must be 8 to 80 letters, digits, "-" or "_"' },
  })
})

const part = (name: string, value: string, file?: string): string =>
  `--XX\r\nContent-Disposition: form-data; name="${name}"${file === undefined ? '' : `; filename="${file}"`}\r\n\r\n${value}\r\n`
const multipart = async (path: string, body: string) => {
  const answer = await t.app.server.inject({
    method: 'POST',
    url: `/api${path}`,
    headers: { 'blade-auth': `bearer ${candidate.token}`, 'content-type': 'multipart/form-data; boundary=XX' },
    payload: body,
  })
  return [answer.statusCode, answer.json().reason]
}

describe('multipart bodies', () => {
  const submit = '/blade-signup/signup/submit'
  test.each([
    ['no multipart at all', submit, 'hello', [400, 'kernel/unreadable-body']],
    ['a part left open', submit, '--XX\r\nContent-Disposition: form-data; name="examId"\r\n\r\n1', [400, 'kernel/unreadable-body']],
    ['a prototype key', submit, `${part('__proto__', '1')}--XX--\r\n`, [400, 'kernel/unreadable-body']],
    ['a part without a name', submit, '--XX\r\nContent-Disposition: form-data\r\n\r\n1\r\n--XX--\r\n', [400, 'kernel/unreadable-body']],
    ['a NUL in a text', submit, `${part('examId', '1')}${part('unit', 'a\0b')}--XX--\r\n`, [400, 'kernel/unreadable-body']],
    [
      'JSON nested beyond reason',
      submit,
      `${part('examId', '1')}${part('content', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)}--XX--\r\n`,
      [400, 'kernel/unreadable-body'],
    ],
    ['300 fields', submit, `${Array.from({ length: 300 }, (_, i) => part(`f${i}`, '1')).join('')}--XX--\r\n`, [413, 'kernel/too-large']],
    [
      'text beyond a megabyte in small pieces',
      submit,
      `${Array.from({ length: 12 }, () => part('unit', 'a'.repeat(100_000))).join('')}--XX--\r\n`,
      [413, 'kernel/too-large'],
    ],
    ['more files than declared', '/file/upload', `${part('file', '1', 'a.jpg').repeat(3)}--XX--\r\n`, [413, 'kernel/too-large']],
  ])('%s is refused', async (_name, path, body, expected) => {
    expect(await multipart(path, body)).toEqual(expected)
  })
})

test('a body of plain text is of no known type (decision 3.14)', async () => {
  const answer = await t.app.server.inject({
    method: 'POST',
    url: '/api/blade-signup/signup/remove',
    headers: { 'blade-auth': `bearer ${candidate.token}`, 'content-type': 'text/plain' },
    payload: '{"ids":"1"}',
  })
  expect([answer.statusCode, answer.json().reason]).toEqual([415, 'kernel/media-type'])
})

test('eight uploads at once cannot pass the sum of one person, and a broken cookie opens nothing', async () => {
  const tenant = await t.tenant()
  const person = await tenant.candidate()
  const paper = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n', 'latin1')
  const upload = () =>
    person.post('/file/upload', { multipart: { fields: { purpose: 'document' }, files: [{ part: 'file', name: 'a.pdf', bytes: paper }] } })
  const first = await upload()
  const { link, fileId, sizeBytes } = first.body.data
  // Room for exactly one more.
  await tenant.db(db => db.run(sql`update stored_file set size_bytes = ${100 * 1024 * 1024 - sizeBytes} where id = ${fileId}`))
  const more = await Promise.all(Array.from({ length: 8 }, upload))
  expect(more.map(answer => answer.status).sort()).toEqual([200, ...Array(7).fill(422)])
  const broken = await t.app.server.inject({ method: 'GET', url: link, headers: { cookie: 'kaopu-access-token=%zz' } })
  expect(broken.statusCode).toBe(404)
})
