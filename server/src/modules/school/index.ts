import { regionSelect, schoolList } from '#contract/school/school.routes.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import { findSchools, listRegionsBelow } from './data/school.repo.ts'

export interface SchoolModule {
  readonly handlers: readonly Handler[]
}

export const createSchoolModule = (): SchoolModule => ({
  handlers: [
    handle(schoolList, ({ db, input }) => findSchools(db, input.keyword)),
    handle(regionSelect, ({ db, input }) => listRegionsBelow(db, input.code)),
  ],
})
