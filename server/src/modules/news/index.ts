export { readPolicy } from './commands/policy.ts'
export type { NewsModule } from './module.ts'
