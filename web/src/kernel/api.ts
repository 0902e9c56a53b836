import type { Api } from '#contract/registry.ts'
import { ApiError } from './api-error.ts'
import { translate } from './i18n/index.ts'
import { notify } from './notify.ts'
import type { CallOptions, Downloaded, FileRequest, Query, Request, Settle } from './request.ts'
import { jsonOf, newKey, send, whenAway } from './send.ts'
import { lock, useSession } from './session.ts'
import * as settings from './settings.ts'

export type ApiRoute = keyof Api & string
export type ApiInput<R extends ApiRoute> = Api[R] extends { input: infer I } ? I : never
export type ApiOutput<R extends ApiRoute> = Api[R] extends { output: infer O } ? O : never

type Input<I> = I | (() => I | Promise<I>)
type CallArgs<I> = Record<never, never> extends I ? [input?: Input<I>, options?: CallOptions] : [input: Input<I>, options?: CallOptions]

const silent = new Set(settings.silentCodes)
const files = () => import('./download.ts')

/** The number of an answer, read in the order of framework-contract 1.3. */
export const codeOf = (status: number, json: Readonly<Record<string, unknown>> | null): number => {
  if (status === 401 || status === 423) return status
  const code = Number(json?.error_code ?? json?.code ?? status)
  return Number.isFinite(code) ? code : status
}

/** What no refusal explains is looked up by its id. */
const isDefect = (status: number, reason: unknown): boolean => status >= 500 && (reason === undefined || reason === 'kernel/defect')

export const failureOf = (status: number, json: Readonly<Record<string, unknown>> | null, requestId?: string): ApiError => {
  const text = json?.error_description || json?.msg
  return new ApiError({
    code: codeOf(status, json),
    status,
    message: typeof text === 'string' && text !== '' ? text : translate('error.system'),
    reason: typeof json?.reason === 'string' ? json.reason : undefined,
    data: json?.data,
    requestId: isDefect(status, json?.reason) ? requestId : undefined,
  })
}

/** S8.04, S8.05 and S8.08: one text per failure, none for the white list or where the caller speaks itself. */
export const report = (error: ApiError, quiet: CallOptions['quiet']): void => {
  if (quiet === true || silent.has(error.code)) return
  if (quiet === 'fields' && error.fields.length > 0) return
  notify(
    'error',
    error.requestId === undefined ? error.message : translate('error.withId', { message: error.message, id: error.requestId }),
  )
}

/** A token lasts most visits out, so what renews a session or ends it is not part of the first load. */
const renewal = () =>
  import('./renewal.ts').catch(cause => {
    throw new ApiError({ code: 0, status: 0, message: translate('error.network'), cause })
  })

/** @returns whether there is a new token; one renewal at a time for all tabs (S8.02) */
export const refreshToken = async (): Promise<boolean> => (await renewal()).refreshToken()

/** Sends with the repeat of S8.02. Exported for uploads, which bring their own `once`. */
export const withRefresh = async <T extends { readonly status: number }>(once: () => Promise<T>): Promise<T> => {
  const used = useSession.getState().token
  const first = await once()
  if (first.status !== 401) return first
  // Without a session nothing has expired: the caller decides, as after a log-out while calls were on the way.
  if (used === null && useSession.getState().token === null) return first
  if (useSession.getState().token !== used || (await refreshToken())) {
    const second = await once()
    if (second.status !== 401) return second
  }
  throw (await renewal()).expire()
}

/** 423: the session is locked on the server too (decision 3.9); the page stays as it is behind /lock. */
export const noteLock = (status: number): void => {
  if (status === 423 && !useSession.getState().locked) lock('server')
}

/** Sends with all the client's rules; answers what came and its JSON. For `api` and `download.ts`. */
const settle: Settle = async request => {
  const isToken = request.path === '/blade-auth/oauth/token'
  // A log-in is never repeated by its key: its ciphertext is good once.
  const key = isToken ? null : (request.idempotencyKey ?? (request.method === 'POST' ? newKey() : null))
  try {
    const once = () => (request.through ? request.through(request, key, send) : send(request, key))
    for (;;) {
      const answer = isToken ? await once() : await withRefresh(once)
      noteLock(answer.status)
      const json = await jsonOf(answer)
      const ok = answer.status === 200 && (request.answer === 'bare' || json === null || codeOf(200, json) === 200)
      if (ok && (json !== null || request.answer === 'blob')) return { answer, json }
      const failure = failureOf(answer.status, json, answer.requestId)
      const again = answer.status === 429 || answer.status === 503 ? await (await whenAway()).again(failure, json, request, key) : null
      if (again === null) throw failure
      if (again !== request) return await settle(again)
    }
  } catch (error) {
    if (error instanceof ApiError && error.status !== 401) report(error, request.quiet)
    throw error
  }
}

const request = async <T = unknown>(of: Request): Promise<T> => {
  const { json } = await settle(of)
  return (of.answer === 'bare' ? json : json?.data) as T
}

const toRequest = (route: string, input: unknown, options: CallOptions | undefined): Request => {
  const [method, path] = route.split(' ') as ['GET' | 'POST', string]
  const place = options?.as ?? (method === 'GET' || path.endsWith('/remove') ? 'query' : 'json')
  if (place === 'query') return { ...options, method, path, query: input as Query }
  const form = () => new URLSearchParams(Object.entries((input ?? {}) as Record<string, unknown>).map(([k, v]) => [k, String(v ?? '')]))
  return { ...options, method, path, body: place === 'form' ? form() : (input ?? {}) }
}

const call = async <R extends ApiRoute>(route: R, ...[input, options]: CallArgs<ApiInput<R>>): Promise<ApiOutput<R>> => {
  if (typeof input !== 'function') return request(toRequest(route, input, options))
  const make = input as () => Promise<unknown>
  const empty = toRequest(route, undefined, options)
  if (empty.body === undefined) return request(toRequest(route, await make(), options))
  return request({ ...empty, body: make })
}

export const api = {
  /** A call of the contract: `await api.call('GET /blade-signup/signup/examList', { current: 1 })`. Answers the envelope's data. */
  call,
  /** A call whose path is computed (resources, kit); prefer `call`. */
  request,
  /** Asks for a file. A big export may answer with a job instead (decision 4.7): then `kind` is `'data'`. */
  blob: async (of: FileRequest): Promise<Downloaded> => (await files()).blob(settle, of),
  /** Downloads and saves under the server's name, else under `fallbackName`. */
  download: async (of: FileRequest, fallbackName: string): Promise<Downloaded> => (await files()).download(settle, of, fallbackName),
} as const
