export { renewTicketsOf } from './commands/change.ts'
export { dropSeatsOf } from './commands/drop-seats.ts'
export { standingOf } from './data/eligible.repo.ts'
export { lostPlace } from './domain/seat-bar.ts'
