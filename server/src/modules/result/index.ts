export { orderRanking } from './commands/release.ts'
export { joinByHash } from './data/bulk.ts'
export { unitScopeOf } from './domain/unit-scope.ts'
