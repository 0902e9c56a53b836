export { orderRanking } from './commands/release.ts'
export { resultScopeOf } from './commands/result-scope.ts'
export { joinByHash } from './data/bulk.ts'
export { unitScopeOf } from './domain/unit-scope.ts'
