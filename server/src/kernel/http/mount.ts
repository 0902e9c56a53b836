import type {} from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { FieldProblem } from '#contract/kernel/envelope.ts'
import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { answeredFields, answeredFor, isFrameworkPath, isFrameworkSubmit } from '#contract/kernel/framework.ts'
import { languageOf } from '#contract/kernel/label.ts'
import { ignoredConditions, unknownCondition } from '#contract/kernel/list-condition.ts'
import { sliceOf } from '#contract/kernel/page.ts'
import { rankOf } from '#contract/kernel/rank.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import { fileTypesOf, type Route } from '#contract/kernel/route.ts'
import type { Gate, Waiting } from '../admission/gate.ts'
import type { Clock } from '../clock.ts'
import { type Actor, type Effects, noteEffects, type Scopes, systemOf, type TenantDb } from '../db/scope.ts'
import type { StorageFault } from '../files/storage-fault.ts'
import type { Log } from '../log.ts'
import { withTrace } from '../trace.ts'
import { actsForPlatform, isClosed, permitted } from './access.ts'
import { isFile, sendFile, sendJson, sendPlain, sendRefusal, sendWritten } from './answers.ts'
import { refuseBody } from './body.ts'
import { clientOf } from './client.ts'
import {
  type Ctx,
  type ExportPlan,
  type FileAnswer,
  type Guest,
  type Handler,
  notModified,
  type PlainAnswer,
  Refused,
  type Session,
} from './context.ts'
import { entranceOf, setPlaceCookies, waitingRefusal } from './entrance.ts'
import { failureOf, hasDoneNothing } from './failure.ts'
import { isRuled, roomFor, ruledRefusal } from './field-rule.ts'
import { fromForeign, inexactNumbers, inexactTexts } from './foreign-input.ts'
import { type AnswerSeal, type createClaimedOnce, inputDigest, once } from './idempotency.ts'
import { checkerOf, fieldsWithoutWords, gather } from './input.ts'
import { answeredAtHeader, type LastAnswer, type LastAnswers } from './last-answers.ts'
import { type ListSearchReader, listSearchOf, runFiltered } from './list-filter.ts'
import type { AnsweredCall, Observer } from './observe.ts'
import { sendRefusalPage } from './public-page.ts'
import { receive } from './receive.ts'
import { held } from './revalidate.ts'
import { unitLimits } from './row-scope.ts'
import { type OpenedCall, openSealedCall, type SealedCalls, sealAnswers } from './sealed-call.ts'
import {
  computedNames,
  detailPathOf,
  markedNames,
  nestedLists,
  nullsAsEmpty,
  takenBack,
  takesRow,
  withoutNested,
  withoutUnchanged,
} from './sent-back.ts'
import { decideEach, decideTogether, severalRows } from './several.ts'
import { KeptAnswer } from './written-answer.ts'

export interface MountDeps {
  readonly scopes: Scopes
  readonly clock: Clock
  readonly log: Log
  /** The session of an access token, or undefined when it is unknown, expired or ended. `activity` is a call made by a person. */
  readonly authenticate: (token: string, now: Date, activity: boolean) => Promise<Session | undefined>
  /** Sends a planned workbook, or orders it from the queue and answers the order. */
  readonly answerExport: (order: {
    readonly handler: Handler
    readonly ctx: Ctx
    readonly input: unknown
    readonly plan: ExportPlan
  }) => Promise<FileAnswer | object>
  /** The guest of an access token, or undefined. */
  readonly guestOf: (token: string) => Promise<Guest | undefined>
  readonly sealedCalls: SealedCalls
  /** Whether the clock of this process is right: a call that changes something is judged by it. */
  readonly isClockRight: () => boolean
  /** Seals answers that are kept for repetitions. */
  readonly answerSeal: AnswerSeal
  readonly onceClaimed: ReturnType<typeof createClaimedOnce>
  /** The tenant of a call without a session (decision 4.6). */
  readonly tenantOf: (request: { readonly named: string | undefined; readonly host: string }) => Promise<string>
  /** Decides who has to wait in a rush. */
  readonly gate: Gate
  /** What was last answered to everybody. */
  readonly last: LastAnswers
  /** Whether browsers come by https, so that cookies stay there. */
  readonly isHttps: boolean
  readonly observe?: Observer
  /** Tells the operators that files cannot be stored or read; called at every such answer. */
  readonly onStorageFault?: (fault: StorageFault, tenantId: string | undefined) => void
}

const arrivals = new WeakMap<FastifyRequest, Date>()

/** Notes when the headers arrived; must be the first hook of the server. */
export const noteArrival = (app: FastifyInstance, clock: Clock): void => {
  app.addHook('onRequest', async (request, reply) => {
    const now = clock.now()
    arrivals.set(request, now)
    reply.header('X-Server-Time', String(now.getTime()))
  })
}

const bearer = (header: string | undefined): string | undefined => /^bearer\s+(\S+)$/i.exec(header?.trim() ?? '')?.[1]

/** What cannot be a tenant's number is as good as none. */
const tenantName = (value: unknown): string | undefined => (typeof value === 'string' && /^[\w-]{1,12}$/.test(value) ? value : undefined)

const unknownTenant = { zh: '租户信息有误', en: 'The tenant number is not right' }
/** Of a form or JSON (decision 3.2), where the call takes it there: elsewhere it is a field like any other that is not known. */
const tenantInBody = (route: Route, body: unknown): unknown =>
  'tenantId' in ((route.input as { properties?: object }).properties ?? {}) && typeof body === 'object' && body !== null
    ? (body as { tenantId?: unknown }).tenantId
    : undefined

/** In whose name the transactions of a session run, narrowed as the session is. */
export const actorOf = (session: Session): Actor & { kind: 'staff' | 'candidate' } => ({
  kind: session.userType === 2 ? 'candidate' : 'staff',
  tenantId: session.tenantId,
  userId: session.userId,
  departments: session.departments,
  units: unitLimits(session),
})
/** The system at work for somebody: it may touch more tables, and reaches no further than they do. */
export const systemFor = (tenantId: string, session: Session | undefined): Actor & { kind: 'system' } => ({
  ...systemOf(tenantId),
  userId: session?.userId ?? '0',
  departments: session?.departments ?? null,
  ...(session ? { units: unitLimits(session) } : {}),
})

type DataSchema = object
/** What may be answered: nothing that is not declared leaves the server. A reader with rules may get less than always stands there. */
type DataFor = (session: Session | undefined) => DataSchema
type Writer = ReturnType<FastifyReply['compileSerializationSchema']>
const writers = new WeakMap<DataSchema, Writer>()
/**
 * Writes answers with data of this schema: compiled when a route first answers, and kept. It holds nothing of one server, so those that a process
 * opens one after another share it, as tests do.
 */
const writerOf = (reply: FastifyReply, data: DataSchema): Writer => {
  const known = writers.get(data)
  if (known !== undefined) return known
  const made = reply.compileSerializationSchema({
    type: 'object',
    properties: { code: { type: 'integer' }, success: { type: 'boolean' }, data, msg: { type: 'string' } },
    required: ['code', 'success', 'msg'],
  })
  writers.set(data, made)
  return made
}

/** Inputs whose fields all have words: they stay as they are declared, for every server that a process opens. */
const worded = new WeakSet<object>()
/** What people are told about a field names it in their language, so a field that has no words cannot be told of. */
const checkWords = ({ method, path, input }: Route): void => {
  if (worded.has(input)) return
  const nameless = fieldsWithoutWords(input as never)
  if (nameless.length > 0)
    throw new Error(`route ${method} ${path}: no words for ${nameless.join(', ')}; name them where they are declared (named)`)
  worded.add(input)
}

/** Refuses to mount what has no access rule; opens the gates in the order of architecture 4.5; turns results into answers. */
/** What a field of an answer says, also in the rows of its lists. */
const saidIn = (answer: unknown, field: string): string[] => {
  if (Array.isArray(answer)) return answer.flatMap(one => saidIn(one, field))
  if (typeof answer !== 'object' || answer === null) return []
  const said: unknown = (answer as Readonly<Record<string, unknown>>)[field]
  return typeof said === 'string' ? (said === '' ? [] : [said]) : saidIn(said, field)
}

export const mount = (app: FastifyInstance, handlers: readonly Handler[], deps: MountDeps): void => {
  sealAnswers(app)
  const answered = answeredFields(handlers.map(({ route }) => route))
  const details = new Map(handlers.flatMap(handler => (handler.route.method === 'GET' ? [[handler.route.path, handler] as const] : [])))
  for (const handler of handlers) {
    const { route } = handler
    if (!route.access) throw new Error(`route ${route.method} ${route.path} has no access rule`)
    checkWords(route)
    const check = checkerOf(route.input as never)
    let roomy: DataSchema | undefined
    const dataFor: DataFor = session => {
      if (!isRuled(session)) return route.output
      roomy ??= roomFor(route.output as never) ?? route.output
      return roomy
    }
    const known = Object.keys((route.input as { properties?: object }).properties ?? {})
    const sentBack = isFrameworkSubmit(route) ? answeredFor(answered, route) : undefined
    const searchOf = listSearchOf(route)
    const detail = takesRow(route) ? details.get(detailPathOf(route)) : undefined
    const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
      await withTrace(request.id, () => answer({ handler, check, known, dataFor, sentBack, searchOf, detail }, request, reply, deps))
    const places = [`${route.method} ${route.path}`, ...(route.also ?? [])]
    for (const place of new Set(places)) {
      const [method, path] = place.split(' ') as ['GET' | 'POST', string]
      const served = { method, url: `/api${path}`, exposeHeadRoute: method === 'GET', handler: serve }
      if (route.rawBody) mountRaw(app, served)
      else app.route(served)
    }
  }
}

/** A context of its own whose only parser hands the bytes through. */
const mountRaw = (app: FastifyInstance, place: RouteOptions): void => {
  void app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.route(place)
  })
}

const planned = async (handler: Handler, ctx: Ctx, input: unknown, deps: MountDeps): Promise<unknown> => {
  const plan = await handler.plan?.({ ctx, input: input as never })
  return plan === undefined || isRefusal(plan) ? plan : deps.answerExport({ handler, ctx, input, plan })
}

/** Rows a page may skip: skipping further costs more than any reader gains, the search narrows instead (decision 4.7). */
const deepestOffset = { staff: 200_000, others: 10_000 }
const isTooDeep = (input: { readonly current?: unknown; readonly size?: unknown }, session: Session | undefined): boolean =>
  typeof input.current === 'number' &&
  sliceOf(input as { current: number; size?: number }).offset > deepestOffset[session?.userType === 1 ? 'staff' : 'others']

const idempotencyKey = /^[\w-]{8,80}$/

/** A route as it is served. */
interface Mounted {
  readonly handler: Handler
  readonly check: ReturnType<typeof checkerOf>
  /** Names of the fields it takes. */
  readonly known: readonly string[]
  readonly dataFor: DataFor
  /** Of a submit that clients of the framework know: the fields that its resource answers, which they send back. */
  readonly sentBack: ReadonlySet<string> | undefined
  /** Of a list: how its query is read. */
  readonly searchOf: ListSearchReader | undefined
  /** Of a call that writes a row: what reads it. */
  readonly detail: Handler | undefined
}

const jsonType = 'application/json; charset=utf-8'
/** In a rush an answer of a public call is good for so long. */
const rushAgeMs = 10_000
const isForAll = (route: Route): boolean =>
  route.method === 'GET' && 'public' in route.access && rankOf(route) === 'look' && (route.answer ?? 'envelope') === 'envelope'
const isNoDatabase = ({ reason }: Refusal): boolean => reason === 'kernel/no-database'

/** What `respond` learns of a call on its way, for who watches. */
type Seen = { -readonly [K in 'tenantId' | 'session' | 'input' | 'reason' | 'error']: AnsweredCall[K] }

const answer = async (mounted: Mounted, request: FastifyRequest, reply: FastifyReply, deps: MountDeps): Promise<FastifyReply> => {
  const { observe } = deps
  const seen: Seen = { tenantId: undefined, session: undefined, input: undefined, reason: undefined, error: undefined }
  if (!observe) return respond(seen, mounted, request, reply, deps)
  const began = performance.now()
  const client = clientOf(request)
  try {
    return await respond(seen, mounted, request, reply, deps)
  } finally {
    observe({
      ...seen,
      route: mounted.handler.route,
      status: reply.statusCode,
      arrivedAt: arrivals.get(request) ?? deps.clock.now(),
      durationMs: performance.now() - began,
      address: {
        named: tenantName(request.headers['tenant-id'] ?? (request.query as { tenantId?: unknown }).tenantId),
        host: client.host,
      },
      ip: client.ip,
      userAgent: request.headers['user-agent'] ?? '',
      traceId: request.id,
    })
  }
}

const headerOf = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name.toLowerCase()]
  return Array.isArray(value) ? value[0] : value
}

/** Whom a call is answered as. */
interface Caller {
  readonly session: Session | undefined
  readonly guest: Guest | undefined
  readonly tenantId: string
  /** What an encrypted call holds. */
  readonly opened: OpenedCall | undefined
}

/** The gates before the input, in the order of architecture 4.5: token, session, lock, access of the route, tenant. */
const admit = async (seen: Seen, route: Route, request: FastifyRequest, deps: MountDeps, arrivedAt: Date): Promise<Caller | Refusal> => {
  const opened = await openSealedCall(request, deps.sealedCalls)
  if (isRefusal(opened)) return opened
  const token = opened?.token ?? bearer(headerOf(request, 'blade-auth'))
  const session = token === undefined ? undefined : await deps.authenticate(token, arrivedAt, !route.background)
  const isOpen = 'public' in route.access
  seen.session = session
  seen.tenantId = session?.tenantId
  // A guest is nobody to every route that does not name guests.
  const guest = token === undefined || session || isOpen ? undefined : await deps.guestOf(token)
  // A key is its session's: it opens no call of another session, of a guest or of nobody. A token that has run out is told as such below.
  if (opened && (session ? session.id !== opened.sessionId : guest || isOpen)) return refuse('kernel/crypto-key', {})
  if (!isOpen) {
    if (token === undefined) return refuse('kernel/no-token', {})
    if (!session && !guest) return refuse('kernel/bad-token', {})
    if (guest && !route.guests && !('guest' in route.access)) return refuse('kernel/forbidden', {})
    if (session?.locked && !route.whileLocked) return refuse('kernel/session-locked', {})
    if (session?.mustChangePassword && !route.whilePasswordDue) return refuse('kernel/password-due', {})
    if (session && (!permitted(route.access, session) || isClosed(route, session))) return refuse('kernel/forbidden', {})
  }
  const given = headerOf(request, 'tenant-id') || (request.query as { tenantId?: unknown }).tenantId || tenantInBody(route, request.body)
  const own = session?.tenantId ?? guest?.tenantId
  const tenantId = own ?? (await deps.tenantOf({ named: tenantName(given), host: clientOf(request).host }))
  // Who asks for a tenant that is not there would else log in, or register, at another one's door.
  if (own === undefined && route.method === 'POST' && given && given !== tenantId) return refuseField('tenantId', unknownTenant)
  seen.tenantId = tenantId
  return { session, guest, tenantId, opened }
}

type Input = Readonly<Record<string, unknown>>
/** A row that was read and is sent as a whole: without what the server made of it, as it stands now. */
const takeBack = async (
  detail: Handler,
  of: {
    readonly ctx: Ctx
    readonly session: Session
    readonly route: Route
    readonly known: readonly string[]
    readonly wrong: readonly FieldProblem[]
  },
  sent: Input,
): Promise<(ReturnType<typeof takenBack> & { readonly answered: Input | undefined }) | Refusal> => {
  const asIs = { input: sent, problems: [], answered: undefined }
  const { id } = sent
  const computed = computedNames(of.known, detail.route, sent)
  const marked = isRuled(of.session) ? markedNames(of.route.input, sent) : []
  // What is no id names no row: it is refused as the field that it is.
  const isNoId = (typeof id !== 'string' && typeof id !== 'number') || id === '' || of.wrong.some(({ field }) => field === 'id')
  if (isNoId) return asIs
  const lists = nestedLists(of.route.input, sent)
  if (computed.length + marked.length + lists.size === 0 && of.wrong.length === 0) return asIs
  // Who may not read it has not read it.
  if (!permitted(detail.route.access, of.session) || isClosed(detail.route, of.session)) return asIs
  const call = { ctx: of.ctx, input: { id: String(id) } as never }
  const row = detail.route.tx === 'own' ? await detail.run(call as never) : await of.ctx.tx(async db => detail.run({ ...call, db }))
  if (isRefusal(row)) return row
  const answered = row instanceof KeptAnswer ? row.data : row
  const back = takenBack({ detail: detail.route, language: of.ctx.language, computed, marked }, sent, answered as Input)
  return { ...back, input: withoutNested(lists, back.input, answered as Input), answered: answered as Input }
}

const respond = async (
  seen: Seen,
  { handler, check, known, dataFor, sentBack, searchOf, detail }: Mounted,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: MountDeps,
): Promise<FastifyReply> => {
  const { route } = handler
  const arrivedAt = arrivals.get(request) ?? deps.clock.now()
  const header = (name: string): string | undefined => headerOf(request, name)
  const language = languageOf(header('accept-language'))
  const base = { language, traceId: request.id, isBare: route.answer === 'bare' }
  let reader: Session | undefined
  const refused = (declined: Refusal): FastifyReply => {
    const refusal = ruledRefusal(reader, declined)
    seen.reason = refusal.reason
    // Of a page that is put together from this call and from ones that memory answers, this part is as old as now.
    if (isNoDatabase(refusal)) reply.header(answeredAtHeader, String(deps.clock.now().getTime()))
    const isOpened = route.answer === 'file' && route.method === 'GET' && header('sec-fetch-dest') === 'document'
    return isOpened ? sendRefusalPage(reply, language, refusal) : sendRefusal(reply, base, refusal)
  }
  /** Of an answer that is the same for everybody who asks so; undefined for all others. */
  const lastKey = isForAll(route) ? JSON.stringify([request.url, language, header('tenant-id') ?? '', clientOf(request).host]) : undefined
  const lastly = (known: LastAnswer, isMarked: boolean): FastifyReply => {
    if (isMarked) reply.header(answeredAtHeader, String(known.atMs))
    return reply
      .type(known.type)
      .serializer((text: unknown) => text as string)
      .send(known.body)
  }
  reply.header('Cache-Control', 'no-store')
  let received: Awaited<ReturnType<typeof receive>> | undefined
  try {
    if (route.method === 'POST' && header('sec-fetch-site') === 'cross-site') return refused(refuse('kernel/forbidden', {}))

    const key = header('idempotency-key')
    // Ignoring such a key would let a repetition through that its caller believes to be harmless.
    if (key !== undefined && !idempotencyKey.test(key)) {
      const text = {
        zh: '请求头 Idempotency-Key 须为 8 至 80 位字母、数字、“-”或“_”',
        en: 'The header Idempotency-Key must be 8 to 80 letters, digits, "-" or "_"',
      }
      return refused({ ...refuse('kernel/invalid-input', {}), text })
    }

    // Deadlines hang on the instant at which a call arrived. What only reads goes on.
    if (route.method === 'POST' && route.tx !== 'read' && !deps.isClockRight())
      return refused(refuse('kernel/clock-off', {}, { retryAfterSeconds: 5 }))

    if (lastKey !== undefined) {
      // In a rush everybody reads the same within some seconds; without a database, as long as it takes.
      const known = deps.last.isAway()
        ? deps.last.find(lastKey)
        : deps.gate.isRush() && header('blade-auth') === undefined
          ? deps.last.find(lastKey, rushAgeMs)
          : undefined
      if (known) return lastly(known, deps.last.isAway())
    }
    const caller = await admit(seen, route, request, deps, arrivedAt)
    if (isRefusal(caller)) return refused(caller)
    const { session, guest, tenantId, opened } = caller
    reader = session
    if (request.isMultipart()) {
      if (!route.files)
        return refused(
          refuseBody('kernel/media-type', {
            zh: '此地址不接收文件，请用 application/json 或 application/x-www-form-urlencoded',
            en: 'This call takes no files; send application/json or application/x-www-form-urlencoded',
          }),
        )
      received = await receive(request, route.files)
    }
    const contentType = header('content-type') ?? ''
    const isForm = received !== undefined || (!route.rawBody && contentType.startsWith('application/x-www-form-urlencoded'))
    const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const body = opened ? opened.json : request.body
    const rawArray = Array.isArray(body) && known.includes('list')
    const query = opened?.query ?? (request.query as Record<string, unknown>)
    const gathered = gather(route.input as never, {
      query: { ...query, ...(request.params as Record<string, unknown>) },
      form: received?.fields ?? (isForm ? (request.body as Record<string, string | readonly string[]>) : undefined),
      json: isForm || route.rawBody ? undefined : rawArray ? { list: body } : body,
      writes: route.method === 'POST',
    })
    if (gathered === undefined)
      return refused(
        refuseBody('kernel/unreadable-body', {
          zh: '请求内容含有不能保存的字符（如 NUL、不完整的字符）、保留的字段名（__proto__、constructor、prototype），或嵌套超过 32 层',
          en: 'The request holds a character that cannot be kept (NUL, half a character), a reserved name (__proto__, constructor, prototype) or is nested deeper than 32 levels',
        }),
      )
    const client = clientOf(request)
    const actor = session ? actorOf(session) : systemOf(tenantId)
    const ctx: Ctx = {
      tenantId,
      session,
      guest,
      language,
      arrivedAt,
      ip: client.ip,
      addressBy: client.by,
      host: client.host,
      userAgent: (header('user-agent') ?? '').slice(0, 300),
      traceId: request.id,
      files: received?.files ?? [],
      rawBody,
      header,
      reply: (name, value) => void reply.header(name, value),
      claimPlace: async account => {
        const waiting = entry.isIn ? await entry.claim(account) : undefined
        return waiting && wait(waiting)
      },
      say: text => text[language],
      tx: work => deps.scopes.tx(actor, arrivedAt, work),
      asSystem: (_because, work) => deps.scopes.tx(systemFor(tenantId, session), arrivedAt, work),
      actsForPlatform: () => actsForPlatform(route, session),
    }
    const isForeign = route.method === 'POST' && isFrameworkPath(route.path)
    const sent = route.method === 'POST' ? (nullsAsEmpty(route.input as never, gathered) as Input) : gathered
    // A number as an id is well formed where clients of the framework send it.
    const wrongAsSent = () =>
      route.selfChecked ? [] : check(typeof sent['id'] === 'number' ? { ...sent, id: String(sent['id']) } : sent, language)
    const returned =
      detail && session
        ? await takeBack(detail, { ctx, session, route, known, wrong: wrongAsSent() }, sent)
        : { input: sent, problems: [], answered: undefined }
    if (isRefusal(returned)) return refused(returned)
    const offered = isForeign ? fromForeign(route.input as never, returned.input, sentBack) : returned.input
    const taken = returned.answered && !route.selfChecked ? withoutUnchanged(check(offered, language), offered, returned.answered) : offered
    seen.input = taken
    const inexact = isForeign ? inexactNumbers(taken, language) : inexactTexts(route.input as never, taken, language)
    const search = searchOf?.({ ...(request.params as Record<string, unknown>), ...query }, session?.tenantId)
    const unknown = (search?.unknown ?? []).map(key => ({ field: key, msg: unknownCondition(key)[language] }))
    // A workbook has no message to say what was ignored.
    const isHinted = session?.ignoresUnknownConditions === true && route.answer !== 'file'
    const wrong = inexact.length > 0 ? inexact : route.selfChecked ? [] : check(taken, language)
    const fields = isHinted ? wrong : [...wrong, ...returned.problems, ...unknown]
    if (fields.length > 0) {
      const refusal = refuse('kernel/invalid-input', {}, { data: { fields } })
      return refused({
        ...refusal,
        text: { zh: fields[0]?.msg ?? refusal.text.zh, en: fields[0]?.msg ?? refusal.text.en },
      })
    }

    const input = search === undefined ? taken : { ...taken, ...search.columns }
    if (isTooDeep(input, session)) return refused(refuse('kernel/page-depth', {}))

    const wait = (waiting: Waiting): Refusal => {
      setPlaceCookies(reply, waiting.cookies, deps.isHttps)
      return waitingRefusal(waiting)
    }
    const rank = rankOf(route, input)
    const entry = await deps.gate.enter(rank, entranceOf(request.headers, session))
    if (!entry.isIn) return refused(wait(entry))

    const keyed = route.method === 'GET' ? undefined : key
    const digest = () => inputDigest(route.path, input, ctx.files)
    const rows = severalRows(route, input)
    const runOwn = async () => {
      const head: (readonly [string, string])[] = []
      const reply: Ctx['reply'] = (name, value) => {
        head.push([name, value])
        ctx.reply(name, value)
      }
      const run = (of: object) =>
        handler.run({
          ctx: { ...ctx, reply },
          input: of as never,
          get db(): TenantDb {
            throw new Error(`${route.path} opens its own transactions`)
          },
        })
      const decide = rows?.by === 'each' ? decideEach : decideTogether
      return { result: rows ? await decide(rows, input, run, language) : await run(input), head }
    }
    const runWrite = (of: object): Promise<unknown> =>
      ctx.tx(async db => {
        const work = async (): Promise<unknown> => {
          const value = await handler.run({ ctx, input: of as never, db })
          if (isRefusal(value)) throw new Refused(value)
          return value
        }
        // Of what is only tried nothing is kept, so the key is the call's alone.
        return keyed && of === input ? once(db, keyed, route.path, digest(), work, deps.answerSeal) : work()
      })
    const claimed = async (of: string): Promise<unknown> => {
      const owner = { ...systemOf(tenantId), userId: session?.userId ?? '0' }
      const effects: Effects = { hasWritten: false }
      // A refusal is an answer. What failed after an earlier transaction had written is not begun again.
      const isNothing = (error: unknown) => hasDoneNothing(error) && (error instanceof Refused || isRefusal(error) || !effects.hasWritten)
      const call = { run: () => noteEffects(effects, runOwn), isRefused: isRefusal, isFile, isNothing }
      const tx = <T>(work: (db: TenantDb) => Promise<T>): Promise<T> => deps.scopes.tx(owner, arrivedAt, work)
      const claim = {
        owner: `${tenantId} ${owner.userId}`,
        key: of,
        route: route.path,
        digest: digest(),
        seal: deps.answerSeal,
        tx,
        now: arrivedAt,
      }
      const done = await deps.onceClaimed(claim, call)
      for (const [name, value] of done.head) ctx.reply(name, value)
      return done.result
    }
    const result = handler.plan
      ? await planned(handler, ctx, input, deps)
      : search !== undefined && search.rows.length > 0
        ? await runFiltered(handler, { ctx, input: input as never }, search.rows)
        : route.tx === 'own'
          ? await (keyed && route.keyed !== 'own' ? claimed(keyed) : runOwn().then(done => done.result))
          : rows
            ? await decideTogether(rows, input, runWrite, language)
            : await runWrite(input)
    if (isRefusal(result)) return refused(result)
    if (rank === 'arrive' || route.keepsPlace) setPlaceCookies(reply, entry.cookies(), deps.isHttps)
    if (result === notModified) return reply.status(304).send()
    if (isFile(result)) {
      // What is declared is all that leaves the server.
      if (!fileTypesOf(route).includes(result.mime)) throw new Error(`${route.path} answers ${result.mime}, which it does not declare`)
      return await sendFile(reply, result)
    }
    if (route.answer === 'plain') return sendPlain(reply, result as PlainAnswer)
    if (route.answer === 'bare') return sendJson(reply, result)
    const write = writerOf(reply, dataFor(session))
    const hint = unknown.length === 0 ? '' : ignoredConditions(unknown.map(({ field }) => field))[language]
    const done = language === 'zh' ? '操作成功' : 'Operation succeeded'
    const said = route.says === undefined ? [] : [...new Set(saidIn(result, route.says))]
    const envelope = { code: 200, success: true, msg: `${said.length === 0 ? done : said.join(language === 'zh' ? '；' : '; ')}${hint}` }
    const enveloped = (data: unknown) => ({ ...envelope, data: data ?? null })
    if (result instanceof KeptAnswer) {
      const answer = result.write(`${language} ${isRuled(session)}${hint}`, () => {
        const json = isRuled(session) ? undefined : result.json
        if (json === undefined) return write(enveloped(result.data))
        return [Buffer.from(`${JSON.stringify(envelope).slice(0, -1)},"data":`), ...json, Buffer.from('}')]
      })
      if (lastKey !== undefined && session === undefined) deps.last.keep(lastKey, { type: jsonType, body: answer.bytes() })
      if (held(ctx, { tag: answer.tag, lastModified: undefined })) return reply.header('Vary', 'Accept-Encoding').status(304).send()
      // What is encrypted for its reader goes out as nothing else.
      return await sendWritten(reply, answer, opened ? undefined : header('accept-encoding'))
    }
    if (lastKey === undefined || session !== undefined) return reply.type(jsonType).serializer(write).send(enveloped(result))
    const text = String(write(enveloped(result)))
    deps.last.keep(lastKey, { type: jsonType, body: text })
    return reply
      .type(jsonType)
      .serializer((written: unknown) => written as string)
      .send(text)
  } catch (error) {
    const failure = failureOf(error)
    if (isNoDatabase(failure.refusal)) {
      deps.last.noteAway()
      const known = lastKey === undefined ? undefined : deps.last.find(lastKey)
      if (known) return lastly(known, true)
    }
    if (failure.fault) deps.onStorageFault?.(failure.fault, seen.tenantId)
    if (failure.log === 'error') seen.error = error
    if (failure.log) deps.log[failure.log]({ route: `${route.method} ${route.path}`, traceId: request.id, err: error }, 'request failed')
    return refused(failure.refusal)
  } finally {
    await received?.discard()
  }
}
