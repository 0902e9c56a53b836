import { lookup as dnsLookup } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { publishProviderCall } from './events.ts'
import type { Hold } from './hold.ts'
import { currentTrace, traceHeader } from './trace.ts'

/**
 * The only way out of this server. Payment, SMS, object stores and job servers all go through {@link createOutbound};
 * nothing else may open a client connection (security 3.9).
 */
export type Outbound = (request: OutboundRequest) => Promise<OutboundResponse>

export type OutboundRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Whole exchange, from the look-up of the name to the last byte of the answer. Default 5,000. */
  readonly timeoutMs?: number
  /** Largest answer taken, in bytes. Default 1 MB; only downloads that are known to be larger say so. */
  readonly maxBytes?: number
}

export type OutboundResponse = {
  readonly status: number
  /** Names in lower case; a header sent several times is joined with `, `. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/**
 * - `refused`: our own rule; nothing left this machine
 * - `held`: the installation was restored and not released yet; nothing left this machine
 * - `unreachable`: no connection came about, so the other side has seen nothing
 * - `timeout`, `broken`: the other side may have acted; ask or repeat, never assume
 * - `redirected`, `tooLarge`: the answer is not taken
 */
export type OutboundFailure = 'refused' | 'held' | 'unreachable' | 'timeout' | 'broken' | 'redirected' | 'tooLarge'

export class OutboundError extends Error {
  readonly failure: OutboundFailure

  constructor(failure: OutboundFailure, detail: string, options?: ErrorOptions) {
    super(`outbound call ${failure}: ${detail}`, options)
    this.name = 'OutboundError'
    this.failure = failure
  }
}

const DEFAULT_TIMEOUT_MS = 5_000
const DEFAULT_MAX_BYTES = 1024 * 1024

/** Everything that is not a unicast address of the public internet (IANA special-purpose registries, RFC 6890). */
const notPublic4 = new BlockList()
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  notPublic4.addSubnet(net, prefix, 'ipv4')
// A list of its own: in one list the IPv6 blocks would swallow all of IPv4 as mapped addresses.
const notPublic6 = new BlockList()
// Of IPv6 only 2000::/3 is global unicast; the rest, mapped and translated addresses included, is refused as a whole.
for (const [net, prefix] of [
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  notPublic6.addSubnet(net, prefix, 'ipv6')

/** Link-local addresses (cloud metadata lives there) stay refused even for origins that are configured as local. */
const linkLocal = new BlockList()
linkLocal.addSubnet('169.254.0.0', 16, 'ipv4')
linkLocal.addSubnet('fe80::', 10, 'ipv6')

const isLinkLocal = (address: string): boolean => linkLocal.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Whether an address belongs to the public internet: not loopback, private, link-local, mapped or reserved. */
export const isPublicAddress = (address: string): boolean => {
  const family = isIP(address)
  return (family === 4 && !notPublic4.check(address)) || (family === 6 && !notPublic6.check(address, 'ipv6'))
}

type Resolve = (hostname: string) => Promise<readonly string[]>

const resolveByDns: Resolve = async hostname => (await dnsLookup(hostname, { all: true })).map(found => found.address)

/**
 * @param hold - of the installation that calls: while it is held nothing is sent
 * @param mayReadWhileHeld - GET and HEAD go out all the same: only for stores that answer with what is there
 * @param allowedOrigins - `https://host` or `https://host:port`, from the platform's configuration only, never from the web
 * @param localOrigins - asked at each call: exact origins (`http://127.0.0.1:7301`) that may be plain http and may lie on
 *   loopback or a private network; empty in production unless the operator configured one
 */
export const createOutbound = (options: {
  readonly hold: Hold
  readonly mayReadWhileHeld?: boolean
  /** What these calls are for, as counts and log lines name it: `sms`, `pay`. */
  readonly purpose?: string
  readonly allowedOrigins: readonly string[]
  readonly localOrigins?: () => readonly string[]
  readonly resolve?: Resolve
}): Outbound => {
  const allowed = new Set(options.allowedOrigins.map(origin => new URL(origin).origin))
  const localOrigins = options.localOrigins ?? (() => [])
  const resolve = options.resolve ?? resolveByDns

  const findAddress = async (url: URL): Promise<string> => {
    const isLocal = localOrigins().some(origin => new URL(origin).origin === url.origin)
    if (!isLocal && !(url.protocol === 'https:' && allowed.has(url.origin)))
      throw new OutboundError('refused', 'origin is not on the allow list')
    if (url.username !== '' || url.password !== '') throw new OutboundError('refused', 'credentials in the address')
    return checkedAddress(url.hostname.replace(/^\[(.*)\]$/, '$1'), isLocal, resolve)
  }

  return async request => {
    const isReading = request.method === 'GET' || request.method === 'HEAD'
    if (options.hold.isHeld() && !(options.mayReadWhileHeld && isReading))
      throw new OutboundError('held', 'the installation was restored from a backup and is not released yet')
    const url = URL.parse(request.url)
    if (url === null) throw new OutboundError('refused', 'not an address')
    const began = performance.now()
    const over = (outcome: string): void =>
      publishProviderCall({
        purpose: options.purpose ?? 'other',
        host: url.host,
        method: request.method,
        outcome,
        durationMs: Math.round(performance.now() - began),
      })
    try {
      const deadline = AbortSignal.timeout(request.timeoutMs ?? DEFAULT_TIMEOUT_MS)
      const address = await Promise.race([findAddress(url), whenAborted(deadline)])
      const answer = await exchange(url, address, request, deadline)
      over(answer.status < 400 ? 'ok' : answer.status < 500 ? 'http_4xx' : 'http_5xx')
      return answer
    } catch (error) {
      over(error instanceof OutboundError ? error.failure : 'broken')
      throw error
    }
  }
}

/**
 * The address to connect to. The name is looked up once and never again, so it cannot change in between.
 * @param isLocal - the operator has listed this host and port, so it may lie on loopback or a private network
 */
export const checkedAddress = async (hostname: string, isLocal: boolean, resolve: Resolve = resolveByDns): Promise<string> => {
  const found = isIP(hostname) === 0 ? await lookUp(resolve, hostname) : [hostname]
  const isWanted = (address: string): boolean => isPublicAddress(address) || (isLocal && !isLinkLocal(address))
  // One bad address among several is enough: a name that points both ways is not to be trusted.
  const [address] = found
  if (address === undefined || !found.every(isWanted))
    throw new OutboundError('refused', 'the name leads to an address that is not allowed')
  return address
}

const lookUp = async (resolve: Resolve, hostname: string): Promise<readonly string[]> => {
  try {
    return await resolve(hostname)
  } catch (cause) {
    throw new OutboundError('unreachable', 'the name cannot be resolved', { cause })
  }
}

const whenAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new OutboundError('timeout', 'no address in time')), { once: true })
  })

/** Errors of a socket that never became a connection. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ENOTFOUND'])

const failureOf = (error: Error & { code?: string }, deadline: AbortSignal): OutboundError => {
  if (error instanceof OutboundError) return error
  if (deadline.aborted) return new OutboundError('timeout', 'no complete answer in time', { cause: error })
  const failure = NOT_CONNECTED.has(error.code ?? '') || (error.code ?? '').startsWith('ERR_TLS_') ? 'unreachable' : 'broken'
  return new OutboundError(failure, error.code ?? error.name, { cause: error })
}

const exchange = (url: URL, address: string, request: OutboundRequest, deadline: AbortSignal): Promise<OutboundResponse> =>
  new Promise((resolve, reject) => {
    const family = isIP(address)
    const lookup: LookupFunction = (_hostname, options, done) =>
      options.all === true ? done(null, [{ address, family }]) : done(null, address, family)
    // No provider signs a header that it does not know.
    const trace = currentTrace()
    // No agent: every call connects to the address it has just checked, and no proxy variable is read.
    const call = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method: request.method,
      headers: {
        ...(trace === undefined ? {} : { [traceHeader]: trace }),
        ...request.headers,
        ...(request.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(request.body)) }),
      },
      agent: false,
      lookup,
      signal: deadline,
    })
    const fail = (error: Error): void => {
      call.destroy()
      reject(failureOf(error, deadline))
    }
    call.on('error', fail)
    call.on('response', response => {
      readAnswer(response, request.maxBytes ?? DEFAULT_MAX_BYTES).then(resolve, fail)
    })
    call.end(request.body)
  })

const readAnswer = async (response: IncomingMessage, maxBytes: number): Promise<OutboundResponse> => {
  const status = response.statusCode ?? 0
  if (status >= 300 && status < 400) throw new OutboundError('redirected', `status ${status}`)
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes) throw new OutboundError('tooLarge', `more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )
  return { status, headers, body: Buffer.concat(chunks) }
}
