import { fromWireTime, toWireTime } from '#contract/kernel/when.ts'

// A job as we keep it and as PowerJob tells it: names go in, numbers come out (framework-contract 5.2, 5.5, 5.6).

/** Fields of a job by their wire names. */
export type JobValues = Readonly<Record<string, unknown>>

const names = {
  timeExpressionType: { 1: 'API', 2: 'CRON', 3: 'FIXED_RATE', 4: 'FIXED_DELAY', 5: 'WORKFLOW', 11: 'DAILY_TIME_INTERVAL' },
  executeType: { 1: 'STANDALONE', 2: 'BROADCAST', 3: 'MAP_REDUCE', 4: 'MAP' },
  processorType: { 1: 'BUILT_IN', 2: 'SHELL', 3: 'PYTHON', 4: 'EXTERNAL' },
  dispatchStrategy: { 1: 'HEALTH_FIRST', 2: 'RANDOM', 11: 'SPECIFY' },
} as const satisfies Record<string, Readonly<Record<number, string>>>
type Named = keyof typeof names
export const namedFields = Object.keys(names) as readonly Named[]

/** The field whose number PowerJob has no name for: such a job can be shown and not be written. */
export const unnamedField = (job: JobValues): Named | undefined =>
  namedFields.find(field => (names[field] as Readonly<Record<number, string>>)[Number(job[field])] === undefined)

const nameOf = (field: Named, job: JobValues): string | undefined => (names[field] as Readonly<Record<number, string>>)[Number(job[field])]
const number = (value: unknown): number => Number(value ?? 0)
const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value))
const object = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const counted = [
  ...['maxInstanceNum', 'concurrency', 'instanceTimeLimit', 'instanceRetryNum', 'taskRetryNum'],
  ...['minCpuCores', 'minMemorySpace', 'minDiskSpace', 'maxWorkerCount'],
] as const
const worded = ['jobName', 'jobDescription', 'jobParams', 'timeExpression', 'processorInfo', 'designatedWorkers', 'extra'] as const
/** What a job has there and not here: it goes back as it came. */
const kept = ['dispatchStrategyConfig', 'tag', 'advancedRuntimeConfig'] as const

/**
 * What `saveJob` takes. An update sends every field, for one that is missing would fall back to its default.
 * @param remote - the job as the server told it last
 * @param raw - writes an id as a number of any size
 */
export const toRemote = (job: JobValues, remote: JobValues | undefined, raw: (id: string) => unknown): JobValues => {
  const [start = '', end = ''] = text(job['lifecycle']).split(',')
  const instant = (at: string): number | null => fromWireTime(at)?.getTime() ?? null
  const alarm = ['alertThreshold', 'statisticWindowLen', 'silenceWindowLen'].map(name => [name, number(job[name])] as const)
  return {
    id: text(job['jobId']) === '' ? null : raw(text(job['jobId'])),
    ...Object.fromEntries(worded.map(name => [name, text(job[name])])),
    ...Object.fromEntries(namedFields.map(name => [name, nameOf(name, job)])),
    ...Object.fromEntries(counted.map(name => [name, number(job[name])])),
    enable: number(job['enable']) === 1,
    notifyUserIds: text(job['notifyUserIds'])
      .split(',')
      .filter(id => /^\d{1,19}$/.test(id))
      .map(raw),
    lifeCycle: { start: instant(start), end: instant(end) },
    alarmConfig: Object.fromEntries(alarm),
    logConfig: { ...object(remote?.['logConfig']), type: number(job['logType']), level: number(job['logLevel']) },
    ...Object.fromEntries(kept.flatMap(name => (remote?.[name] === undefined || remote[name] === null ? [] : [[name, remote[name]]]))),
  }
}

const lifecycleOf = (told: unknown): string => {
  let life: Record<string, unknown> = {}
  try {
    life = object(typeof told === 'string' && told !== '' ? JSON.parse(told) : told)
  } catch {
    life = {}
  }
  const [start, end] = [life['start'], life['end']].map(at => (typeof at === 'number' ? toWireTime(new Date(at)) : ''))
  return start === '' && end === '' ? '' : `${start},${end}`
}

/** The fields of a job out of what the server tells of it. */
export const fromRemote = (remote: JobValues): JobValues => {
  const alarm = object(remote['alarmConfig'])
  const log = object(remote['logConfig'])
  return {
    jobId: text(remote['id']),
    ...Object.fromEntries(worded.map(name => [name, text(remote[name])])),
    ...Object.fromEntries(namedFields.map(name => [name, number(remote[name])])),
    ...Object.fromEntries(counted.map(name => [name, name.startsWith('min') ? text(number(remote[name])) : number(remote[name])])),
    enable: remote['status'] === 1 ? 1 : 0,
    lifecycle: lifecycleOf(remote['lifecycle']),
    notifyUserIds: text(remote['notifyUserIds']),
    ...Object.fromEntries(['alertThreshold', 'statisticWindowLen', 'silenceWindowLen'].map(name => [name, number(alarm[name])])),
    logType: number(log['type'] ?? 1),
    logLevel: number(log['level'] ?? 2),
  }
}

/** When the server last changed a job; it writes milliseconds or ISO text. */
export const remoteTimeOf = (remote: JobValues): Date | undefined => {
  const at = remote['gmtModified']
  const instant = typeof at === 'number' || typeof at === 'string' ? new Date(at) : undefined
  return instant === undefined || Number.isNaN(instant.getTime()) ? undefined : instant
}

/** Which side of a job is taken: what changed since both were the same; where both did, the newer (framework-contract 5.8). */
export const sideOf = (of: {
  readonly here: Date
  readonly there: Date | undefined
  readonly synced: Date | undefined
  readonly knownThere: Date | undefined
}): 'same' | 'here' | 'there' => {
  const isChangedHere = of.synced === undefined || of.here > of.synced
  const isChangedThere = of.there === undefined ? false : of.knownThere === undefined || of.there.getTime() !== of.knownThere.getTime()
  if (!isChangedHere && !isChangedThere) return 'same'
  if (isChangedHere && isChangedThere) return of.there !== undefined && of.there > of.here ? 'there' : 'here'
  return isChangedHere ? 'here' : 'there'
}
