import { type SystemRole, systemRoles } from '#contract/access/role.ts'
import { resources } from '#contract/nouns.ts'
import { contexts } from '#contract/registry.ts'
import { placeEntries, withDeclared } from './declared-menus.ts'
import type { MenuSeed } from './menu-seed.ts'

export const roleAliases = systemRoles
export type RoleAlias = SystemRole

export const roleNames: Record<RoleAlias, { zh: string; en: string }> = {
  administrator: { zh: '平台管理员', en: 'Platform administrator' },
  admin: { zh: '租户管理员', en: 'Tenant administrator' },
  secadmin: { zh: '安全管理员', en: 'Security administrator' },
  auditor: { zh: '审计监督', en: 'Auditor' },
  exam_admin: { zh: '考务管理员', en: 'Exam administrator' },
  unit_hr: { zh: '用人单位人事', en: 'Hiring-unit HR' },
  reviewer1: { zh: '初审员', en: 'First reviewer' },
  reviewer2: { zh: '复核员', en: 'Second reviewer' },
  recheck: { zh: '资格复审员', en: 'Re-review officer' },
  finance: { zh: '财务', en: 'Finance' },
  site: { zh: '考点管理员', en: 'Site manager' },
  school: { zh: '院校联络员', en: 'School liaison' },
  candidate: { zh: '考生', en: 'Candidate' },
}

/** All menus: those of the contexts, and plain nouns say themselves where theirs stand. */
export const menuSeeds: readonly MenuSeed[] = withDeclared(
  placeEntries(contexts.flatMap(context => ('menus' in context ? context.menus : []))),
  resources,
)
