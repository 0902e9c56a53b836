import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import compress from '@fastify/compress'
import formBody from '@fastify/multipart'
import serveStatic from '@fastify/static'
import Fastify, { type FastifyInstance } from 'fastify'
import { refuse } from '#contract/kernel/errors.ts'
import { languageOf } from '#contract/kernel/label.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { token } from '../random.ts'
import { noteArrival } from './mount.ts'

const jsonLimitBytes = 1_048_576

/** `style-src` allows inline styles because the console's controls insert their own; scripts only come from our own files. */
const pagePolicy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' blob: data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self' blob: https:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

export interface ServerOptions {
  readonly clock: Clock
  readonly log: Log
  /** Folder of the built web, or undefined when only the API is served. */
  readonly webRoot: string | undefined
  readonly isHttps: boolean
  readonly ready: () => boolean
}

/** The server behind a name, so that only the kernel knows whose it is. */
export type HttpServer = FastifyInstance

/** The HTTP server without its routes: body parsers, security headers, time-outs, health, static files. */
export const createServer = async (options: ServerOptions): Promise<FastifyInstance> => {
  const app = Fastify({
    logger: false,
    genReqId: () => token(9),
    bodyLimit: jsonLimitBytes,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false, caseSensitive: true },
    requestTimeout: 11 * 60_000,
    keepAliveTimeout: 5_000,
    forceCloseConnections: 'idle',
    trustProxy: false,
  })
  noteArrival(app, options.clock)
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(body as string)))
  })
  await app.register(formBody, { throwFileSizeLimit: false })
  await app.register(compress, { global: true, threshold: 2_048, encodings: ['br', 'gzip'] })

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
      reply.header('Content-Security-Policy', isApi ? "default-src 'none'; frame-ancestors 'none'; sandbox" : pagePolicy)
  })

  app.get('/api/health', async (_request, reply) => (options.ready() ? { ready: true } : reply.status(503).send({ ready: false })))

  const { webRoot } = options
  if (webRoot !== undefined) {
    await app.register(serveStatic, { root: webRoot, wildcard: false, index: false, preCompressed: true, maxAge: '365d', immutable: true })
  }
  const page = webRoot === undefined ? undefined : await readFile(join(webRoot, 'index.html')).catch(() => undefined)
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
    const refusal = refuse('kernel/no-route', {})
    return reply.status(404).send({
      code: 404,
      success: false,
      data: null,
      msg: refusal.text[languageOf(request.headers['accept-language'])],
      reason: refusal.reason,
      traceId: request.id,
    })
  })
  app.setErrorHandler((error, request, reply) => {
    const status = (error as { statusCode?: number }).statusCode ?? 500
    const refusal =
      status >= 500
        ? refuse('kernel/defect', {})
        : status === 413
          ? refuse('kernel/too-large', {})
          : status === 415
            ? refuse('kernel/media-type', {})
            : refuse('kernel/unreadable-body', {})
    if (status >= 500) options.log.error({ traceId: request.id, err: error }, 'request failed')
    return reply
      .status(refusal.status)
      .type('application/json; charset=utf-8')
      .serializer((value: unknown) => JSON.stringify(value))
      .send({
        code: refusal.code,
        success: false,
        data: null,
        msg: refusal.text[languageOf(request.headers['accept-language'])],
        reason: refusal.reason,
        traceId: request.id,
      })
  })
  return app
}
