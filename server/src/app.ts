import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { factProblems } from '#contract/fact-places.ts'
import { platformTenant } from '#contract/kernel/platform.ts'
import { nounProblems } from '#contract/noun-problems.ts'
import { plainResources, refTargets, resources } from '#contract/nouns.ts'
import { allRoutes, contexts, importKinds } from '#contract/registry.ts'
import { type Admission, createAdmission } from '#kernel/admission/admission.ts'
import type { Pressure } from '#kernel/admission/pace.ts'
import { type AllowedServers, createAllowedServers } from '#kernel/allowed-servers.ts'
import { audit } from '#kernel/audit.ts'
import { createSealer } from '#kernel/audit-chain/seal.ts'
import { called } from '#kernel/called.ts'
import { type Clock, createOffsetClock, type OffsetClock, systemClock } from '#kernel/clock.ts'
import { askDatabase, type ClockReading, type ClockWatch, clockProblem, createClockWatch, isOff } from '#kernel/clock-watch.ts'
import { crud } from '#kernel/crud/crud.ts'
import { bindRefTargets } from '#kernel/crud/refs.ts'
import { createFieldCipher } from '#kernel/crypto/field.ts'
import { fingerprintOf } from '#kernel/crypto/fingerprint.ts'
import { createPasswordHasher, type PasswordHasher } from '#kernel/crypto/password.ts'
import { cryptoSelfTest } from '#kernel/crypto/self-test.ts'
import { listenForChanges } from '#kernel/db/changes.ts'
import { StartRefusal } from '#kernel/db/embedded-binaries.ts'
import { newestMigration, prepareDatabase } from '#kernel/db/migrate.ts'
import { openOwnerPool, openPools, type Pool, type PoolClient, type Pools } from '#kernel/db/pool.ts'
import { presentPrefix } from '#kernel/db/roles.ts'
import { createScopes, systemOf } from '#kernel/db/scope.ts'
import { onProviderCall } from '#kernel/events.ts'
import { createDiskStore } from '#kernel/files/disk.ts'
import { createFileStores, foreignDisk } from '#kernel/files/places.ts'
import { createForeignDatabases } from '#kernel/foreign-database.ts'
import { type Hold, type HoldWatch, type Query, watchHold } from '#kernel/hold.ts'
import type { Holding } from '#kernel/holding.ts'
import { clientOf, parseProxies } from '#kernel/http/client.ts'
import type { Handler } from '#kernel/http/context.ts'
import { answerSealOf, createClaimedOnce } from '#kernel/http/idempotency.ts'
import { createKeptAnswers } from '#kernel/http/kept-answers.ts'
import { createLastAnswers } from '#kernel/http/last-answers.ts'
import { mount } from '#kernel/http/mount.ts'
import { openApiOf } from '#kernel/http/openapi.ts'
import { createReadiness } from '#kernel/http/probes.ts'
import { mountPages } from '#kernel/http/public-page.ts'
import { createServer, type HttpServer } from '#kernel/http/server.ts'
import { mountWaitingRoom, waitingAddress } from '#kernel/http/waiting-routes.ts'
import type { Invariant } from '#kernel/invariant.ts'
import { type Log, tapLog } from '#kernel/log.ts'
import type { Metrics } from '#kernel/metrics.ts'
import { createOutbound } from '#kernel/outbound.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import { defaultAttempts, prepareQueue, startWorker, type TaskEnd, type Worker } from '#kernel/queue/worker.ts'
import { randomDigits } from '#kernel/random.ts'
import { keyNames, keyRing, keyRings, type LiveSecrets, liveSecrets, readSecrets, type Secrets, secretsPath } from '#kernel/secrets.ts'
import { thisServer } from '#kernel/this-server.ts'
import { createAccessModule } from '#modules/access/module.ts'
import { type AuthModule, createAuthModule } from '#modules/auth/module.ts'
import type { SourceTree } from '#modules/develop/index.ts'
import { createDevelopModule } from '#modules/develop/module.ts'
import { withinExam } from '#modules/exam/index.ts'
import { createExamModule } from '#modules/exam/module.ts'
import { createStoragePlaces, type StoragePlaces } from '#modules/file/index.ts'
import { createFileModule, type FileModule } from '#modules/file/module.ts'
import { createFlowModule } from '#modules/flow/module.ts'
import { createInstallationModule } from '#modules/installation/module.ts'
import { createJobModule } from '#modules/job/module.ts'
import { openSpool, type Spool } from '#modules/log/index.ts'
import { createLogModule, type LogModule, logParameters, logSettingsOf } from '#modules/log/module.ts'
import { type SmsGateway, smsOrigins } from '#modules/message/index.ts'
import { createMessageModule } from '#modules/message/module.ts'
import { createNewsModule } from '#modules/news/module.ts'
import { createOrganisationModule, type OrganisationModule } from '#modules/organisation/module.ts'
import { createOversightModule } from '#modules/oversight/module.ts'
import { ALIPAY_BILL_ORIGIN, ALIPAY_ORIGIN, type PayGateway, WECHAT_API_ORIGIN, WECHAT_PAY_ORIGIN } from '#modules/pay/index.ts'
import { createPayModule, type PayModule } from '#modules/pay/module.ts'
import { createPersonModule } from '#modules/person/module.ts'
import { createReductionModule, type ReductionModule } from '#modules/reduction/module.ts'
import { readDictionaries } from '#modules/reference/index.ts'
import { createReferenceModule } from '#modules/reference/module.ts'
import { createReportModule } from '#modules/report/module.ts'
import { orderRanking } from '#modules/result/index.ts'
import { createResultModule } from '#modules/result/module.ts'
import { createSchoolModule } from '#modules/school/module.ts'
import { listToPublish, notePublicity, waitingSteps } from '#modules/selection/index.ts'
import { createSelectionModule, type SelectionModule } from '#modules/selection/module.ts'
import { createSignupModule, type SignupModule } from '#modules/signup/module.ts'
import { createStatisticsModule } from '#modules/statistics/module.ts'
import { addressesOf, listTenantsAtWork, originOf, readParameters, readSite } from '#modules/tenancy/index.ts'
import { createTenancyModule, type TenancyModule } from '#modules/tenancy/module.ts'
import { dropSeatsOf } from '#modules/ticket/index.ts'
import { createTicketModule } from '#modules/ticket/module.ts'
import { createTransferModule } from '#modules/transfer/module.ts'
import { unhandled } from '#server/complete.ts'
import type { Config } from '#server/config.ts'
import { mountDemo } from '#server/demo/mount-demo.ts'
import { createDemoOauth, type DemoOauth } from '#server/demo/oauth.ts'
import { type BookKeeping, createDemoPayments, type DemoPayments } from '#server/demo/payments.ts'
import { createDemoSms, type DemoSms } from '#server/demo/sms.ts'
import { readClockOffset } from '#server/installation.ts'
import { checkInstallation, readFolderIdentity, readMarks } from '#server/installation-identity.ts'
import { tellKeys } from '#server/key-holders.ts'
import { loadLoginProviders, noThirdParty, type ThirdParty } from '#server/login-providers.ts'
import { createAppMetrics } from '#server/metrics.ts'
import { holdOlderDatabase } from '#server/older-database.ts'
import { readinessChecks } from '#server/readiness.ts'
import type { Services } from '#server/services.ts'
import { dropSamples } from '../seed/base/drop-samples.ts'
import type { MenuSeed } from '../seed/base/menu-seed.ts'
import { menuSeeds } from '../seed/base/menus.ts'
import { fillTenant, seedBase } from '../seed/base/seed-base.ts'
import { seedDemo } from '../seed/demo/seed-demo.ts'

/** Of this program, as its releases are numbered. */
export const applicationVersion = '0.1.0'
const workerConcurrency = 4
/** Wrong passwords before a lock where the tenant has no parameter (decision 4.7). */
const defaultFailLimit = 5

export interface ApplicationOptions {
  readonly config: Config
  readonly secrets: Secrets
  readonly databaseUrl: string
  readonly log: Log
  /** Replaces the product's clock; tests stand still with it. */
  readonly clock?: Clock
  /** Replaces the clock of sessions and codes, which otherwise runs in real time. */
  readonly sessionClock?: Clock
  /** This process's own clock, which the database's is compared with; only where `clock` replaces nothing. */
  readonly processClock?: Clock
  /** Replaces the comparison. */
  readonly clockWatch?: ClockWatch
  /** Cheaper hashes for tests that make many people. */
  readonly passwords?: PasswordHasher
  /** Skips migration and seeding because the caller's database is a prepared copy. */
  readonly isPrepared?: boolean
  /** Fills the demo of a database that has none: the program's own start, no command beside it. */
  readonly fillsDemo?: boolean
  /** Replaces what is measured of the load of this process. */
  readonly pressure?: () => Pressure
  /** Runs no background work; tests call the tasks themselves. */
  readonly withoutWorker?: boolean
  /** The payment provider of another application on the same database; tests of two processes share one. */
  readonly payments?: DemoPayments
  /** The providers of text messages of another application, likewise. */
  readonly sms?: DemoSms
  /** The identity provider of another application, likewise. */
  readonly oauth?: DemoOauth
}

export interface Application {
  readonly server: HttpServer
  readonly services: Services
  /** The secrets of this process, which a rotation replaces. */
  readonly keys: LiveSecrets
  readonly modules: Modules
  readonly worker: Worker | undefined
  readonly admission: Admission
  /** Absent in production, where the provider is the real one. */
  readonly payments: DemoPayments | undefined
  readonly sms: DemoSms | undefined
  readonly oauth: DemoOauth | undefined
  /** Holds everything back that would leave the installation, after a restore. */
  readonly hold: HoldWatch
  listen(port: number): Promise<{ url: string }>
  /** Resolves when this process has heard every change that was told before the call. */
  catchUp(): Promise<void>
  readonly metrics: Metrics
  /** Answers as before and says at `/api/ready` that it wants no more, so that a proxy sends the calls elsewhere. */
  drain(): void
  close(): Promise<void>
}

/** Notices of the emulator pass every gate of the server, whether or not it listens on a port yet. */
const deliverTo =
  (server: () => HttpServer): Parameters<typeof createDemoPayments>[0]['deliver'] =>
  async ({ url, headers, body }) => {
    const { pathname } = new URL(url)
    const answer = await server().inject({ method: 'POST', url: pathname, headers, payload: body })
    return { status: answer.statusCode, body: answer.body }
  }

const productionOf = (config: Config, hold: Hold): PayGateway => ({
  outbound: createOutbound({
    hold,
    purpose: 'pay',
    allowedOrigins: [WECHAT_PAY_ORIGIN, WECHAT_API_ORIGIN, ALIPAY_ORIGIN, ALIPAY_BILL_ORIGIN],
  }),
  origin: async () => WECHAT_PAY_ORIGIN,
  alipayOrigin: async () => ALIPAY_ORIGIN,
  nontax: createAllowedServers(config.nontaxServers, hold, { purpose: 'pay' }),
})

const productionSms = (hold: Hold): SmsGateway => ({
  outbound: createOutbound({ hold, purpose: 'sms', allowedOrigins: Object.values(smsOrigins) }),
  origin: async category => smsOrigins[category],
})

const logEveryMs = 1_000
/** Some hundred thousand lines of the logs. */
const spoolBytes = 128 * 1024 * 1024

/** The PowerJob servers that jobs may run on, and whether the clock lets jobs run. */
interface JobServers {
  readonly servers: AllowedServers
  readonly mayRun: () => boolean
}

/** The services that files may lie in, and what is set up of them. */
interface StorageServers {
  readonly servers: AllowedServers
  readonly hold: Hold
  readonly places: StoragePlaces
}

/** What generated code stands among: the program as it is. */
const sourceTree = (lastMigration: number): SourceTree => {
  const all = (menus: readonly MenuSeed[]): readonly MenuSeed[] => menus.flatMap(menu => [menu, ...all(menu.children ?? [])])
  const menus = all(menuSeeds)
  return {
    contexts: contexts.map(({ name }) => name),
    nouns: [...refTargets.keys()],
    menuCodes: menus.map(({ code }) => code),
    folders: menus.filter(({ children = [] }) => children.length > 0).map(({ code }) => code),
    lastMigration,
  }
}

const build = (
  services: Services,
  sessionClock: Clock,
  gateway: PayGateway,
  smsGateway: SmsGateway,
  thirdParty: ThirdParty,
  jobServers: JobServers,
  storage: StorageServers,
  lastMigration: number,
  isTicking: boolean,
  spool: Spool,
) => {
  const log: LogModule = createLogModule({
    services,
    settings: async tenantId =>
      logSettingsOf(await services.scopes.tx(systemOf(tenantId), services.clock.now(), db => readParameters(db, logParameters))),
    tenantOf: address => tenancy.tenantOf(address),
    everyMs: isTicking ? logEveryMs : undefined,
    spool,
  })
  const file: FileModule = createFileModule(
    services,
    {
      authenticate: (token, now, activity) => auth.cache.authenticate(token, now, activity),
      openSession: (tenantId, sessionId) => auth.cache.openSession(tenantId, sessionId),
    },
    readParameters,
    { ...storage, openSecret: (db, cipher) => auth.openSecret(db, cipher) },
  )
  const transfer = createTransferModule(services, file, { parametersOf: readParameters, readDictionaries })
  const message = createMessageModule(
    services,
    {
      parametersOf: readParameters,
      ownHosts: async db => [new URL(addressesOf(services, await readSite(db), db.actor.tenantId).origin).host],
      ownOrigin: async db => addressesOf(services, await readSite(db), db.actor.tenantId).origin,
      openSecret: (db, cipherHex) => auth.openSecret(db, cipherHex),
      transfer,
      recharge: {
        merchant: () => pay.recharge.merchant(),
        open: order => pay.recharge.open(order),
        ask: orderNo => pay.recharge.ask(orderNo),
        close: orderNo => pay.recharge.close(orderNo),
        demoPayUrl: (codeUrl, language) => pay.recharge.demoPayUrl(codeUrl, language),
      },
    },
    smsGateway,
  )
  const auth: AuthModule = createAuthModule({
    avatarLink: file.linkFor,
    thirdParty,
    services,
    clock: sessionClock,
    settings: {
      failLimit: async db => Number((await readParameters(db, ['account.failCount']))['account.failCount'] ?? defaultFailLimit),
      captchaOn: true,
      busyAddress: async db => {
        const set = await readParameters(db, ['address.captchaMinute', 'address.smsHour', 'address.flowMinute'])
        return {
          captchaMinute: Number(set['address.captchaMinute'] ?? 600),
          smsHour: Number(set['address.smsHour'] ?? 300),
          flowMinute: Number(set['address.flowMinute'] ?? 1_000),
        }
      },
      smsLogin: async db => {
        const set = await readParameters(db, ['candidate.smsLogin', 'staff.smsLogin'])
        return { candidate: set['candidate.smsLogin'] !== '0', staff: set['staff.smsLogin'] === '1' }
      },
      secondFactor: async db => {
        const set = await readParameters(db, ['account.totpAdmin', 'account.totpStaff'])
        return { admins: set['account.totpAdmin'] === '1', staff: set['account.totpStaff'] === '1' }
      },
      candidatesRegister: async db => (await readParameters(db, ['candidate.register']))['candidate.register'] !== '0',
      staffRegister: async db => (await readParameters(db, ['staff.register']))['staff.register'] === '1',
    },
    registerStaff: (ctx, applicant) => organisation.registerStaff(ctx, applicant),
    sendSms: message.sendCode,
    notify: message.notify,
  })
  const reference = createReferenceModule(services, transfer)
  const access = createAccessModule({ services, auth })
  const tenancy: TenancyModule = createTenancyModule({
    services,
    auth,
    transfer,
    fillTenant: async db => {
      await fillTenant(db)
      if (services.config.profile === 'production') await dropSamples(db)
    },
  })
  const organisation: OrganisationModule = createOrganisationModule({
    ...{ services, auth, files: file, message, transfer },
    takeInvitations: (db, ctx, userId) => signup.takeAllInvitations(db, ctx, userId),
  })
  const oversight = createOversightModule({ services, auth, message, organisation })
  const flow = createFlowModule(services, message)
  const job = createJobModule({
    services,
    auth,
    message,
    servers: jobServers.servers,
    mayRun: jobServers.mayRun,
  })
  const develop = createDevelopModule({
    services,
    foreign: createForeignDatabases((services.config.dataSources ?? '').split(',').filter(Boolean)),
    tree: sourceTree(lastMigration),
  })
  const school = createSchoolModule(transfer)
  const exam = createExamModule(services, { transfer, file, message, parametersOf: readParameters })
  const pay: PayModule = createPayModule(services, {
    transfer,
    file,
    message,
    mirrorPayState: async (db, signupId, state) => {
      await signup.mirrorPayState(db, signupId, state)
      // A fee that goes back takes the place along: seat, ticket, rank. One that comes back changes the ranks alone.
      if (state === 'refunding' || state === 'refunded') await dropSeatsOf(db, signupId)
      if (state === 'refunded') await reduction.followRefund(db, signupId)
      await orderRanking(db, signupId)
    },
    gateway,
  })
  exam.onClose((db, examId) => pay.closeOrdersOf(db, examId))
  exam.onPayEndMoved((db, examId) => pay.moveDuesOf(db, examId))
  const signup: SignupModule = createSignupModule(services, {
    ...{ exam, pay, file, message, school, transfer },
    reviewed: (db, ctx, reviewed) => reduction.followReview(db, ctx, reviewed),
    proposeDisqualifying: (db, ctx, of, reason) => selection.proposeDisqualifying(db, ctx, of, reason),
    choiceEnds: (db, signupIds) => reduction.choiceEnds(db, signupIds),
    selectionSteps: waitingSteps,
  })
  const reduction: ReductionModule = createReductionModule({ services, file, message, pay, signup, dropSeats: dropSeatsOf })
  const ticket = createTicketModule(services, { file, message, transfer })
  const result = createResultModule(services, { transfer, message })
  const news = createNewsModule({
    ...{ services, file, message, publicPages: exam.publicPages, authenticate: auth.cache.authenticate, parametersOf: readParameters },
    hireList: { people: listToPublish, published: notePublicity },
  })
  const selection: SelectionModule = createSelectionModule(services, { file, message, parametersOf: readParameters })
  const statistics = createStatisticsModule({ releaseCheck: exam.outside })
  const report = createReportModule({ services, auth, message })
  const person = createPersonModule({ services, auth, file, flow, message, signup })
  exam.onRelease((db, examId) => person.orderReminders(db, examId))
  const installation = createInstallationModule({
    services,
    hold: storage.hold,
    message,
    pay,
    storageOf: async tenantId => {
      const id = await storage.places.chosen(tenantId)
      const row = await storage.places.chosenRow(tenantId)
      return id === undefined || row === undefined ? undefined : { id, name: row.code }
    },
    listTenants: now => services.scopes.asPlatform('the data of every tenant are checked', now, listTenantsAtWork),
  })
  const modules = {
    ...{ log, file, transfer, message, auth, reference, access, tenancy, organisation, oversight, flow, job, develop },
    ...{ school, exam, pay, signup, reduction, ticket, result, news, selection, statistics, report, person, installation },
  }
  const handlers: readonly Handler[] = [
    ...Object.values(modules).flatMap(module => module.handlers),
    ...plainResources.flatMap(resource => [
      ...crud(resource, resource.within === undefined ? {} : withinExam),
      ...transfer.nounImport(resource),
    ]),
  ]
  transfer.exports.bind(handlers, async (db, notice) => {
    await message.notify(db, { ...notice, examId: null, kind: 7 })
  })
  access.bind(handlers)
  const processors = Object.values(modules).flatMap((module): readonly Processor[] => ('processors' in module ? module.processors : []))
  job.bind(processors)
  const invariants = Object.values(modules).flatMap((module): readonly Invariant[] => ('invariants' in module ? module.invariants : []))
  installation.bind(invariants)
  organisation.bind(Object.values(modules).flatMap((module): readonly Holding[] => ('holdings' in module ? module.holdings : [])))
  const tasks: readonly Task[] = Object.values(modules).flatMap(module => ('tasks' in module ? module.tasks : []))
  return { ...modules, handlers, tasks, processors, invariants }
}
export type Modules = ReturnType<typeof build>

/** One process of a demo keeps the book of the payment emulator: the one whose database session holds this lock. */
const bookLock = 7_203_002
const keepingBy = (pools: Pools): BookKeeping => {
  let client: PoolClient | undefined
  const address = "select value->>'url' as url from installation where key = 'demo.wxpay'"
  return {
    claim: async () => {
      if (client) return true
      const candidate = await pools.kaopu_platform.connect()
      const { rows } = await candidate.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [bookLock])
      if (rows[0]?.held) client = candidate
      else candidate.release()
      return client !== undefined
    },
    readAddress: async () => (await pools.kaopu_platform.query<{ url: string }>(address)).rows[0]?.url,
    writeAddress: async url =>
      void (await pools.kaopu_platform.query(
        "insert into installation (key, value) values ('demo.wxpay', jsonb_build_object('url', $1::text)) on conflict (key) do update set value = excluded.value",
        [url],
      )),
    letGo: () => {
      client?.release(true)
      client = undefined
    },
  }
}

/** A route, an import or an export that is declared and not handled, or the other way round, is a mistake that must not wait for a caller. */
const checkComplete = (handlers: readonly Handler[], importers: readonly string[]): void => {
  const problems = unhandled({ routes: allRoutes(), importKinds }, { handlers, importers })
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

/** A noun that cannot work, or that tells a fact about people without saying which, is said before anything else happens. */
const checkNouns = (): void => {
  const problems = [...nounProblems({ resources, targets: refTargets, routes: allRoutes() }), ...factProblems(allRoutes())]
  if (problems.length > 0) throw new StartRefusal(problems.join('\n'))
  bindRefTargets(refTargets)
}

const heardElsewhere = new Set(['request failed', 'task failed'])

/** What the queue did, as the log tells it: every failure, and the ends that matter to somebody. */
const noteTask = (log: LogModule, { task, tenantId, attempt, durationMs, error }: TaskEnd): void => {
  if (error === undefined) {
    log.say(tenantId, task.isNotable ? 'info' : 'debug', task.name, { event: 'done', attempt, durationMs })
    return
  }
  const isLast = attempt >= (task.maxAttempts ?? defaultAttempts)
  log.say(tenantId, isLast ? 'error' : 'warn', task.name, { event: 'failed', attempt, durationMs, error })
  log.failed(tenantId, task.name, error)
}

/** Whoever runs the platform learns that a process has stopped taking writes, or takes them again; its own clock is not asked for the time of it. */
const tellOfClock = (modules: Modules, services: Services, clock: Clock, reading: ClockReading, hasGone: boolean): Promise<void> =>
  services.scopes.tx(systemOf(platformTenant), clock.now(), async db => {
    const by = (Math.abs(reading.aheadMs) / 1000).toFixed(1)
    const at = `${thisServer.host} ${thisServer.ip}`.trim()
    await audit(db, undefined, {
      action: hasGone ? 'installation.clock-off' : 'installation.clock-right',
      entity: 'installation',
      entityId: null,
      after: { server: at, aheadMs: reading.aheadMs },
    })
    await modules.organisation.tellOperators(db, {
      examId: null,
      kind: 7,
      title: hasGone
        ? { zh: '告警：服务器时钟不一致', en: 'Alert: the clock of a server is off' }
        : { zh: '服务器时钟已恢复一致', en: 'The clock of a server is right again' },
      content: hasGone
        ? {
            zh: `服务器 ${at} 的时钟与数据库相差 ${by} 秒（限 1 秒），已暂停受理提交，请检查时间同步（NTP）。`,
            en: `The clock of ${at} is ${by} s off the database’s (1 s is allowed); it takes no writes until they agree. Look at its time synchronisation (NTP).`,
          }
        : { zh: `服务器 ${at} 已恢复受理提交。`, en: `${at} takes writes again.` },
      link: '',
      eventKey: `clock-${hasGone ? 'off' : 'right'}-${services.runner}-${clock.now().getTime()}`,
    })
  })

/** Whether the files of the installation lie in this data folder; an instance whose files all lie in a storage may have another one. */
const hasOwnFolder = async (platform: Pool, dataDir: string): Promise<boolean> => {
  const { rows } = await platform.query<{ folder: string }>(
    `select value as folder from installation_mark where kind = 'identity' and name = 'folder' and until is null`,
  )
  const [marked] = rows
  return marked === undefined || (await readFolderIdentity(dataDir))?.folder === marked.folder
}

/** Says so where all instances that live (their lock is held) together may ask for more connections than the server gives; they would refuse calls on a busy day. */
const warnOfConnections = async (platform: Pool, ownRunner: string, connections: number, log: Log): Promise<void> => {
  const { rows } = await platform.query<{ others: number; most: number }>(
    `select (select count(*)::int from job_runner r where r.runner <> $1 and exists (
         select from pg_locks l where l.locktype = 'advisory' and l.granted and l.objsubid = 1
           and l.classid = ((r.runner >> 32) & 4294967295)::oid and l.objid = (r.runner & 4294967295)::oid
           and l.database = (select oid from pg_database where datname = current_database()))) as others,
       current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most`,
    [ownRunner],
  )
  const { others = 0, most = 0 } = rows[0] ?? {}
  const wanted = (others + 1) * connections
  if (wanted > most)
    log.warn(
      { instances: others + 1, connectionsEach: connections, wanted, serverGives: most },
      'the database server may run out of connections: raise max_connections or lower KAOPU_DATABASE_CONNECTIONS',
    )
}

/** Brings the database up to date, seeds what the profile needs, and builds the whole application. */
export const createApplication = async (options: ApplicationOptions): Promise<Application> => {
  checkNouns()
  const { config, databaseUrl } = options
  const live = liveSecrets(options.secrets)
  const { secrets } = live
  let logs: LogModule | undefined
  const log = tapLog(options.log, (level, { traceId: _traceId, ...fields }, message) => {
    // Calls and tasks that failed have lines of their own, in their tenants.
    if (!heardElsewhere.has(message)) logs?.say(platformTenant, level, 'program', { event: message, ...fields })
  })
  cryptoSelfTest()
  const asOwner = async <T>(work: (owner: Pool) => Promise<T>): Promise<T> => {
    const owner = openOwnerPool(databaseUrl, log)
    try {
      return await work(owner)
    } finally {
      await owner.end()
    }
  }
  const identity = options.isPrepared ? undefined : await checkInstallation({ ...config, databaseUrl }, options.secrets)
  if (identity) live.replace(identity.secrets)
  const begun = [...keyNames.filter(name => secrets.coming[name]), ...(secrets.comingLogin ? ['login'] : [])]
  if (begun.length > 0 && !options.withoutWorker)
    log.warn(
      { secrets: begun },
      `a change of secrets was begun and is not finished: run ${called('secrets', 'rotate')} with the same name again`,
    )
  const { migrated, prefix } = await asOwner(async owner => {
    if (options.isPrepared) return { migrated: 0, prefix: await presentPrefix(owner) }
    const prepared = await prepareDatabase(owner, log, { passwords: secrets.databasePasswords })
    await prepareQueue(owner, log, prepared.prefix)
    return prepared
  })
  const accepted = (await identity?.record()) ?? []
  const pools = openPools(
    ...([databaseUrl, secrets.databasePasswords, log, config.databaseConnections, prefix] as const),
    async () => (await readSecrets(secretsPath(config)))?.databasePasswords,
  )
  const clockWatch =
    options.clockWatch ??
    (options.clock
      ? undefined
      : createClockWatch(askDatabase(pools.kaopu_platform), log, options.processClock ? { own: options.processClock } : {}))
  const reading = await clockWatch?.look()
  if (reading && isOff(reading)) {
    await pools.end()
    throw new StartRefusal(clockProblem(reading))
  }
  const commonClock = clockWatch?.clock ?? systemClock
  const clock: Clock = options.clock ?? createOffsetClock(0, commonClock)
  const scopes = createScopes(pools, log)
  const cipher = createFieldCipher({ rootKey: keyRing(secrets, 'fieldRootKey'), indexKey: keyRing(secrets, 'blindIndexKey') })
  const rootKey = keyRing(secrets, 'fieldRootKey')
  const query: Query = <R extends object>(text: string, values?: readonly unknown[]) =>
    pools.kaopu_platform.query<R & Record<string, unknown>>(text, values as unknown[])
  if (!options.withoutWorker)
    await holdOlderDatabase({ config, pools, scopes, clock: commonClock, query, auditKey: keyRing(secrets, 'auditKey') }).catch(
      // Heads that cannot be read say nothing; `npm run audit:verify` says what to do.
      (error: unknown) => log.error({ err: error }, 'whether the database was put back to an older state cannot be said'),
    )
  const hold = await watchHold(query, log)
  // Files that are there are shown; a restored copy must not change what its original still uses.
  const storageServers = createAllowedServers(config.storageServers, hold, { mayReadWhileHeld: true, purpose: 'storage' })
  const places = createStoragePlaces({ scopes, clock, cipher, servers: storageServers, rootKey })
  const services: Services = {
    config,
    secrets,
    keys: keyRings(secrets),
    pools,
    scopes,
    clock,
    log,
    cipher,
    passwords: options.passwords ?? createPasswordHasher({ pepper: keyRing(secrets, 'passwordPepper') }),
    files: createFileStores(
      (await hasOwnFolder(pools.kaopu_platform, config.dataDir))
        ? await createDiskStore({ folder: join(config.dataDir, 'files'), rootKey })
        : foreignDisk(),
      places,
    ),
    kept: createKeptAnswers(),
    runner: randomDigits(18),
  }
  const offsetClock = 'offsetMs' in clock ? (clock as OffsetClock) : undefined
  if (offsetClock && config.profile !== 'production') await readClockOffset(services.scopes, offsetClock)
  if (!options.isPrepared) await seedBase(services.scopes, clock.now())
  if (accepted.length > 0)
    await scopes.tx(systemOf(platformTenant), clock.now(), db =>
      audit(db, undefined, { action: 'installation.accepted', entity: 'installation', entityId: null, after: { accepted } }),
    )
  if (config.profile === 'production') await services.scopes.asPlatform('production has no samples', clock.now(), dropSamples)
  if (options.fillsDemo && config.profile === 'demo') await seedDemo(services)
  // The database counts new rows by itself only after a minute, and would plan for empty tables until then.
  if (migrated > 0) await asOwner(owner => owner.query('analyze'))
  const ownPayments =
    config.profile === 'production' || options.payments
      ? undefined
      : createDemoPayments({
          hold,
          dataDir: config.dataDir,
          clock,
          log,
          isManual: options.withoutWorker === true,
          deliver: deliverTo(() => server),
          ...(options.withoutWorker ? {} : { keeping: keepingBy(pools) }),
        })
  const payments = options.payments ?? ownPayments
  const gateway = payments?.gateway ?? productionOf(config, hold)
  const ownSms =
    config.profile === 'production' || options.sms
      ? undefined
      : createDemoSms({ hold, dataDir: config.dataDir, clock, isManual: options.withoutWorker === true, site: originOf(config) })
  const sms = options.sms ?? ownSms
  const smsGateway = sms?.gateway ?? productionSms(hold)
  const sessionClock = options.sessionClock ?? options.clock ?? commonClock
  const ownOauth = config.profile === 'production' || options.oauth ? undefined : createDemoOauth(sessionClock, hold)
  const oauth = options.oauth ?? ownOauth
  const thirdParty =
    config.loginProvidersFile === undefined
      ? (oauth?.thirdParty ?? noThirdParty)
      : await loadLoginProviders(config.loginProvidersFile, hold)
  const mayRun = (): boolean => clockWatch?.offBy() === undefined && !hold.isHeld()
  const jobServers: JobServers = {
    servers: createAllowedServers(config.jobServers, hold, { purpose: 'job' }),
    mayRun,
  }
  const lastMigration = await newestMigration()
  const modules = build(
    services,
    sessionClock,
    gateway,
    smsGateway,
    thirdParty,
    jobServers,
    { servers: storageServers, places, hold },
    lastMigration,
    !options.withoutWorker,
    // One file for each process that shares the folder.
    await openSpool(join(config.dataDir, 'log-spool', `${thisServer.host}-${config.port}.jsonl`), spoolBytes),
  )
  logs = modules.log
  checkComplete(modules.handlers, modules.transfer.importKinds())

  /** Pages name their tenant in the address, as calls do in a header. */
  const tenantOfPage = (request: Parameters<typeof clientOf>[0] & { readonly query: unknown }): Promise<string> => {
    const { tenantId } = request.query as { readonly tenantId?: unknown }
    return modules.tenancy.tenantOf({ named: typeof tenantId === 'string' ? tenantId : undefined, host: clientOf(request).host })
  }
  let isReady = false
  let isDraining = false
  let worker: Worker | undefined
  const admission = createAdmission({
    ...{ mode: config.waitingRoom, most: config.mostArrivals, key: secrets.tokenKey },
    ...{ pools, clock: options.clock ?? commonClock, log, instance: services.runner, pressure: options.pressure },
  })
  const { gate } = admission
  const last = createLastAnswers(options.clock ?? commonClock)
  const isHttps = config.publicUrl?.startsWith('https:') === true
  const webRoot = fileURLToPath(new URL('../../web/dist/', import.meta.url))
  const readiness = createReadiness(readinessChecks({ services, places, worker: () => worker, clockOffBy: () => clockWatch?.offBy() }))
  const appMetrics = createAppMetrics({
    ...{ services, readiness, build: `${applicationVersion}+${String(lastMigration).padStart(4, '0')}` },
    clockOffBy: () => clockWatch?.offBy(),
    lostLines: () => modules.log.lost(),
    waitingRoom: () => admission.room.gauges(),
  })
  const endProviderLines = onProviderCall(call =>
    log[call.outcome === 'ok' ? 'info' : 'warn']({ ...call }, call.outcome === 'ok' ? 'provider answered' : 'provider failed'),
  )
  const server = await createServer({
    clock,
    log,
    webRoot: existsSync(join(webRoot, 'index.html')) ? webRoot : undefined,
    isHttps,
    elsewhere: request => waitingAddress(gate, request),
    proxies: parseProxies(config.proxies ?? '', config.proxyHeader),
    frameHosts: config.frameHosts?.split(',') ?? [],
    ready: () => isReady,
    readiness,
    metrics: { text: appMetrics.metrics.text, contentType: appMetrics.metrics.contentType, isFor: parseProxies(config.metricsFrom).trusts },
    phase: () => (isDraining ? 'stopping' : isReady ? undefined : 'starting'),
    clockOffBy: () => clockWatch?.offBy(),
    lostLines: () => modules.log.lost(),
    headOf: async request =>
      modules.news.headOf({ path: request.url.split('?')[0] ?? '', tenantId: await tenantOfPage(request), now: clock.now() }),
  })
  server.get('/api/openapi.json', async () => openApiOf(allRoutes(), applicationVersion))
  mountWaitingRoom(server, { gate, clock: options.clock ?? commonClock, isHttps })
  /** When each fault of a place of files was last told, by the monotonic clock. */
  const faultsTold = new Map<string, number>()
  mount(server, modules.handlers, {
    scopes: services.scopes,
    clock,
    log,
    authenticate: modules.auth.cache.authenticate,
    answerExport: modules.transfer.exports.answer,
    guestOf: modules.auth.guestOf,
    sealedCalls: modules.auth.sealedCalls,
    isClockRight: () => clockWatch?.offBy() === undefined,
    answerSeal: answerSealOf(services.cipher),
    onceClaimed: createClaimedOnce(log),
    tenantOf: modules.tenancy.tenantOf,
    gate,
    isHttps,
    last,
    onStorageFault: (fault, tenantId) => {
      // A disk that is full meets every upload: it is said once a minute here, and once a day to people.
      const now = performance.now()
      const key = `${fault.kind} ${fault.why.en} ${tenantId}`
      if ((faultsTold.get(key) ?? Number.NEGATIVE_INFINITY) > now - 60_000) return
      faultsTold.set(key, now)
      log.error({ kind: fault.kind, why: fault.why.en, tenant: tenantId }, 'files cannot be stored or read')
      modules.message.tellOfStorage(fault, tenantId).catch((error: unknown) => {
        faultsTold.delete(key)
        log.error({ err: error }, 'nobody could be told that files cannot be stored or read')
      })
    },
    observe: call => {
      // A call that was turned away says nothing of the load.
      if (call.reason !== 'kernel/waiting-room') admission.note(call.durationMs)
      appMetrics.observe(call)
      modules.log.observe(call)
    },
  })
  mountPages(
    server,
    [...modules.ticket.pages, ...modules.news.pages, ...modules.person.pages, ...modules.exam.pages(modules.news.noticesOf)],
    tenantOfPage,
    last,
  )

  if (payments && oauth && config.profile !== 'production')
    mountDemo(server, {
      services,
      payments,
      oauth,
      authenticate: modules.auth.cache.authenticate,
      offsetClock,
      afterMove: () => modules.job.runOwn('pay.sweep'),
    })

  /** A key was replaced: the file says by which. */
  const rereadSecrets = async (): Promise<void> => {
    try {
      const read = await readSecrets(secretsPath(config))
      if (read === undefined) return
      live.replace(read)
      pools.renew(read.databasePasswords)
      await tellKeys(pools.kaopu_platform, services.runner, read)
    } catch (error) {
      log.error({ err: error }, 'the secrets file could not be read again')
    }
  }
  const changes = await listenForChanges(pools.kaopu_platform, log, services.runner, {
    cache: what => {
      if (what.startsWith('kept:')) {
        services.kept.forget(what.slice('kept:'.length))
        modules.signup.forget()
        return
      }
      if (what.startsWith('dept:')) {
        const [tenantId = '', id = ''] = what.slice('dept:'.length).split(' ')
        modules.organisation.deptChanged(tenantId, id)
        return
      }
      if (what === 'conflicts:') {
        modules.signup.forget()
        return
      }
      if (what.startsWith('news:')) {
        modules.news.forget(what.slice('news:'.length))
        return
      }
      if (what.startsWith('scores:')) {
        modules.result.forget(what.slice('scores:'.length))
        return
      }
      places.forget()
      modules.message.forget()
      modules.result.forget()
      // Neither a parameter nor a service of messages is in anybody's session.
      if (what !== 'param' && what !== 'sms') {
        modules.auth.cache.dropAll()
        modules.tenancy.clearCache()
      }
      modules.statistics.clearCache()
      services.kept.forget()
      modules.organisation.forget()
      modules.signup.forget()
      modules.log.forget()
      modules.news.forget()
    },
    session: notice => {
      modules.auth.cache.heed(notice)
      if (notice.startsWith('tenant:')) services.kept.forget(notice.slice('tenant:'.length))
    },
    installation: () => {
      void rereadSecrets()
      hold.look().catch((error: unknown) => log.error({ err: error }, 'whether the installation is released was not read'))
      if (offsetClock)
        void readClockOffset(services.scopes, offsetClock).catch((error: unknown) => log.error({ err: error }, 'clock offset not read'))
    },
  })
  await tellKeys(pools.kaopu_platform, services.runner, secrets)
  // From here on the command that makes the look-up keys anew sees this instance; one that had begun before has ended.
  if (identity) {
    const { secrets: marked } = await readMarks(pools.kaopu_platform)
    if (marked.get('blindIndexKey') !== fingerprintOf('blindIndexKey', secrets.blindIndexKey)) {
      changes.stop()
      await pools.end()
      throw new StartRefusal('The key of look-ups was replaced while this instance was starting. Start it again.')
    }
  }
  worker = options.withoutWorker
    ? undefined
    : await startWorker(pools.kaopu_worker, modules.tasks, {
        clock,
        log,
        concurrency: workerConcurrency,
        mayRun,
        whenReleased: hold.whenReleased,
        onEnd: end => {
          appMetrics.taskEnded(end)
          noteTask(modules.log, end)
        },
      })
  const sealer =
    worker &&
    createSealer({
      pool: pools.kaopu_platform,
      key: keyRing(secrets, 'auditKey'),
      clock: commonClock,
      log,
      heads: { dataDir: config.dataDir, second: config.auditJournal },
      isTicking: true,
    })
  // Notices that a restart left undelivered go out again; what waited for a time is looked at.
  if (worker) {
    await warnOfConnections(pools.kaopu_platform, services.runner, config.databaseConnections, log)
    await modules.job.ensureOwn()
    await hold.whenReleased(async () => {
      await ownPayments?.begin()
      await modules.job.runOwn('pay.sweep')
    })
    modules.job.scheduler.start()
    modules.oversight.start()
    modules.log.say(platformTenant, 'info', 'program', { event: 'started', version: applicationVersion, profile: config.profile })
  }
  clockWatch?.start((turn, hasGone) => {
    tellOfClock(modules, services, commonClock, turn, hasGone).catch((error: unknown) =>
      log.error({ err: error }, 'nobody was told of the clock'),
    )
  })
  if (!options.withoutWorker) await admission.start()
  await server.ready()
  isReady = true
  return {
    server,
    services,
    keys: live,
    modules,
    worker,
    payments,
    sms,
    oauth,
    hold,
    admission,
    catchUp: changes.catchUp,
    listen: async port => {
      await server.listen({ port, host: config.host })
      return { url: config.publicUrl ?? `http://localhost:${port}` }
    },
    metrics: appMetrics.metrics,
    drain: () => {
      isDraining = true
    },
    close: async () => {
      isDraining = true
      isReady = false
      hold.stop()
      admission.stop()
      clockWatch?.stop()
      appMetrics.stop()
      endProviderLines()
      await ownPayments?.close()
      await ownSms?.close()
      await ownOauth?.close()
      await server.close()
      try {
        await worker?.stop()
        await sealer?.stop()
        await modules.job.scheduler.stop()
        await modules.oversight.stop()
        await modules.ticket.close()
        await modules.report.close()
        await modules.signup.close()
        if (worker) modules.log.say(platformTenant, 'info', 'program', { event: 'stopped' })
        await modules.log.stop()
      } finally {
        changes.stop()
        await pools.end()
      }
    },
  }
}
