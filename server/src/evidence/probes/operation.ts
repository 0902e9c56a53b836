import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { backupAgeSeconds, readLastBackup } from '#kernel/backup/last-backup.ts'
import { systemClock } from '#kernel/clock.ts'
import { isOff } from '#kernel/clock-watch.ts'
import { sql } from '#kernel/db/sql.ts'
import { call, rowsOf, sampleOf } from '../ask.ts'
import { expectText, type Installation, judged, type Reading, whenSet } from '../reading.ts'

const transport = async ({ outside, config }: Installation): Promise<Reading> => {
  const name = { zh: '公开地址', en: 'Public address' }
  const settings = [{ name, value: config.publicUrl ?? '' }]
  if ('problem' in outside)
    return {
      settings,
      tests: [
        whenSet({ zh: '以 TLS 连接公开地址', en: 'The public address is asked by TLS' }, 'TLSv1.2 or TLSv1.3', outside.problem, false),
      ],
    }
  const hsts = outside.headers['strict-transport-security'] ?? 'none'
  return {
    settings: [
      ...settings,
      { name: { zh: '加密套件', en: 'Cipher suite' }, value: outside.cipher },
      { name: { zh: '证书到期', en: 'The certificate ends' }, value: outside.validTo },
    ],
    tests: [
      judged(
        { zh: '以 TLS 连接公开地址', en: 'The public address is asked by TLS' },
        'TLSv1.2 or TLSv1.3',
        outside.protocol,
        outside.protocol === 'TLSv1.2' || outside.protocol === 'TLSv1.3',
      ),
      judged(
        { zh: '浏览器只许以 TLS 访问（HSTS）', en: 'Browsers come by TLS alone (HSTS)' },
        'max-age=31536000',
        hsts,
        /max-age=\d{7,}/.test(hsts),
      ),
    ],
  }
}

const pagePolicy = async (at: Installation): Promise<Reading> => {
  const { headers } = await call(at, 'GET', '/api/live-or-not')
  const shown = ['content-security-policy', 'x-content-type-options', 'referrer-policy', 'cross-origin-opener-policy', 'permissions-policy']
  return {
    tests: [
      expectText({ zh: '不许猜测内容类型', en: 'Content types are not guessed' }, 'nosniff', String(headers['x-content-type-options'])),
      judged(
        { zh: '接口回答不许执行或嵌入', en: 'Answers of calls run nothing and are framed by nothing' },
        "default-src 'none'; frame-ancestors 'none'",
        String(headers['content-security-policy']),
        /default-src 'none'.*frame-ancestors 'none'/.test(String(headers['content-security-policy'])),
      ),
    ],
    samples: [
      sampleOf(
        { zh: '安全响应头', en: 'Security headers' },
        shown.map(header => ({ header, value: String(headers[header] ?? '') })),
      ),
    ],
  }
}

const strictInput = async (at: Installation): Promise<Reading> => {
  const unknown = await call(at, 'POST', '/api/blade-auth/oauth/token', {
    headers: { 'content-type': 'application/json' },
    payload: { grant_type: 'captcha', anythingElse: 1 },
  })
  const malformed = await at.application.server.inject({
    method: 'POST',
    url: '/api/blade-auth/oauth/token',
    headers: { 'content-type': 'application/json' },
    payload: '{"grant_type":',
  })
  const long = await call(at, 'POST', '/api/blade-auth/oauth/token', {
    headers: { 'content-type': 'application/json' },
    payload: { grant_type: 'x'.repeat(10_000) },
  })
  return {
    tests: [
      expectText({ zh: '未声明的字段', en: 'A field that is not declared' }, 'HTTP 400', `HTTP ${unknown.status}`),
      expectText({ zh: '残缺的 JSON', en: 'JSON that is cut off' }, 'HTTP 400', `HTTP ${malformed.statusCode}`),
      expectText({ zh: '超长的值', en: 'A value that is too long' }, 'HTTP 400', `HTTP ${long.status}`),
    ],
  }
}

const productionProfile = async (at: Installation): Promise<Reading> => {
  const demo = await call(at, 'GET', '/demo/clock')
  return {
    settings: [{ name: { zh: '运行方式', en: 'Profile' }, value: at.config.profile }],
    tests: [
      whenSet({ zh: '以生产方式运行', en: 'Runs as production' }, 'production', at.config.profile, at.config.profile === 'production'),
      whenSet(
        { zh: '没有演示页面', en: 'Has no demo pages' },
        'no demo page',
        `HTTP ${demo.status}${/demo|演示/i.test(demo.body) && demo.status === 200 ? ', demo page' : ''}`,
        at.config.profile === 'production',
      ),
    ],
  }
}

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly license?: string; readonly dev?: boolean }>>
}
const lockPath = fileURLToPath(new URL('../../../../package-lock.json', import.meta.url))
const bomPath = fileURLToPath(new URL('../../../../sbom.cdx.json', import.meta.url))

/** Packages that the program runs with. A release brings its list as `sbom.cdx.json` (CycloneDX), a checkout its lock file. */
const components = async (): Promise<Reading> => {
  const rows = existsSync(bomPath)
    ? (
        JSON.parse(await readFile(bomPath, 'utf8')) as {
          readonly components: readonly { readonly name: string; readonly version: string }[]
        }
      ).components.map(({ name, version }) => ({ name, version, licence: '' }))
    : Object.entries((JSON.parse(await readFile(lockPath, 'utf8')) as LockFile).packages).flatMap(([path, { version, license, dev }]) =>
        path === '' || dev || version === undefined
          ? []
          : [{ name: path.slice(path.lastIndexOf('node_modules/') + 13), version, licence: license ?? '' }],
      )
  return {
    settings: [
      { name: { zh: '运行组件数', en: 'Components at run time' }, value: rows.length },
      { name: { zh: '清单', en: 'List' }, value: existsSync(bomPath) ? 'sbom.cdx.json (CycloneDX)' : 'package-lock.json' },
      { name: { zh: 'Node 版本', en: 'Node' }, value: process.version },
    ],
    tests: [
      judged(
        { zh: '每个组件都有固定版本', en: 'Every component has a fixed version' },
        'all',
        `${rows.filter(({ version }) => /^\d/.test(version)).length} of ${rows.length}`,
        rows.length > 0 && rows.every(({ version }) => /^\d/.test(version)),
      ),
    ],
    samples: [sampleOf({ zh: '运行组件', en: 'Components at run time' }, rows)],
  }
}

const ports = async ({ config }: Installation): Promise<Reading> => ({
  settings: [
    { name: { zh: '监听地址', en: 'Address' }, value: config.host },
    { name: { zh: '端口（唯一）', en: 'Port (the only one)' }, value: config.port },
    {
      name: { zh: '数据库', en: 'Database' },
      value: config.databaseUrl === undefined ? 'bundled, 127.0.0.1 and a socket in the data folder' : new URL(config.databaseUrl).host,
    },
  ],
  tests: [judged({ zh: '程序只监听一个端口', en: 'The program listens on one port' }, '1 port', `1 port: ${config.port}`, config.port > 0)],
})

const outgoing = async ({ config }: Installation): Promise<Reading> => {
  const lists = {
    KAOPU_STORAGE_SERVERS: config.storageServers,
    KAOPU_JOB_SERVERS: config.jobServers,
    KAOPU_NONTAX_SERVERS: config.nontaxServers,
    KAOPU_DATA_SOURCES: config.dataSources,
    KAOPU_FRAME_HOSTS: config.frameHosts,
  }
  return {
    settings: Object.entries(lists).map(([name, value]) => ({ name: { zh: name, en: name }, value: value ?? '' })),
    tests: [
      judged(
        { zh: '程序只连接列出的服务器', en: 'The program connects to listed servers alone' },
        'lists without wildcards',
        Object.values(lists).some(value => value?.includes('*')) ? 'a wildcard' : 'lists without wildcards',
        !Object.values(lists).some(value => value?.includes('*')),
      ),
    ],
  }
}

const clock = async (at: Installation): Promise<Reading> => {
  const [row] = await rowsOf(at, sql<{ database: Date }>`select clock_timestamp() as database`)
  const offMs = Math.abs(systemClock.now().getTime() - (row?.database.getTime() ?? 0))
  return {
    tests: [
      judged(
        { zh: '本机时钟与数据库时钟相差', en: 'Clock of this machine against that of the database' },
        '≤ 1000 ms',
        `${offMs} ms`,
        !isOff({ aheadMs: offMs, uncertainMs: 0 }),
      ),
    ],
  }
}

const structureCheck = async (at: Installation): Promise<Reading> => {
  const { rows } = await at.owner.query<{ migrations: number; latest: string }>(
    'select count(*)::int as migrations, max(name) as latest from schema_migration',
  )
  return {
    settings: [
      { name: { zh: '数据库结构版本', en: 'Version of the structure' }, value: rows[0]?.latest ?? '' },
      { name: { zh: '已执行的迁移', en: 'Migrations' }, value: rows[0]?.migrations ?? 0 },
    ],
    tests: [
      judged(
        {
          zh: '启动时核对：迁移文件未改动、数据库结构未被手工修改（不符则拒绝启动，本次已通过）',
          en: 'Checked at this start: no migration was edited and nobody changed the structure by hand; else the start is refused',
        },
        'checked',
        'checked',
        (rows[0]?.migrations ?? 0) > 0,
      ),
    ],
  }
}

const backup = async (at: Installation): Promise<Reading> => {
  const last = await readLastBackup((text, values) => at.application.services.pools.kaopu_platform.query(text, values as unknown[]))
  const age = backupAgeSeconds(last, at.now)
  return {
    settings:
      last === undefined
        ? []
        : [
            { name: { zh: '备份位置', en: 'Place' }, value: last.place },
            { name: { zh: '字节数', en: 'Bytes' }, value: last.wholeBytes },
          ],
    tests: [
      whenSet(
        { zh: '最近一次写完并读回核对的备份', en: 'The last backup that was written whole and read back' },
        '≤ 26 h old',
        age === undefined ? 'none is recorded' : `${(age / 3_600).toFixed(1)} h old`,
        age !== undefined && age <= 26 * 3_600,
      ),
    ],
  }
}

const replication = async (at: Installation): Promise<Reading> => {
  const { rows } = await at.owner.query<{ name: string; state: string; sync: string }>(
    'select application_name as name, state, sync_state as sync from pg_catalog.pg_stat_replication',
  )
  const { rows: archived } = await at.owner.query<{ mode: string; last: Date | null }>(
    `select current_setting('archive_mode') as mode, last_archived_time as last from pg_catalog.pg_stat_archiver`,
  )
  return {
    settings: [
      { name: { zh: 'WAL 归档', en: 'Archive of the write-ahead log' }, value: archived[0]?.mode ?? '' },
      { name: { zh: '最近归档', en: 'Last archived' }, value: archived[0]?.last?.toISOString() ?? '' },
    ],
    tests: [
      whenSet(
        { zh: '数据库有正在复制的备库', en: 'The database has a standby that is streaming' },
        'one or more',
        rows.length === 0 ? 'none that this account can see' : rows.map(({ name, state, sync }) => `${name} ${state} ${sync}`).join('; '),
        rows.length > 0,
      ),
    ],
  }
}

const instances = async (at: Installation): Promise<Reading> => {
  const servers = await rowsOf(
    at,
    sql<{ server: string; latest: Date }>`
      select server_host || ' ' || server_ip as server, max(created_at) as latest from usual_log
      where created_at > ${at.now}::timestamptz - interval '7 days' group by 1 order by 2 desc limit 20`,
  )
  return {
    tests: [
      whenSet(
        { zh: '近七天运行过的服务器', en: 'Servers of the last seven days' },
        'two or more',
        String(servers.length),
        servers.length > 1,
      ),
    ],
    samples: [sampleOf({ zh: '服务器', en: 'Servers' }, servers)],
  }
}

const keyCustody = async (at: Installation): Promise<Reading> => {
  const path = at.config.secretsFile ?? join(at.config.dataDir, 'secrets.json')
  const { mode } = await stat(path)
  const found = await rowsOf(
    at,
    sql<{ where: string }>`
      select 'installation.' || key as where from installation where position(${at.application.services.secrets.fieldRootKey.toString('base64url')} in value::text) > 0`,
  )
  return {
    settings: [
      {
        name: { zh: '密钥文件', en: 'File of the secrets' },
        value: at.config.secretsFile === undefined ? 'secrets.json in the data folder' : 'KAOPU_SECRETS_FILE',
      },
    ],
    tests: [
      judged({ zh: '密钥文件权限', en: 'Mode of the file' }, '0600 or stricter', (mode & 0o777).toString(8), (mode & 0o077) === 0),
      expectText(
        { zh: '数据库中找不到主密钥', en: 'The root key is not in the database' },
        'not found',
        found.map(({ where }) => where).join(', ') || 'not found',
      ),
    ],
  }
}

/** How it runs. */
export const operationProbes = {
  transport: { title: { zh: '传输加密', en: 'Encryption on the way' }, read: transport },
  'page-policy': { title: { zh: '响应头', en: 'Headers of answers' }, read: pagePolicy },
  'strict-input': { title: { zh: '输入检验', en: 'Validation of input' }, read: strictInput },
  'production-profile': { title: { zh: '生产方式', en: 'Profile of production' }, read: productionProfile },
  components: { title: { zh: '组件清单', en: 'List of components' }, read: components },
  ports: { title: { zh: '端口', en: 'Ports' }, read: ports },
  outgoing: { title: { zh: '外连白名单', en: 'Servers that may be asked' }, read: outgoing },
  clock: { title: { zh: '时钟', en: 'Clock' }, read: clock },
  'structure-check': { title: { zh: '结构核对', en: 'Check of the structure' }, read: structureCheck },
  backup: { title: { zh: '备份', en: 'Backup' }, read: backup },
  replication: { title: { zh: '复制', en: 'Replication' }, read: replication },
  instances: { title: { zh: '多台服务器', en: 'Several servers' }, read: instances },
  'key-custody': { title: { zh: '密钥保管', en: 'Custody of keys' }, read: keyCustody },
} as const
