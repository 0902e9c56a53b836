import { epochOf } from '#web/kernel/format.ts'
import type { ExamDetail } from '../wire.ts'

export type StageKey = 'sign' | 'modify' | 'examine' | 'pay' | 'ticket' | 'item' | 'score'
export interface Stage {
  readonly key: StageKey
  /** Name of an exam item. */
  readonly name?: string
  readonly begin: string | null
  readonly end: string | null
}
export type StageState = 'done' | 'now' | 'next'

/**
 * The course of an exam in order of time; what has no date yet is left out.
 * @param papers - ids of those that somebody sits; all where it is left out
 */
export const stagesOf = (exam: ExamDetail, papers?: readonly string[]): readonly Stage[] => {
  const stages: Stage[] = [{ key: 'sign', begin: exam.signBegin, end: exam.signEnd }]
  if (exam.modifyEnd && exam.modifyEnd !== exam.signEnd) stages.push({ key: 'modify', begin: null, end: exam.modifyEnd })
  if (exam.examineEnd) stages.push({ key: 'examine', begin: null, end: exam.examineEnd })
  if (exam.feeMode !== 0 && exam.payEnd) stages.push({ key: 'pay', begin: exam.payBegin, end: exam.payEnd })
  if (exam.ticketBegin) stages.push({ key: 'ticket', begin: exam.ticketBegin, end: exam.ticketEnd })
  const sat = exam.examItems.filter(item => papers === undefined || papers.includes(item.id))
  for (const item of sat) stages.push({ key: 'item', name: item.itemName, begin: item.startTime, end: item.endTime })
  if (exam.scoreBegin) stages.push({ key: 'score', begin: exam.scoreBegin, end: null })
  // A ticket can be printed until the exam is over: it stands where printing begins.
  const point = (stage: Stage) => (stage.key === 'ticket' ? stage.begin : (stage.end ?? stage.begin)) ?? ''
  return stages.toSorted((a, b) => point(a).localeCompare(point(b)))
}

/** @param now - epoch milliseconds by the server's clock; windows are half-open */
export const stageState = (stage: Stage, now: number): StageState => {
  const end = stage.end ?? stage.begin
  if (end !== null && now >= epochOf(end)) return 'done'
  return stage.begin !== null && stage.end !== null && now >= epochOf(stage.begin) ? 'now' : 'next'
}

/** What a reader waits for by the state of their own sign-up; nobody is further than it. */
const reachOf = (own: ExamDetail['my']): readonly StageKey[] => {
  switch (own?.examine) {
    case 1:
    case 2:
      return ['examine']
    case 3:
      return ['sign', 'modify']
    case 5:
      // Whoever has to pay has no ticket before; whose fee went back, or was not paid in time, is at none of them.
      return own.payState === 1 ? ['pay'] : own.payState === 0 || own.payState === 2 ? ['ticket', 'item', 'score'] : []
    default:
      return ['sign']
  }
}

/** The stage where the reader is: of those that their sign-up has reached the one that runs, else the first that is still to come. */
export const hereOf = (stages: readonly Stage[], now: number, own: ExamDetail['my']): Stage | undefined => {
  const reach = reachOf(own)
  const reached = stages.filter(stage => reach.includes(stage.key))
  return reached.find(stage => stageState(stage, now) === 'now') ?? reached.find(stage => stageState(stage, now) === 'next')
}
