import type { Label } from '#contract/kernel/label.ts'

/** What decides whether a reviewer may take the lock of a sign-up. */
export interface TakeFacts {
  /** The examination is released; one that is closed or archived is decided about no more. */
  readonly isOpen: boolean
  /** Whose turn it is; undefined when nothing is to be decided. */
  readonly level: 1 | 2 | undefined
  /** The reviewer's right to decide at that level. */
  readonly mayDecide: boolean
  readonly isRecused: boolean
  /** The reviewer did the first review, and this examination wants another person for the second. */
  readonly didFirstReview: boolean
  /** Why it was given to somebody else; undefined when it was not. */
  readonly notTheirs: Label | undefined
}

export const didFirst: Label = { zh: '您已做过初审，不能再复核', en: 'You did the first review; somebody else does the second' }
export const nothingToDecide: Label = { zh: '当前状态不需要您审核', en: 'Nothing to decide here for you' }
/** Why somebody who only looks decides nothing, though they may. */
export const notOpened: Label = { zh: '尚未打开审核，打开后才能作出决定', en: 'Not opened for review: open it to decide' }

/** Why a reviewer reads only; undefined when the lock may be tried. */
export const readOnlyReason = ({ isOpen, level, mayDecide, isRecused, didFirstReview, notTheirs }: TakeFacts): Label | undefined => {
  if (!isOpen) return { zh: '考试已关闭，不再审核', en: 'The examination is closed; nothing is reviewed any more' }
  if (isRecused) return { zh: '您与该考生存在回避关系', en: 'You have a conflict of interest with this candidate' }
  if (didFirstReview) return didFirst
  if (level === undefined || !mayDecide) return nothingToDecide
  return notTheirs
}
