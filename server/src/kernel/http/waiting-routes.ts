import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Language, languageOf } from '#contract/kernel/label.ts'
import { waitText } from '#contract/kernel/wait-text.ts'
import type { Gate } from '../admission/gate.ts'
import type { Clock } from '../clock.ts'
import { sendJson } from './answers.ts'
import { entranceOf, setPlaceCookies } from './entrance.ts'
import { sendPage } from './public-page.ts'
import { ownAddress, waitingPage } from './waiting-page.ts'

interface Deps {
  readonly gate: Gate
  readonly clock: Clock
  readonly isHttps: boolean
}

/** Pages that lead to an arrival: a browser without a place gets the waiting room in their stead, which is a hundredth of what they load. */
export const arrivalPages: readonly RegExp[] = [/^\/login$/, /^\/register(\/|$)/, /^\/signup\/form\/[^/]+$/]

const asChinese = (at: Date): string =>
  new Intl.DateTimeFormat('zh-CN', {
    timeZone: 'Asia/Shanghai',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hour12: false,
  }).format(at)

const queryOf = (request: FastifyRequest): { readonly to?: string | undefined; readonly lang?: string | undefined } => {
  const { to, lang } = request.query as Record<string, unknown>
  return { to: typeof to === 'string' ? to : undefined, lang: typeof lang === 'string' ? lang : undefined }
}
const spoken = (request: FastifyRequest): Language => {
  const { lang } = queryOf(request)
  return lang === 'en' || lang === 'zh' ? lang : languageOf(request.headers['accept-language'])
}

/** The waiting room, where somebody in it stands, and the way past it for staff. None of it asks the database. */
export const mountWaitingRoom = (app: FastifyInstance, { gate, clock, isHttps }: Deps): void => {
  app.get('/api/place', (request, reply) => {
    const { standing, cookies } = gate.stand(entranceOf(request.headers))
    setPlaceCookies(reply, cookies, isHttps)
    reply.header('Cache-Control', 'no-store')
    if (standing.isIn) return sendJson(reply, { isIn: true })
    const { position, waitSeconds, askAgainMs } = standing
    const language = spoken(request)
    return sendJson(reply, {
      isIn: false,
      position,
      waitSeconds: waitSeconds ?? null,
      waitText: waitText(waitSeconds, language),
      askAgainMs,
      asOf: asChinese(clock.now()),
    })
  })
  app.get('/waiting', (request, reply) => {
    const { standing, cookies } = gate.stand(entranceOf(request.headers))
    setPlaceCookies(reply, cookies, isHttps)
    const page = waitingPage({
      standing,
      language: spoken(request),
      to: ownAddress(queryOf(request).to),
      asOf: asChinese(clock.now()),
    })
    return sendPage(reply, { status: 200, ...page })
  })
  app.get('/waiting/staff', (request, reply) => {
    setPlaceCookies(reply, [gate.desk(entranceOf(request.headers))], isHttps)
    return sendPage(reply, { status: 303, html: '', location: '/login' })
  })
}

/** Where a browser that has to wait is sent from a page; undefined where it may have it. */
export const waitingAddress = (gate: Gate, request: FastifyRequest): string | undefined => {
  const [path = ''] = request.url.split('?')
  if (!arrivalPages.some(page => page.test(path)) || gate.mayOpen(entranceOf(request.headers))) return undefined
  return `/waiting?to=${encodeURIComponent(ownAddress(request.url))}`
}
