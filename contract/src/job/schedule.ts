import type { Label } from '../kernel/label.ts'
import { fromWireTime } from '../kernel/when.ts'
import { nextOfCron, parseCron } from './cron.ts'

/** What decides when a job runs (S9.09). */
export const timing = { api: 1, cron: 2, rate: 3, delay: 4, workflow: 5 } as const

/** Longest rate or delay, as PowerJob has it. */
export const longestPeriodMs = 120_000
/** Finest period of a tenant's job; the platform's own may be finer. */
export const finestPeriodMs = 60_000

export interface Timing {
  readonly timeExpressionType: number
  readonly timeExpression: string
  /** `start,end`, either of them empty, or empty. */
  readonly lifecycle: string
}

/** When a job lives: from `start` on, before `end`. */
export interface Life {
  readonly start: Date | undefined
  readonly end: Date | undefined
}

/** @returns undefined for a text that is no life cycle */
export const lifeOf = (lifecycle: string): Life | undefined => {
  if (lifecycle === '') return { start: undefined, end: undefined }
  const [start = '', end = '', ...more] = lifecycle.split(',')
  const [from, to] = [start, end].map(text => (text === '' ? undefined : fromWireTime(text)))
  if (more.length > 0 || (start !== '' && from === undefined) || (end !== '' && to === undefined)) return undefined
  return { start: from, end: to }
}

/**
 * When a job is due next, strictly after an instant; undefined where the clock never starts it, or no more. A delay counts from the end of the
 * run before, which is then the instant.
 */
export const nextDue = ({ timeExpressionType, timeExpression, lifecycle }: Timing, after: Date): Date | undefined => {
  const { start, end } = lifeOf(lifecycle) ?? { start: undefined, end: undefined }
  // A time that is the very beginning counts.
  const from = start !== undefined && start > after ? new Date(start.getTime() - 1) : after
  const next = ((): Date | undefined => {
    if (timeExpressionType === timing.cron) {
      const cron = parseCron(timeExpression)
      return 'why' in cron ? undefined : nextOfCron(cron, from)
    }
    if (timeExpressionType === timing.rate || timeExpressionType === timing.delay) return new Date(from.getTime() + Number(timeExpression))
    return undefined
  })()
  return next === undefined || (end !== undefined && next >= end) ? undefined : next
}

/** The next times of a job, as many as there are up to `count`. */
export const nextTimes = (of: Timing, after: Date, count: number): readonly Date[] => {
  const times: Date[] = []
  for (let at = nextDue(of, after); at !== undefined && times.length < count; at = nextDue(of, at)) times.push(at)
  return times
}

interface TimingProblem {
  readonly field: 'timeExpression' | 'lifecycle'
  readonly why: Label
}
const problem = (field: TimingProblem['field'], zh: string, en: string): TimingProblem => ({ field, why: { zh, en } })

const periodProblem = (text: string, finest: number): TimingProblem | undefined =>
  /^\d{1,6}$/.test(text) && Number(text) >= finest && Number(text) <= longestPeriodMs
    ? undefined
    : problem(
        'timeExpression',
        `频率、延迟为毫秒数，取 ${finest}–${longestPeriodMs} 之间的整数；更长的周期请用 CRON`,
        `A rate or delay is a whole number of milliseconds from ${finest} to ${longestPeriodMs}; use CRON for longer ones`,
      )

/** The smallest gap between the next times of an expression. */
const finestGap = (of: Timing, now: Date): number => {
  const times = nextTimes({ ...of, lifecycle: '' }, now, 61)
  return Math.min(...times.slice(1).map((at, index) => at.getTime() - (times[index]?.getTime() ?? 0)))
}

/** A PowerJob server collects what is due about so often. */
const collectedMs = 15_000
export const collectedNote: Label = {
  zh: 'PowerJob 约每 15 秒收集一次到期任务，间隔短于 15 秒的 CRON 会成批执行或延迟；更短的周期请用固定频率或固定延迟',
  en: 'PowerJob collects what is due about every 15 seconds: runs of a CRON that are closer together come in batches or late. Use a fixed rate or delay for shorter periods',
}
/** Whether a cron comes more often than a PowerJob server looks. */
export const isFasterThanCollected = (of: Timing, now: Date): boolean =>
  of.timeExpressionType === timing.cron && finestGap(of, now) < collectedMs

/** What is wrong with the times of a job that somebody writes now. */
export const timingProblem = (of: Timing, now: Date, finest: number): TimingProblem | undefined => {
  const { timeExpressionType: type, timeExpression: text, lifecycle } = of
  const isTimed = type === timing.cron || type === timing.rate || type === timing.delay
  if (isTimed && text.trim() === '') return problem('timeExpression', '请输入时间表达式', 'Please enter the time expression')
  if (type === timing.rate || type === timing.delay) {
    const wrong = periodProblem(text, finest)
    if (wrong) return wrong
  }
  if (type === timing.cron) {
    const cron = parseCron(text)
    if ('why' in cron) return { field: 'timeExpression', why: cron.why }
    if (nextOfCron(cron, now) === undefined)
      return problem(
        'timeExpression',
        '该 Cron 表达式今后没有任何执行时间，请检查日期是否存在',
        'This cron expression never comes again: see whether such a day exists',
      )
    if (finestGap(of, now) < finest)
      return problem(
        'timeExpression',
        `执行间隔不能短于 ${finest / 1000} 秒，请调整“秒”或“分”一段`,
        `Runs are at least ${finest / 1000} seconds apart: change the part of the seconds or minutes`,
      )
  }
  const life = lifeOf(lifecycle)
  if (life === undefined)
    return problem(
      'lifecycle',
      '生命周期应为“开始时间,结束时间”，例如 2026-01-01 00:00:00,2026-12-31 00:00:00',
      'A life cycle is “start,end”, as 2026-01-01 00:00:00,2026-12-31 00:00:00',
    )
  if (life.end !== undefined && life.start !== undefined && life.end <= life.start)
    return problem('lifecycle', '生命周期的结束时间须晚于开始时间', 'The life cycle has to end after it begins')
  if (life.end !== undefined && life.end <= now)
    return problem('lifecycle', '生命周期的结束时间已过，请改为将来的时间', 'The life cycle has ended already: choose a later end')
  if (type === timing.cron && nextDue(of, now) === undefined)
    return problem(
      'timeExpression',
      '在生命周期之内没有任何执行时间，请调整表达式或生命周期',
      'There is no run within the life cycle: change the expression or the life cycle',
    )
  return undefined
}
