import compress from '@fastify/compress'
import formBody from '@fastify/multipart'
import serveStatic from '@fastify/static'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Envelope } from '#contract/kernel/envelope.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { languageOf } from '#contract/kernel/label.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { token } from '../random.ts'
import { envelopeOf } from './answers.ts'
import { noteArrival } from './mount.ts'
import { loadWebPage } from './web-page.ts'

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

/** `assets/name-Abc123_4.js`, as the build names what it makes. */
const hashedFile = /[\\/]assets[\\/][^\\/]+-[\w-]{8}\.\w+(?:\.(?:br|gz))?$/

export interface ServerOptions {
  readonly clock: Clock
  readonly log: Log
  /** Folder of the built web, or undefined when only the API is served. */
  readonly webRoot: string | undefined
  readonly isHttps: boolean
  /** Hosts whose https pages may be shown inside ours. */
  readonly frameHosts: readonly string[]
  readonly ready: () => boolean
  /** How far this process is from the database's clock, in milliseconds, while that is too far. */
  readonly clockOffBy?: () => number | undefined
  /** Log lines lost since the start. */
  readonly lostLines?: () => number
}

/** The server behind a name, so that only the kernel knows whose it is. */
export type HttpServer = FastifyInstance

type BorderReason = 'kernel/no-route' | 'kernel/defect' | 'kernel/too-large' | 'kernel/media-type' | 'kernel/unreadable-body'

/** The envelope of what is refused before a route is known; without a request there is nobody whose language is known. */
const refusalBody = (
  reason: BorderReason,
  request?: { readonly headers: FastifyRequest['headers']; readonly id: string },
): Envelope<unknown> => envelopeOf(refuse(reason, {}), languageOf(request?.headers['accept-language']), request?.id ?? token(9))

/** The HTTP server without its routes: body parsers, security headers, time-outs, health, static files. */
export const createServer = async (options: ServerOptions): Promise<FastifyInstance> => {
  const app = Fastify({
    logger: false,
    // An address that cannot be decoded never reaches a route.
    frameworkErrors: (_error, request, reply: FastifyReply) => void reply.status(400).send(refusalBody('kernel/unreadable-body', request)),
    clientErrorHandler: (error, socket) => {
      if (!socket.writable) return
      const isLarge = (error as NodeJS.ErrnoException).code === 'HPE_HEADER_OVERFLOW'
      const body = JSON.stringify(refusalBody(isLarge ? 'kernel/too-large' : 'kernel/unreadable-body'))
      const head = [
        isLarge ? 'HTTP/1.1 431 Request Header Fields Too Large' : 'HTTP/1.1 400 Bad Request',
        'Content-Type: application/json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        'X-Content-Type-Options: nosniff',
        'Connection: close',
      ]
      socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
    },
    genReqId: () => token(9),
    bodyLimit: jsonLimitBytes,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false, caseSensitive: true },
    requestTimeout: 11 * 60_000,
    keepAliveTimeout: 5_000,
    forceCloseConnections: 'idle',
    trustProxy: false,
  })
  noteArrival(app, options.clock)
  // Encrypted calls alone have such bodies; `sealed-call.ts` refuses the others.
  app.removeContentTypeParser('text/plain')
  app.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(body as string)))
  })
  await app.register(formBody, { throwFileSizeLimit: false })
  await app.register(compress, { global: true, threshold: 2_048, encodings: ['br', 'gzip'] })

  const { webRoot } = options
  const page = webRoot === undefined ? undefined : await loadWebPage(webRoot, options.frameHosts)
  const policy = pagePolicy(options.frameHosts, page?.scriptHashes ?? [])
  app.addHook('onSend', async (request, reply) => {
    const isApi = request.url.startsWith('/api/')
    // Scripts and style sheets of the build are no documents: what only documents heed would be half of a small one.
    const isPart = request.url.startsWith('/assets/') && reply.statusCode < 400
    reply.headers({
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Resource-Policy': 'same-origin',
    })
    if (!isPart)
      reply.headers({
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Permissions-Policy': 'camera=(self), geolocation=(), microphone=()',
      })
    if (options.isHttps) reply.header('Strict-Transport-Security', 'max-age=31536000')
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

  if (webRoot !== undefined) {
    await app.register(serveStatic, {
      root: webRoot,
      wildcard: false,
      index: false,
      preCompressed: true,
      // Files of the build have their content in their name; the worker, the manifest and the icons keep their names.
      cacheControl: false,
      setHeaders: (response, path) =>
        void response.header('Cache-Control', hashedFile.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache'),
    })
  }
  if (page !== undefined) app.get('/', (request, reply) => page.send(request, reply))
  app.setNotFoundHandler((request, reply) => {
    if (
      page !== undefined &&
      request.method === 'GET' &&
      !request.url.startsWith('/api/') &&
      !/\.[a-z0-9]{2,5}$/.test(request.url.split('?')[0] ?? '')
    )
      // No page of the API's is here: the program finds out whether it knows the address.
      return page.send(request, reply.status(200))
    return reply.status(404).send(refusalBody('kernel/no-route', request))
  })
  app.setErrorHandler((error, request, reply) => {
    const status = (error as { statusCode?: number }).statusCode ?? 500
    const reason: BorderReason =
      status >= 500
        ? 'kernel/defect'
        : status === 413
          ? 'kernel/too-large'
          : status === 415
            ? 'kernel/media-type'
            : 'kernel/unreadable-body'
    if (status >= 500) options.log.error({ traceId: request.id, err: error }, 'request failed outside its route')
    return reply
      .status(refuse(reason, {}).status)
      .type('application/json; charset=utf-8')
      .serializer((value: unknown) => JSON.stringify(value))
      .send(refusalBody(reason, request))
  })
  return app
}
