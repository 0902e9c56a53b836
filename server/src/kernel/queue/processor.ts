import type { Label } from '#contract/kernel/label.ts'

/** 1 debug, 2 info, 3 warn, 4 error. */
export type LineLevel = 1 | 2 | 3 | 4

/** Data that a job erases once its time is over. */
export interface Erasing {
  readonly what: Label
  /** From when the time counts. */
  readonly since: Label
  /** How long it is kept: `90 days`. */
  readonly after: Label
}
/** A time of so many days, as people read it. */
export const afterDays = (days: number): Label => ({ zh: `${days} 天`, en: `${days} days` })

/** One run of a job, as its processor sees it. */
export interface ProcessorCall {
  /** Whose job it is; the platform's own tenant for work on all of them. */
  readonly tenantId: string
  readonly params: string
  /** The part that this call is about, of work that was split. */
  readonly item: string | undefined
  /** 1 at the first try. */
  readonly attempt: number
  readonly now: Date
  /** Somebody stops the run, or its time is over: what goes on after that counts for nothing. */
  readonly signal: AbortSignal
  /** A line in the log of the run. */
  readonly log: (level: LineLevel, text: string | Label) => void
}

/**
 * Work that scheduled jobs may name. Nothing that somebody types is ever run: a job says one of these names. A run may be repeated when its process
 * was killed, so it must be safe to repeat.
 */
export interface Processor {
  /** `pay.sweep`: context and what it does. */
  readonly name: string
  readonly label: Label
  readonly help: Label
  /** `platform`: works on every tenant, so only the platform's own tenant may name it. */
  readonly scope: 'platform' | 'tenant'
  /** The parts of the work, for jobs that run over several processes; without it the work is one piece. */
  readonly split?: (call: ProcessorCall) => Promise<readonly string[]>
  /** @returns what the list of runs says about it; work of the program itself says it in both languages */
  readonly run: (call: ProcessorCall) => Promise<string | Label>
  /** What it erases, and when: the papers on retention are made of this. Whatever erases says so. */
  readonly erases?: readonly Erasing[]
  /** Work of the program itself, which stands among the platform's jobs from the start. */
  readonly own?: {
    /** Quartz, on the clock of Asia/Shanghai. */
    readonly cron: string
    /** What people rely on goes on without it for a while. */
    readonly mayPause: boolean
  }
}
