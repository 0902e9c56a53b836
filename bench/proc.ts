import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, platform, release, totalmem } from 'node:os'

// CPU and memory of other processes as Linux tells them in /proc. Elsewhere the figures are missing and the report says so.

/** Ticks of /proc/<pid>/stat per second on every Linux that Node runs on (USER_HZ). */
const ticksPerSecond = 100

export const hasProc = platform() === 'linux'

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

interface Stat {
  readonly parent: number
  /** Seconds of the process itself, in steps of 10 ms. */
  readonly own: number
  /** Seconds of children that have ended and were waited for. */
  readonly reaped: number
}

const statOf = (pid: number): Stat | undefined => {
  const text = read(`/proc/${pid}/stat`)
  if (text === undefined) return undefined
  // The name in parentheses may hold anything; what follows the last one is regular.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const at = (index: number): number => (fields[index] ?? 0) / ticksPerSecond
  return { parent: fields[1] ?? 0, own: at(11) + at(12), reaped: at(13) + at(14) }
}

/** Run time of a process with one thread to the nanosecond, where the kernel counts it. */
const exactOf = (pid: number): number | undefined => {
  const nanoseconds = Number(read(`/proc/${pid}/schedstat`)?.split(' ')[0])
  return Number.isFinite(nanoseconds) && nanoseconds > 0 ? nanoseconds / 1e9 : undefined
}

const pids = (): number[] => (hasProc ? readdirSync('/proc').map(Number).filter(Number.isInteger) : [])

export const childrenOf = (parent: number): number[] => pids().filter(pid => statOf(pid)?.parent === parent)

export const parentOf = (pid: number): number => statOf(pid)?.parent ?? 0

/** CPU seconds of a program with threads, and of the children it has waited for. */
export const cpuOfProgram = (pid: number): number => {
  const stat = statOf(pid)
  return stat ? stat.own + stat.reaped : 0
}

/** CPU seconds of the database server: every process of it, those that ended too. */
export const cpuOfDatabase = (postmaster: number): number => {
  const stat = statOf(postmaster)
  const live = [postmaster, ...childrenOf(postmaster)].map(pid => exactOf(pid) ?? statOf(pid)?.own ?? 0)
  return live.reduce((sum, seconds) => sum + seconds, stat?.reaped ?? 0)
}

const memoryLine = (pid: number, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(read(`/proc/${pid}/status`) ?? '')?.[1] ?? 0) / 1024

/** Resident memory in MB. */
export const residentMb = (pid: number): number => memoryLine(pid, 'VmRSS')

/** Highest resident memory in MB since `resetPeak`. */
export const peakMb = (pid: number): number => memoryLine(pid, 'VmHWM')

export const resetPeak = (pid: number): void => {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
  } catch {
    // Not allowed here: the peak then counts from the start of the process.
  }
}

/** What a reader must know of the machine to read the figures. */
export const machineData = (postgres: string): readonly (readonly [string, string])[] => [
  ['Processor', `${cpus()[0]?.model.trim() ?? 'unknown'}, ${cpus().length} cores seen`],
  ['Memory', `${Math.round(totalmem() / 2 ** 30)} GB`],
  ['System', `${platform()} ${release()}`],
  ['Node', process.version],
  ['PostgreSQL', postgres],
]
