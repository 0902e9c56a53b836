import { regionSelect, schoolList } from '#contract/school/school.routes.ts'
import { likeText, sql } from '#kernel/db/sql.ts'
import { type Handler, handle } from '#kernel/http/context.ts'

export interface SchoolModule {
  readonly handlers: readonly Handler[]
}

interface SchoolRow {
  readonly id: string
  readonly schoolCode: string
  readonly schoolName: string
  readonly province: string
  readonly city: string
  readonly level: number
  readonly isMedical: number
}
const limit = 20

export const createSchoolModule = (): SchoolModule => ({
  handlers: [
    // Names that begin with the word come first, then those that hold it, medical schools before others.
    handle(schoolList, ({ db, input }) =>
      db.all(sql<SchoolRow>`
        select id::text as id, school_code as "schoolCode", school_name as "schoolName", province, coalesce(city, '') as city, level, is_medical as "isMedical"
        from school where status = 1 and not is_deleted and (search_text like ${likeText(input.keyword)} or school_code = ${input.keyword} or old_code = ${input.keyword})
        order by (school_name like ${likeText(input.keyword).slice(1)}) desc, is_medical desc, length(school_name), school_code limit ${limit}`),
    ),
    handle(regionSelect, ({ db, input }) =>
      db.all(sql<{ code: string; name: string; level: number; hasChildren: boolean }>`
        select r.code, r.name, r.level, exists (select 1 from region c where c.parent_code = r.code) as "hasChildren" from region r
        where ${input.code === undefined || input.code === '00' ? sql`r.level = 1` : sql`r.parent_code = ${input.code}`} order by r.code`),
    ),
  ],
})
