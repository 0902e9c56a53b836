export { conflictOf } from './commands/conflict-of.ts'
export type { Correction } from './commands/correct-person.ts'
export { groupsOf } from './commands/group.ts'
export {
  answerOwn,
  confirmHeard,
  daysToAnswer,
  type HearingKind,
  type HearingTools,
  heardOf,
  isHeard,
  noteHeard,
  tellOfProposal,
  unheardProblem,
} from './commands/hearing.ts'
export { proposeIntegrity, proposeResults } from './commands/integrity.ts'
export { signupFilterOf } from './commands/leaving.ts'
export { leaveExam, moveToPost, type TargetJudgement } from './commands/move-post.ts'
export { signupForStaff } from './commands/read-signup.ts'
export { mayBeNarrowed, mayRead, readerOf } from './commands/review-scope.ts'
export { seesShortlistedOnly, unitsOf } from './commands/visibility.ts'
export { openContent } from './content-vault.ts'
export { insertRecord, readOverwritten } from './data/examine.repo.ts'
export { isOpenOfGroup } from './data/group.repo.ts'
export { findHearing, type HearingTable, lockHearing } from './data/hearing.repo.ts'
export { listSignupIds } from './data/leaving.repo.ts'
export { isInReach, mayTake } from './data/reach.repo.ts'
export { findSignup, lockSignup, type SignupRow, storeReductionState } from './data/signup.repo.ts'
export type { ReviewedSignup } from './deps.ts'
export { fileFault } from './domain/file-rule.ts'
export type { SignupModule } from './module.ts'
