import type { Label } from '#contract/kernel/label.ts'

/** The name of a role. */
export interface RoleNames {
  readonly roleName: string
  /** Empty: the role has no English name. */
  readonly roleNameEn: string
  readonly roleAlias: string
}

/** A role as a sentence names it: in English by its alias where nobody gave it an English name, so that the sentence can be read. */
export const roleTitle = ({ roleName, roleNameEn, roleAlias }: RoleNames): Label => ({ zh: roleName, en: roleNameEn || roleAlias })
