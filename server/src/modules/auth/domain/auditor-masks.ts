/** What names a candidate or leads to them, by noun. */
const personal: Readonly<Record<string, readonly string[]>> = {
  signup: ['name', 'idCard', 'phone', 'email', 'emergencyContact', 'emergencyPhone', 'address'],
  ticket: ['name', 'idCard'],
  result: ['name', 'idCard'],
}
type Masks = Readonly<Record<string, 'masked'>>
export const auditorMasks: Masks = Object.fromEntries(
  Object.entries(personal).flatMap(([noun, fields]) => fields.map(field => [`${noun}.${field}`, 'masked' as const])),
)

/**
 * Whoever only audits reads masked data of candidates (domain 2.1, 2.2), and finds them by their full names and numbers all the same. A person who has
 * another role too reads what that role reads.
 */
export const masksFor = (roleAliases: readonly string[]): Masks | undefined =>
  roleAliases.length > 0 && roleAliases.every(alias => alias === 'auditor') ? auditorMasks : undefined
