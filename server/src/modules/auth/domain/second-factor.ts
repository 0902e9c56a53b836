import { keeperRoles } from '#contract/access/role.ts'

/** From the first step of a login to the second. */
export const codeTicketMs = 5 * 60_000
/** With an app to be installed and set up in between. */
export const enrolTicketMs = 15 * 60_000
/** How long a secret waits for its first code. */
export const pendingMs = 15 * 60_000
export const recoveryCodeCount = 10
/** No letter or digit that is read as another; 12 of them are 58 bits. */
export const recoveryAlphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
export const recoveryCodeLength = 12

/** Of whom a tenant demands a second factor: parameters `account.totpAdmin` and `account.totpStaff`. */
export interface FactorRule {
  readonly admins: boolean
  readonly staff: boolean
}

/** Whether somebody must have a second factor: never a candidate, never a service account, which no person sits at. */
export const isFactorDue = (rule: FactorRule, who: { readonly userType: number; readonly roleAliases: readonly string[] }): boolean =>
  who.userType === 1 && (rule.staff || (rule.admins && who.roleAliases.some(alias => keeperRoles.includes(alias))))

/** One spelling of a recovery code, however it was typed. */
export const recoveryKey = (code: string): string => code.toLowerCase().replace(/[^a-z0-9]/g, '')

/** In groups of four, as it is shown and printed. */
export const recoveryText = (code: string): string => code.match(/.{1,4}/g)?.join('-') ?? code
