export { unitsFor } from './commands/scope.ts'
export { waitingSteps } from './data/own-step.repo.ts'
export { listToPublish, notePublicity } from './data/publicity.repo.ts'
