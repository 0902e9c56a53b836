/** A button: code suffix, names, the roles that have it at first. */
export type MenuButton = readonly [action: string, zh: string, en: string, roles: readonly string[]]

/**
 * A menu of a screen that is more than a declaration, with its buttons and the roles that hold them at first (domain 2.2, 2.3). A role sees a menu when
 * it holds one of the menu's roles; grants can be changed later, so this is a start and not a rule.
 */
export interface MenuEntry {
  readonly code: string
  /** Code of the menu it stands in; a top menu has none. */
  readonly under?: string
  /** Code of the menu there that it follows; without one it is the first. */
  readonly after?: string
  readonly zh: string
  readonly en: string
  readonly path: string
  readonly icon: string
  readonly roles: readonly string[]
  readonly buttons?: readonly MenuButton[]
}
