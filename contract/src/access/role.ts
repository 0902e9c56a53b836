/** Aliases of the roles that every tenant begins with (domain 2.1): the program decides by them, so they keep their meaning. */
export const systemRoles = [
  'administrator',
  'admin',
  'secadmin',
  'auditor',
  'exam_admin',
  'unit_hr',
  'reviewer1',
  'reviewer2',
  'recheck',
  'finance',
  'site',
  'school',
  'candidate',
] as const
export type SystemRole = (typeof systemRoles)[number]

export const isSystemRole = (alias: string): alias is SystemRole => (systemRoles as readonly string[]).includes(alias)

/** Who gives rights to others: they hand out what separation of duties keeps from themselves (domain 2.2). */
export const keeperRoles: readonly string[] = ['administrator', 'admin', 'secadmin']

/** Of these one person holds one (domain 2.1), and none of them makes, changes or removes another (ADR 0109). */
export const apartRoles: readonly string[] = ['admin', 'secadmin', 'auditor']

/** Who gives rights, or watches over those who use them: such a role goes with no other in one account (ADR 0201, ADR 0271). */
export const loneRoles: readonly string[] = ['administrator', ...apartRoles]

/** Buttons by which roles come to people or rights to roles, in whatever role they lie. */
export const grantingCodes: readonly string[] = [
  ...['user_role', 'user_add', 'user_edit', 'user_import', 'user_audit'],
  ...['role_add', 'role_edit', 'role_setting'],
]

/** Whoever holds one of these sees the people of the own unit, site or school only: without its code, nobody. */
export const unitRoles: readonly string[] = ['unit_hr', 'site', 'school']

/** Buttons of the reviewers whose right to pull back is switched (domain 2.1 `changeIsBack`). */
export const reviewCodes: readonly string[] = ['examine_first', 'examine_second']
