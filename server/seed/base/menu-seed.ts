import type { SystemRole } from '#contract/access/role.ts'

/** A button: code suffix, names, who has it. */
export type Button = readonly [action: string, zh: string, en: string, roles: readonly SystemRole[]]
export interface MenuSeed {
  readonly code: string
  readonly zh: string
  readonly en: string
  readonly path: string
  readonly icon: string
  readonly roles: readonly SystemRole[]
  readonly buttons?: readonly Button[]
  readonly children?: readonly MenuSeed[]
}
