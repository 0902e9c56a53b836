export { type Cross, type CrossCell, countCross, hidesFew } from './commands/cross.ts'
export { mergedKey } from './domain/narrow.ts'
export { fewestPeople } from './domain/people.ts'
export type { ReportModule } from './module.ts'
