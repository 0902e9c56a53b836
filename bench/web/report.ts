import type { Load } from './browser.ts'
import type { HeapRun } from './heap.ts'
import type { Walk } from './works.ts'

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const middle = <T>(runs: readonly T[], of: (run: T) => number): number => median(runs.map(of))

/** Columns of stack-web 14 and 1: budget, and what the public Vue client needs. Null: no figure. */
interface Line {
  readonly kb: number | null
  readonly lcpS: number | null
  readonly usableS: number | null
  readonly laterS?: number
  readonly tbtMs: number | null
  readonly peer: string
}
const loadLines: Readonly<Record<string, Line>> = {
  Login: { kb: 110, lcpS: 2.8, usableS: 3.2, tbtMs: 50, peer: '1,480 KB, LCP 13.7 s, TBT 1,832 ms, heap 11.0 MB' },
  'First console list': { kb: 320, lcpS: 4.6, usableS: 4.8, tbtMs: 350, peer: '1,449 KB, rows 14.9 s, TBT 3,495 ms, heap 16.8 MB' },
  Dashboard: { kb: 515, lcpS: null, usableS: 4.8, laterS: 6.5, tbtMs: 400, peer: '-' },
  'Portal home, phone': { kb: 90, lcpS: 2.6, usableS: 2.7, tbtMs: 50, peer: '1,460 KB, 16 s (no portal of its own)' },
  'Portal sign-up form, phone': { kb: 130, lcpS: null, usableS: null, tbtMs: 50, peer: '-' },
}
const stepLines: Readonly<Record<string, { readonly most: number | null; readonly peer: string }>> = {
  'Next screen, warm shell': { most: 1000, peer: '-' },
  'Next page of a list': { most: 350, peer: '3,041 (event 120-176)' },
  '100 rows': { most: 600, peer: '9,300-17,800 (event 168-448)' },
  '200 rows': { most: 900, peer: '-' },
  'Back to 10 rows': { most: null, peer: '-' },
  'Edit dialog, first': { most: 800, peer: '-' },
  'Edit dialog, later': { most: 300, peer: '-' },
  'Tab switch': { most: 150, peer: '-' },
  'Theme switch': { most: 250, peer: '-' },
}

/** A figure with its budget; a miss is marked. */
const against = (value: number, most: number | null | undefined, digits = 0): string => {
  const text = value.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: digits })
  if (most === null || most === undefined) return text
  return value > most ? `**${text}** of ${most}, over` : `${text} of ${most}`
}

export interface Results {
  readonly loads: Readonly<Record<string, readonly Load[]>>
  readonly walks: readonly Walk[]
}

const loadTable = (loads: Results['loads']): string[] => [
  '| Page, cold | KB, gzip | FCP s | LCP s | Usable s | TBT ms | CLS | Heap MB | Requests | Public Vue client |',
  '|---|---|---|---|---|---|---|---|---|---|',
  ...Object.entries(loads).map(([name, runs]) => {
    const line = loadLines[name]
    const later = runs[0]?.later == null ? '' : `; charts ${against(middle(runs, run => run.later ?? 0) / 1000, line?.laterS, 1)}`
    const cells = [
      name,
      against(
        middle(runs, run => run.kb),
        line?.kb,
      ),
      against(middle(runs, run => run.fcp) / 1000, null, 1),
      against(middle(runs, run => run.lcp) / 1000, line?.lcpS, 1),
      against(middle(runs, run => run.usable) / 1000, line?.usableS, 1) + later,
      against(
        middle(runs, run => run.tbt),
        line?.tbtMs,
      ),
      against(
        middle(runs, run => run.cls),
        0.02,
        3,
      ),
      against(
        middle(runs, run => run.heapMb),
        name === 'First console list' ? 12 : null,
        1,
      ),
      against(
        middle(runs, run => run.requests),
        null,
      ),
      line?.peer ?? '-',
    ]
    return `| ${cells.join(' | ')} |`
  }),
]

const stepTable = (walks: readonly Walk[]): string[] => [
  '| Interaction, 4x CPU | ms until shown | Times the floor | Slowest input event, ms (INP) | Public Vue client, ms |',
  '|---|---|---|---|---|',
  ...Object.entries(stepLines).map(([name, { most, peer }]) => {
    const took = middle(walks, walk => walk.times[name] ?? 0)
    const ratio = middle(walks, walk => (walk.times[name] ?? 0) / (walk.floors[name] ?? Number.NaN))
    return `| ${name} | ${against(took, most)} | ${ratio.toFixed(1)} | ${against(
      middle(walks, walk => walk.events[name] ?? 0),
      200,
    )} | ${peer} |`
  }),
]

/** How quick the machine was: the same work that is never changed, measured between the steps. */
const floorText = (walks: readonly Walk[]): string[] => {
  const all = walks.flatMap(walk => Object.values(walk.floors))
  const span = `${Math.round(Math.min(...all))} to ${Math.round(Math.max(...all))}`
  return [
    `Floor: a page without any library that makes a hundred rows of 13 cells (\`bench/web/floor.ts\`), under the same slow-down, before and after each step: ${Math.round(median(all))} ms (${span}).`,
    'Milliseconds follow the hour of a shared machine, the ratio follows the product: compare ratios between runs. The paper that sets the budgets knows',
    'no floor of its machine, so no budget is turned into a ratio: they stay milliseconds, and a miss stays a miss.',
  ]
}

const growth = (first: number, last: number): string =>
  `${first.toFixed(1)} to ${last.toFixed(1)} MB (${(((last - first) / first) * 100).toFixed(1)} %)`

export const heapTitle = '## Ten tabs'

export const heapText = ({ minutes, opened, megabytes, first, last }: HeapRun, about: string): string =>
  [
    heapTitle,
    '',
    about,
    '',
    `Ten tabs, ${minutes} minutes of refreshed lists: ${growth(megabytes[0] ?? 0, megabytes.at(-1) ?? 0)} together; the goal is within 10 %. Just opened they hold ${opened.toFixed(1)} MB.`,
    `What the pages keep (objects, texts, functions): ${growth(first.kept, last.kept)}; code, which the browser makes of what runs often: ${growth(first.code, last.code)}.`,
    `Each minute: ${megabytes.map(one => one.toFixed(1)).join(', ')}.`,
    '',
  ].join('\n')

export const reportOf = ({ loads, walks }: Results, about: string): string =>
  [
    '# Web benchmark',
    '',
    'Written by `npm run bench:web`; never part of `npm test`. Budgets are those of the stack paper, section 14, its peer figures those of section 1,',
    'measured by the same method on another machine: built pages from the real server with the demo, a fresh browser profile, processor slowed',
    'four times, "Slow 4G" (1.44 Mbit/s, 562 ms). Interactions are measured without the slow network, but for the next screen. Medians.',
    '',
    about,
    '',
    ...loadTable(loads),
    '',
    ...stepTable(walks),
    '',
    ...floorText(walks),
    '',
    `Next screen: ${against(
      middle(walks, walk => walk.nextScreenKb),
      25,
      1,
    )} KB. Heap of a list page after the walk: ${against(
      middle(walks, walk => walk.heapMb),
      12,
      1,
    )} MB.`,
    '',
  ].join('\n')
