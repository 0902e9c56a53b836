import type { Resource } from '#contract/kernel/resource.ts'

/**
 * A declaration with its fee where the examination charges by this noun, and then without a default, so that nobody makes a free row by saying
 * nothing; where it charges otherwise there is no amount to show or to type.
 */
export const chargedFor = (resource: Resource, isCharged: boolean): Resource => {
  const { feeFen, ...rest } = resource.fields
  if (feeFen === undefined) return resource
  const { default: _default, ...fee } = feeFen
  const fields = Object.entries(resource.fields).map(([name, field]) => [name, name === 'feeFen' ? { ...fee, required: true } : field])
  return { ...resource, fields: isCharged ? (Object.fromEntries(fields) as Resource['fields']) : rest }
}
