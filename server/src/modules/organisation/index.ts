export { granterOf, refuseBeyond } from './commands/manage-users.ts'
export { type AppealPlace, openAppeal, opensAppeal, withAppeal } from './commands/open-appeal.ts'
export { voidPassword } from './data/profile.repo.ts'
export type { OrganisationModule } from './module.ts'
