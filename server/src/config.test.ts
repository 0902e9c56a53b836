import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { describeConfig, loadConfig } from './config.ts'

test('config › every default works offline', () => {
  expect(loadConfig({})).toEqual({
    profile: 'demo',
    port: 7300,
    host: 'localhost',
    dataDir: resolve('.data'),
    drainSeconds: 0,
    waitingRoom: 'auto',
    mostArrivals: 200,
    backupMaxHours: 26,
    proxyHeader: 'x-forwarded',
    metricsFrom: '127.0.0.0/8,::1',
    databaseWaitSeconds: 60,
    databaseConnections: 50,
    logLevel: 'warn',
  })
})

test('config › reads each setting from its variable', () => {
  const env = {
    KAOPU_PROFILE: 'test',
    PORT: '8080',
    KAOPU_HOST: '0.0.0.0',
    KAOPU_DRAIN_SECONDS: '15',
    KAOPU_PROXIES: '10.0.0.5, fd00::/8',
    KAOPU_PROXY_HEADER: 'forwarded',
    KAOPU_METRICS_FROM: '10.0.0.9',
    KAOPU_DATABASE_WAIT_SECONDS: '300',
    KAOPU_DATABASE_CONNECTIONS: '24',
    KAOPU_DATA: '/srv/考谱',
    KAOPU_PUBLIC_URL: 'https://zp.example.cn',
    DATABASE_URL: 'postgres://owner:secret@db/kaopu',
    KAOPU_SECRETS_FILE: '/run/secrets/kaopu.json',
    KAOPU_WAITING_ROOM: 'on',
    KAOPU_MOST_ARRIVALS: '50',
    KAOPU_LOG_LEVEL: 'debug',
    KAOPU_TEST_CAPTCHA: 'ab12c',
    KAOPU_TEST_SMS: '123456',
  }

  const config = loadConfig(env)

  expect(config).toEqual({
    profile: 'test',
    port: 8080,
    host: '0.0.0.0',
    drainSeconds: 15,
    proxies: '10.0.0.5, fd00::/8',
    proxyHeader: 'forwarded',
    metricsFrom: '10.0.0.9',
    databaseWaitSeconds: 300,
    databaseConnections: 24,
    dataDir: '/srv/考谱',
    publicUrl: 'https://zp.example.cn',
    databaseUrl: 'postgres://owner:secret@db/kaopu',
    secretsFile: '/run/secrets/kaopu.json',
    waitingRoom: 'on',
    mostArrivals: 50,
    backupMaxHours: 26,
    logLevel: 'debug',
    testCaptcha: 'ab12c',
    testSms: '123456',
  })
  expect(Object.isFrozen(config)).toBe(true)
  expect(describeConfig(config).join('\n')).not.toContain('secret@')
})

test('config › an empty variable counts as not set', () => {
  expect(loadConfig({ PORT: '', KAOPU_PUBLIC_URL: '' })).toEqual(loadConfig({}))
})

test.each([
  [{ KAOPU_TEST_CAPCHA: 'ab12c' }, /Unknown setting KAOPU_TEST_CAPCHA\. Known settings: .*KAOPU_TEST_CAPTCHA/],
  [{ KAOPU_DATABASE_CONNECTIONS: '23' }, 'KAOPU_DATABASE_CONNECTIONS must be a whole number from 24 to 500.'],
  [
    { DATABASE_URL: 'postgresql://u@a:5432,,b/kaopu' },
    'DATABASE_URL is not of the form postgresql://user:password@host:5432/database; several servers stand before the slash, with commas between them: host1:5432,host2:5432.',
  ],
  [
    { DATABASE_URL: 'postgresql://u@a,b/kaopu?target_session_attrs=standby' },
    'DATABASE_URL asks for target_session_attrs=standby; Kaopu needs a server that takes writes: say read-write, or leave it out.',
  ],
  [{ PORT: '0' }, 'PORT must be a whole number from 1 to 65535.'],
  [{ PORT: '73oo' }, 'PORT must be a whole number from 1 to 65535.'],
  [{ KAOPU_PROXIES: 'proxy.example.cn' }, /^KAOPU_PROXIES must be text like/],
  [
    { KAOPU_PROXIES: '10.0.0.5,10.0.0.0/40' },
    'KAOPU_PROXIES must be addresses and networks with commas between them: "10.0.0.0/40" is neither',
  ],
  [{ KAOPU_PROFILE: 'prod' }, 'KAOPU_PROFILE must be one of demo, test, production.'],
  [{ KAOPU_TEST_SMS: '12345' }, /^KAOPU_TEST_SMS must be text like/],
  [{ KAOPU_TEST_CAPTCHA: 'toolong' }, /^KAOPU_TEST_CAPTCHA must be text like/],
  [{ KAOPU_PUBLIC_URL: 'https://zp.example.cn/app' }, /^KAOPU_PUBLIC_URL must be text like/],
  [{ DATABASE_URL: 'mysql://db' }, /^DATABASE_URL must be text like/],
])('config › refuses %o', (env, message) => {
  expect(() => loadConfig(env)).toThrow(message)
})

const production = { KAOPU_PROFILE: 'production', DATABASE_URL: 'postgres://db/kaopu', KAOPU_PUBLIC_URL: 'https://zp.example.cn' }

test('config › production listens for other machines', () => {
  expect(loadConfig(production).host).toBe('0.0.0.0')
  expect(loadConfig({ ...production, KAOPU_HOST: '10.0.0.5' }).host).toBe('10.0.0.5')
})

test.each([
  [{ ...production, KAOPU_TEST_CAPTCHA: 'ab12c' }, 'KAOPU_TEST_CAPTCHA is a test hook; the production profile refuses it.'],
  [{ ...production, KAOPU_TEST_SMS: '123456' }, 'KAOPU_TEST_SMS is a test hook; the production profile refuses it.'],
  [{ ...production, DATABASE_URL: '' }, /^The production profile needs DATABASE_URL/],
  [{ ...production, KAOPU_PUBLIC_URL: '' }, /^The production profile needs KAOPU_PUBLIC_URL/],
])('config › production refuses %o', (env, message) => {
  expect(() => loadConfig(env)).toThrow(message)
})
