import type { Label } from './label.ts'
import { permissionOf } from './permission.ts'
import { type Fields, type Resource, titleFieldOf } from './resource.ts'
import type { PermissionCode } from './route.ts'

/** A noun that fields of others point at (`ref`): what its rows are called, and where somebody chooses one. */
export interface RefTarget {
  readonly name: string
  readonly label: Label
  readonly table: string
  /** Prefix of its permission codes; rules by role name its fields by it. */
  readonly permission: string
  /** Who holds this may read its rows; without it neither names nor choices are shown. */
  readonly view: PermissionCode
  /** Fields whose values, one after the other, are what a row is called. */
  readonly title: readonly string[]
  /** Its list: a page of rows, or all of them, with their `children` where they have any. Without one nobody chooses such a row in a form. */
  readonly list?: string
  readonly paged?: boolean
  /** Condition of the list that takes what somebody types. */
  readonly search?: string
  /** One row by its `id`. */
  readonly detail?: string
  /** Of a plain noun: its fields, by which rules by role narrow its rows. */
  readonly fields?: Fields
}

/** A noun of a module that is more than a declaration. */
export const defineRefTarget = (target: Omit<RefTarget, 'view' | 'fields'>): RefTarget => ({
  ...target,
  view: permissionOf(target.permission, 'view'),
})

/** A plain noun is one by its declaration. */
export const refTargetOf = ({ name, label, table, permission, fields, basePath, verbs }: Resource): RefTarget => {
  const title = titleFieldOf(fields)
  const like = Object.entries(fields).filter(([, field]) => field.search === 'like')
  const search = (like.find(([field]) => field === title) ?? like[0])?.[0]
  const verb = (['page', 'list', 'select'] as const).find(one => verbs.includes(one))
  return {
    name,
    label,
    table,
    permission,
    view: permissionOf(permission, 'view'),
    title: title === undefined ? ['id'] : [title],
    ...(verb === undefined ? {} : { list: `${basePath}/${verb}`, paged: verb !== 'select' }),
    ...(search === undefined || verb === 'select' ? {} : { search }),
    ...(verbs.includes('detail') ? { detail: `${basePath}/detail` } : {}),
    fields,
  }
}

/** What a row of the target is called. */
export const refTitleOf = ({ title }: Pick<RefTarget, 'title'>, row: Readonly<Record<string, unknown>>): string =>
  title
    .map(name => String(row[name] ?? ''))
    .filter(Boolean)
    .join(' ')
