import { beforeEach, describe, expect, it, vi } from 'vitest'
import { workText, zeroBits } from '#contract/auth/work.ts'
import { firstBlock, sha256Block } from './sha256-block.ts'

interface Sent {
  readonly url: string
  readonly method: string
  readonly headers: Record<string, string>
  readonly body: unknown
}

const stored = new Map<string, string>()
let cookies: Record<string, string> = {}
let sent: Sent[] = []
let replies: ((call: Sent) => Response | Promise<Response>)[] = []
let went: string[] = []

vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
})
vi.stubGlobal('document', {
  documentElement: { lang: '', dataset: {} },
  get cookie() {
    return Object.entries(cookies)
      .map(([name, value]) => `${name}=${value}`)
      .join('; ')
  },
  set cookie(text: string) {
    const [pair = '', ...rest] = text.split('; ')
    const [name = '', value = ''] = pair.split('=')
    if (rest.includes('max-age=0')) delete cookies[name]
    else cookies[name] = value
  },
})
vi.stubGlobal('location', {
  protocol: 'http:',
  origin: 'http://x',
  pathname: '/system/param',
  search: '?size=30',
  assign: (to: string) => went.push(to),
})
vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
  const call: Sent = { url, method: init.method ?? '', headers: init.headers as Record<string, string>, body: init.body }
  sent.push(call)
  const reply = replies.length > 1 ? replies.shift() : replies[0]
  if (reply === undefined) throw new TypeError('no reply')
  return reply(call)
})

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } })
const ok = (data: unknown) => json(200, { code: 200, success: true, data, msg: '操作成功' })
const unauthorised = () => json(401, { code: 401, success: false, msg: '请求未授权' })
const tokenAnswer = {
  access_token: 'new',
  user_id: '9',
  account: 'admin',
  tenant_id: '000000',
  role_name: 'admin',
  detail: { userType: 1 },
}

const fresh = async () => {
  vi.resetModules()
  const session = await import('./session.ts')
  const { api, failureOf } = await import('./api.ts')
  const { fileNameOf } = await import('./download.ts')
  const { messageStore } = await import('./notify.ts')
  const texts = () => messageStore.getState().messages.map(message => message.text)
  const { logIn } = await import('./session-acts.ts')
  return { api, session, logIn, failureOf, fileNameOf, texts, now: await import('./clock.ts') }
}
const withToken = async () => {
  const kernel = await fresh()
  kernel.logIn({ ...tokenAnswer, access_token: 'old' })
  return kernel
}
const get = (path: string) => ({ method: 'GET', path }) as const

beforeEach(() => {
  stored.clear()
  cookies = {}
  sent = []
  replies = []
  went = []
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

describe('api', () => {
  it('[S7.01] sends the token, the client, the tenant and the language, and unwraps the envelope', async () => {
    const { api } = await withToken()
    replies = [() => ok([1])]
    expect(await api.request({ ...get('/blade-system/param/list'), query: { current: 1, paramName: '', x: null } })).toEqual([1])
    expect(sent[0]?.url).toBe('/api/blade-system/param/list?current=1')
    expect(sent[0]?.headers).toEqual({
      Authorization: `Basic ${btoa('kaopu-web:kaopu-web')}`,
      'Blade-Requested-With': 'BladeHttpRequest',
      'Accept-Language': 'zh-CN',
      'Blade-Auth': 'bearer old',
      'Tenant-Id': '000000',
      'X-Request-Id': expect.stringMatching(/^[0-9a-f-]{32,36}$/),
    })
  })
  it('sends an idempotency key with every POST, a new one per call and the same for its repeat', async () => {
    const { api } = await withToken()
    replies = [unauthorised, () => json(200, tokenAnswer), () => ok(null), () => ok(null)]
    await api.request({ method: 'POST', path: '/blade-system/param/submit', body: { a: 1 } })
    await api.request({ method: 'POST', path: '/blade-system/param/submit', body: { a: 1 } })
    const keys = sent.filter(call => call.url.endsWith('/submit')).map(call => call.headers['Idempotency-Key'])
    expect(keys[0]).toMatch(/^[0-9a-f-]{32,36}$/)
    expect(keys[1]).toBe(keys[0])
    expect(keys[2]).not.toBe(keys[0])
  })
  it('[S8.02][S9.07] renews the token once for all calls that failed together, and repeats each once', async () => {
    const { api, session } = await withToken()
    replies = [
      call =>
        call.url.includes('oauth/token')
          ? json(200, tokenAnswer)
          : call.headers['Blade-Auth'] === 'bearer new'
            ? ok(call.url)
            : unauthorised(),
    ]
    const both = await Promise.all([api.request(get('/a')), api.request(get('/b'))])
    expect(both).toEqual(['/api/a', '/api/b'])
    expect(sent.filter(call => call.url.includes('grant_type=refresh_token'))).toHaveLength(1)
    expect(sent).toHaveLength(5)
    expect(session.useSession.getState().token).toBe('new')
    expect(cookies['kaopu-access-token']).toBe('new')
  })
  it('[S8.03] gives up after the second 401: one message, nothing kept, /login', async () => {
    const { api, session, texts } = await withToken()
    replies = [call => (call.url.includes('oauth/token') ? json(200, tokenAnswer) : unauthorised())]
    const both = await Promise.allSettled([api.request(get('/a')), api.request(get('/b'))])
    expect(both.map(result => result.status)).toEqual(['rejected', 'rejected'])
    expect(texts()).toEqual(['用户令牌过期，请重新登录'])
    expect(session.useSession.getState()).toEqual({ user: null, token: null, tokenAtMs: 0, locked: false, lockedAt: null, lockedBy: null })
    expect([cookies, stored.get('kaopu-session')]).toEqual([{}, undefined])
    vi.runAllTimers()
    expect(went).toEqual([`/login?redirect=${encodeURIComponent('/system/param?size=30')}`])
  })
  it('[S8.03] gives up when the renewal fails', async () => {
    const { api, texts } = await withToken()
    replies = [call => (call.url.includes('oauth/token') ? json(400, { error_code: 2916, error_description: 'x' }) : unauthorised())]
    await expect(api.request(get('/a'))).rejects.toMatchObject({ code: 401 })
    expect(texts()).toEqual(['用户令牌过期，请重新登录'])
  })
  it('[S8.01][S3.21] shows error_description of a refused login once and keeps no session', async () => {
    const { api, session, texts } = await fresh()
    replies = [
      () =>
        json(400, { error: 'invalid_grant', error_code: 2914, error_description: '账号或密码错误', code: 2914, success: false, msg: 'm' }),
    ]
    const login = () => api.request({ method: 'POST', path: '/blade-auth/oauth/token', answer: 'bare', body: new URLSearchParams() })
    await expect(login()).rejects.toMatchObject({ code: 2914, message: '账号或密码错误' })
    await expect(login()).rejects.toMatchObject({ code: 2914 })
    expect(texts()).toEqual(['账号或密码错误'])
    expect([sent.length, session.useSession.getState().token]).toEqual([2, null])
  })
  it('[S8.04][S8.05] shows a text once within two seconds, and 系统错误 where there is none', async () => {
    const { api, texts } = await withToken()
    replies = [() => json(409, { code: 2103, success: false, msg: '您已报名本次考试', reason: 'signup/already' })]
    await Promise.allSettled([api.request(get('/a')), api.request(get('/b'))])
    expect(texts()).toEqual(['您已报名本次考试'])
    vi.setSystemTime(Date.now() + 2_001)
    await expect(api.request(get('/a'))).rejects.toMatchObject({ code: 2103, status: 409, reason: 'signup/already' })
    expect(texts()).toHaveLength(2)
    replies = [() => new Response('<html>', { status: 500 })]
    await expect(api.request(get('/c'))).rejects.toMatchObject({ code: 500, message: '系统错误' })
  })
  it.each(['/system/param', '/signup/myExam'])(
    '[S8.14] one handling of errors for console and portal: at %s the same text for the same answer, 401 renews first, nothing else does',
    async pathname => {
      const place = location
      vi.stubGlobal('location', { ...place, pathname, search: '' })
      const { api, session, texts } = await withToken()
      replies = [unauthorised, () => json(200, tokenAnswer), () => ok('again')]
      expect(await api.request(get('/a'))).toBe('again')
      expect([texts(), session.useSession.getState().token, went]).toEqual([[], 'new', []])
      const asked = sent.length
      const seen: (readonly [number, string, string | undefined])[] = []
      for (const [status, body] of [
        [403, { code: 403, success: false, msg: '没有权限' }],
        [404, { code: 404, success: false, msg: '不存在' }],
        [409, { code: 2002, success: false, msg: '数据已被他人修改' }],
        [200, { code: 2502, success: false, msg: '模板表头不符' }],
        [429, { code: 429, success: false, msg: '请稍后再试' }],
        [500, undefined],
      ] as const) {
        vi.setSystemTime(Date.now() + 2_001)
        replies = [() => (body ? json(status, body) : new Response('<html>', { status }))]
        await api
          .request(get('/b'))
          .catch((error: { code: number; message: string }) => seen.push([error.code, error.message, texts().at(-1)]))
      }
      // The text is thrown to the caller and shown to the person.
      expect(seen).toEqual([
        [403, '没有权限', '没有权限'],
        [404, '不存在', '不存在'],
        [2002, '数据已被他人修改', '数据已被他人修改'],
        [2502, '模板表头不符', '模板表头不符'],
        [429, '请稍后再试', '请稍后再试'],
        [500, '系统错误', expect.stringMatching(/^系统错误（请求编号 [0-9a-f-]{32,36}）$/)],
      ])
      // Each was asked once, nobody was logged out or led elsewhere.
      expect([sent.length - asked, session.useSession.getState().token, went]).toEqual([seen.length, 'new', []])
      vi.stubGlobal('location', place)
    },
  )
  it('leaves field problems to the form that asked for them', async () => {
    const { api, texts } = await withToken()
    replies = [
      () =>
        json(400, { code: 400, success: false, msg: '请输入参数名称', data: { fields: [{ field: 'paramName', msg: '请输入参数名称' }] } }),
    ]
    await expect(api.request({ ...get('/a'), quiet: 'fields' })).rejects.toMatchObject({
      fields: [{ field: 'paramName', msg: '请输入参数名称' }],
    })
    expect(texts()).toEqual([])
    await expect(api.request(get('/a'))).rejects.toThrow()
    expect(texts()).toEqual(['请输入参数名称'])
  })
  it('does the work that a busy network is given, and repeats the call with it: nobody is told anything', async () => {
    const { api, texts } = await fresh()
    vi.useRealTimers()
    const busy = { code: 429, success: false, msg: 'busy', reason: 'auth/address-busy', data: { work: { key: 'k'.repeat(43), bits: 8 } } }
    replies = [() => json(429, busy), () => ok({ id: '1' })]
    expect(await api.request({ method: 'POST', path: '/blade-auth/oauth/sms/send-validate', body: {} })).toEqual({ id: '1' })
    const [key, answer = ''] = (sent[1]?.headers['Kaopu-Work'] ?? '').split('.')
    const hash = sha256Block(firstBlock(workText('k'.repeat(43), answer)))
    expect([key, zeroBits(hash) >= 8, sent[1]?.headers['Idempotency-Key'], texts()]).toEqual([
      'k'.repeat(43),
      true,
      sent[0]?.headers['Idempotency-Key'],
      [],
    ])
    // Work that did not help is not repeated without end.
    replies = [() => json(429, busy)]
    await expect(api.request(get('/a'))).rejects.toMatchObject({ status: 429, reason: 'auth/address-busy' })
    expect([sent.length, texts()]).toEqual([4, ['busy']])
  })
  it('[S9.01] gives up after 60 seconds', async () => {
    const { api, texts } = await withToken()
    vi.stubGlobal('fetch', (_url: string, init: RequestInit) => {
      const { signal } = init
      return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new DOMException('x', 'AbortError'))))
    })
    const call = expect(api.request(get('/slow'))).rejects.toMatchObject({ status: 0, message: '请求超时，请稍后重试' })
    await vi.advanceTimersByTimeAsync(59_999)
    expect(texts()).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    await call
    vi.stubGlobal('fetch', realDouble)
  })
  it('takes a file with its name, and an error where a file was asked for', async () => {
    const { api, fileNameOf } = await withToken()
    replies = [
      () =>
        new Response('PK', {
          status: 200,
          headers: { 'Content-Type': 'application/vnd.ms-excel', 'Content-Disposition': "attachment; filename*=UTF-8''%E5%B2%97.xlsx" },
        }),
    ]
    expect(await api.blob(get('/x'))).toMatchObject({ kind: 'file', fileName: '岗.xlsx' })
    replies = [() => json(200, { code: 2502, success: false, msg: '模板表头不符' })]
    await expect(api.blob(get('/x'))).rejects.toMatchObject({ code: 2502, message: '模板表头不符' })
    replies = [() => ok({ jobId: '1' })]
    expect(await api.blob(get('/x'))).toEqual({ kind: 'data', data: { jobId: '1' } })
    expect(fileNameOf('attachment;filename="a b.xlsx"')).toBe('a b.xlsx')
  })
  it('[S8.08] passes codes of the white list on without a word', async () => {
    const { api, texts } = await withToken()
    const { silentCodes } = await import('./settings.ts')
    const [silent] = silentCodes
    replies = [() => json(200, { code: silent, success: false, msg: 'nobody reads this' })]
    await expect(api.request(get('/a'))).rejects.toMatchObject({ code: silent, message: 'nobody reads this' })
    expect(texts()).toEqual([])
  })
  it('locks the page when the server says the session is locked', async () => {
    const { api, session, texts } = await withToken()
    replies = [() => json(423, { code: 423, success: false, msg: 'locked' })]
    await expect(api.request(get('/a'))).rejects.toMatchObject({ code: 423 })
    expect(session.useSession.getState()).toMatchObject({ locked: true, lockedAt: '/system/param?size=30', lockedBy: 'server' })
    expect(texts()).toEqual([])
  })
  it('asks a body function anew for each try, so that no ciphertext is sent twice', async () => {
    const { api } = await withToken()
    let made = 0
    replies = [unauthorised, () => json(200, tokenAnswer), () => ok(null)]
    await api.request({ method: 'POST', path: '/x', body: async () => ({ password: `c${++made}` }) })
    expect(sent.filter(call => call.url === '/api/x').map(call => call.body)).toEqual(['{"password":"c1"}', '{"password":"c2"}'])
  })
  it('learns the time of the server', async () => {
    const { api, now } = await withToken()
    vi.setSystemTime(1_000_000)
    replies = [() => json(200, { code: 200, data: null }, { 'X-Server-Time': '1090000' })]
    await api.request(get('/a'))
    expect(now.serverNow()).toBe(1_090_000)
  })
})

describe('session', () => {
  it('[S4.03][S4.04] keeps who logged in, forgets what the former person left, and forgets all at the end', async () => {
    const { session, logIn } = await fresh()
    let forgotten = 0
    session.onForget(() => {
      forgotten += 1
    })
    logIn({ ...tokenAnswer, nick_name: '王敏', role_name: 'exam_admin,finance', detail: { userType: '2', userCode: 'K1' } })
    expect(session.useSession.getState().user).toMatchObject({
      nickName: '王敏',
      roles: ['exam_admin', 'finance'],
      userType: 2,
      userCode: 'K1',
    })
    expect([forgotten, session.tenantId()]).toEqual([1, '000000'])
    expect(stored.get('kaopu-session')).not.toContain('new')
    session.forgetSession()
    expect([forgotten, session.useSession.getState().user, cookies]).toEqual([2, null, {}])
  })
  it('[S9.02][S4.05] takes a token for old after 3000 seconds', async () => {
    vi.resetModules()
    const { isTokenOld } = await import('./start.ts')
    expect([isTokenOld(0, 2_999_999), isTokenOld(0, 3_000_000)]).toEqual([false, true])
  })
})

const realDouble = globalThis.fetch
