import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allRoutes } from '#contract/registry.ts'
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
    ['an address that cannot be decoded', 'GET /api/%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400, 'kernel/bad-address'],
    [
      'a part of the address that is too long',
      `GET /api/file/${'1'.repeat(500)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      400,
      'kernel/bad-address',
    ],
    ['bytes that are no HTTP', 'HELLO\r\n\r\n', 400, 'kernel/not-http'],
    [
      'headers beyond their limit',
      `GET /api/health HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'kernel/headers-too-large',
    ],
  ])('%s has the envelope', async (_name, request, status, reason) => {
    expect(envelopeOf(await wire(request))).toMatchObject({ status, code: status, success: false, data: null, reason })
  })

  test('[21.11] what Node’s own parser refuses is told in the language asked for, as far as it could be read, else in both', async () => {
    const long = 'a'.repeat(20_000)
    const said = async (request: string): Promise<string> => envelopeOf(await wire(request)).msg
    const zh = '请求头或地址过长（上限 16 KB），请缩短地址，或清除本站的 Cookie 后重试'
    const en =
      'The headers or the address are too long (16 KB are taken); shorten the address or clear the cookies of this site and try again'
    const head = (language: string, rest: string) => `GET /api/health HTTP/1.1\r\nHost: x\r\n${language}${rest}\r\n\r\n`
    expect(await said(head('Accept-Language: en-GB,en;q=0.9\r\n', `Cookie: a=${long}`))).toBe(en)
    expect(await said(head('accept-language:zh-CN\r\n', `Cookie: a=${long}`))).toBe(zh)
    expect(await said(head('', `Cookie: a=${long}`))).toBe(`${zh} / ${en}`)
    expect(await said(`GET /${long} HTTP/1.1\r\nHost: x\r\nAccept-Language: en\r\n\r\n`)).toBe(en)
    const broken = [
      '收到的内容不是有效的 HTTP 请求，请检查请求行、请求头和长度',
      'What arrived is not a valid HTTP request; check its first line, its headers and its length',
    ]
    expect(await said('HELLO\r\n\r\n')).toBe(broken.join(' / '))
    expect(await said('GET / HTTP/1.1\r\nHost: x\r\nAccept-Language: en\r\nBad Header: 1\r\n\r\n')).toBe(broken[1])
    expect(await said('POST /api/x HTTP/1.1\r\nHost: x\r\nAccept-Language: zh\r\nContent-Length: abc\r\n\r\n')).toBe(broken[0])
  })

  test('[21.10] OPTIONS * asks about the server', async () => {
    const answer = await wire('OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 204 /)
    expect(answer).toMatch(/\r\nallow: GET, HEAD, POST, OPTIONS\r\n/i)
  })

  test.each([
    [
      'no JSON',
      { 'content-type': 'application/json' },
      '{\n  "a": 1,\n}',
      400,
      '请求内容不是有效的 JSON：第 2 行第 9 列，最后一项后面多了逗号',
      'The body is not valid JSON: line 2, column 9: there is a comma after the last entry',
    ],
    [
      'GBK',
      { 'content-type': 'application/json' },
      Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xd6, 0xd0, 0x22, 0x7d]),
      400,
      '请求内容不是 UTF-8 编码（第 7 字节起无法识别，可能是 GBK），请用 UTF-8 编码后发送',
      'The body is not UTF-8 (from byte 7 on, perhaps GBK); encode it as UTF-8',
    ],
    [
      'another charset',
      { 'content-type': 'application/json; charset=GB2312' },
      '{}',
      415,
      '不支持字符集 gb2312，请用 UTF-8 编码后发送',
      'The charset gb2312 is not supported; encode the body as UTF-8',
    ],
    [
      'a form in GBK',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'a=1&name=%D6%D0',
      400,
      '表单字段“name”的百分号编码不正确或不是 UTF-8（可能是 GBK），请按 UTF-8 编码后发送',
      'The form field "name" is not percent-encoded UTF-8 (perhaps it is GBK); encode it as UTF-8',
    ],
    [
      'a compressed body',
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      Buffer.from([0x1f, 0x8b]),
      415,
      '请求内容不能压缩（Content-Encoding: gzip），请发送未压缩的内容',
      'A body must not be compressed (Content-Encoding: gzip); send it as it is',
    ],
    [
      'another type',
      { 'content-type': 'application/xml' },
      '<a/>',
      415,
      '不支持的请求内容类型 application/xml，请用 application/json 或 application/x-www-form-urlencoded，上传文件用 multipart/form-data',
      'The content type application/xml is not supported; send application/json or application/x-www-form-urlencoded, and multipart/form-data with files',
    ],
    [
      'files where none are taken',
      { 'content-type': 'multipart/form-data; boundary=XX' },
      '--XX--\r\n',
      415,
      '此地址不接收文件，请用 application/json 或 application/x-www-form-urlencoded',
      'This call takes no files; send application/json or application/x-www-form-urlencoded',
    ],
    [
      'too much',
      { 'content-type': 'application/json' },
      `{"a":"${'x'.repeat(1_048_600)}"}`,
      413,
      '请求内容超过 1 MB，请减少一次提交的内容',
      'The body is larger than 1 MB; send less at a time',
    ],
    [
      'a name that is kept',
      { 'content-type': 'application/json' },
      '{"__proto__":1}',
      400,
      '请求内容含有不能保存的字符（如 NUL、不完整的字符）、保留的字段名（__proto__、constructor、prototype），或嵌套超过 32 层',
      'The request holds a character that cannot be kept (NUL, half a character), a reserved name (__proto__, constructor, prototype) or is nested deeper than 32 levels',
    ],
  ] as const)('[21.11] a body of %s is told what is wrong and how it is mended', async (_name, headers, payload, status, zh, en) => {
    for (const [language, msg] of [
      ['zh', zh],
      ['en', en],
    ] as const) {
      const answer = await t.app.server.inject({
        method: 'POST',
        url: '/api/me/settings',
        headers: { 'blade-auth': `bearer ${candidate.token}`, 'accept-language': language, ...headers },
        payload: payload as string,
      })
      expect([answer.statusCode, answer.json().msg]).toEqual([status, msg])
    }
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
  return [answer.statusCode, answer.json().reason, answer.json().msg]
}

test('[21.11] an upload that was cut off and one without a boundary are told so', async () => {
  const cut = await multipart('/file/upload', part('file', 'half', 'a.pdf').slice(0, -4))
  expect(cut).toEqual([400, 'kernel/unreadable-body', '上传内容不完整：没有收到结尾，可能中途断开，请重新上传'])
  const large = await multipart('/file/upload', `${part('file', 'x'.repeat(10_240 * 1024 + 1), '照片.jpg')}--XX--\r\n`)
  expect(large).toEqual([413, 'kernel/too-large', '文件“照片.jpg”超过 10 MB，请压缩或更换后上传'])
})

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
    expect((await multipart(path, body)).slice(0, 2)).toEqual(expected)
  })
})

test('[21.10] every call tells which methods it takes, refuses the others, and answers HEAD as GET', async () => {
  const paths = new Map<string, Set<string>>()
  for (const route of allRoutes())
    for (const place of [`${route.method} ${route.path}`, ...(route.also ?? [])]) {
      const [method = '', path = ''] = place.split(' ')
      paths.set(path, (paths.get(path) ?? new Set()).add(method))
    }
  const wrong: unknown[] = []
  const ask = (method: string, url: string) => t.app.server.inject({ method: method as 'GET', url })
  for (const [path, methods] of paths) {
    const url = `/api${path.replace(/:\w+/g, '1')}`
    const asked = await ask('OPTIONS', url)
    const refused = await ask('DELETE', url)
    const allow = String(asked.headers['allow']).split(', ')
    const isRight = [...methods].every(method => allow.includes(method)) && allow.includes('HEAD') === allow.includes('GET')
    if (asked.statusCode !== 204 || !isRight || refused.statusCode !== 405 || refused.headers['allow'] !== asked.headers['allow'])
      wrong.push([url, asked.statusCode, refused.statusCode, allow])
    if (!methods.has('GET')) continue
    const [head, get] = [await ask('HEAD', url), await ask('GET', url)]
    if (head.statusCode !== get.statusCode || head.body !== '' || head.headers['content-type'] !== get.headers['content-type'])
      wrong.push([url, head.statusCode, get.statusCode, head.body.length])
  }
  expect(wrong).toEqual([])
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

test('eight uploads at once cannot pass the sum of one person, and a broken cookie is nobody’s', async () => {
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
  // A file opens for the session of whom its link was made for; a cookie that no text can be is no session, and hides no other.
  const open = (headers: Record<string, string>) => t.app.server.inject({ method: 'GET', url: link, headers })
  const cookie = 'kaopu-access-token=%zz'
  expect([(await open({ cookie })).statusCode, (await open({ cookie, 'blade-auth': `bearer ${person.token}` })).statusCode]).toEqual([
    403, 200,
  ])
})
