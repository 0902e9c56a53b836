export type { PersonModule } from './module.ts'
