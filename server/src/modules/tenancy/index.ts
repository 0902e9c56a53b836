export { eachTenant } from './commands/each-tenant.ts'
export { readParameters } from './data/param.repo.ts'
export { findOwnTenantName } from './data/tenant.repo.ts'
export type { TenancyModule } from './module.ts'
