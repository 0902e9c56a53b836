import { unitRoles } from '#contract/access/role.ts'
import type { Values } from '#web/resource/schema-form.tsx'

interface Role {
  readonly id: string
  readonly roleName: string
  readonly roleAlias: string
}
type Missing = { readonly kind: 'noRole' } | { readonly kind: 'noCode'; readonly role: string }

const staff = 1

/** What an account of staff still needs before whoever logs in with it sees anything; null when it has it. */
export const missingDuty = (values: Values, roles: readonly Role[]): Missing | null => {
  if (Number(values['userType'] ?? staff) !== staff) return null
  const ids = String(values['roleId'] ?? '')
    .split(',')
    .filter(Boolean)
  if (ids.length === 0) return { kind: 'noRole' }
  const chosen = roles.filter(role => ids.includes(role.id))
  // Who holds another role beside it sees by that one.
  const isOfUnit = chosen.length === ids.length && chosen.every(role => unitRoles.includes(role.roleAlias))
  return isOfUnit && !values['userCode'] ? { kind: 'noCode', role: chosen.map(role => role.roleName).join('、') } : null
}
