import { type Language, label, languageOf } from '#contract/kernel/label.ts'
import { platformTenant } from '#contract/kernel/platform.ts'
import type { OffsetClock } from '#kernel/clock.ts'
import { systemOf } from '#kernel/db/scope.ts'
import type { Session } from '#kernel/http/context.ts'
import type { HttpServer } from '#kernel/http/server.ts'
import { storeClockOffset } from '#server/installation.ts'
import type { Services } from '#server/services.ts'
import { authorizePagePath, type DemoOauth } from './oauth.ts'
import type { AuthorizeOutcome, AuthorizeRequest } from './oauth-emulator/emulator.ts'
import { clockPage, instantOf, phases, readPhaseDates } from './pages/clock-page.ts'
import { html, page } from './pages/html.ts'
import { authorizePage, authorizeProblemPage } from './pages/oauth-page.ts'
import { phonePage, readMessages } from './pages/phone-page.ts'
import { wxpayPage } from './pages/wxpay-page.ts'
import { type DemoPayments, openidPagePath, payPagePath } from './payments.ts'

export interface DemoDeps {
  readonly services: Services
  readonly payments: DemoPayments
  readonly oauth: DemoOauth
  readonly authenticate: (token: string, now: Date, activity: boolean) => Promise<Session | undefined>
  /** Absent when the process uses a fixed clock. */
  readonly offsetClock: OffsetClock | undefined
  /** What waits for a time looks again. */
  readonly afterMove: () => Promise<void>
}

/** What these pages need of a request and an answer. */
interface Asked {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly query: unknown
  readonly body: unknown
}
interface Reply {
  status(code: number): Reply
  header(name: string, value: string): Reply
  type(mime: string): Reply
  send(body: string): unknown
}

const headerOf = (request: Asked, name: string): string => {
  const value = request.headers[name]
  return typeof value === 'string' ? value : ''
}
const fieldOf = (source: unknown, name: string): string => {
  const value = typeof source === 'object' && source !== null ? (source as Readonly<Record<string, unknown>>)[name] : undefined
  return typeof value === 'string' ? value.slice(0, 500) : ''
}
const languageIn = (request: Asked): Language => {
  const wanted = fieldOf(request.query, 'lang') || fieldOf(request.body, 'lang')
  return wanted === 'en' || wanted === 'zh' ? wanted : languageOf(headerOf(request, 'accept-language'))
}

/** A page opened by its address carries the cookie and no header; tools may send the header instead. */
const tokenOf = (request: Asked): string | undefined =>
  /^bearer\s+(\S+)$/i.exec(headerOf(request, 'blade-auth').trim())?.[1] ??
  /(?:^|;\s*)kaopu-access-token=([^;]+)/.exec(headerOf(request, 'cookie'))?.[1]

const isForeign = (request: Asked): boolean => {
  const site = headerOf(request, 'sec-fetch-site')
  return site !== '' && site !== 'same-origin' && site !== 'none'
}

const administrators = ['administrator', 'admin'] as const

/**
 * The pages of demo and test (decision 1.4): the payer's phone, the messages that were sent, the clock. Production never mounts
 * them. The pay page is open: it stands for a stranger's phone, which has no session here, and whoever has the code may pay it.
 */
export const mountDemo = (server: HttpServer, deps: DemoDeps): void => {
  const { services, payments, oauth, offsetClock } = deps
  const { clock, scopes } = services

  const send = (reply: Reply, body: string, status = 200): unknown =>
    reply.status(status).header('Cache-Control', 'no-store').type('text/html; charset=utf-8').send(body)
  const goTo = (reply: Reply, place: string): unknown =>
    reply.status(303).header('Location', place).header('Cache-Control', 'no-store').send('')

  const refusePage = (reply: Reply, language: Language): unknown => {
    const title = label('仅限管理员', 'For administrators only')[language]
    const text = label(
      '请先用管理员账号登录（用一次性密码登录的，先设置自己的密码；已锁屏的，先解锁），再打开本页。',
      'Log in as an administrator (after a one-time password set one of your own; unlock a locked screen), then open this page again.',
    )[language]
    return send(
      reply,
      page({
        title,
        language,
        body: html`<div class="card"><p>${text}</p><p><a href="/login">${label('登录', 'Log in')[language]}</a></p></div>`,
      }),
      403,
    )
  }
  /** A session that the console would open to: of staff, unlocked, with a password of its own and one of the administrators' roles. */
  const adminOf = async (request: Asked): Promise<Session | undefined> => {
    const token = tokenOf(request)
    const session = token === undefined ? undefined : await deps.authenticate(token, clock.now(), true)
    const isAdmin =
      session?.userType === 1 &&
      !session.locked &&
      !session.mustChangePassword &&
      administrators.some(alias => session.roleAliases.has(alias))
    return isAdmin ? session : undefined
  }

  /** The clock is everybody's: only who runs the platform sees and moves it. */
  const operatorOf = async (request: Asked): Promise<Session | undefined> => {
    const admin = await adminOf(request)
    return admin?.tenantId === platformTenant ? admin : undefined
  }

  server.get(payPagePath, async (request, reply) => {
    const codeUrl = fieldOf(request.query, 'code_url')
    const order = await payments.person.order(codeUrl)
    return send(reply, wxpayPage(order, codeUrl, languageIn(request)), order === undefined ? 404 : 200)
  })
  server.post(payPagePath, async (request, reply) => {
    const codeUrl = fieldOf(request.body, 'code_url')
    // Paying twice or too late changes nothing; the page then tells the state.
    await payments.person.pay(codeUrl)
    return goTo(reply, `${payPagePath}?code_url=${encodeURIComponent(codeUrl)}&lang=${languageIn(request)}`)
  })

  // WeChat asks nobody for a base scope: whoever comes is sent back with a code.
  server.get(openidPagePath, async (request, reply) => {
    const { query } = request
    const wish = { appid: fieldOf(query, 'appid'), redirect: fieldOf(query, 'redirect_uri'), state: fieldOf(query, 'state') }
    const place = await payments.person.authorize(wish)
    return place === undefined ? send(reply, wxpayPage(undefined, '', languageIn(request)), 400) : goTo(reply, place)
  })

  const authorizeRequest = (source: unknown): AuthorizeRequest => ({
    response_type: fieldOf(source, 'response_type'),
    client_id: fieldOf(source, 'client_id'),
    redirect_uri: fieldOf(source, 'redirect_uri'),
    scope: fieldOf(source, 'scope'),
    state: fieldOf(source, 'state'),
    code_challenge: fieldOf(source, 'code_challenge'),
    code_challenge_method: fieldOf(source, 'code_challenge_method'),
  })
  const answerAuthorize = (reply: Reply, outcome: AuthorizeOutcome, wanted: AuthorizeRequest, language: Language): unknown => {
    if ('problem' in outcome) return send(reply, authorizeProblemPage(outcome.problem, language), 400)
    return 'redirect' in outcome ? goTo(reply, outcome.redirect) : send(reply, authorizePage(outcome.client, wanted, language))
  }
  // Open like the pay page: it belongs to another house, where nobody has a session of ours.
  server.get(authorizePagePath, async (request, reply) => {
    const wanted = authorizeRequest(request.query)
    return answerAuthorize(reply, oauth.emulator.check(wanted, headerOf(request, 'host')), wanted, languageIn(request))
  })
  server.post(authorizePagePath, async (request, reply) => {
    const wanted = authorizeRequest(request.body)
    const chosen = fieldOf(request.body, 'sub') || undefined
    return answerAuthorize(reply, oauth.emulator.decide(wanted, headerOf(request, 'host'), chosen), wanted, languageIn(request))
  })

  server.get('/demo/phone', async (request, reply) => {
    const admin = await adminOf(request)
    if (!admin) return refusePage(reply, languageIn(request))
    const messages = await scopes.tx(systemOf(admin.tenantId), clock.now(), readMessages)
    return send(reply, phonePage(messages, languageIn(request)))
  })

  const realNow = (): Date => new Date(clock.now().getTime() - (offsetClock?.offsetMs ?? 0))
  /** The examination that the buttons follow, the latest unless another is asked for, and the rest. */
  const datesFor = async (admin: Session, examId: string) => {
    const all = await scopes.tx(systemOf(admin.tenantId), clock.now(), readPhaseDates)
    const dates = all.find(one => one.id === examId) ?? all[0]
    return { dates, others: all.filter(one => one !== dates) }
  }
  server.get('/demo/clock', async (request, reply) => {
    const admin = await operatorOf(request)
    if (!admin) return refusePage(reply, languageIn(request))
    const dates = await datesFor(admin, fieldOf(request.query, 'examId'))
    const facts = { now: clock.now(), realNow: realNow(), ...dates, canMove: offsetClock !== undefined }
    return send(reply, clockPage(facts, languageIn(request)))
  })
  server.post('/demo/clock', async (request, reply) => {
    const admin = isForeign(request) ? undefined : await operatorOf(request)
    if (!admin) return refusePage(reply, languageIn(request))
    const wanted = fieldOf(request.body, 'phase')
    const phase = phases.find(one => one === wanted)
    const { dates } = await datesFor(admin, fieldOf(request.body, 'examId'))
    const target = phase && instantOf(phase, dates, realNow())
    if (offsetClock && target) {
      await storeClockOffset(scopes, offsetClock, phase === 'real' ? 0 : target.getTime() - realNow().getTime())
      await deps.afterMove()
    }
    const chosen = dates === undefined ? '' : `&examId=${dates.id}`
    return goTo(reply, `/demo/clock?lang=${languageIn(request)}${chosen}`)
  })
}
