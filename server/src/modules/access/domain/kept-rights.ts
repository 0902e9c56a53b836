import { apartRoles, loneRoles } from '#contract/access/role.ts'

/** A menu or button that the seed gives to nobody but administrator, security administrator and auditor (ADR 0116). */
export interface KeptRight {
  readonly id: string
  /** Aliases of the roles that have it by the seed; `administrator` among them where the platform's administrator has it too. */
  readonly who: readonly string[]
  /** Whether roles or rights are given by it. */
  readonly grants?: boolean
}
/** A role with the rights it holds that are kept apart. */
export interface KeptRole {
  readonly roleAlias: string
  readonly kept: readonly KeptRight[]
}
interface Giver {
  readonly aliases: ReadonlySet<string>
  readonly menuIds: ReadonlySet<string>
}

/**
 * Whether somebody may give this right to others and take it from them: whoever has it by their own role. What the platform's administrator has as
 * well is the running of a tenant, which whoever was trusted with it passes on as far as they hold it themselves.
 */
export const mayGiveKept = ({ aliases, menuIds }: Giver, { id, who }: KeptRight): boolean =>
  who.some(alias => aliases.has(alias)) || (who.includes('administrator') && menuIds.has(id))

/** What a role holds of others' duties: a copy of rights that the seed does not give it. The three themselves are judged by their name. */
export const copiesOf = ({ roleAlias, kept }: KeptRole): readonly KeptRight[] =>
  apartRoles.includes(roleAlias) ? [] : kept.filter(({ who }) => !who.includes(roleAlias))

/** Whether roles hold together what no single one of these has by the seed. */
export const isTorn = (roles: readonly KeptRole[]): boolean => {
  const duties = roles.flatMap(({ roleAlias, kept }) => (apartRoles.includes(roleAlias) ? [[roleAlias]] : kept.map(({ who }) => who)))
  return !['administrator', ...apartRoles].some(alias => duties.every(who => who.includes(alias)))
}

/** Whether whoever holds this role gives rights or watches over others: by its name, or by a button that it has got. */
export const isLone = ({ roleAlias, kept }: KeptRole): boolean =>
  loneRoles.includes(roleAlias) || kept.some(({ grants }) => grants === true)

/** The role that gives rights and comes together with another one: who gives them does no work with them (ADR 0201, ADR 0271). */
export const mixedOf = <R extends KeptRole>(roles: readonly R[]): R | undefined => (roles.length > 1 ? roles.find(isLone) : undefined)

/** The one among roles that the console leaves with whom it lies. */
export const stayingOf = <R extends Pick<KeptRole, 'roleAlias'>>(roles: readonly R[]): R | undefined =>
  roles.find(({ roleAlias }) => loneRoles.includes(roleAlias))

/** Pages by which the three watch over a tenant and over each other. */
const oversightPages = ['auditlog', 'alert', 'watchrule', 'authlog', 'authlock', 'online', 'log_usual', 'log_api', 'log_error']
/** Whether a button is one of those. */
export const isOversight = (code: string): boolean => oversightPages.some(page => code.startsWith(`${page}_`))
