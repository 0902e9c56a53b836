import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

type Job = Record<string, unknown> & { id: number; status: number; gmtModified: number }

/** A job server as tests need one: what 4.3.9 and 5.x answered when they were asked for real. */
export interface FakePowerJob {
  readonly origin: string
  readonly jobs: Map<number, Job>
  readonly instances: Map<string, Record<string, unknown>>
  /** Paths asked, in order. */
  readonly asked: string[]
  /** Milliseconds since the epoch by its own clock. */
  now: number
  password: string
  /** Answers nothing any more, or something else than it should. */
  mode: 'well' | 'silent' | 'redirect' | 'html'
  /** Of 5.x: forgets all tokens. */
  forgetTokens(): void
  close(): Promise<void>
}

const names: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  timeExpressionType: { API: 1, CRON: 2, FIXED_RATE: 3, FIXED_DELAY: 4, WORKFLOW: 5, DAILY_TIME_INTERVAL: 11 },
  executeType: { STANDALONE: 1, BROADCAST: 2, MAP_REDUCE: 3, MAP: 4 },
  processorType: { BUILT_IN: 1, SHELL: 2, PYTHON: 3, EXTERNAL: 4 },
  dispatchStrategy: { HEALTH_FIRST: 1, RANDOM: 2, SPECIFY: 11 },
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

/** @param takesNoToken - of 5.x: its check of tokens is off, as it is by default */
export const startFakePowerJob = async (
  version: 4 | 5,
  { app = 'kaopu', password = 'secret-1', takesNoToken = false }: { app?: string; password?: string; takesNoToken?: boolean } = {},
): Promise<FakePowerJob> => {
  const jobs = new Map<number, Job>()
  const instances = new Map<string, Record<string, unknown>>()
  const asked: string[] = []
  let tokens = new Set<string>()
  let nextInstance = 1005894110545969216n
  const fail = (message: string, code?: number) => ({ success: false, ...(code === undefined ? {} : { code }), data: null, message })
  const done = (data: unknown = null) => ({ success: true, data, message: null })
  const save = (input: Record<string, unknown>) => {
    for (const field of ['timeExpressionType', 'executeType', 'processorType'])
      if (names[field]?.[String(input[field])] === undefined) return fail(`invalid ${field}!`)
    const alarm = (input['alarmConfig'] ?? {}) as Record<string, unknown>
    if (Object.keys(alarm).length % 3 !== 0) return fail('illegal alarm config!')
    const known = typeof input['id'] === 'number' ? jobs.get(input['id']) : undefined
    if (input['id'] !== null && input['id'] !== undefined && !known) return fail("can't find job by jobId")
    const id = known?.id ?? Math.max(0, ...jobs.keys()) + 1
    const life = (input['lifeCycle'] ?? {}) as { start?: number | null; end?: number | null }
    const { enable, lifeCycle: _, ...rest } = input
    jobs.set(id, {
      ...rest,
      ...Object.fromEntries(Object.entries(names).map(([field, numbers]) => [field, numbers[String(input[field])] ?? 1])),
      id,
      status: enable === true ? 1 : 2,
      lifecycle: JSON.stringify({ ...(life.start ? { start: life.start } : {}), ...(life.end ? { end: life.end } : {}) }),
      notifyUserIds: ((input['notifyUserIds'] ?? []) as unknown[]).join(',') || null,
      nextTriggerTime: null,
      gmtModified: fake.now,
    })
    return done(id)
  }
  const answer = (path: string, input: Record<string, unknown>): unknown => {
    const job = jobs.get(Number(input['jobId']))
    if (path === '/fetchAllJob') return done([...jobs.values()])
    if (path === '/saveJob') return save(input)
    if (path.endsWith('Job')) {
      if (!job) return fail("can't find job by jobId")
      if (path === '/fetchJob') return done(job)
      if (path === '/runJob') {
        const id = String(nextInstance++)
        instances.set(id, {
          status: 3,
          result: null,
          actualTriggerTime: fake.now,
          finishedTime: null,
          taskTrackerAddress: '10.0.0.9:27777',
          instanceParams: input['instanceParams'] ?? null,
        })
        // A number, as it writes one: larger than what JavaScript counts.
        return `{"success":true,"data":${id},"message":null}`
      }
      job.status = path === '/enableJob' ? 1 : path === '/disableJob' ? 2 : 99
      job.gmtModified = fake.now
      return done()
    }
    const instance = instances.get(String(input['instanceId']))
    if (!instance) return fail('invalid instanceId')
    if (path === '/stopInstance') Object.assign(instance, { status: 10, result: 'stopped by user', finishedTime: fake.now })
    if (path === '/retryInstance') {
      if (![4, 5, 9, 10].includes(Number(instance['status']))) return fail('PowerJobException: Only stopped instance can be retry!')
      Object.assign(instance, { status: 1, result: null, actualTriggerTime: null, finishedTime: null, taskTrackerAddress: null })
    }
    if (path === '/fetchInstanceInfo') return done(instance)
    return done()
  }
  const server = createServer((request, response) => {
    void (async () => {
      const body = await textOf(request)
      const path = (request.url ?? '').replace(/^\/openApi/, '')
      asked.push(path)
      const send = (status: number, value: unknown, passed?: boolean) => {
        response.writeHead(status, {
          'content-type': 'application/json',
          ...(passed === undefined ? {} : { 'X-POWERJOB-AUTH-PASSED': String(passed) }),
        })
        response.end(typeof value === 'string' ? value : JSON.stringify(value))
      }
      if (fake.mode === 'silent') return
      if (fake.mode === 'redirect') return void response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
      if (fake.mode === 'html') return send(200, '<html>nginx</html>')
      const input: Record<string, unknown> = String(request.headers['content-type']).includes('json')
        ? JSON.parse(body)
        : Object.fromEntries(new URLSearchParams(body))
      if (path === '/assert')
        return send(
          200,
          input['appName'] !== app
            ? fail('app not exist')
            : input['password'] === fake.password
              ? done(1)
              : fail('PowerJobException: password error!'),
        )
      if (path === '/authApp') {
        if (version === 4) return send(404, { timestamp: 1, status: 404, error: 'Not Found', path: '/openApi/authApp' })
        if (input['appName'] !== app) return send(200, fail('INVALID_APP', -402))
        if (input['encryptedPassword'] !== createHash('md5').update(fake.password).digest('hex'))
          return send(200, fail('INCORRECT_PASSWORD', -400))
        const token = `token-${tokens.size}-${fake.now}`
        tokens.add(token)
        return send(200, done({ appId: 1, token }))
      }
      if (version === 4) return send(200, answer(path, input))
      const isKnown = takesNoToken || tokens.has(String(request.headers['x-powerjob-access-token']))
      return isKnown ? send(200, answer(path, input), true) : send(200, fail('OPEN_API_AUTH_FAILED', -300), false)
    })()
  })
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready))
  const fake: FakePowerJob = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ jobs, instances, asked, password },
    now: Date.UTC(2026, 2, 2, 1),
    mode: 'well',
    forgetTokens: () => {
      tokens = new Set()
    },
    close: () =>
      new Promise<void>(closed => {
        server.closeAllConnections()
        server.close(() => closed())
      }),
  }
  return fake
}
