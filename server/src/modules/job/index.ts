export type { JobModule } from './module.ts'
