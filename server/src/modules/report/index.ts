export type { ReportModule } from './module.ts'
