import type { Tone } from '../kernel/field.ts'
import type { Label } from '../kernel/label.ts'

type Words = Readonly<Record<number, Label>>

/** S9.09 */
export const timeExpressionTypes = {
  1: { zh: 'API', en: 'API' },
  2: { zh: 'CRON', en: 'CRON' },
  3: { zh: '固定频率（毫秒）', en: 'Fixed rate (ms)' },
  4: { zh: '固定延迟（毫秒）', en: 'Fixed delay (ms)' },
  5: { zh: '工作流', en: 'Workflow' },
} as const satisfies Words
/** S9.10 */
export const executeTypes = {
  1: { zh: '单机执行', en: 'Single' },
  2: { zh: '广播执行', en: 'Broadcast' },
  3: { zh: 'MapReduce', en: 'MapReduce' },
} as const satisfies Words
/** S9.11 */
export const processorTypes = { 1: { zh: '内建', en: 'Built in' }, 4: { zh: '外部', en: 'External' } } as const satisfies Words
/** S9.12 */
export const dispatchStrategies = { 1: { zh: '健康度优先', en: 'Health first' }, 2: { zh: '随机', en: 'Random' } } as const satisfies Words
/** S9.13 */
export const logTypes = {
  1: { zh: '在线日志', en: 'Online' },
  2: { zh: '本地日志', en: 'Local' },
  3: { zh: '标准输出', en: 'Stdout' },
  4: { zh: '本地和在线日志', en: 'Local and online' },
  999: { zh: '无', en: 'None' },
} as const satisfies Words
/** S9.14 */
export const logLevels = {
  1: { zh: 'DEBUG', en: 'DEBUG' },
  2: { zh: 'INFO', en: 'INFO' },
  3: { zh: 'WARN', en: 'WARN' },
  4: { zh: 'ERROR', en: 'ERROR' },
  99: { zh: '关闭', en: 'OFF' },
} as const satisfies Words
/** What becomes of times at which no process was there to run the job. */
export const missedPolicies = {
  1: { zh: '补执行一次', en: 'Run once' },
  2: { zh: '跳过', en: 'Skip' },
  3: { zh: '逐次补执行', en: 'Run each' },
} as const satisfies Words

/** States of a run, by PowerJob's numbers. */
export const runState = { waiting: 1, received: 2, running: 3, failed: 4, done: 5, cancelled: 9, stopped: 10 } as const
export const runStates = {
  1: { zh: '等待执行', en: 'Waiting' },
  2: { zh: '等待接收', en: 'Dispatched' },
  3: { zh: '执行中', en: 'Running' },
  4: { zh: '失败', en: 'Failed' },
  5: { zh: '成功', en: 'Succeeded' },
  9: { zh: '已取消', en: 'Cancelled' },
  10: { zh: '已停止', en: 'Stopped' },
} as const satisfies Words
export const runTones: Readonly<Record<number, Tone>> = {
  1: 'waiting',
  2: 'waiting',
  3: 'active',
  4: 'refused',
  5: 'passed',
  9: 'closed',
  10: 'closed',
}
/** States in which a run goes on. */
export const liveStates: readonly number[] = [runState.waiting, runState.received, runState.running]

/** Why there is a run. */
export const runKind = { time: 1, hand: 2, retry: 3 } as const
export const runKinds = {
  1: { zh: '定时', en: 'By its time' },
  2: { zh: '手动', en: 'By hand' },
  3: { zh: '重试', en: 'Repeated by hand' },
} as const satisfies Words

/** What holds where a job says 0, "no limit of its own". */
export const platformLimits = {
  /** Runs of a job at the same time. */
  instances: 10,
  /** Parts of a run at the same time in one process. */
  concurrency: 20,
  timeMs: 3_600_000,
  retries: 10,
  /** Runs of a job that wait or go on, however they came about. */
  queued: 100,
  /** Parts of one run. */
  shards: 10_000,
  /** Jobs of a tenant. */
  jobs: 100,
} as const

/** Results that the program itself gives a run, as they are stored; `resultText` says them. */
export const ownResult = {
  earlier: '@earlier',
  killed: '@killed',
  time: '@time',
  stopped: '@stopped',
  failed: '@failed',
  parts: '@parts',
} as const
const resultWords: Readonly<Record<string, Label>> = {
  [ownResult.earlier]: { zh: '之前的执行尚未结束，本次未执行', en: 'Not run: as many runs as the job allows had not ended' },
  [ownResult.killed]: { zh: '执行它的进程已中断', en: 'The process that ran it was killed' },
  [ownResult.time]: { zh: '超过运行时间限制', en: 'Ran longer than it may' },
  [ownResult.stopped]: { zh: '已手动停止', en: 'Stopped by hand' },
  [ownResult.failed]: { zh: '执行出错，详见日志', en: 'It failed; the log says more' },
}
/**
 * A text of a run, its result or a line of its log, as it is stored in at most `most` characters: one in both languages keeps both, so that whoever
 * reads it later chooses.
 */
export const storedText = (text: string | Label, most: number): string => {
  if (typeof text === 'string') return text.slice(0, most)
  for (let room = most; ; room = Math.floor(room / 2)) {
    const stored = `@${JSON.stringify({ zh: text.zh.slice(0, room), en: text.en.slice(0, room) })}`
    if (stored.length <= most) return stored
  }
}
const bothOf = (stored: string): Label | undefined => {
  if (!stored.startsWith('@{')) return undefined
  try {
    const { zh, en } = JSON.parse(stored.slice(1)) as Partial<Record<keyof Label, unknown>>
    return typeof zh === 'string' && typeof en === 'string' ? { zh, en } : undefined
  } catch {
    // A PowerJob server's own words may begin like this.
    return undefined
  }
}
/** What a stored text says: of one in both languages both, and every other as the processor gave it. */
export const resultText = (result: string): Label => {
  const [, done, all] = /^@parts (\d+)\/(\d+)$/.exec(result) ?? []
  if (done !== undefined) return { zh: `${all} 个部分中 ${done} 个成功`, en: `${done} of ${all} parts succeeded` }
  return resultWords[result] ?? bothOf(result) ?? { zh: result, en: result }
}
