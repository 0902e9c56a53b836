import { type Label, label } from '../kernel/label.ts'
import { endOfWindow, fromWireTime } from '../kernel/when.ts'

/** When whoever loses a post chooses what comes of it; null where that is not said. */
export interface ChoiceWindow {
  readonly choiceBegin: Date | null
  readonly choiceEnd: Date | null
}

/** @param given - times as forms write them: an end as the last second that counts, or as the moment after it */
export const choiceWindowOf = (given: {
  readonly choiceBegin?: string | undefined
  readonly choiceEnd?: string | undefined
}): ChoiceWindow => {
  const at = (text: string | undefined): Date | null => (text === undefined ? null : (fromWireTime(text) ?? null))
  const end = at(given.choiceEnd)
  return { choiceBegin: at(given.choiceBegin), choiceEnd: end && endOfWindow(end) }
}

/** Why nobody could choose in this window; undefined when they have time that has not passed (domain 4.4). */
export const choiceWindowProblem = (
  { choiceBegin, choiceEnd }: ChoiceWindow,
  now: Date,
): { readonly field: keyof ChoiceWindow; readonly problem: Label } | undefined => {
  if (!choiceBegin)
    return {
      field: 'choiceBegin',
      problem: label('公布取消或合并须填写选择开始时间', 'A cancellation needs a time from which people choose'),
    }
  if (!choiceEnd)
    return {
      field: 'choiceEnd',
      problem: label('公布取消或合并须填写选择截止时间', 'A cancellation needs a time until which people choose'),
    }
  if (choiceEnd <= choiceBegin) return { field: 'choiceEnd', problem: label('选择截止须晚于选择开始', 'It must end after it begins') }
  return choiceEnd <= now ? { field: 'choiceEnd', problem: label('选择截止时间已过', 'It has passed already') } : undefined
}
