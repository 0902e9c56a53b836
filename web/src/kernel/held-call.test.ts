import { beforeEach, expect, it, vi } from 'vitest'

interface Sent {
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: unknown
}
let sent: Sent[] = []
let replies: Response[] = []
/** What the person does at the window that says why a call waits. */
const held: string[] = []
let isPatient = true

vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} })
vi.stubGlobal('document', { documentElement: { lang: '', dataset: {} }, cookie: '' })
vi.stubGlobal('location', { protocol: 'http:', origin: 'http://x', pathname: '/', search: '' })
vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
  sent.push({ url, headers: init.headers as Record<string, string>, body: init.body })
  const reply = replies.shift()
  if (reply === undefined) throw new TypeError('no reply')
  return reply
})
vi.mock('./hold.ts', () => ({
  hold: async (error: { readonly reason: string }) => {
    held.push(error.reason)
    return isPatient
  },
}))

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } })
const ok = (headers?: Record<string, string>) => json(200, { code: 200, success: true, data: 'done', msg: '' }, headers)
const refused = (reason: string, code: number) => json(503, { code, success: false, data: null, msg: 'in a moment', reason })

beforeEach(() => {
  sent = []
  held.length = 0
  isPatient = true
})

it('what changes something and found no database is sent again by itself, as it was and under the same key', async () => {
  const { api } = await import('./api.ts')
  replies = [refused('kernel/no-database', 2010), refused('kernel/no-database', 2010), ok()]
  expect(await api.request({ method: 'POST', path: '/a', body: { typed: '王' }, quiet: true })).toBe('done')
  expect(held).toEqual(['kernel/no-database', 'kernel/no-database'])
  expect(sent.map(({ body }) => body)).toEqual(Array.from({ length: 3 }, () => '{"typed":"王"}'))
  expect(new Set(sent.map(({ headers }) => headers['Idempotency-Key'])).size).toBe(1)
})

it('a call whose turn has not come waits and is made when it has, reading calls too; who does not want to wait is told why', async () => {
  const { api } = await import('./api.ts')
  replies = [refused('kernel/waiting-room', 2012), ok()]
  expect(await api.request({ method: 'GET', path: '/captcha', quiet: true })).toBe('done')
  isPatient = false
  replies = [refused('kernel/waiting-room', 2012)]
  await expect(api.request({ method: 'GET', path: '/captcha', quiet: true })).rejects.toMatchObject({ reason: 'kernel/waiting-room' })
  expect(held).toEqual(['kernel/waiting-room', 'kernel/waiting-room'])
})

it('what is only read is not held up without a database: copies of this device are shown, as without a network', async () => {
  const { api } = await import('./api.ts')
  replies = [refused('kernel/no-database', 2010)]
  await expect(api.request({ method: 'GET', path: '/mine', quiet: true })).rejects.toMatchObject({ isOffline: true })
  expect(held).toEqual([])
})

it('answers from the memory of the server are known by their header, the oldest counts, and the next fresh one ends it', async () => {
  const { api } = await import('./api.ts')
  const { movedStore } = await import('./moved.ts')
  const ask = () => api.request({ method: 'GET', path: '/news', quiet: true })
  // What the server's memory answers is noted beside the answer, not before it.
  const steps: readonly (readonly [Record<string, string>, number | null])[] = [
    [{}, null],
    [{ 'X-Answered-At': '2000' }, 2000],
    [{ 'X-Answered-At': '1000' }, 1000],
    [{ 'X-Answered-At': '3000' }, 1000],
    [{}, null],
  ]
  for (const [headers, atMs] of steps) {
    replies = [ok(headers)]
    await ask()
    await expect.poll(() => movedStore.getState().atMs).toBe(atMs)
  }
})
