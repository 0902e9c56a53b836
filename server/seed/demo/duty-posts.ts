import type { RoleAlias } from '../base/menus.ts'
import type { RowBook } from './rows.ts'

/** What the demo's people are by trade, and who of them. Category 2 middle, 3 base (`post_category`). */
const dutyPosts: readonly {
  readonly code: string
  readonly name: string
  readonly category: '2' | '3'
  readonly roles: readonly RoleAlias[]
}[] = [
  { code: 'KWZG', name: '考务主管', category: '2', roles: ['admin'] },
  { code: 'KWZY', name: '考务专员', category: '3', roles: ['exam_admin', 'site', 'school'] },
  { code: 'SHZY', name: '资格审核员', category: '3', roles: ['reviewer1', 'reviewer2', 'recheck'] },
  { code: 'RSZY', name: '人事专员', category: '3', roles: ['unit_hr'] },
  { code: 'KJ', name: '会计', category: '3', roles: ['finance'] },
  { code: 'XXAQ', name: '信息安全管理员', category: '3', roles: ['administrator', 'secadmin'] },
  { code: 'JJJC', name: '纪检监察员', category: '2', roles: ['auditor'] },
]

/** Adds the duty posts that these roles need. @returns the post of each role */
export const addDutyPosts = (
  book: RowBook,
  nextId: () => string,
  roles: readonly RoleAlias[],
  createdAt: Date,
): ((role: RoleAlias) => string | null) => {
  const ofRole = new Map<RoleAlias, string>()
  for (const [index, { code, name, category, roles: holders }] of dutyPosts.entries()) {
    if (!holders.some(role => roles.includes(role))) continue
    const id = nextId()
    for (const role of holders) ofRole.set(role, id)
    book.add('post', { id, category, post_code: code, post_name: name, sort: index + 1, created_at: createdAt, updated_at: createdAt })
  }
  return role => ofRole.get(role) ?? null
}
