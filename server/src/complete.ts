import { isExport } from '#contract/kernel/export-job.ts'
import type { ImportKind } from '#contract/kernel/import-kind.ts'
import type { Route } from '#contract/kernel/route.ts'
import type { Handler } from '#kernel/http/context.ts'

interface Declared {
  readonly routes: readonly Route[]
  readonly importKinds: readonly ImportKind[]
}
interface There {
  readonly handlers: readonly Handler[]
  /** Kinds that there is an importer for. */
  readonly importers: readonly string[]
}

const placeOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`

/** Names that stand on one side alone. */
const apart = (
  declared: readonly string[],
  there: readonly string[],
  say: { readonly missing: string; readonly unknown: string },
): string[] => {
  const [all, has] = [new Set(declared), new Set(there)]
  return [
    ...[...all].filter(name => !has.has(name)).map(name => `${name}: ${say.missing}`),
    ...[...has].filter(name => !all.has(name)).map(name => `${name}: ${say.unknown}`),
  ]
}
const repeated = (names: readonly string[]): string[] => [...new Set(names.filter((name, at) => names.indexOf(name) !== at))]

/** The call of a kind takes a workbook and asks for the right that the kind names. */
const ofKind = (routes: readonly Route[], { kind, path, permission }: ImportKind): string[] => {
  const route = routes.find(one => one.method === 'POST' && one.path === path)
  if (route?.files === undefined) return [`import ${kind}: POST ${path} is no declared call that takes a workbook`]
  const asked: readonly string[] = 'staff' in route.access ? [route.access.staff].flat() : []
  return asked.includes(permission) ? [] : [`import ${kind}: its call asks for ${asked.join(' or ')}, its button for ${permission}`]
}

/** What of the contract nobody does, and what is done that the contract does not say: routes, exports and imports, one line each. */
export const unhandled = ({ routes, importKinds }: Declared, { handlers, importers }: There): readonly string[] => [
  ...apart(
    routes.map(placeOf),
    handlers.map(({ route }) => placeOf(route)),
    { missing: 'declared, and no module handles it', unknown: 'handled, and no context of the contract lists it' },
  ),
  ...apart(
    routes.filter(isExport).map(route => `export ${placeOf(route)}`),
    handlers.filter(({ plan }) => plan !== undefined).map(({ route }) => `export ${placeOf(route)}`),
    {
      missing: 'declared as an export, and handled by `handle`: `handleExport` says what it writes',
      unknown: "planned as an export, and not declared with `output: exportJobView` and `answer: 'file'`",
    },
  ),
  ...apart(
    importKinds.map(({ kind }) => `import ${kind}`),
    importers.map(kind => `import ${kind}`),
    { missing: 'declared, and no module brings its importer', unknown: 'has an importer, and no context lists it among its `imports`' },
  ),
  ...repeated(importKinds.map(({ kind }) => kind)).map(kind => `import ${kind}: declared twice`),
  ...importKinds.flatMap(kind => ofKind(routes, kind)),
]
