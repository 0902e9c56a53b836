export type { StatisticsModule } from './module.ts'
