import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
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

const jsonLimitBytes = 1_048_576

/** `style-src` allows inline styles because the console's controls insert their own; scripts only come from our own files. */
const pagePolicy = (frameHosts: readonly string[]): string =>
  [
    "default-src 'self'",
    "script-src 'self'",
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

/** The page learns which hosts it may frame, so that it can explain itself before the browser refuses. */
const withFrameHosts = (html: string, frameHosts: readonly string[]): string =>
  html.replace('</head>', `<meta name="kaopu-frame-hosts" content="${frameHosts.join(',')}" /></head>`)

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

  const policy = pagePolicy(options.frameHosts)
  app.addHook('onSend', async (request, reply) => {
    const isApi = request.url.startsWith('/api/')
    reply.headers({
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Permissions-Policy': 'camera=(self), geolocation=(), microphone=()',
    })
    if (options.isHttps) reply.header('Strict-Transport-Security', 'max-age=31536000')
    if (!reply.hasHeader('Content-Security-Policy'))
      reply.header('Content-Security-Policy', isApi ? "default-src 'none'; frame-ancestors 'none'; sandbox" : policy)
  })

  app.get('/api/health', async (_request, reply) => {
    if (!options.ready()) return reply.status(503).send({ ready: false })
    const lostLogLines = options.lostLines?.() ?? 0
    // Said only when there is something to look after.
    return lostLogLines > 0 ? { ready: true, lostLogLines } : { ready: true }
  })

  const { webRoot } = options
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
  const html = webRoot === undefined ? undefined : await readFile(join(webRoot, 'index.html'), 'utf8').catch(() => undefined)
  const page = html === undefined ? undefined : withFrameHosts(html, options.frameHosts)
  if (page !== undefined)
    app.get('/', (_request, reply) => reply.type('text/html; charset=utf-8').header('Cache-Control', 'no-cache').send(page))
  app.setNotFoundHandler((request, reply) => {
    if (
      page !== undefined &&
      request.method === 'GET' &&
      !request.url.startsWith('/api/') &&
      !/\.[a-z0-9]{2,5}$/.test(request.url.split('?')[0] ?? '')
    )
      return reply.type('text/html; charset=utf-8').header('Cache-Control', 'no-cache').send(page)
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
