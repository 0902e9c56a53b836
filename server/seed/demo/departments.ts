import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { RowBook } from './rows.ts'

/** Where the demo's people work, each below the one it names; the tenant's own department is at the top. */
const wishes = {
  first: [
    { key: 'exams', name: '人事与考务科', full: '区卫生健康局人事与考务科', category: 2, below: null },
    { key: 'finance', name: '规划财务科', full: '区卫生健康局规划财务科', category: 2, below: null },
    { key: 'discipline', name: '机关纪委', full: '区卫生健康局机关纪委', category: 2, below: null },
    { key: 'it', name: '信息中心', full: '区卫生健康信息中心', category: 1, below: null },
    { key: 'cdc', name: '区疾病预防控制中心', full: '区疾病预防控制中心', category: 1, below: null },
    { key: 'cdcStaff', name: '综合科', full: '区疾病预防控制中心综合科', category: 3, below: 'cdc' },
    { key: 'hospital', name: '区人民医院', full: '区人民医院', category: 1, below: null },
    { key: 'hospitalStaff', name: '人力资源部', full: '区人民医院人力资源部', category: 3, below: 'hospital' },
  ],
  second: [{ key: 'exams', name: '人事科', full: '第二区卫生健康局人事科', category: 2, below: null }],
} as const

export type DeptKey = (typeof wishes)['first' | 'second'][number]['key']

/** Adds the departments of a tenant. @returns the id of each */
export const addDepartments = async (
  db: TenantDb,
  book: RowBook,
  nextId: () => string,
  which: 'first' | 'second',
  createdAt: Date,
): Promise<(key: DeptKey) => string> => {
  const { id: top } = await db.one(sql<{ id: string }>`select id::text as id from dept where parent_id = 0 and not is_deleted limit 1`)
  const chains = new Map<string, readonly string[]>()
  for (const [index, { key, name, full, category, below }] of wishes[which].entries()) {
    const above = below === null ? [top] : (chains.get(below) ?? [top])
    const id = nextId()
    chains.set(key, [...above, id])
    book.add('dept', {
      id,
      parent_id: above.at(-1),
      ancestor_ids: above,
      dept_name: name,
      full_name: full,
      dept_category: category,
      sort: index + 1,
      created_at: createdAt,
      updated_at: createdAt,
    })
  }
  return key => {
    const id = chains.get(key)?.at(-1)
    if (id === undefined) throw new Error(`the tenant has no department ${key}`)
    return id
  }
}
