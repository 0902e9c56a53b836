import type { Field } from '#contract/kernel/field.ts'
import type { Resource } from '#contract/kernel/resource.ts'
import { resources } from '#contract/nouns.ts'

/** What a number means is for programs: a control that says it in words needs no list of numbers below it. */
const withoutNumbers = (field: Field): Field => {
  if (field.widget !== 'switch' && field.words === undefined) return field
  const { help: _help, ...rest } = field
  return rest
}
/** Kept and copied, but nothing goes by them yet: a switch would promise something. */
const unused = new Set(['lockAfterPass', 'useInReport', 'watermark'])
const asShown = (name: string, field: Field): Field => (unused.has(name) ? { ...field, form: false, list: false } : withoutNumbers(field))
const shown: readonly Resource[] = resources.map(resource => ({
  ...resource,
  fields: Object.fromEntries(Object.entries(resource.fields).map(([name, field]) => [name, asShown(name, field)])),
}))

/** The declared noun whose screen is at a menu path. */
export const resourceAt = (menuPath: string): Resource => {
  const found = shown.find(resource => resource.menuPath === menuPath)
  if (found === undefined) throw new Error(`no resource is declared for ${menuPath}`)
  return found
}
