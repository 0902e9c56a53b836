export { claimable as claimableTasks } from './data/work.repo.ts'
export type { FlowEngine, FlowModule } from './module.ts'
