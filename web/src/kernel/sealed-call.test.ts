import { beforeEach, describe, expect, test, vi } from 'vitest'
import { answerProof, callProof, sealedForm, sealedKey } from '#contract/kernel/sealed-call.ts'
import { sealed } from './sealed.ts'

const stored = new Map<string, string>()
vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
})
vi.stubGlobal('document', { documentElement: { lang: '', dataset: {} }, cookie: '' })
vi.stubGlobal('location', { protocol: 'http:', origin: 'http://x', pathname: '/', search: '', assign: () => {} })
// The seal of SM2 is proven elsewhere; here it leaves the key readable for the server that this test plays.
vi.mock('./cipher.ts', () => ({ encrypt: async (plain: string) => `sm2:${plain}` }))

interface Sent {
  readonly url: URL
  readonly method: string
  readonly headers: Record<string, string>
  readonly body: string
}
let sent: Sent[] = []
let agreements = 0
/** Keys that the server has, by the name it gave them. */
let keys = new Map<string, string>()
let answerWith: (of: { readonly query: unknown; readonly body: unknown; readonly token: string }) => object = () => ({})
let spoil = (text: string): string => text

const { hmac } = await import('./sealed-text.ts')
const { aesDecrypt, aesEncrypt } = await import('./legacy-cipher.ts')
const reply = (status: number, body: object) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } })

const serve = (call: Sent): Response => {
  if (call.url.pathname.endsWith('/crypto-key')) {
    agreements += 1
    const handle = `handle-${agreements}`.padEnd(43, '_')
    keys.set(handle, JSON.parse(call.body).key.slice('sm2:'.length))
    return reply(200, { code: 200, success: true, msg: '', data: { handle } })
  }
  const [, handle = '', number = '', proof = ''] = sealedForm.exec(call.headers['Blade-Crypto'] ?? '') ?? []
  const key = keys.get(handle)
  if (key === undefined) return reply(400, { code: 400, success: false, msg: '密钥无效', reason: 'kernel/crypto-key' })
  const token = call.headers['Blade-Auth'] ?? ''
  const data = call.url.searchParams.get('data') ?? ''
  const idempotencyKey = call.headers['Idempotency-Key'] ?? ''
  const wire = { method: call.method, path: call.url.pathname, number, token, data, body: call.body, idempotencyKey }
  expect(proof).toBe(callProof(hmac, key, wire))
  const own = sealedKey(hmac, key, 'call', number)
  const open = (text: string): unknown => (text === '' ? undefined : JSON.parse(aesDecrypt(text, own)))
  const said = { query: open(data), body: open(call.body), token: aesDecrypt(token.slice('crypto '.length), own) }
  const answer = JSON.stringify({ code: 200, success: true, msg: '', data: answerWith(said) })
  const text = aesEncrypt(answer, sealedKey(hmac, key, 'answer', number))
  return new Response(spoil(text), {
    status: 200,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Blade-Crypto-Sign': answerProof(hmac, key, { number, status: 200, text }) },
  })
}
vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
  const body = init.body instanceof Blob ? await init.body.text() : String(init.body ?? '')
  const call: Sent = { url: new URL(url, 'http://x'), method: init.method ?? '', headers: init.headers as Record<string, string>, body }
  sent.push(call)
  return serve(call)
})

const fresh = async () => {
  vi.resetModules()
  const { useSession } = await import('./session.ts')
  useSession.setState({ token: 'the-token', tokenAtMs: Date.now() })
  return (await import('./api.ts')).api
}
const list = (api: Awaited<ReturnType<typeof fresh>>, query: object = {}) =>
  api.request({ method: 'GET', path: '/blade-system/param/list', query, through: sealed, quiet: true })
beforeEach(() => {
  sent = []
  agreements = 0
  keys = new Map()
  answerWith = () => ({})
  spoil = text => text
})

describe('[S9.19] a call that is sent encrypted', () => {
  test('agrees on a key first, hides parameters, body, token and answer, and keeps the key for the next one', async () => {
    const api = await fresh()
    const said: unknown[] = []
    answerWith = of => {
      said.push(of)
      return { secret: '回答' }
    }
    expect(await list(api, { paramKey: '参数' })).toEqual({ secret: '回答' })
    await api.request({ method: 'POST', path: '/blade-system/param/submit', body: { paramName: '内容' }, through: sealed })
    expect(said).toEqual([
      { query: { paramKey: '参数' }, body: undefined, token: 'the-token' },
      { query: undefined, body: { paramName: '内容' }, token: 'the-token' },
    ])
    expect(agreements).toBe(1)
    const [, first, second] = sent
    expect(JSON.stringify([first, second].map(one => [one?.url.href, one?.headers, one?.body]))).not.toMatch(/参数|内容|the-token|%E5/)
    expect(first?.headers['Blade-Crypto']).not.toBe(second?.headers['Blade-Crypto'])
  })

  test('agrees on another key when the server has forgotten it, once, and then says what the server says', async () => {
    const api = await fresh()
    await list(api)
    keys.clear()
    await list(api)
    expect(agreements).toBe(2)
    keys = new Map()
    vi.spyOn(keys, 'get').mockReturnValue(undefined)
    await expect(list(api)).rejects.toMatchObject({
      reason: 'kernel/crypto-key',
    })
    expect(agreements).toBe(3)
  })

  test('takes no answer that was changed, and sends no file', async () => {
    const api = await fresh()
    spoil = text => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`
    await expect(list(api)).rejects.toMatchObject({
      status: 0,
    })
    await expect(api.request({ method: 'POST', path: '/x', body: new FormData(), through: sealed, quiet: true })).rejects.toThrow(TypeError)
  })
})
