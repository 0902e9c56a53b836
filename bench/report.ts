import { type Compared, type Spread, spread } from './measure.ts'

/** A line of docs/bench.md. */
export interface Figure {
  readonly work: string
  readonly product: string
  readonly floor: string
  readonly ratio: string
  readonly goal: string
  /** Undefined = no goal is set for it. */
  readonly met: boolean | undefined
}

const digits = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value >= 1 ? value.toFixed(2) : value.toFixed(3)
export const range = ({ min, median, max }: Spread, unit = ''): string => `${digits(median)}${unit} (${digits(min)}–${digits(max)})`

/** Goals are met by the median; the ends of the range say how sure that is. */
export const comparedFigure = (work: string, { a, b }: Compared, goal: number | undefined): Figure => {
  const ratios = spread(a.map((cost, i) => cost.total / (b[i]?.total ?? Number.NaN)))
  const product = spread(a.map(cost => cost.total))
  const part = (name: 'server' | 'database') => digits(spread(a.map(cost => cost[name])).median)
  return {
    work,
    product: `${range(product)}; server ${part('server')}, database ${part('database')}`,
    floor: range(spread(b.map(cost => cost.total))),
    ratio: `${ratios.median.toFixed(2)}× (${ratios.min.toFixed(2)}–${ratios.max.toFixed(2)})`,
    goal: goal === undefined ? '' : `≤ ${goal}×`,
    met: goal === undefined ? undefined : ratios.median <= goal,
  }
}

const mark = (met: boolean | undefined): string => (met === undefined ? '' : met ? 'yes' : '**no**')

const table = (figures: readonly Figure[]): string =>
  [
    '| Work | Product | Floor | Ratio | Goal | Met |',
    '|---|---|---|---|---|---|',
    ...figures.map(one => `| ${[one.work, one.product, one.floor, one.ratio, one.goal, mark(one.met)].join(' | ')} |`),
  ].join('\n')

export interface Report {
  readonly machine: readonly (readonly [string, string])[]
  readonly settings: string
  readonly figures: readonly Figure[]
}

export const markdown = ({ machine, settings, figures }: Report): string => `# Benchmark

Written by \`npm run bench\`; read bench/README.md for what each line does. Product = the real server in a process of its own, with session, permission, row-level
security and audit. Floor = bare Fastify and pg (or pdfkit, or hucre) doing the same work in the same run, in turns with the product. Where a line compares, its
figures are CPU seconds per 1,000 requests (server and database processes together): median (lowest–highest) of the rounds, the goal judged by the median. CPU and
ratios can be trusted on a shared machine; seconds of wall time only when it is quiet.

${machine.map(([name, value]) => `- ${name}: ${value}`).join('\n')}
- ${settings}

${table(figures)}
`

export const printed = (figure: Figure): string =>
  `${figure.work}: ${figure.product}${figure.floor === '' ? '' : ` | floor ${figure.floor}`}${figure.ratio === '' ? '' : ` | ${figure.ratio}`}${figure.goal === '' ? '' : ` | goal ${figure.goal}: ${figure.met ? 'met' : 'NOT MET'}`}`
