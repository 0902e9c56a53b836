import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** A number that is asked for when somebody looks: values with their labels. */
export type Reading = readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[]

export interface GaugeSpec {
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
}

/** Readings that one look brings together, as the rows of one statement. */
export interface Source {
  /** What `kaopu_source_up` calls it. */
  readonly name: string
  readonly gauges: readonly GaugeSpec[]
  /** By the name of the gauge; one that is left out is not known. */
  readonly read: () => Promise<Readonly<Record<string, Reading>>> | Readonly<Record<string, Reading>>
}

export interface Count {
  readonly add: (labels: Readonly<Record<string, string>>, by?: number) => void
}
export interface Timing {
  readonly add: (labels: Readonly<Record<string, string>>, seconds: number) => void
}

/** Numbers about this process, for Prometheus to fetch. */
export interface Metrics {
  readonly count: (of: GaugeSpec) => Count
  /** A histogram, of which percentiles are computed. @param buckets - upper bounds in seconds */
  readonly timing: (of: GaugeSpec, buckets: readonly number[]) => Timing
  /** Adds numbers that are read at each look. A source that fails or hangs is left out, and `kaopu_source_up` says which. */
  readonly source: (of: Source) => void
  /** Memory, processor and event loop of the whole process: once in a process. */
  readonly addProcess: () => void
  /** Text in the format of Prometheus 0.0.4. Never fails and takes no longer than a second. */
  readonly text: () => Promise<string>
  readonly contentType: string
}

const limitMs = 800

export const createMetrics = (): Metrics => {
  const registry = new Registry()
  const up = new Gauge({
    name: 'kaopu_source_up',
    help: 'Whether these numbers could be read',
    labelNames: ['source'],
    registers: [registry],
  })
  const sources: (() => Promise<void>)[] = []
  const addSource = ({ name, gauges, read }: Source): void => {
    const own = gauges.map(
      ({ name: gauge, help, labels = [] }) => new Gauge({ name: gauge, help, labelNames: [...labels], registers: [registry] }),
    )
    let running: Promise<Readonly<Record<string, Reading>> | undefined> | undefined
    sources.push(async () => {
      // One that hangs is not asked again before it has answered.
      running ??= (async () => read())()
        .catch(() => undefined)
        .finally(() => {
          running = undefined
        })
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<undefined>(done => {
        timer = setTimeout(() => done(undefined), limitMs)
      })
      const found = await Promise.race([running, late]).finally(() => clearTimeout(timer))
      up.set({ source: name }, found === undefined ? 0 : 1)
      for (const [i, gauge] of own.entries()) {
        gauge.reset()
        // Without labels it would stand at nought, which is a number too.
        if ((gauges[i]?.labels ?? []).length === 0) gauge.remove()
        for (const [labels, value] of found?.[gauges[i]?.name ?? ''] ?? []) gauge.set(labels, value)
      }
    })
  }
  return {
    count: ({ name, help, labels = [] }) => {
      const counter = new Counter({ name, help, labelNames: [...labels], registers: [registry] })
      return { add: (of, by = 1) => counter.inc(of, by) }
    },
    timing: ({ name, help, labels = [] }, buckets) => {
      const histogram = new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers: [registry] })
      return { add: (of, seconds) => histogram.observe(of, seconds) }
    },
    source: addSource,
    addProcess: () => {
      collectDefaultMetrics({ register: registry })
      // Gauges that are named like counters, which Prometheus's own tool objects to; the others of these say the same by kind.
      for (const kind of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${kind}_total`)
    },
    text: async () => {
      await Promise.all(sources.map(read => read()))
      return registry.metrics()
    },
    contentType: registry.contentType,
  }
}
