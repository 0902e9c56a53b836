export { readOffice } from './data/tally.repo.ts'
export type { OversightModule } from './module.ts'
