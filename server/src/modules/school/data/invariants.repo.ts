import { sql } from '#kernel/db/sql.ts'
import type { Invariant } from '#kernel/invariant.ts'

export const schoolInvariants: readonly Invariant[] = [
  {
    name: 'school.former',
    label: { zh: '学校曾用名', en: 'Former names of schools' },
    means: { zh: '考生按曾用名查不到毕业院校。', en: 'Candidates do not find their school by a name it had.' },
    watches: ['school_former'],
    page: '/school/school',
    by: 'tenant',
    broken: () => sql`
      with due as (select distinct s.id, n as name from school s, unnest(s.former_names) n where n <> '')
      select coalesce(d.id, k.school_id) as id, coalesce(s.school_name, coalesce(d.id, k.school_id)::text) as name, count(k.school_id) as found, count(d.id) as expected
      from due d full join school_former k on k.school_id = d.id and k.name = d.name left join school s on s.id = coalesce(d.id, k.school_id)
      group by 1, 2 having count(k.school_id) <> count(*) or count(d.id) <> count(*)`,
    healer: {
      label: { zh: '重写曾用名', en: 'Write the names anew' },
      heal: async (db, id) => {
        await db.run(sql`delete from school_former where school_id = ${id}`)
        await db.run(sql`
          insert into school_former (tenant_id, name, school_id) select distinct s.tenant_id, n, s.id from school s, unnest(s.former_names) n where s.id = ${id} and n <> ''`)
      },
    },
  },
]
