import { createAllowedServers } from '#kernel/allowed-servers.ts'
import { createManualClock } from '#kernel/clock.ts'
import { createLog } from '#kernel/log.ts'
import { createOutbound } from '#kernel/outbound.ts'
import { loadSecrets } from '#kernel/secrets.ts'
import { createApplication } from '#server/app.ts'
import { loadConfig } from '#server/config.ts'

// A process of the program that pays by the emulator of another one and kills itself with SIGKILL at a moment that it is told; `pay-killed.test.ts` starts it.

/** What it is asked to do. */
export type Work =
  | {
      readonly kind: 'call'
      readonly method: 'GET' | 'POST'
      readonly url: string
      readonly headers: Readonly<Record<string, string>>
      readonly payload?: string
    }
  | { readonly kind: 'task'; readonly name: string; readonly payload: object }
  | { readonly kind: 'work'; readonly name: string; readonly tenantId: string }

const [dataDir = '', databaseUrl = '', emulatorUrl = '', dies = ''] = process.argv.slice(2)
/** The number of the moment at which it dies; 0 for never. */
const diesAt = Number(dies)
let moments = 0
/** Between any two steps: before and after each transaction and each call to the provider, and before a transaction is committed. */
const moment = (): void => {
  moments += 1
  if (moments === diesAt) process.kill(process.pid, 'SIGKILL')
}

const clock = createManualClock('2026-03-17T10:00:00+08:00')
const send = createOutbound({ allowedOrigins: [], localOrigins: () => [emulatorUrl] })
const elsewhere = () => Promise.reject(new Error('the emulator runs in the process of the test'))
const app = await createApplication({
  config: loadConfig({ KAOPU_PROFILE: 'test', KAOPU_DATA: dataDir, KAOPU_PUBLIC_URL: 'http://localhost:7300' }),
  secrets: await loadSecrets({ dataDir }),
  databaseUrl,
  log: createLog('silent'),
  isPrepared: true,
  withoutWorker: true,
  clock,
  payments: {
    gateway: {
      outbound: async request => {
        moment()
        const answer = await send(request)
        moment()
        return answer
      },
      origin: async () => emulatorUrl,
      alipayOrigin: async () => emulatorUrl,
      nontax: createAllowedServers(undefined),
    },
    emulator: elsewhere,
    alipay: elsewhere,
    nontax: elsewhere,
    begin: async () => undefined,
    person: { order: elsewhere, pay: elsewhere, authorize: elsewhere },
    merchantOf: elsewhere,
    close: async () => undefined,
  },
})
const { scopes } = app.services
const { tx } = scopes
const steps: typeof tx = async (actor, now, work) => {
  moment()
  const done = await tx(actor, now, async db => {
    const value = await work(db)
    moment()
    return value
  })
  moment()
  return done
}
Object.assign(scopes, { tx: steps })

const run = async (work: Work): Promise<void> => {
  if (work.kind === 'call') {
    const { method, url, headers, payload } = work
    await app.server.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
  } else if (work.kind === 'task') {
    await app.modules.tasks.find(one => one.name === work.name)?.run(work.payload as never, { attempt: 1, now: clock.now() })
  } else {
    const { tenantId } = work
    await app.modules.processors
      .find(one => one.name === work.name)
      ?.run({
        tenantId,
        params: '',
        item: undefined,
        attempt: 1,
        now: clock.now(),
        signal: new AbortController().signal,
        log: () => undefined,
      })
  }
}
process.on('message', ({ at, work }: { readonly at: number; readonly work: Work }) => {
  clock.set(new Date(at))
  run(work)
    .catch(() => undefined)
    .finally(() => process.send?.(moments))
})
process.send?.('ready')
