import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newToken } from '#kernel/crypto/token.ts'
import { sql } from '#kernel/db/sql.ts'
import { hmac as serverHmac } from '#kernel/http/sealed-call.ts'
import { token as randomToken } from '#kernel/random.ts'
import { type PlainCall, type SealedText, type SessionKey, sealCall, hmac as webHmac } from '#web/kernel/sealed-text.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { sealFor } from '../../support/login.ts'

let one: TestApp
/** A second process on the same database. */
let two: TestApp
let tenant: TestTenant
let admin: Person
beforeAll(async () => {
  one = await startTestApp()
  two = await one.beside()
  tenant = await one.tenant()
  admin = await tenant.staff('admin')
})
afterAll(() => one.close())

const agree = async (person: Person): Promise<SessionKey> => {
  const key = [...Buffer.from(newToken(), 'base64url')].map(byte => byte.toString(16).padStart(2, '0')).join('')
  const { handle } = (await person.post('/blade-auth/oauth/crypto-key', { json: { key: sealFor(one, key) } })).body.data
  return { handle, key }
}
const path = '/api/blade-system/param/list'
const submitPath = '/api/blade-system/param/submit'
type Change = (sealed: SealedText) => {
  headers?: Record<string, string>
  url?: string
  data?: string
  body?: string | Buffer
  type?: string
  method?: 'GET' | 'POST'
}

const openers: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { gzip: gunzipSync, br: brotliDecompressSync }
/** Sends a call as the web's client does, and opens its answer. */
const call = async (
  key: SessionKey,
  of: Partial<PlainCall> & { readonly token: string },
  { at = one, number = randomToken(16), change = () => ({}) }: { at?: TestApp; number?: string; change?: Change } = {},
) => {
  const plain: PlainCall = { method: 'GET', path, query: undefined, body: undefined, idempotencyKey: '', ...of }
  const sealed = sealCall(key, plain, number)
  const changed = change(sealed)
  const body = changed.body ?? sealed.body
  const answer = await at.app.server.inject({
    method: changed.method ?? plain.method,
    url: changed.url ?? plain.path,
    query: (changed.data ?? sealed.data) === '' ? {} : { data: changed.data ?? sealed.data },
    headers: {
      authorization: `Basic ${Buffer.from('kaopu-web:kaopu-web').toString('base64')}`,
      ...(body.length === 0 ? {} : { 'content-type': changed.type ?? 'text/plain' }),
      ...(plain.idempotencyKey === '' ? {} : { 'idempotency-key': plain.idempotencyKey }),
      ...sealed.headers,
      ...changed.headers,
    },
    ...(body.length === 0 ? {} : { payload: body }),
  })
  const isSealed = String(answer.headers['content-type']).startsWith('text/plain')
  const sign = String(answer.headers['blade-crypto-sign'])
  const encoding = String(answer.headers['content-encoding'] ?? '')
  const text = (openers[encoding] ?? ((bytes: Buffer) => bytes))(answer.rawPayload).toString()
  const json = JSON.parse(isSealed ? sealed.open(answer.statusCode, text, sign) : text)
  return { status: answer.statusCode, isSealed, encoding, json, text, sign, sealed }
}
const paramsNamed = (name: string) =>
  tenant.rows(sql<{ value: string }>`select param_value as value from param where param_key = ${name} order by id`)

describe('[S9.19] encrypted calls', () => {
  test('query, body, token and answer travel encrypted; both sides make the same proof; either process answers', async () => {
    expect(webHmac('00ff', 'text')).toBe(serverHmac('00ff', 'text'))
    const key = await agree(admin)
    const found = await call(key, { token: admin.token, query: { paramKey: 'account.failCount', current: 1 } }, { at: two })
    expect([found.status, found.isSealed, found.json.data.records.map((row: { paramKey: string }) => row.paramKey)]).toEqual([
      200,
      true,
      ['account.failCount'],
    ])
    expect(found.text).not.toContain('failCount')
    expect([found.sealed.data, JSON.stringify(found.sealed.headers)].join()).not.toMatch(new RegExp(`failCount|${admin.token}`))
    const made = await call(key, {
      method: 'POST',
      path: submitPath,
      token: admin.token,
      body: { paramName: '加密参数', paramKey: 'sealed.one', paramValue: '1' },
    })
    expect([made.status, made.isSealed, made.json.code]).toEqual([200, true, 200])
    expect(await paramsNamed('sealed.one')).toEqual([{ value: '1' }])
    const [row] = await tenant.rows(sql<{ text: string }>`select session_key::text as text from session_key`)
    expect(row?.text.includes(key.key) || row?.text.includes(key.handle)).toBe(false)
  })

  test('gates, strict input and idempotency see what the call says, and refusals come back encrypted', async () => {
    const key = await agree(admin)
    const clerk = await tenant.staff('finance')
    const theirs = await agree(clerk)
    const refused = await call(theirs, { token: clerk.token })
    expect([refused.status, refused.isSealed, refused.json.reason]).toEqual([403, true, 'kernel/forbidden'])
    const strict = await call(key, {
      method: 'POST',
      path: submitPath,
      token: admin.token,
      body: { paramName: 'x', paramKey: 'sealed.two', paramValue: '1', colour: 'red' },
    })
    expect([strict.status, strict.isSealed, strict.json.data.fields[0].field]).toEqual([400, true, 'colour'])
    const create = (value: string) =>
      call(key, {
        method: 'POST',
        path: submitPath,
        token: admin.token,
        idempotencyKey: 'sealed-call-1',
        body: { paramName: 'x', paramKey: 'sealed.three', paramValue: value },
      })
    const [first, again, other] = [await create('1'), await create('1'), await create('2')]
    expect([first.status, again.json.data, other.json.reason]).toEqual([200, first.json.data, 'kernel/idempotency-mismatch'])
    expect(await paramsNamed('sealed.three')).toEqual([{ value: '1' }])
  })

  test('a call is good once, at whichever process it is repeated', async () => {
    const key = await agree(admin)
    const number = randomToken(16)
    const send = (at: TestApp) =>
      call(
        key,
        { method: 'POST', path: submitPath, token: admin.token, body: { paramName: 'x', paramKey: 'sealed.once', paramValue: '1' } },
        { at, number },
      )
    const together = await Promise.all([send(one), send(two)])
    expect(together.map(answer => answer.json.reason ?? 'done').sort()).toEqual(['done', 'kernel/crypto-call'])
    expect((await send(two)).json.reason).toBe('kernel/crypto-call')
    expect(await paramsNamed('sealed.once')).toEqual([{ value: '1' }])
  })

  test.each<[string, Change]>([
    ['a changed body', ({ body }) => ({ body: `${body.startsWith('A') ? 'B' : 'A'}${body.slice(1)}` })],
    ['a body cut at a block', ({ body }) => ({ body: Buffer.from(Buffer.from(body, 'base64').subarray(0, 16)).toString('base64') })],
    ['no body', () => ({ body: '' })],
    ['a query that was not there', ({ body }) => ({ data: body })],
    ['a plain query beside it', () => ({ url: `${submitPath}?paramValue=2` })],
    ['another address', () => ({ url: '/api/blade-system/post/submit' })],
    ['another token', () => ({ headers: { 'blade-auth': `bearer ${newToken()}` } })],
    ['a key of repetition that was put in', () => ({ headers: { 'idempotency-key': 'put-in-on-the-way' } })],
    ['a plain body', () => ({ body: '{"paramName":"x"}', type: 'application/json' })],
    ['a form', () => ({ body: 'paramName=x', type: 'application/x-www-form-urlencoded' })],
    ['a proof of another form', ({ headers }) => ({ headers: { 'blade-crypto': `${headers['Blade-Crypto']}0` } })],
  ])('%s is refused, plainly, and does nothing', async (_name, change) => {
    const key = await agree(admin)
    const answer = await call(
      key,
      { method: 'POST', path: submitPath, token: admin.token, body: { paramName: 'x', paramKey: 'sealed.changed', paramValue: '1' } },
      { change },
    )
    expect([answer.status, answer.json.reason, answer.isSealed]).toEqual([400, 'kernel/crypto-call', false])
    expect(await paramsNamed('sealed.changed')).toEqual([])
  })

  test('a key of another session, of an ended one, of nobody or of an earlier agreement opens nothing', async () => {
    const [mine, other] = [await tenant.staff('admin'), await tenant.staff('admin')]
    const [key, theirs] = [await agree(mine), await agree(other)]
    const reasonOf = async (with_: SessionKey, token: string) => {
      const { status, json } = await call(with_, { token })
      return [status, json.reason ?? 'done']
    }
    expect(await reasonOf(theirs, mine.token)).toEqual([400, 'kernel/crypto-key'])
    await call(theirs, { method: 'POST', path: submitPath, token: mine.token, body: {} })
    await one.app.modules.log.flush()
    expect(
      await tenant.rows(sql`select reason from api_log where user_id = ${mine.userId} and path = '/blade-system/param/submit'`),
      'the log of calls says why',
    ).toEqual([{ reason: 'kernel/crypto-key' }])
    expect(await reasonOf({ ...key, handle: newToken() }, mine.token)).toEqual([400, 'kernel/crypto-key'])
    expect(await reasonOf({ ...key, key: theirs.key }, mine.token)).toEqual([400, 'kernel/crypto-call'])
    const guest = await tenant.guest()
    expect(await reasonOf(key, guest.token)).toEqual([400, 'kernel/crypto-key'])
    expect(await reasonOf(key, newToken())).toEqual([401, 'kernel/bad-token'])
    const open = await call(key, { path: '/api/blade-auth/oauth/doors', token: '' }, { change: () => ({ headers: {} }) })
    expect([open.status, open.json.reason]).toEqual([400, 'kernel/crypto-key'])
    const next = await agree(mine)
    expect(await reasonOf(key, mine.token)).toEqual([400, 'kernel/crypto-key'])
    expect(await reasonOf(next, mine.token)).toEqual([200, 'done'])
    await mine.get('/blade-auth/oauth/logout')
    expect(await reasonOf(next, mine.token)).toEqual([400, 'kernel/crypto-key'])
  })

  test('a key must be sealed, 64 hex digits, and its seal is good once', async () => {
    const send = async (sealed: string) => (await admin.post('/blade-auth/oauth/crypto-key', { json: { key: sealed } })).body.reason
    const sealed = sealFor(one, 'ab'.repeat(32))
    expect([
      await send('ab'.repeat(32)),
      await send(sealFor(one, 'AB'.repeat(32))),
      await send(sealFor(one, 'ab')),
      await send(sealed),
      await send(sealed),
    ]).toEqual(['auth/bad-cipher', 'kernel/crypto-key', 'kernel/crypto-key', undefined, 'auth/bad-cipher'])
  })

  test('an encrypted token or a text without the header is no call, a body beyond the limit is too large', async () => {
    const key = await agree(admin)
    const without = await call(key, { token: admin.token }, { change: ({ headers }) => ({ headers: { ...headers, 'blade-crypto': '' } }) })
    expect([without.status, without.json.reason]).toEqual([400, 'kernel/crypto-key'])
    const text = await one.app.server.inject({
      method: 'POST',
      url: submitPath,
      headers: { 'blade-auth': `bearer ${admin.token}`, 'content-type': 'text/plain' },
      payload: '{}',
    })
    expect([text.statusCode, text.json().reason]).toEqual([415, 'kernel/media-type'])
    const large = await call(key, { method: 'POST', path: submitPath, token: admin.token, body: { paramName: 'x'.repeat(900_000) } })
    expect([large.status, large.json.reason]).toEqual([413, 'kernel/too-large'])
  })

  test('an answer that was changed, or that belongs to another call, is not taken', async () => {
    const key = await agree(admin)
    const answer = await call(key, { token: admin.token, query: { paramKey: 'account.failCount' } })
    const { text, sign, sealed } = answer
    expect(() => sealed.open(500, text, sign)).toThrow('changed')
    expect(() => sealed.open(200, `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`, sign)).toThrow('changed')
    expect(() => sealed.open(200, text, null)).toThrow('changed')
    const other = await call(key, { token: admin.token })
    expect(() => other.sealed.open(200, text, sign)).toThrow('changed')
    expect(other.text).not.toBe((await call(key, { token: admin.token })).text)
  })

  test('a large answer is compressed and opens all the same', async () => {
    const key = await agree(admin)
    const found = await call(
      key,
      { token: admin.token, query: { size: 200 } },
      { change: () => ({ headers: { 'accept-encoding': 'gzip' } }) },
    )
    expect([found.isSealed, found.encoding, found.text.length > 4_096, found.json.data.total > 10]).toEqual([true, 'gzip', true, true])
  })

  test('an answer that is kept is encrypted for its reader, whatever compression is taken', async () => {
    const key = await agree(admin)
    const path = '/api/blade-system/menu/routes'
    for (const accepts of ['gzip, deflate, br, zstd', 'identity']) {
      const found = await call(key, { token: admin.token, path }, { change: () => ({ headers: { 'accept-encoding': accepts } }) })
      expect([found.status, found.isSealed, found.json.data.length > 0]).toEqual([200, true, true])
    }
  })
})
