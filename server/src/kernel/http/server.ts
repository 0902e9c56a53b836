import { STATUS_CODES } from 'node:http'
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import formBody from '@fastify/multipart'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Envelope } from '#contract/kernel/envelope.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { languageOf } from '#contract/kernel/label.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { Clock } from '../clock.ts'
import { isDatabaseUnavailable } from '../db/unavailable.ts'
import type { Log } from '../log.ts'
import { token } from '../random.ts'
import { givenTrace, traceHeader } from '../trace.ts'
import { envelopeOf } from './answers.ts'
import { bodyProblem, parseFormBody, parseJsonBody, refusalOfBody } from './body.ts'
import { clientOf, noteClients, type Proxies, parseProxies } from './client.ts'
import { Refused } from './context.ts'
import { failureOf } from './failure.ts'
import { answerMethods } from './methods.ts'
import { noteArrival } from './mount.ts'
import { createReadiness, mountProbes, type Readiness } from './probes.ts'
import { sendRefusalPage } from './public-page.ts'
import { serveWebFiles } from './web-files.ts'
import { loadWebPage, type PageHead } from './web-page.ts'

const jsonLimitBytes = 1_048_576

/**
 * `style-src` allows inline styles because the console's controls insert their own; scripts come from our own files, but for the one that
 * stands in our page, which is named by its hash (ADR 0080).
 */
const pagePolicy = (frameHosts: readonly string[], scriptHashes: readonly string[]): string =>
  [
    "default-src 'self'",
    ["script-src 'self'", ...scriptHashes].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    ["frame-src 'self' blob:", ...frameHosts.map(host => `https://${host}`)].join(' '),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

const apiPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox"

export interface ServerOptions {
  readonly clock: Clock
  readonly log: Log
  /** Folder of the built web, or undefined when only the API is served. */
  readonly webRoot: string | undefined
  readonly isHttps: boolean
  /** Proxies that are believed about who calls; none by default. */
  readonly proxies?: Proxies
  /** Hosts whose https pages may be shown inside ours. */
  readonly frameHosts: readonly string[]
  readonly ready: () => boolean
  /** What `/api/ready` looks at. */
  readonly readiness?: Readiness
  readonly metrics?: { readonly text: () => Promise<string>; readonly contentType: string; readonly isFor: (ip: string) => boolean }
  /** Why the process wants no more calls although it answers them; undefined while it serves. */
  readonly phase?: () => string | undefined
  /** How far this process is from the database's clock, in milliseconds, while that is too far. */
  readonly clockOffBy?: () => number | undefined
  /** Log lines lost since the start. */
  readonly lostLines?: () => number
  /** What the HTML of a page's address says by itself; undefined for most. */
  readonly headOf?: (request: FastifyRequest) => Promise<PageHead | undefined>
  /** Where a browser is sent that may not have a page just now; undefined for one that may. */
  readonly elsewhere?: (request: FastifyRequest) => string | undefined
}

/** The server behind a name, so that only the kernel knows whose it is. */
export type HttpServer = FastifyInstance

/** What programs ask, however it is written: whoever mistypes such an address is told so and gets no page, which a program would take for an answer. */
const isForPrograms = (path: string): boolean => {
  let plain = path
  try {
    plain = decodeURIComponent(path)
  } catch {
    // What cannot be decoded is judged as it is.
  }
  return /^[/\\]*(?:api(?:[^a-z0-9_-]|$)|metrics)/i.test(plain)
}
/** Addresses that the program of the browser may know: no calls and no files. */
const isPagePath = (path: string): boolean => !isForPrograms(path) && !/\.[a-z0-9]{2,5}$/.test(path)

type Requested = { readonly headers: FastifyRequest['headers']; readonly id: string }
const refusalFor = (request: Requested, refusal: Refusal): Envelope<unknown> =>
  envelopeOf(refusal, languageOf(request.headers['accept-language']), request.id)

/** A window of 256 KB holds any answer: one of four megabytes, which it is without this, is made anew for each of them and costs as much as their text. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 } }

/** Of bytes that never became a request. */
const refusalOfParser = (code: string): Refusal => {
  if (code === 'HPE_HEADER_OVERFLOW') return refuse('kernel/headers-too-large', {})
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refuse('kernel/too-slow', {})
  return refuse(code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW' ? 'kernel/too-large' : 'kernel/not-http', {})
}
/** In the language that the bytes ask for, as far as they came; where they ask for none, in both. */
const unroutedBody = (refusal: Refusal, bytes: Buffer | undefined): Envelope<unknown> => {
  const wanted = /\r?\naccept-language:[ \t]*([^\r\n]+)/i.exec(bytes?.toString('latin1') ?? '')?.[1]
  const { zh, en } = refusal.text
  const both = `${zh} / ${en}`
  return envelopeOf(wanted === undefined ? { ...refusal, text: { zh: both, en: both } } : refusal, languageOf(wanted), token(9))
}

/** The HTTP server without its routes: body parsers, security headers, time-outs, health, static files. */
export const createServer = async (options: ServerOptions): Promise<FastifyInstance> => {
  const app = Fastify({
    logger: false,
    // An address that cannot be decoded never reaches a route.
    frameworkErrors: (_error, request, reply: FastifyReply) =>
      void reply.status(400).send(refusalFor(request, refuse('kernel/bad-address', {}))),
    clientErrorHandler: (error, socket) => {
      if (!socket.writable) return
      const refusal = refusalOfParser((error as NodeJS.ErrnoException).code ?? '')
      const body = JSON.stringify(unroutedBody(refusal, (error as unknown as { rawPacket?: Buffer }).rawPacket))
      const head = [
        `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? 'Bad Request'}`,
        'Content-Type: application/json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        'X-Content-Type-Options: nosniff',
        'Connection: close',
      ]
      socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
    },
    // The browser names its calls, so that whoever reports a failure and whoever looks into it speak of the same one.
    genReqId: request => givenTrace(request.headers[traceHeader]) ?? token(9),
    bodyLimit: jsonLimitBytes,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false, caseSensitive: true },
    requestTimeout: 11 * 60_000,
    // Longer than proxies hold a connection that nobody uses (60 s): a call must not meet one that this side is just closing.
    keepAliveTimeout: 75_000,
    forceCloseConnections: 'idle',
    // What comes over a connection that was open when the stop began is answered like any other: no proxy has learnt of it yet.
    return503OnClosing: false,
    trustProxy: false,
  })
  noteClients(app, options.proxies ?? parseProxies(''), peer =>
    options.log.warn(
      { peer },
      `${peer} passes calls on and is not listed in KAOPU_PROXIES: all its callers count as one address. If it is your proxy, start with KAOPU_PROXIES=${peer}; if not, what it says is not believed and nothing has to be done`,
    ),
  )
  noteArrival(app, options.clock)
  answerMethods(
    app,
    path => options.webRoot !== undefined && isPagePath(path),
    (request, allow) => refusalFor(request, refuse('kernel/method', { method: request.method, allow })),
  )
  // Encrypted calls alone have such bodies; `sealed-call.ts` refuses the others.
  app.removeContentTypeParser('text/plain')
  app.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.removeContentTypeParser('application/json')
  for (const [type, parse] of [
    ['application/json', parseJsonBody],
    ['application/x-www-form-urlencoded', parseFormBody],
  ] as const)
    app.addContentTypeParser(type, { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) => parse(body))
  app.addHook('onRequest', async (request, reply) => {
    const { 'content-length': length = '0', 'transfer-encoding': transfer } = request.headers
    const problem = length === '0' && transfer === undefined ? undefined : bodyProblem(request.headers)
    if (problem) return reply.status(problem.status).send(refusalFor(request, problem))
  })
  await app.register(formBody, { throwFileSizeLimit: false })
  await app.register(compress, { global: true, threshold: 2_048, encodings: ['br', 'gzip'], brotliOptions })

  const { webRoot } = options
  const page = webRoot === undefined ? undefined : await loadWebPage(webRoot, options.frameHosts)
  const policy = pagePolicy(options.frameHosts, page?.scriptHashes ?? [])
  app.addHook('onSend', async (request, reply) => {
    const isApi = request.url.startsWith('/api/')
    // Scripts and style sheets of the build are no documents: what only documents heed would be half of a small one.
    const isPart = request.url.startsWith('/assets/') && reply.statusCode < 400
    reply.headers({
      'X-Request-Id': request.id,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Resource-Policy': 'same-origin',
    })
    if (!isPart)
      reply.headers({
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Permissions-Policy': 'camera=(self), geolocation=(), microphone=()',
      })
    // Browsers heed it by https alone, and a proxy says how its caller came.
    const { by, scheme } = clientOf(request)
    if (options.isHttps && !(by === 'proxy' && scheme === 'http')) reply.header('Strict-Transport-Security', 'max-age=31536000')
    if (!reply.hasHeader('Content-Security-Policy'))
      reply.header('Content-Security-Policy', isPart ? "default-src 'none'" : isApi ? apiPolicy : policy)
  })

  app.get('/api/health', async (_request, reply) => {
    if (!options.ready()) return reply.status(503).send({ ready: false })
    const clockOffMs = options.clockOffBy?.()
    // It takes no writes: another process should have the calls.
    if (clockOffMs !== undefined) return reply.status(503).send({ ready: false, clockOffMs })
    const lostLogLines = options.lostLines?.() ?? 0
    // Said only when there is something to look after.
    return lostLogLines > 0 ? { ready: true, lostLogLines } : { ready: true }
  })

  const { metrics } = options
  if (metrics)
    app.get('/metrics', async (request, reply) => {
      const { by, ip } = clientOf(request)
      // Whoever may not read them does not learn that they are here. A stranger that passes calls on hides who asks.
      if (by === 'stranger' || !metrics.isFor(ip)) return reply.callNotFound()
      return reply
        .type(metrics.contentType)
        .header('Cache-Control', 'no-store')
        .send(await metrics.text())
    })
  mountProbes(app, options.readiness ?? createReadiness({}), options.phase ?? (() => (options.ready() ? undefined : 'starting')))

  if (webRoot !== undefined) await serveWebFiles(app, webRoot)
  if (page !== undefined) app.get('/', (request, reply) => page.send(request, reply))
  app.setNotFoundHandler(async (request, reply) => {
    if (page !== undefined && (request.method === 'GET' || request.method === 'HEAD') && isPagePath(request.url.split('?')[0] ?? '')) {
      const elsewhere = options.elsewhere?.(request)
      if (elsewhere !== undefined) return reply.status(303).headers({ Location: elsewhere, 'Cache-Control': 'no-store' }).send()
      // No page of the API's is here: the program finds out whether it knows the address.
      // Without its database the program still comes, and shows what it knows.
      return page.send(
        request,
        reply.status(200),
        await options.headOf?.(request).catch((error: unknown) => {
          if (!isDatabaseUnavailable(error)) throw error
          return undefined
        }),
      )
    }
    return reply.status(404).send(refusalFor(request, refuse('kernel/no-route', {})))
  })
  app.setErrorHandler((error, request, reply) => {
    const status = (error as { statusCode?: number }).statusCode ?? 500
    const refusal =
      error instanceof Refused
        ? error.refusal
        : isDatabaseUnavailable(error)
          ? failureOf(error).refusal
          : status >= 500
            ? refuse('kernel/defect', {})
            : refusalOfBody(error as Error, request.headers['content-type'], jsonLimitBytes)
    if (refusal.status >= 500)
      options.log[isDatabaseUnavailable(error) ? 'warn' : 'error']({ traceId: request.id, err: error }, 'request failed outside its route')
    const isPage = request.routeOptions.url?.startsWith('/api/') === false && request.headers['sec-fetch-dest'] === 'document'
    if (refusal.retryAfterSeconds !== undefined) reply.header('Retry-After', String(refusal.retryAfterSeconds))
    if (isPage) return sendRefusalPage(reply, languageOf(request.headers['accept-language']), refusal)
    return reply
      .status(refusal.status)
      .type('application/json; charset=utf-8')
      .serializer((value: unknown) => JSON.stringify(value))
      .send(refusalFor(request, refusal))
  })
  return app
}
