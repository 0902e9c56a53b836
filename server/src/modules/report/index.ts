export { type Cross, type CrossCell, countCross, hidesFew } from './commands/cross.ts'
export type { ReportModule } from './module.ts'
