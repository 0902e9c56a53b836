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

/**
 * The stage where the reader is: one that runs, else the first that is still to come.
 * @param hasSignedUp - who has handed nothing in is at the sign-up while it runs or is to come, and nowhere later
 */
export const hereOf = (stages: readonly Stage[], now: number, hasSignedUp: boolean): Stage | undefined => {
  const reached = hasSignedUp ? stages : stages.filter(stage => stage.key === 'sign')
  return reached.find(stage => stageState(stage, now) === 'now') ?? reached.find(stage => stageState(stage, now) === 'next')
}
