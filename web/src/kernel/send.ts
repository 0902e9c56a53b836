import { askNow, type EarlyAnswer, forgetAhead, takeAhead } from './ahead.ts'
import { ApiError } from './api-error.ts'
import { learnServerTime } from './clock.ts'
import { currentLang, translate } from './i18n/index.ts'
import type { Answer, Query, Request, Send } from './request.ts'
import { tenantId, useSession } from './session.ts'
import * as settings from './settings.ts'

/** 128 random bits; `crypto.randomUUID` is missing where a page is not served by https. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')

/** Headers that every call carries (S7.01, S9.07); uploads by XHR use them too. */
export const commonHeaders = (): Record<string, string> => {
  const { token } = useSession.getState()
  const tenant = tenantId()
  return {
    Authorization: `Basic ${btoa(`${settings.client.id}:${settings.client.secret}`)}`,
    'Blade-Requested-With': 'BladeHttpRequest',
    'Accept-Language': currentLang() === 'zh' ? 'zh-CN' : 'en',
    ...(token === null ? {} : { 'Blade-Auth': `bearer ${token}` }),
    ...(tenant === null ? {} : { 'Tenant-Id': tenant }),
  }
}

export const urlOf = (path: string, query?: Query): string => {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined && value !== null && value !== '') params.set(name, String(value))
  const text = params.toString()
  return `${settings.apiBase}${path}${text === '' ? '' : `?${text}`}`
}

const bodyOf = async (request: Request): Promise<BodyInit | null> => {
  const body = typeof request.body === 'function' ? await (request.body as () => unknown)() : request.body
  if (body === undefined || body === null) return null
  if (body instanceof FormData || body instanceof URLSearchParams || body instanceof Blob) return body
  return JSON.stringify(body)
}

interface Ask extends RequestInit {
  readonly signal: AbortSignal
  readonly headers: Readonly<Record<string, string>>
}

/** Once the server has answered from its memory, having no database, each answer is looked at: a fresh one ends it. */
let isMoved = false
/** For the rare answers; each import by itself costs the first load a hundred bytes. */
export const whenAway = () => import('./again.ts')

/** By the network, but for what was asked for ahead. */
const fetchOnce = async (url: string, ask: Ask, requestId: string): Promise<EarlyAnswer> => {
  if (ask.method !== 'GET') forgetAhead()
  else if (!ask.signal.aborted) {
    const aborted = new Promise<never>((_, reject) => ask.signal.addEventListener('abort', () => reject(ask.signal.reason)))
    const early = await Promise.race([takeAhead(url, ask.headers), aborted])
    if (early !== null) return early
  }
  return askNow(url, { ...ask, headers: { ...ask.headers, 'X-Request-Id': requestId } })
}

/** One call by the network, without the rules of `settle`. */
export const send: Send = async (request, key) => {
  const body = await bodyOf(request)
  const requestId = newKey()
  const timer = new AbortController()
  const timeout = setTimeout(() => timer.abort('timeout'), request.timeoutMs ?? settings.requestTimeoutMs)
  const stop = () => timer.abort('caller')
  request.signal?.addEventListener('abort', stop)
  if (request.signal?.aborted) stop()
  try {
    const { response, sentAtMs, cameAtMs } = await fetchOnce(
      urlOf(request.path, request.query),
      {
        method: request.method,
        credentials: 'include',
        signal: timer.signal,
        headers: {
          ...commonHeaders(),
          ...(typeof body === 'string' ? { 'Content-Type': 'application/json' } : {}),
          ...(key === null ? {} : { 'Idempotency-Key': key }),
          ...request.headers,
        },
        ...(body === null ? {} : { body }),
      },
      requestId,
    )
    learnServerTime(response.headers.get('X-Server-Time'), sentAtMs, cameAtMs)
    if (isMoved || response.headers.has('X-Answered-At')) {
      isMoved = true
      void whenAway().then(away => away.noteAnswer(response))
    }
    return {
      status: response.status,
      type: response.headers.get('Content-Type') ?? '',
      disposition: response.headers.get('Content-Disposition'),
      sign: response.headers.get('Blade-Crypto-Sign'),
      requestId: response.headers.get('X-Request-Id') ?? requestId,
      body: await response.blob(),
    }
  } catch (cause) {
    // A caller that goes away wants no message: it gets the usual AbortError.
    if (request.signal?.aborted) throw new DOMException('aborted', 'AbortError')
    const message = translate(timer.signal.aborted ? 'error.timeout' : 'error.network')
    throw new ApiError({ code: 0, status: 0, message, cause })
  } finally {
    clearTimeout(timeout)
    request.signal?.removeEventListener('abort', stop)
  }
}

/** The body as JSON when it is JSON: an export that failed answers JSON where a file was asked for (framework-contract 1.10). */
export const jsonOf = async (answer: Answer): Promise<Record<string, unknown> | null> => {
  if (!/\bjson\b/i.test(answer.type)) return null
  try {
    const parsed: unknown = JSON.parse(await answer.body.text())
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : null
  } catch {
    return null
  }
}
