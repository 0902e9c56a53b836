import { createHash } from 'node:crypto'
import type { Label } from '#contract/kernel/label.ts'
import { outboundProblems } from '#kernel/allowed-servers.ts'
import { type Outbound, OutboundError } from '#kernel/outbound.ts'
import { parseWhole, wholeNumber } from './json.ts'

/** Why a job server did not do what was asked, in words for people. */
export class PowerJobProblem extends Error {
  readonly why: Label
  /** The server answered and declined: it said this itself. */
  readonly isRefusal: boolean
  constructor(why: Label, isRefusal: boolean) {
    super(why.en)
    this.why = why
    this.isRefusal = isRefusal
  }
}

export interface Target {
  /** Origins with a comma between several; tried in turn. */
  readonly address: string
  readonly appName: string
  readonly password: string
}
export interface Session {
  readonly version: '4.x' | '5.x'
  readonly appId: string
  readonly token: string | undefined
}
type Fields = Readonly<Record<string, unknown>>

export interface PowerJob {
  readonly session: Session
  readonly saveJob: (job: Fields) => Promise<string>
  readonly fetchJob: (jobId: string) => Promise<Fields>
  /** Without those that were deleted there. */
  readonly fetchAllJobs: () => Promise<readonly Fields[]>
  readonly switchJob: (jobId: string, isOn: boolean) => Promise<void>
  readonly deleteJob: (jobId: string) => Promise<void>
  readonly runJob: (jobId: string, params: string | undefined) => Promise<string>
  readonly stopInstance: (instanceId: string) => Promise<void>
  readonly retryInstance: (instanceId: string) => Promise<void>
  readonly fetchInstance: (instanceId: string) => Promise<Fields>
  /** Whether it answers without its token. */
  readonly isOpen: () => Promise<boolean>
}

const timeoutMs = 4_000
const maxBytes = 16 * 1024 * 1024
const deletedStatus = 99
const passedHeader = 'x-powerjob-auth-passed'

interface Answer {
  readonly status: number
  readonly passed: string | undefined
  readonly body: unknown
}
const isResult = (body: unknown): body is { success: boolean; data?: unknown; message?: unknown; code?: unknown } =>
  typeof body === 'object' && body !== null && typeof (body as { success?: unknown }).success === 'boolean'

const idOf = (value: unknown): string => {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : ''
  if (!/^\d{1,19}$/.test(text)) throw new PowerJobProblem({ zh: '应答里没有编号', en: 'its answer has no id' }, false)
  return text
}

/** Logs in at a job server of 4.x or 5.x and speaks its OpenAPI. Everything is asked by POST; what it declines comes with status 200. */
export const connectPowerJob = async (outbound: Outbound, target: Target, known?: Session): Promise<PowerJob> => {
  const origins = target.address.split(',')
  const send = async (path: string, body: string, type: string, headers: Readonly<Record<string, string>>): Promise<Answer> => {
    let last: OutboundError | undefined
    for (const origin of origins)
      try {
        const {
          status,
          headers: given,
          body: bytes,
        } = await outbound({
          method: 'POST',
          url: `${origin}/openApi${path}`,
          headers: { 'content-type': type, ...headers },
          body,
          timeoutMs,
          maxBytes,
        })
        const text = bytes.toString('utf8')
        let parsed: unknown
        try {
          parsed = parseWhole(text)
        } catch {
          parsed = undefined
        }
        return { status, passed: given[passedHeader], body: parsed }
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error
        last = error
        // What may have been done there is not asked of another: it would be done twice.
        if (error.failure !== 'unreachable' && error.failure !== 'refused' && error.failure !== 'held') break
      }
    throw new PowerJobProblem(outboundProblems[last?.failure ?? 'refused'], false)
  }
  const form = (fields: Readonly<Record<string, string>>): readonly [string, string] => [
    new URLSearchParams(fields).toString(),
    'application/x-www-form-urlencoded',
  ]
  const dataOf = ({ status, body }: Answer): unknown => {
    if (!isResult(body))
      throw new PowerJobProblem(
        { zh: `应答不是 PowerJob 的格式（HTTP ${status}）`, en: `its answer is none of PowerJob (HTTP ${status})` },
        false,
      )
    if (body.success) return body.data
    const said = String(body.message ?? '').slice(0, 300) || `code ${String(body.code ?? '?')}`
    throw new PowerJobProblem({ zh: said, en: said }, true)
  }
  const login = async (): Promise<Session> => {
    const encryptedPassword = createHash('md5').update(target.password).digest('hex')
    const modern = await send(
      '/authApp',
      JSON.stringify({ appName: target.appName, encryptedPassword, encryptType: 'md5' }),
      'application/json',
      {},
    )
    if (modern.status !== 404 && isResult(modern.body)) {
      const data = dataOf(modern) as { appId?: unknown; token?: unknown } | undefined
      return { version: '5.x', appId: idOf(data?.appId), token: String(data?.token ?? '') }
    }
    return {
      version: '4.x',
      appId: idOf(dataOf(await send('/assert', ...form({ appName: target.appName, password: target.password }), {}))),
      token: undefined,
    }
  }
  let session = known ?? (await login())
  const tokens = (): Record<string, string> =>
    session.token === undefined ? {} : { 'X-POWERJOB-APP-ID': session.appId, 'X-POWERJOB-ACCESS-TOKEN': session.token }
  /** A token that has run out is taken anew, once. */
  const call = async (path: string, bodyOf: () => readonly [string, string]): Promise<unknown> => {
    const ask = (): Promise<Answer> => send(path, ...bodyOf(), tokens())
    const answer = await ask()
    if (session.version === '4.x' || answer.passed === 'true') return dataOf(answer)
    session = await login()
    return dataOf(await ask())
  }
  const about = (path: string, fields: Readonly<Record<string, string>>): Promise<unknown> =>
    call(path, () => form({ appId: session.appId, ...fields }))
  return {
    get session() {
      return session
    },
    saveJob: async job =>
      idOf(await call('/saveJob', () => [JSON.stringify({ ...job, appId: wholeNumber(session.appId) }), 'application/json'])),
    fetchJob: async jobId => (await about('/fetchJob', { jobId })) as Fields,
    fetchAllJobs: async () => ((await about('/fetchAllJob', {})) as readonly Fields[]).filter(job => job['status'] !== deletedStatus),
    switchJob: async (jobId, isOn) => void (await about(isOn ? '/enableJob' : '/disableJob', { jobId })),
    deleteJob: async jobId => void (await about('/deleteJob', { jobId })),
    runJob: async (jobId, params) =>
      idOf(await about('/runJob', { jobId, ...(params === undefined || params === '' ? {} : { instanceParams: params }) })),
    stopInstance: async instanceId => void (await about('/stopInstance', { instanceId })),
    retryInstance: async instanceId => void (await about('/retryInstance', { instanceId })),
    fetchInstance: async instanceId => (await about('/fetchInstanceInfo', { instanceId })) as Fields,
    isOpen: async () => {
      if (session.version === '4.x') return true
      const { passed } = await send('/fetchJob', ...form({ appId: session.appId, jobId: '0' }), {})
      return passed === 'true'
    },
  }
}
