import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'
import { type Kinds, kindsOf } from './snapshot.ts'

/** The method of the stack paper: a processor four times slower, and "Slow 4G". */
export const slowCpu = 4
const slow4g = { offline: false, latency: 562, downloadThroughput: (1.44 * 1e6) / 8, uploadThroughput: (0.675 * 1e6) / 8 }

export const launch = (): Promise<Browser> => {
  const { CHROME_PATH: executablePath = '/usr/bin/chromium', CHROME_ARGS: args = '["--no-sandbox"]' } = process.env
  return chromium.launch({ executablePath, args: [...(JSON.parse(args) as string[]), '--js-flags=--expose-gc'] })
}

/**
 * Collects what the browser itself reports, and notes when a condition was first met, one frame later. One that is not met within a
 * minute, also because no frame comes, ends the run and says what stands there instead.
 */
const watcher = `(() => {
  const seen = { lcp: 0, cls: 0, tasks: [], events: [], found: {} }
  globalThis.benchSeen = seen
  const watch = (type, take, more) => new PerformanceObserver(list => list.getEntries().forEach(take)).observe({ type, buffered: true, ...more })
  watch('largest-contentful-paint', entry => { seen.lcp = entry.startTime })
  watch('layout-shift', entry => { if (!entry.hadRecentInput) seen.cls += entry.value })
  watch('longtask', entry => seen.tasks.push([entry.startTime, entry.duration]))
  watch('event', entry => { if (entry.interactionId) seen.events.push([entry.interactionId, entry.duration]) }, { durationThreshold: 16 })
  globalThis.benchShows = selector => document.querySelector(selector)?.checkVisibility() ?? false
  globalThis.benchWait = ready => new Promise((done, failed) => {
    setTimeout(() => failed(new Error('Never so: ' + ready + ' at ' + location.href + '\\n' + document.body.innerText.slice(0, 2000))), 60_000)
    const look = () => {
      if (ready()) requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())))
      else requestAnimationFrame(look)
    }
    look()
  })
})()`

export interface Load {
  readonly kb: number
  readonly requests: number
  readonly fcp: number
  readonly lcp: number
  /** When the content that was waited for could be read. */
  readonly usable: number
  /** When what may come later was there too. */
  readonly later: number | null
  readonly tbt: number
  readonly cls: number
  readonly heapMb: number
  readonly nodes: number
}

export interface Bench {
  readonly page: Page
  readonly context: BrowserContext
  /** A cold load of a path until the condition (an expression of the page) holds; `later` is for what may come after. */
  load(path: string, ready: string, later?: string): Promise<Load>
  /** Milliseconds from the pointer going down to the frame after the condition holds. */
  time(act: () => Promise<unknown>, ready: string): Promise<number>
  /** The slowest interaction (event timing) of those since the last call, milliseconds; 0 when all were under 16. */
  slowest(): Promise<number>
  network(slow: boolean): Promise<void>
  heapMb(): Promise<number>
  heapKinds(): Promise<Kinds>
  /** KB that came over the wire since the last call. */
  kb(): number
  close(): Promise<void>
}

interface Seen {
  readonly lcp: number
  readonly cls: number
  readonly tasks: readonly (readonly [start: number, duration: number])[]
  readonly events: readonly (readonly [id: number, duration: number])[]
}

const metric = async (cdp: CDPSession, name: string): Promise<number> => {
  const { metrics } = await cdp.send('Performance.getMetrics')
  return metrics.find(one => one.name === name)?.value ?? 0
}

/** A fresh browser profile with nothing in its cache, slowed down. */
export const openBench = async (
  browser: Browser,
  url: string,
  options: { readonly phone?: boolean; readonly state?: Awaited<ReturnType<BrowserContext['storageState']>>; readonly cpu?: number } = {},
): Promise<Bench> => {
  const screen = options.phone
    ? { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 }
    : { viewport: { width: 1440, height: 900 } }
  const context = await browser.newContext({
    ...screen,
    baseURL: url,
    locale: 'zh-CN',
    serviceWorkers: 'block',
    ...(options.state === undefined ? {} : { storageState: options.state }),
  })
  await context.addInitScript(watcher)
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  let bytes = 0
  let requests = 0
  cdp.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
    requests += 1
  })
  await cdp.send('Network.enable')
  await cdp.send('Performance.enable')
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: options.cpu ?? slowCpu })
  const network = (slow: boolean) =>
    cdp.send(
      'Network.emulateNetworkConditions',
      slow ? slow4g : { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 },
    )
  const heapMb = async () => {
    await cdp.send('HeapProfiler.collectGarbage')
    return (await metric(cdp, 'JSHeapUsedSize')) / 1e6
  }
  const seen = () => page.evaluate<Seen>('globalThis.benchSeen')
  let counted = 0
  return {
    page,
    context,
    network: async slow => void (await network(slow)),
    heapMb,
    heapKinds: () => kindsOf(cdp),
    kb: () => {
      const kb = (bytes - counted) / 1024
      counted = bytes
      return kb
    },
    load: async (path, ready, later) => {
      await network(true)
      bytes = 0
      counted = 0
      requests = 0
      await page.goto(path, { waitUntil: 'commit' })
      const usable = await page.evaluate<number>(`benchWait(() => ${ready})`)
      // What is fetched in idle time, for the next page, is not part of this one.
      const [own, asked] = [bytes, requests]
      const after = later === undefined ? null : await page.evaluate<number>(`benchWait(() => ${later})`)
      await page.waitForLoadState('networkidle')
      const { lcp, cls, tasks } = await seen()
      const fcp = await page.evaluate<number>(`performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0`)
      // Blocking time counts until the page is usable; what is fetched in idle time afterwards blocks nobody.
      const tbt = tasks.filter(([start]) => start >= fcp && start <= usable).reduce((sum, [, took]) => sum + Math.max(0, took - 50), 0)
      const [heap, nodes] = [await heapMb(), await metric(cdp, 'Nodes')]
      return {
        kb: (later === undefined ? own : bytes) / 1024,
        requests: later === undefined ? asked : requests,
        fcp,
        lcp,
        usable,
        later: after,
        tbt,
        cls,
        heapMb: heap,
        nodes,
      }
    },
    time: async (act, ready) => {
      await page.evaluate(`document.addEventListener('pointerdown', () => {
        const began = performance.now()
        globalThis.benchTook = benchWait(() => ${ready}).then(ended => ended - began)
      }, { capture: true, once: true })`)
      await act()
      return page.evaluate<number>('globalThis.benchTook')
    },
    slowest: async () => {
      const { events } = await seen()
      await page.evaluate('globalThis.benchSeen.events.length = 0')
      return Math.max(0, ...events.map(([, took]) => took))
    },
    close: () => context.close(),
  }
}
