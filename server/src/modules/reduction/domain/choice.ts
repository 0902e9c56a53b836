import { type Label, label } from '#contract/kernel/label.ts'
import { step } from '#contract/kernel/machine.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { toWireEnd, toWireTime } from '#contract/kernel/when.ts'
import { refuseReduction } from '#contract/reduction/reduction.errors.ts'
import { type TransferState, transferMachine } from '#contract/reduction/reduction.state.ts'

export interface ChoiceWindow {
  readonly choiceBegin: Date
  readonly choiceEnd: Date
}

/** Whether somebody on the list may choose at this moment; undefined when they may (domain 4.12). */
export const choiceBar = (
  now: Date,
  examState: string,
  { choiceBegin, choiceEnd }: ChoiceWindow,
  state: TransferState,
): Refusal | undefined => {
  if (examState !== 'released') return refuseReduction('reduction/exam-not-open', {})
  // The last choice within the time counts, until the review of the new post is over.
  if (step(transferMachine, state, 'transfer') === undefined)
    return refuseReduction('reduction/decided', { state: transferMachine.label[state] })
  return now >= choiceBegin && now < choiceEnd
    ? undefined
    : refuseReduction('reduction/closed', { from: toWireTime(choiceBegin), to: toWireEnd(choiceEnd) })
}

export interface TargetFacts {
  readonly code: string
  readonly postState: number
  readonly itemCodes: readonly string[]
  readonly maxSign: number
  readonly usedSign: number
}

const samePapers = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every(code => other.includes(code))

/**
 * Why a post cannot be chosen whatever the person, undefined when it can (domain 4.4).
 *
 * @param from - the cancelled post
 * @param isOwn - the sign-up has this post already and its place in it
 * @param hasTickets - seats are allotted: whoever moves has to sit the same papers
 */
export const targetBar = (
  target: TargetFacts,
  from: Pick<TargetFacts, 'code' | 'itemCodes'>,
  isOwn: boolean,
  hasTickets: boolean,
): Label | undefined => {
  if (target.code === from.code) return label('这是被取消的岗位', 'it is the cancelled post')
  if (target.postState === 2) return label('岗位已取消', 'it is cancelled')
  if (target.postState === 4) return label('岗位已暂停', 'it is paused')
  if (hasTickets && !samePapers(target.itemCodes, from.itemCodes))
    return label('准考证已编排，只能改报考试科目相同的岗位', 'seats are allotted, so only posts with the same papers can be chosen')
  if (!isOwn && target.maxSign > 0 && target.usedSign >= target.maxSign) return label('岗位报名人数已满', 'no places are left')
  return undefined
}
