interface Held {
  readonly name: string
  readonly nameEn: string
  /** Aliases of the roles that hold it; none of what is only above something granted. */
  readonly roles: readonly string[]
}

/** A menu as its reader gets it: `roles` says whether they hold it, by the roles that they have. */
export const presentMenu =
  (readersRoles: ReadonlySet<string>) =>
  <Menu extends Held>({ nameEn, roles, ...menu }: Menu) => ({
    ...menu,
    meta: { i18n: { zh: menu.name, en: nameEn }, ...(roles.length === 0 ? {} : { roles: [...readersRoles].join(',') }) },
  })
