export type { NewsModule } from './module.ts'
