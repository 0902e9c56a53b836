import type { Field } from '#contract/kernel/field.ts'
import type { Resource } from '#contract/kernel/resource.ts'

const withoutSearch = ({ search: _search, ...field }: Field): Field => field

/**
 * The declaration with its fields in the order a person reads them, and only the conditions somebody types: ids of other rows
 * are for programs.
 */
export const arranged = (resource: Resource, first: readonly string[], searched: readonly string[]): Resource => {
  const names = Object.keys(resource.fields)
  // Conditions and columns both follow the order of the fields, so the conditions' own order only breaks ties among the rest.
  const order = [...first, ...searched, ...names].filter((name, index, all) => all.indexOf(name) === index && names.includes(name))
  const fields = Object.fromEntries(
    order.flatMap(name => {
      const field = resource.fields[name]
      return field === undefined ? [] : [[name, searched.includes(name) ? field : withoutSearch(field)]]
    }),
  )
  return { ...resource, fields }
}

/** The same with the examination as its code: it needs no room of a name. */
export const withExamCode = (resource: Resource): Resource => {
  const { examName } = resource.fields
  if (examName === undefined) return resource
  const { width: _width, ...rest } = examName
  return { ...resource, fields: { ...resource.fields, examName: { ...rest, label: { zh: '考试', en: 'Examination' } } } }
}
