import { AsyncLocalStorage } from 'node:async_hooks'
import { createAllowedServers } from '#kernel/allowed-servers.ts'
import { createManualClock } from '#kernel/clock.ts'
import { neverHeld } from '#kernel/hold.ts'
import { createLog } from '#kernel/log.ts'
import { createOutbound } from '#kernel/outbound.ts'
import { loadSecrets } from '#kernel/secrets.ts'
import { createApplication } from '#server/app.ts'
import { loadConfig } from '#server/config.ts'

// A process of the program that pays by the emulator of another one and kills itself with SIGKILL; `pay-killed.test.ts` starts it. It does the work of several
// payments side by side, each of another organisation. Each payment stands still at the moment it was given; once every one stands or has done what it
// was asked for, the process dies.

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
/** One piece of work for each payment, in their order. */
export interface Asked {
  readonly at: number
  readonly works: readonly Work[]
}
/** A payment has done what it was asked for. @property moments - how many moments it has had so far */
export interface Done {
  readonly place: number
  readonly moments: number
}

const [dataDir = '', databaseUrl = '', emulatorUrl = '', stops = ''] = process.argv.slice(2)
/** The number of the moment at which each payment stands still; 0 for never. */
const stopAt = stops.split(',').map(Number)
const moments = stopAt.map(() => 0)
const standing = new Set<number>()
const done = new Set<number>()
const dieWhenAllStand = (): void => {
  if (standing.size > 0 && standing.size + done.size === stopAt.length) process.kill(process.pid, 'SIGKILL')
}
const payment = new AsyncLocalStorage<number>()
/** Between any two steps: before and after each transaction and each call to the provider, and before a transaction is committed. */
const moment = async (): Promise<void> => {
  const place = payment.getStore()
  if (place === undefined) return
  const now = (moments[place] ?? 0) + 1
  moments[place] = now
  if (now !== stopAt[place]) return
  standing.add(place)
  dieWhenAllStand()
  await new Promise<never>(() => {})
}

const clock = createManualClock('2026-03-17T10:00:00+08:00')
const send = createOutbound({ hold: neverHeld, allowedOrigins: [], localOrigins: () => [emulatorUrl] })
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
        await moment()
        const answer = await send(request)
        await moment()
        return answer
      },
      origin: async () => emulatorUrl,
      alipayOrigin: async () => emulatorUrl,
      nontax: createAllowedServers(undefined, neverHeld),
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
  await moment()
  const result = await tx(actor, now, async db => {
    const value = await work(db)
    await moment()
    return value
  })
  await moment()
  return result
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
process.on('message', ({ at, works }: Asked) => {
  clock.set(new Date(at))
  done.clear()
  for (const [place, work] of works.entries())
    payment.run(place, () =>
      run(work)
        .catch(() => undefined)
        .finally(() => {
          const said: Done = { place, moments: moments[place] ?? 0 }
          process.send?.(said, () => {
            done.add(place)
            dieWhenAllStand()
          })
        }),
    )
})
process.send?.('ready')
