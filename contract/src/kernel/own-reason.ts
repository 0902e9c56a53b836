import { type Label, label } from './label.ts'

/**
 * Reasons that the program itself writes where people write theirs. They are stored in Chinese beside what people wrote, and said in the
 * reader's language where they are shown.
 */
export const ownReasons = {
  notSaid: label('未填写原因', 'No reason was given'),
  lockElapsed: label('锁定到期', 'The lock ran out'),
  feeChanged: label('费用变更', 'The fee was changed'),
  signupWithdrawn: label('报名撤回', 'The sign-up was withdrawn'),
  reviewUndone: label('审核撤回', 'The decision was taken back'),
  postCancelled: label('岗位取消', 'The post was cancelled'),
  disqualified: label('取消资格', 'Disqualified'),
  serverCommand: label('服务器命令', 'A command on the server'),
  allotTaken: label('抢单', 'Taken by the reviewer'),
  allotByUnit: label('按单位', 'By unit'),
  allotByPost: label('按岗位', 'By post'),
  allotByChance: label('随机均分', 'Evenly, by chance'),
  allotBySurname: label('按姓氏', 'By surname'),
} as const satisfies Readonly<Record<string, Label>>

const all: readonly Label[] = Object.values(ownReasons)

/** The words of a reason that the program wrote; null for what somebody typed, which stays as it is. */
export const ownReason = (stored: string): Label | null => all.find(one => one.zh === stored) ?? null
