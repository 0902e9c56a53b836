import { schoolList } from '#contract/school/school.routes.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import { findKnownNames, findSchools } from './data/school.repo.ts'

export interface SchoolModule {
  readonly handlers: readonly Handler[]
  /** Which of these full names are on the list of schools, former names among them. */
  readonly findKnown: (db: TenantDb, names: readonly string[]) => Promise<ReadonlySet<string>>
}

export const createSchoolModule = (): SchoolModule => ({
  handlers: [handle(schoolList, ({ db, input }) => findSchools(db, input.keyword))],
  findKnown: findKnownNames,
})
