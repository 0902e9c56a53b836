import { Agent, type IncomingHttpHeaders, request } from 'node:http'

/** One call of a client. */
export interface Call {
  readonly method: 'GET' | 'POST'
  /** With query, from the root: `/api/…`. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}
export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface Client {
  send(call: Call): Promise<Reply>
  close(): void
}

/** Keeps its connections open, as browsers and proxies do. */
export const createClient = (url: string, connections = 256): Client => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'lifo' })
  const { hostname, port } = new URL(url)
  return {
    send: call =>
      new Promise((done, fail) => {
        const headers: Record<string, string | number> = { ...call.headers }
        if (call.body !== undefined) headers['content-length'] = Buffer.byteLength(call.body)
        const sent = request({ agent, host: hostname, port, method: call.method, path: call.path, headers }, answer => {
          const parts: Buffer[] = []
          answer.on('data', part => parts.push(part as Buffer))
          answer.on('end', () => done({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }))
          answer.on('error', fail)
        })
        sent.on('error', fail)
        sent.end(call.body)
      }),
    close: () => agent.destroy(),
  }
}

const expectOk = (call: Call, reply: Reply): void => {
  if (reply.status !== 200 && reply.status !== 304)
    throw new Error(`${call.method} ${call.path} answered ${reply.status}: ${reply.body.toString().slice(0, 400)}`)
}

export interface Burst {
  readonly requests: number
  readonly wallMs: number
  /** Milliseconds of each request, ascending. */
  readonly latencies: readonly number[]
}

/** Closed loop: `connections` callers, each with its next call as soon as the last is answered, until `wallMs` are over or calls run out. */
export const burst = async (
  client: Client,
  next: () => Call | undefined,
  limits: { readonly wallMs: number; readonly connections: number; readonly atMost?: number },
): Promise<Burst> => {
  const latencies: number[] = []
  const began = performance.now()
  let started = 0
  const caller = async (): Promise<void> => {
    while (performance.now() - began < limits.wallMs && started < (limits.atMost ?? Number.POSITIVE_INFINITY)) {
      const call = next()
      if (call === undefined) return
      started += 1
      const sentAt = performance.now()
      const reply = await client.send(call)
      latencies.push(performance.now() - sentAt)
      expectOk(call, reply)
    }
  }
  await Promise.all(Array.from({ length: limits.connections }, caller))
  return { requests: latencies.length, wallMs: performance.now() - began, latencies: latencies.sort((a, b) => a - b) }
}

/** Open loop: a call every `1 / perSecond`, whether or not earlier ones are answered; each is timed from the moment it was due. */
export const offer = async (client: Client, calls: readonly Call[], perSecond: number): Promise<Burst> => {
  const began = performance.now()
  const latencies: number[] = []
  const flying: Promise<void>[] = []
  let failure: unknown
  for (const [index, call] of calls.entries()) {
    const due = began + (index * 1000) / perSecond
    const wait = due - performance.now()
    if (wait > 0) await new Promise(go => setTimeout(go, wait))
    flying.push(
      client
        .send(call)
        .then(reply => {
          expectOk(call, reply)
          latencies.push(performance.now() - due)
        })
        .catch(error => {
          failure = error
        }),
    )
  }
  await Promise.all(flying)
  if (failure !== undefined) throw failure
  return { requests: latencies.length, wallMs: performance.now() - began, latencies: latencies.sort((a, b) => a - b) }
}

export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
