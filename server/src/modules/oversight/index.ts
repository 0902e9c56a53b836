export type { OversightModule } from './module.ts'
