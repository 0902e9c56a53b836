export type { FlowEngine, FlowModule } from './module.ts'
