// npm run bench:web [-- --runs 3] [--heap <minutes>] [--only-heap] [--dry] [--url <running demo> --data <its folder>]: writes docs/bench-web.md.
// --only dashboard (or list, form, walk ...): the lines whose name has this word, each run by itself; writes nothing.
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freePort, newDataDir, removeData, startServer } from '../../e2e/support/server.ts'
import { openTour } from '../../e2e/support/tour.ts'
import { build } from '../../tools/install.mjs'
import { type Load, launch } from './browser.ts'
import { tenTabs } from './heap.ts'
import { heapText, heapTitle, reportOf } from './report.ts'
import { loads, measureLoad, type Place, type Walk, walk } from './works.ts'

const { values: wish } = parseArgs({
  options: {
    runs: { type: 'string', default: '3' },
    heap: { type: 'string' },
    'only-heap': { type: 'boolean', default: false },
    dry: { type: 'boolean', default: false },
    only: { type: 'string' },
    url: { type: 'string' },
    data: { type: 'string' },
  },
})
const runs = Number(wish.runs)

const own = wish.url === undefined || wish.data === undefined
const dataDir = wish.data ?? (await newDataDir())
if (own) await build(process.execPath)
const server = own ? await startServer({ dataDir, port: await freePort(), env: { KAOPU_PROFILE: 'demo' } }) : null
const url = server?.url ?? wish.url ?? ''
const browser = await launch()
try {
  const tour = await openTour(browser, { url, dataDir })
  const form = tour.stops.find(stop => stop.pattern === '/signup/form/:examId')
  const place: Place = {
    browser,
    url,
    staff: await tour.people.staff.context.storageState(),
    candidate: await tour.people.candidate.context.storageState(),
    examId: form?.path.split('/').at(-1) ?? '',
  }
  for (const { context } of Object.values(tour.people)) await context.close()

  const measured: Record<string, Load[]> = {}
  const walks: Walk[] = []
  const isWished = (name: string) => wish.only === undefined || name.toLowerCase().includes(wish.only.toLowerCase())
  if (!wish['only-heap'])
    for (let run = 1; run <= runs; run++) {
      for (const work of loads.filter(({ name }) => isWished(name))) {
        const load = await measureLoad(place, work)
        measured[work.name] = [...(measured[work.name] ?? []), load]
        console.log(
          `${run} ${work.name}: ${Math.round(load.kb)} KB, LCP ${Math.round(load.lcp)}, usable ${Math.round(load.usable)}${load.later === null ? '' : `, later ${Math.round(load.later)}`}, TBT ${Math.round(load.tbt)} ms`,
        )
      }
      if (!isWished('walk')) continue
      const steps = await walk(place)
      walks.push(steps)
      for (const [name, took] of Object.entries(steps.times))
        console.log(`${run} ${name}: ${Math.round(took)} ms, event ${steps.events[name] ?? 0} ms`)
    }
  const now = `${new Date().toISOString().slice(0, 10)}, Chromium ${browser.version()}, ${cpus().length} processors (${cpus()[0]?.model ?? 'unknown'})`
  // Each half is measured alone if somebody wishes; the other one stays as it was.
  const file = join(import.meta.dirname, '..', '..', 'docs', 'bench-web.md')
  const [formerTimes = '', formerHeap] = readFileSync(file, 'utf8').split(`\n${heapTitle}`)
  const times = wish['only-heap']
    ? formerTimes
    : reportOf(
        { loads: measured, walks },
        `${now}, ${runs} runs, load ${(loadavg()[0] ?? 0).toFixed(1)}: times above a load of 1 say little about the product.`,
      )
  const heap =
    wish.heap !== undefined
      ? heapText(await tenTabs(place, Number(wish.heap)), now)
      : formerHeap === undefined
        ? null
        : heapTitle + formerHeap
  const text = heap === null ? times : `${times}\n${heap}`
  console.log(`\n${text}`)
  if (!wish.dry && wish.only === undefined) writeFileSync(file, text)
  else console.log(`${file} is left as it is`)
} finally {
  await browser.close()
  await server?.stop()
  if (own) await removeData(dataDir)
}
