export type { ReductionModule } from './module.ts'
