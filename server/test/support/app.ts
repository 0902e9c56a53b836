import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { noPressure } from '#kernel/admission/pace.ts'
import { type Clock, createManualClock, type ManualClock } from '#kernel/clock.ts'
import type { ClockWatch } from '#kernel/clock-watch.ts'
import { createPasswordHasher } from '#kernel/crypto/password.ts'
import { hashToken, newToken } from '#kernel/crypto/token.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'
import { createLog, type Log } from '#kernel/log.ts'
import { loadSecrets } from '#kernel/secrets.ts'
import { type Application, createApplication } from '#server/app.ts'
import { loadConfig } from '#server/config.ts'
import type { DemoOauth } from '#server/demo/oauth.ts'
import type { DemoPayments } from '#server/demo/payments.ts'
import type { DemoSms } from '#server/demo/sms.ts'
import { memory } from '../../../tools/memory-temp.mjs'
import type { RoleAlias } from '../../seed/base/menus.ts'
import { ensureTenant } from '../../seed/base/seed-base.ts'
import { testIdCard } from './id-card.ts'
import { takeReadyTenant, testStart } from './ready-tenants.ts'
import { createSerial } from './serial.ts'

export { testStart }
export const testCaptcha = 'abcde'
export const testSms = '123456'

/** The least that Argon2id takes; `kernel/crypto/password.test.ts` has the real one. */
const cheapPasswords = { memoryKib: 8, passes: 1, lanes: 1 }

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape -- parsing border
  readonly body: any
  readonly raw: Buffer
}
export interface CallOptions {
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  readonly multipart?: {
    readonly fields?: Readonly<Record<string, string>>
    readonly files?: readonly { readonly part: string; readonly name: string; readonly bytes: Uint8Array }[]
  }
  readonly headers?: Readonly<Record<string, string>>
  readonly language?: 'zh' | 'en'
  /** The address the call comes from. */
  readonly ip?: string
}
/** Somebody who calls the server. */
export interface Person {
  readonly userId: string
  readonly tenantId: string
  readonly token: string
  get(path: string, options?: CallOptions): Promise<Answer>
  post(path: string, options?: CallOptions): Promise<Answer>
}

export interface TestTenant {
  readonly tenantId: string
  /** A member of staff with these roles and a live session. */
  staff(roles: RoleAlias | readonly RoleAlias[], extra?: { userCode?: string; realName?: string; deptId?: string }): Promise<Person>
  /** A live session of an account that is there, of a member of staff, whoever made it. */
  session(userId: string): Promise<Person>
  /** A candidate with a live session; id card and phone are sealed as registration seals them. */
  candidate(extra?: { realName?: string; idCard?: string; phone?: string }): Promise<Person>
  /** Somebody whom a provider knows and who has no account here. */
  guest(): Promise<Pick<Person, 'get' | 'post' | 'token'>>
  /** Statements as the system of this tenant. */
  db<T>(work: (db: TenantDb) => Promise<T>): Promise<T>
  rows<T>(statement: RawBuilder<T>): Promise<T[]>
}

export interface TestApp {
  readonly app: Application
  readonly clock: ManualClock
  readonly databaseUrl: string
  anonymous(tenantId?: string): Pick<Person, 'get' | 'post'>
  tenant(): Promise<TestTenant>
  /** The first tenant, which is the platform too. */
  platform(): TestTenant
  /** Relays the outbox and runs every queued task until none is left. @returns the names of the tasks run */
  runTasks(): Promise<string[]>
  /** A connection as the owner of the database, whom no policy holds; it ends with the application. */
  owner(): Promise<pg.Client>
  /** A second process on the same database, behind the same emulators; it ends with this one. */
  beside(): Promise<TestApp>
  close(): Promise<void>
}

const boundary = 'kaopu-test-boundary'
const multipartBody = ({ fields = {}, files = [] }: NonNullable<CallOptions['multipart']>): Buffer => {
  const parts: Buffer[] = []
  for (const [name, value] of Object.entries(fields))
    parts.push(Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`))
  for (const file of files) {
    parts.push(
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${file.part}"; filename="${file.name}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
      ),
    )
    parts.push(Buffer.from(file.bytes), Buffer.from('\r\n'))
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`))
  return Buffer.concat(parts)
}

const callerOf = (app: Application, base: Readonly<Record<string, string>>) => {
  const call = async (method: 'GET' | 'POST', path: string, options: CallOptions = {}): Promise<Answer> => {
    const query = Object.fromEntries(
      Object.entries(options.query ?? {}).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
    )
    const headers: Record<string, string> = {
      ...base,
      ...(options.language === 'en' ? { 'accept-language': 'en' } : {}),
      ...options.headers,
    }
    let payload: string | Buffer | undefined
    if (options.multipart) {
      headers['content-type'] = `multipart/form-data; boundary=${boundary}`
      payload = multipartBody(options.multipart)
    } else if (options.json !== undefined) {
      headers['content-type'] = 'application/json'
      payload = JSON.stringify(options.json)
    } else if (options.form) {
      headers['content-type'] = 'application/x-www-form-urlencoded'
      payload = new URLSearchParams(options.form).toString()
    }
    const response = await app.server.inject({
      method,
      url: path.startsWith('/api') || path.startsWith('/demo') ? path : `/api${path}`,
      query,
      headers,
      ...(options.ip === undefined ? {} : { remoteAddress: options.ip }),
      ...(payload === undefined ? {} : { payload }),
    })
    const isJson = String(response.headers['content-type'] ?? '').includes('json') && !response.headers['content-encoding']
    return { status: response.statusCode, headers: response.headers, body: isJson ? response.json() : undefined, raw: response.rawPayload }
  }
  return {
    get: (path: string, options?: CallOptions) => call('GET', path, options),
    post: (path: string, options?: CallOptions) => call('POST', path, options),
  }
}

/**
 * How a database is cloned. File by file takes half the time of page by page through the log, but ends with a checkpoint, which
 * costs nothing only where files lie in memory.
 */
const copying = tmpdir().startsWith(`${memory}/`) ? ' strategy file_copy' : ''

const nextTenant = createSerial()
const nextPerson = createSerial()

/** The whole server on a database of its own, its clock standing still. */
export const startTestApp = async (
  options: {
    start?: string
    withWorker?: boolean
    databaseUrl?: string
    /** Of another application, whose files and memory of the audit it shares. */
    dataDir?: string
    payments?: DemoPayments
    sms?: DemoSms
    oauth?: DemoOauth
    log?: Log
    clockWatch?: ClockWatch
    processClock?: Clock
    /** Origins of job servers that are allowed. */
    jobServers?: string
    /** Origins of storage services that are allowed. */
    storageServers?: string
    /** Proxies that are believed. */
    proxies?: string
    publicUrl?: string
    /** Databases that data sources may name. */
    dataSources?: string
    /** Off without it: tests come from nowhere by the hundred. */
    waitingRoom?: 'auto' | 'on'
    /** As production is: no emulators, nothing recorded in place of being sent. */
    profile?: 'production'
  } = {},
): Promise<TestApp> => {
  const clock = createManualClock(options.start ?? testStart)
  const log = options.log ?? createLog(process.env['TEST_LOG'] ?? 'silent')
  const secrets = await loadSecrets({ dataDir: inject('dataDir') })
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'kaopu-files-')))
  const admin = new pg.Client({ connectionString: inject('adminUrl') })
  await admin.connect()
  const name = `t_${process.pid}_${newToken()
    .replace(/[^a-zA-Z0-9]/g, '')
    .slice(0, 12)
    .toLowerCase()}`
  const url = new URL(inject('adminUrl'))
  url.pathname = `/${name}`
  if (options.databaseUrl === undefined) {
    await admin.query(`create database ${name} template ${inject('template')}${copying}`)
    // A program that a test starts on it uses the roles that all of them share.
    await admin.query(`alter database ${name} set app.role_prefix = 'kaopu'`)
  }
  const databaseUrl = options.databaseUrl ?? url.href
  const testConfig = loadConfig({
    KAOPU_PROFILE: 'test',
    KAOPU_DATA: dataDir,
    KAOPU_TEST_CAPTCHA: testCaptcha,
    KAOPU_TEST_SMS: testSms,
    KAOPU_PUBLIC_URL: options.publicUrl ?? 'http://localhost:7300',
    KAOPU_JOB_SERVERS: options.jobServers,
    KAOPU_STORAGE_SERVERS: options.storageServers,
    KAOPU_PROXIES: options.proxies,
    KAOPU_DATA_SOURCES: options.dataSources,
    KAOPU_WAITING_ROOM: options.waitingRoom ?? 'off',
  })
  // Captchas and codes stay those of the tests, which the settings of production would refuse.
  const config = options.profile === undefined ? testConfig : { ...testConfig, profile: options.profile }
  const app = await createApplication({
    config,
    secrets,
    databaseUrl,
    log,
    ...(options.processClock ? { processClock: options.processClock } : { clock }),
    ...(options.clockWatch ? { clockWatch: options.clockWatch } : {}),
    isPrepared: true,
    withoutWorker: !options.withWorker,
    pressure: () => noPressure,
    ...(options.payments ? { payments: options.payments } : {}),
    ...(options.sms ? { sms: options.sms } : {}),
    ...(options.oauth ? { oauth: options.oauth } : {}),
    passwords: createPasswordHasher({ pepper: secrets.passwordPepper, cost: cheapPasswords }),
  })
  const { scopes, cipher } = app.services
  const headers = { authorization: `Basic ${Buffer.from('kaopu-web:kaopu-web').toString('base64')}`, 'user-agent': 'kaopu-test' }

  const openSession = async (db: TenantDb, userId: string, userType: 1 | 2): Promise<Person> => {
    const access = newToken()
    const far = new Date(clock.now().getTime() + 400 * 24 * 3_600_000)
    await db.run(sql`
      insert into session (tenant_id, user_id, user_type, client_id, access_hash, access_until, refresh_hash, refresh_until, fingerprint, role_ids, dept_id, created_at, active_at)
      values (${db.actor.tenantId}, ${userId}, ${userType}, 'kaopu-web', ${hashToken(access)}, ${far}, ${hashToken(newToken())}, ${far}, ${'f'.repeat(64)},
        coalesce((select jsonb_agg(role_id::text) from account_role where user_id = ${userId}), '[]'), (select dept_id from account where id = ${userId}), ${clock.now()}, ${far})`)
    return { userId, tenantId: db.actor.tenantId, token: access, ...callerOf(app, { ...headers, 'blade-auth': `bearer ${access}` }) }
  }

  const tenantOf = (tenantId: string): TestTenant => {
    const run = <T>(work: (db: TenantDb) => Promise<T>): Promise<T> => scopes.tx(systemOf(tenantId), clock.now(), work)
    return {
      tenantId,
      db: run,
      rows: statement => run(db => db.all(statement)),
      staff: (roles, extra = {}) =>
        run(async db => {
          const serial = nextPerson()
          const aliases = typeof roles === 'string' ? [roles] : [...roles]
          const account = `staff${serial}`
          const { id } = await db.one(sql<{ id: string }>`
            insert into account (tenant_id, account, account_key, user_type, nick_name, real_name, user_code, dept_id) values (${tenantId}, ${account}, ${account}, 1, ${account}, ${extra.realName ?? `工作人员${serial}`}, ${extra.userCode ?? null}, ${extra.deptId ?? null})
            returning id::text as id`)
          await db.run(
            sql`insert into account_role (tenant_id, user_id, role_id) select ${tenantId}, ${id}, id from role where role_alias = any(${aliases})`,
          )
          return openSession(db, id, 1)
        }),
      session: userId => run(db => openSession(db, userId, 1)),
      guest: () =>
        run(async db => {
          const serial = nextPerson()
          const access = newToken()
          const far = new Date(clock.now().getTime() + 400 * 24 * 3_600_000)
          await db.run(sql`
            with person as (insert into social_account (tenant_id, source, uuid, account, nick_name) values (${tenantId}, 'demo_social', ${`g-${serial}`}, 'guest', '客') returning id)
            insert into guest_session (tenant_id, social_id, access_hash, until, created_at) select ${tenantId}, id, ${hashToken(access)}, ${far}, ${clock.now()} from person`)
          return { token: access, ...callerOf(app, { ...headers, 'blade-auth': `bearer ${access}` }) }
        }),
      candidate: (extra = {}) =>
        run(async db => {
          const serial = nextPerson()
          const account = `candidate${serial}`
          const { id } = await db.one(sql<{ id: string }>`select next_id()::text as id`)
          const phone = extra.phone ?? `160${String(serial).padStart(8, '0')}`
          const idCard = extra.idCard ?? testIdCard(serial)
          await db.run(sql`
            insert into account (tenant_id, id, account, account_key, user_type, nick_name, real_name, user_code, phone_sealed, phone_index, phone_mask, id_card_sealed, id_card_index, id_card_mask, id_card_type, sex, birthday)
            values (${tenantId}, ${id}, ${account}, ${account}, 2, ${extra.realName ?? '王测'}, ${extra.realName ?? '王测'}, ${`K${String(serial).padStart(10, '0')}`},
              ${cipher.seal(tenantId, { table: 'account', column: 'phone_sealed', rowId: id }, phone)}, ${cipher.blindIndex(tenantId, 'phone', phone)}, ${`${phone.slice(0, 3)}****${phone.slice(7)}`},
              ${cipher.seal(tenantId, { table: 'account', column: 'id_card_sealed', rowId: id }, idCard)}, ${cipher.blindIndex(tenantId, 'id-card', idCard)}, ${`${idCard.slice(0, 4)}**********${idCard.slice(14)}`},
              '1', ${Number(idCard[16]) % 2 === 1 ? 1 : 2}, ${`${idCard.slice(6, 10)}-${idCard.slice(10, 12)}-${idCard.slice(12, 14)}`})`)
          await db.run(
            sql`insert into account_role (tenant_id, user_id, role_id) select ${tenantId}, ${id}, id from role where role_alias = 'candidate'`,
          )
          return openSession(db, id, 2)
        }),
    }
  }

  let taken = 0
  const opened: { end(): Promise<void> }[] = []
  return {
    app,
    clock,
    databaseUrl,
    owner: async () => {
      const client = new pg.Client({ connectionString: databaseUrl })
      await client.connect()
      opened.push(client)
      return client
    },
    beside: async () => {
      const { payments, sms, oauth } = app
      const other = await startTestApp({
        databaseUrl,
        ...(payments ? { payments } : {}),
        ...(sms ? { sms } : {}),
        ...(oauth ? { oauth } : {}),
        ...(options.waitingRoom === undefined ? {} : { waitingRoom: options.waitingRoom }),
        ...(options.storageServers === undefined ? {} : { storageServers: options.storageServers }),
      })
      opened.push({ end: other.close })
      return other
    },
    anonymous: tenantId => callerOf(app, { ...headers, ...(tenantId ? { 'tenant-id': tenantId } : {}) }),
    platform: () => tenantOf('000000'),
    tenant: async () => {
      const serial = nextTenant()
      // Another process on the same database takes none: it does not know which are left.
      const ready = options.databaseUrl === undefined ? await takeReadyTenant(scopes, clock.now(), ++taken) : undefined
      if (ready !== undefined) return tenantOf(ready)
      const tenantId = `t${process.pid % 10_000}${serial}`.slice(0, 12)
      await ensureTenant(scopes, clock.now(), { tenantId, name: `测试机构${serial}`, domain: null })
      return tenantOf(tenantId)
    },
    runTasks: async () => {
      const done: string[] = []
      const byName = new Map(app.modules.tasks.map(task => [task.name, task]))
      for (;;) {
        // Orders for later stay until the clock has reached them.
        const { rows } = await app.services.pools.kaopu_worker.query<{ task: string; payload: never }>(
          'delete from outbox where run_at is null or run_at <= $1 returning task, payload, id',
          [clock.now()],
        )
        if (rows.length === 0) return done
        for (const row of rows) {
          const task = byName.get(row.task)
          if (!task) throw new Error(`nobody handles the task ${row.task}`)
          await task.run(row.payload, { attempt: 1, now: clock.now() })
          done.push(row.task)
        }
      }
    },
    close: async () => {
      for (const one of opened) await one.end()
      await app.close()
      // The server writes all it holds to the disk before it drops a database; nobody waits for that.
      const gone = options.databaseUrl === undefined ? admin.query(`drop database if exists ${name} with (force)`) : Promise.resolve()
      gone.then(() => admin.end()).catch(() => {})
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true })
    },
  }
}
