import { factProblem } from './kernel/fact.ts'
import type { Field } from './kernel/field.ts'
import { importKindOf } from './kernel/import-kind.ts'
import type { RefTarget } from './kernel/ref-target.ts'
import type { NounAction, Resource } from './kernel/resource.ts'
import type { Route } from './kernel/route.ts'

interface Declared {
  readonly resources: readonly Resource[]
  readonly targets: ReadonlyMap<string, RefTarget>
  readonly routes: readonly Route[]
}

const ofRef = ({ targets }: Declared, { ownRules }: Resource, name: string, field: Field): readonly string[] => {
  if (field.ref === undefined) return []
  const target = targets.get(field.ref)
  if (target === undefined)
    return [
      `${name} points at ${field.ref}, which no *.resource.ts and no *.target.ts declares; there are ${[...targets.keys()].sort().join(', ')}`,
    ]
  // A screen of its own may bring a control for what has no list.
  if (field.form !== false && target.list === undefined && !ownRules)
    return [`${name} is part of the form, and ${field.ref} has no list to choose from: give its target one, or the field \`form: false\``]
  return []
}

const ofAction = ({ routes }: Declared, { permission, fields }: Resource, action: NounAction): readonly string[] => {
  const route = routes.find(each => `${each.method} ${each.path}` === action.call)
  if (route === undefined) return [`the action ${action.key} calls ${action.call}, which is not declared`]
  const asked: readonly string[] = 'staff' in route.access ? [route.access.staff].flat() : []
  const right = `${permission}_${action.right}`
  const unknown = [...Object.values(action.row ?? {}), ...Object.keys(action.when ?? {})].filter(
    name => name !== 'id' && !Object.hasOwn(fields, name),
  )
  return [
    ...(asked.includes(right)
      ? []
      : [`the action ${action.key} is shown to holders of ${right}, and its call asks for ${asked.join(' or ') || 'nothing'}`]),
    ...unknown.map(name => `the action ${action.key} names a field ${name} that is not there`),
  ]
}

/** What a rule about a fact would not reach: references and structures are for programs, and what the platform keeps has no roles of a tenant. */
const ofFacts = ({ fields, derived = {}, scope }: Resource): readonly string[] =>
  scope === 'platform'
    ? []
    : Object.entries({ ...derived, ...fields }).flatMap(([name, field]) =>
        field.kind === 'ref' || field.kind === 'json' ? [] : (factProblem(name, field) ?? []),
      )

/** Longest kind of an import that its runs are stored with. */
const longestKind = 20
/** What comes in by a workbook is known by a name that nobody else has, and everything a form asks for can be read from a cell. */
const ofWorkbook = (resource: Resource): readonly string[] => {
  const { fields, verbs, workbook } = resource
  const kind = importKindOf(resource)
  if (workbook === undefined || kind === undefined) return []
  const key = fields[workbook.key]
  const unread = Object.entries(fields).filter(([, field]) => field.form !== false && (field.kind === 'ref' || field.kind === 'json'))
  return [
    ...(key?.required && key.unique && key.form !== false
      ? []
      : [`it comes in by a workbook and is known by ${workbook.key}, which has to be a field of the form that is required and unique`]),
    ...unread.map(([name, field]) => `it comes in by a workbook, and ${name} (${field.kind}) cannot be read from a cell`),
    ...(verbs.includes('submit') ? [] : ['it comes in by a workbook, and nobody may write it (`submit`)']),
    ...(kind.kind.length > longestKind ? [`its workbook needs a \`kind\` of at most ${longestKind} characters`] : []),
  ]
}

const ofResource = (declared: Declared, resource: Resource): readonly string[] => {
  const { fields, derived = {}, within, groups = [], keeps, actions = [] } = resource
  const named = [...groups.flatMap(group => group.fields as readonly string[]), ...(keeps === undefined ? [] : [keeps.field as string])]
  return [
    ...Object.entries(fields).flatMap(([name, field]) => ofRef(declared, resource, name, field)),
    ...Object.keys(derived).flatMap(name => (Object.hasOwn(fields, name) ? [`${name} is declared and worked out at the same time`] : [])),
    ...(within !== undefined && fields['examId']?.ref !== within
      ? [`it is within ${within} and has no field examId: ref('${within}')`]
      : []),
    ...named.filter(name => !Object.hasOwn(fields, name)).map(name => `a field ${name} is named that is not there`),
    ...actions.flatMap(action => ofAction(declared, resource, action)),
    ...ofWorkbook(resource),
    ...ofFacts(resource),
  ]
}

/** What is wrong with the declarations of plain nouns, one line each. The program does not start with any. */
export const nounProblems = (declared: Declared): readonly string[] => [
  ...declared.resources.flatMap(resource => ofResource(declared, resource).map(problem => `noun ${resource.name}: ${problem}`)),
  ...declared.resources
    .filter(({ name }, at) => declared.resources.findIndex(other => other.name === name) !== at)
    .map(({ name }) => `noun ${name}: declared twice`),
]
