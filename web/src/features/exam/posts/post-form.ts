import type { Field } from '#contract/kernel/field.ts'
import type { Resource } from '#contract/kernel/resource.ts'

/** `feeMode` of an examination that charges by post. */
export const byPost = 3

/** Follow from the code of the unit and from the category. */
const derived: ReadonlySet<string> = new Set(['unitName', 'typeName'])

/** A post as it is typed: the unit is chosen once, and nobody gives reasons for a change of what is new. */
export const postForm = (resource: Resource, mode: 'add' | 'edit'): Resource => ({
  ...resource,
  fields: Object.fromEntries(
    Object.entries(resource.fields).map(([name, field]): [string, Field] => {
      if (derived.has(name) || (mode === 'add' && name === 'changeReason')) return [name, { ...field, form: false }]
      // In a list the code stands beside the name.
      return [name, name === 'unit' && mode === 'add' ? { ...field, label: { zh: '招聘单位', en: 'Unit' } } : field]
    }),
  ),
})
