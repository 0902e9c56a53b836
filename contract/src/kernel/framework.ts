import type { Route } from './route.ts'

// What is taken from clients of the framework that nobody here wrote (framework-contract 3 and 8): they send a row back as they got it,
// with what their grids added, and numbers and texts as their forms hold them.

/** Services that the framework has too; those of examinations are this program's own and stay strict. */
const services = /^\/blade-(system|develop|desk|log|resource)\//

/** Whether clients of the framework know the resource. */
export const isFrameworkPath = (path: string): boolean => services.test(path)

/** Whether the call writes a row of such a resource from a form. */
export const isFrameworkSubmit = ({ method, path }: Pick<Route, 'method' | 'path'>): boolean =>
  method === 'POST' && isFrameworkPath(path) && /\/(submit|update-info)$/.test(path)

/** What every row of the framework may carry and only the server writes (framework-contract 1.5, VO fields of 3). */
const serverOwned = [
  'tenantId',
  'tenantName',
  'createUser',
  'createUserName',
  'createDept',
  'createTime',
  'updateUser',
  'updateUserName',
  'updateTime',
  'status',
  'statusName',
  'isDeleted',
  'parentName',
  'children',
  'hasChildren',
] as const

/**
 * Whether a field that a submit does not take is one that clients only send back: of every row, of the answers of this resource, the word of a
 * key or id (`categoryName` of `category`, `roleName` of `roleId`), or one that the client's grid keeps for itself (`$index`, `$category`).
 * Any other is unknown, and refused.
 */
export const isReadOnlyField = (name: string, answered: ReadonlySet<string>): boolean => {
  if (name.startsWith('$') || answered.has(name) || (serverOwned as readonly string[]).includes(name)) return true
  const [, of] = /^(.+)Name$/.exec(name) ?? []
  return of !== undefined && (answered.has(of) || answered.has(`${of}Id`))
}

type Schema = { readonly [key: string]: unknown }
const namesIn = (schema: Schema): string[] => [
  ...Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Schema>>).flatMap(([name, below]) =>
    name === 'records' || name === 'children' ? [name, ...namesIn(below)] : [name],
  ),
  ...(schema['items'] ? namesIn(schema['items'] as Schema) : []),
]
const pageNames = new Set(['records', 'total', 'size', 'current', 'pages', 'orders'])

const baseOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))

/** The fields that the reads of each framework resource answer, by its path without the verb. */
export const answeredFields = (routes: readonly Route[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const found = new Map<string, Set<string>>()
  for (const { method, path, output } of routes) {
    if (method !== 'GET' || !isFrameworkPath(path) || !/\/(list|page|detail|lazy-list|info)$/.test(path)) continue
    const names = found.get(baseOf(path)) ?? new Set()
    for (const name of namesIn(output as unknown as Schema)) if (!pageNames.has(name)) names.add(name)
    found.set(baseOf(path), names)
  }
  return found
}

const none: ReadonlySet<string> = new Set()
/** Of the resource that a call writes. */
export const answeredFor = (all: ReadonlyMap<string, ReadonlySet<string>>, { path }: Pick<Route, 'path'>): ReadonlySet<string> =>
  all.get(baseOf(path)) ?? none
