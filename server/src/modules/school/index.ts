export type { SchoolModule } from './module.ts'
