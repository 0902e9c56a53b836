import { resolve } from 'node:path'
import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { StartRefusal } from '#kernel/db/embedded-binaries.ts'
import { serversOf } from '#kernel/db/servers.ts'
import { parseProxies, proxyHeaders } from '#kernel/http/client.ts'

/**
 * Every setting of the server, each read once from the environment variable named by `env`. Times are in the unit that the name says.
 * There is no other place that reads the environment.
 */
const configSchema = Type.Object(
  {
    /** `demo` and `test` seed believable data and open the test hooks; `production` refuses both (decision 1.3). */
    profile: Type.Enum(['demo', 'test', 'production'], { env: 'KAOPU_PROFILE', default: 'demo' }),
    /** TCP port. When it is taken, demo and test use the next free one and say so; production does not start. */
    port: Type.Integer({ env: 'PORT', minimum: 1, maximum: 65_535, default: 7300 }),
    /** Address to listen on: this machine only, unless the profile is production or somebody asks for more. */
    host: Type.String({ env: 'KAOPU_HOST', minLength: 1, maxLength: 255, default: 'localhost' }),
    /** So long a process that is told to stop goes on answering while `/api/ready` says 503, so that a proxy takes it out first. */
    drainSeconds: Type.Integer({ env: 'KAOPU_DRAIN_SECONDS', minimum: 0, maximum: 300, default: 0 }),
    /** Folder of the database, files and secrets; relative to the working directory. */
    dataDir: Type.String({ env: 'KAOPU_DATA', minLength: 1, default: '.data' }),
    /** Origin that people type, without a trailing slash; in QR codes and payment notices. Default: the address served. */
    publicUrl: Type.Optional(Type.String({ env: 'KAOPU_PUBLIC_URL', pattern: '^https?://[^/\\s?#]+$' })),
    /** Proxies in front, whose word about the caller's address is believed; addresses and networks, comma between them. Default: none. */
    proxies: Type.Optional(Type.String({ env: 'KAOPU_PROXIES', maxLength: 4000, pattern: '^[0-9A-Fa-f.:/, ]+$' })),
    /** Which headers these proxies write; the others are their callers' own words. */
    proxyHeader: Type.Enum([...proxyHeaders], { env: 'KAOPU_PROXY_HEADER', default: 'x-forwarded' }),
    /** Who may read `/metrics`; addresses and networks, comma between them. Default: this machine. */
    metricsFrom: Type.String({ env: 'KAOPU_METRICS_FROM', maxLength: 4000, pattern: '^[0-9A-Fa-f.:/, ]+$', default: '127.0.0.0/8,::1' }),
    /** Hosts whose pages a menu may show inside the console (S2.05), comma between them: `help.example.org,map.example.org:8443`. Https only. */
    frameHosts: Type.Optional(
      Type.String({ env: 'KAOPU_FRAME_HOSTS', maxLength: 2000, pattern: '^[a-z0-9.-]+(:[0-9]+)?(,[a-z0-9.-]+(:[0-9]+)?)*$' }),
    ),
    /** PostgreSQL 15 or later, one server or several with commas between them; the user must be able to create roles. Default: the bundled server. Required in production. */
    databaseUrl: Type.Optional(Type.String({ env: 'DATABASE_URL', pattern: '^postgres(ql)?://', secret: true })),
    /** Seconds that a start waits for a database that is not there yet, or has no primary; after them it ends, and a service manager may try again. */
    databaseWaitSeconds: Type.Integer({ env: 'KAOPU_DATABASE_WAIT_SECONDS', minimum: 0, maximum: 86_400, default: 60 }),
    /** Connections to the database that this process makes at most; `docs/operate/size.md` says how many it takes. */
    databaseConnections: Type.Integer({ env: 'KAOPU_DATABASE_CONNECTIONS', minimum: 24, maximum: 500, default: 50 }),
    /** JSON file with all secrets, mode 0600, for several instances on one database. Default: made in the data folder. */
    secretsFile: Type.Optional(Type.String({ env: 'KAOPU_SECRETS_FILE', minLength: 1 })),
    /** Folder for a second journal of the heads of the audit chains: on another machine or a write-once store. Default: only the one in the data folder. */
    auditJournal: Type.Optional(Type.String({ env: 'KAOPU_AUDIT_JOURNAL', minLength: 1 })),
    /** JSON file with the providers people may log in through, mode 0600 because it holds their secrets. Default: none, in a demo the emulator. */
    loginProvidersFile: Type.Optional(Type.String({ env: 'KAOPU_LOGIN_PROVIDERS', minLength: 1 })),
    /** Origins of the PowerJob servers that jobs may run on, comma between them: `http://10.0.0.5:7700`. Default: none, the built-in scheduler alone. */
    jobServers: Type.Optional(
      Type.String({ env: 'KAOPU_JOB_SERVERS', maxLength: 2000, pattern: '^https?://[^/\\s?#,@]+(,https?://[^/\\s?#,@]+)*$' }),
    ),
    /** Origins of the S3-compatible services that files may be kept in, comma between them: `https://s3.example.com`. Default: none, the disk alone. */
    storageServers: Type.Optional(
      Type.String({ env: 'KAOPU_STORAGE_SERVERS', maxLength: 2000, pattern: '^https?://[^/\\s?#,@]+(,https?://[^/\\s?#,@]+)*$' }),
    ),
    /** Origins of the non-tax payment platforms that offices may name, comma between them: `https://nontax.example.gov.cn`. Default: none. */
    nontaxServers: Type.Optional(
      Type.String({ env: 'KAOPU_NONTAX_SERVERS', maxLength: 2000, pattern: '^https?://[^/\\s?#,@]+(,https?://[^/\\s?#,@]+)*$' }),
    ),
    /** Databases that data sources may name, comma between them: `db.example.org:3306,10.0.0.7:5432`. Default: none, this program's own alone. */
    dataSources: Type.Optional(
      Type.String({ env: 'KAOPU_DATA_SOURCES', maxLength: 2000, pattern: '^[A-Za-z0-9.-]+:[0-9]{1,5}(,[A-Za-z0-9.-]+:[0-9]{1,5})*$' }),
    ),
    /** `auto`: a waiting room opens in a rush and closes after it; `on`: it is always there; `off`: never. */
    waitingRoom: Type.Enum(['auto', 'on', 'off'], { env: 'KAOPU_WAITING_ROOM', default: 'auto' }),
    /** Most new people a second that this process lets in, whatever its load; beyond it they wait. */
    mostArrivals: Type.Integer({ env: 'KAOPU_MOST_ARRIVALS', minimum: 1, maximum: 10_000, default: 200 }),
    /** Public keys that backups are sealed for, a line each. Default: `backup-recipients.txt` in the data folder. */
    backupRecipients: Type.Optional(Type.String({ env: 'KAOPU_BACKUP_RECIPIENTS', minLength: 1 })),
    /** The last good backup may be so old before administrators are warned; in hours. */
    backupMaxHours: Type.Integer({ env: 'KAOPU_BACKUP_MAX_HOURS', minimum: 1, maximum: 8760, default: 26 }),
    /** Who dumps a database of one's own whose owner is bound by row-level security: a role that bypasses it. Default: `DATABASE_URL`. */
    backupDatabaseUrl: Type.Optional(Type.String({ env: 'KAOPU_BACKUP_DATABASE_URL', pattern: '^postgres(ql)?://', secret: true })),
    /** Folder of `pg_dump` and `pg_restore` for a database of one's own. Default: found by PATH. */
    pgTools: Type.Optional(Type.String({ env: 'KAOPU_PG_TOOLS', minLength: 1 })),
    /** The S3-compatible service of backups in `s3://…`, by the names that other programs use. */
    backupEndpoint: Type.Optional(Type.String({ env: 'AWS_ENDPOINT_URL', pattern: '^https?://' })),
    backupRegion: Type.Optional(Type.String({ env: 'AWS_REGION', minLength: 1 })),
    backupAccessKey: Type.Optional(Type.String({ env: 'AWS_ACCESS_KEY_ID', minLength: 1, secret: true })),
    backupSecretKey: Type.Optional(Type.String({ env: 'AWS_SECRET_ACCESS_KEY', minLength: 1, secret: true })),
    /** `debug` is for developers; personal data is in none of the levels. */
    logLevel: Type.Enum(['silent', 'error', 'warn', 'info', 'debug'], { env: 'KAOPU_LOG_LEVEL', default: 'warn' }),
    /** Makes every captcha this text. Demo and test only. */
    testCaptcha: Type.Optional(Type.String({ env: 'KAOPU_TEST_CAPTCHA', pattern: '^[0-9A-Za-z]{5}$' })),
    /** Makes every SMS code this number. Demo and test only. */
    testSms: Type.Optional(Type.String({ env: 'KAOPU_TEST_SMS', pattern: '^[0-9]{6}$' })),
  },
  { additionalProperties: false },
)

export type Config = Readonly<Static<typeof configSchema>>
export type Environment = Readonly<Record<string, string | undefined>>

/** Read by the test suites, not by the server; a server they start inherits it. */
const toolVariables = new Set(['KAOPU_LONG', 'KAOPU_CONTEXT'])

interface Limits {
  readonly pattern?: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
}
type Setting = TSchema & Limits & { readonly env: string; readonly type?: string; readonly secret?: boolean; readonly default?: unknown }
const settings = Object.entries(configSchema.properties) as unknown as readonly (readonly [keyof Config, Setting])[]

const expectation = ({ pattern, enum: values, minimum, maximum }: Limits): string =>
  values
    ? `one of ${values.join(', ')}`
    : pattern
      ? `text like ${pattern}`
      : minimum === undefined
        ? 'some text'
        : `a whole number from ${minimum} to ${maximum}`

/** @throws StartRefusal naming the first wrong variable and what it should be. */
export const loadConfig = (env: Environment = process.env): Config => {
  const known = new Set<string>(settings.map(([, { env: name }]) => name))
  const unknown = Object.keys(env).filter(name => name.startsWith('KAOPU_') && !known.has(name) && !toolVariables.has(name))
  if (unknown.length > 0) {
    throw new StartRefusal(`Unknown setting ${unknown.join(', ')}. Known settings: ${[...known].sort().join(', ')}.`)
  }
  const values: Record<string, unknown> = {}
  for (const [key, setting] of settings) {
    const text = env[setting.env]
    // An empty variable is how shells and compose files say "not set".
    const value =
      text === undefined || text === '' ? setting.default : setting.type === 'integer' && /^\d+$/.test(text) ? Number(text) : text
    if (value === undefined) continue
    if (!Value.Check(setting, value)) throw new StartRefusal(`${setting.env} must be ${expectation(setting)}.`)
    values[key] = value
  }
  const config = values as Config
  for (const [name, list] of [
    ['KAOPU_PROXIES', config.proxies ?? ''],
    ['KAOPU_METRICS_FROM', config.metricsFrom],
  ] as const)
    try {
      parseProxies(list)
    } catch (error) {
      throw new StartRefusal(`${name} must be addresses and networks with commas between them: ${(error as Error).message}.`)
    }
  if (config.databaseUrl !== undefined) checkServers(config.databaseUrl)
  return Object.freeze({
    ...(config.profile === 'production' ? checkProduction(config, env) : config),
    dataDir: resolve(config.dataDir),
    ...(config.secretsFile === undefined ? {} : { secretsFile: resolve(config.secretsFile) }),
    ...(config.auditJournal === undefined ? {} : { auditJournal: resolve(config.auditJournal) }),
    ...(config.loginProvidersFile === undefined ? {} : { loginProvidersFile: resolve(config.loginProvidersFile) }),
    ...(config.backupRecipients === undefined ? {} : { backupRecipients: resolve(config.backupRecipients) }),
  })
}

/** The servers as a driver takes them, and that a server which takes writes is asked for. */
const checkServers = (databaseUrl: string): void => {
  const wanted = /[?&]target_session_attrs=([^&#]*)/.exec(databaseUrl)?.[1] ?? 'read-write'
  if (!['read-write', 'primary'].includes(wanted))
    throw new StartRefusal(
      `DATABASE_URL asks for target_session_attrs=${wanted}; Kaopu needs a server that takes writes: say read-write, or leave it out.`,
    )
  try {
    serversOf(databaseUrl)
  } catch (error) {
    throw new StartRefusal(error instanceof Error ? error.message : String(error))
  }
}

const checkProduction = (config: Config, env: Environment): Config => {
  if (config.testCaptcha !== undefined) throw new StartRefusal('KAOPU_TEST_CAPTCHA is a test hook; the production profile refuses it.')
  if (config.testSms !== undefined) throw new StartRefusal('KAOPU_TEST_SMS is a test hook; the production profile refuses it.')
  if (config.databaseUrl === undefined) {
    throw new StartRefusal('The production profile needs DATABASE_URL, a PostgreSQL server of version 15 or later.')
  }
  if (config.publicUrl === undefined) {
    throw new StartRefusal('The production profile needs KAOPU_PUBLIC_URL, the https address that people type.')
  }
  return { ...config, host: env.KAOPU_HOST ? config.host : '0.0.0.0' }
}

/** Whether the environment says what the installation is for. */
export const namesProfile = (env: Environment = process.env): boolean => Boolean(env.KAOPU_PROFILE)
/** The settings of an installation that is known to be in production, where they do not say so themselves. */
export const loadProductionConfig = (env: Environment = process.env): Config => loadConfig({ ...env, KAOPU_PROFILE: 'production' })

/** What the environment sets, by the names of the variables: what another machine needs to run the same installation. */
export const settingsGiven = (env: Environment = process.env): Readonly<Record<string, string>> =>
  Object.fromEntries(settings.flatMap(([, { env: name }]) => (env[name] ? [[name, env[name]]] : [])))

/** Effective values for people: one line per setting, secrets masked. */
export const describeConfig = (config: Config): string[] =>
  settings.map(([key, { env, secret }]) => `${env}=${config[key] === undefined ? '' : secret ? '••••' : config[key]}`)
