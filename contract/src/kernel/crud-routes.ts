import { type TObject, type TSchema, Type } from 'typebox'
import { exportJobView } from './export-job.ts'
import { type Field, instant, requiredMessage } from './field.ts'
import { comparedWith, marksOf, nounOf, type RuledNoun, searches, shows, showsQuoting, sorts, writes } from './field-rule.ts'
import type { Label } from './label.ts'
import { pageInput, pageOf } from './page.ts'
import { type CrudAction, permissionOf } from './permission.ts'
import type { CrudVerb, Fields, Resource } from './resource.ts'
import { type Access, defineRoute, type Route } from './route.ts'
import { id, idPattern, ids, named, optional, strict } from './schema.ts'
import { linesOf } from './tidy-field.ts'

/** Suffixes of the search grammar (framework-contract 1.6) by the kind of search a field declares. */
const searchSuffixes = {
  like: ['', '_like', '_equal', '_notequal', '_likeleft', '_likeright', '_notlike', '_null', '_notnull'],
  eq: ['', '_equal', '_notequal', '_like', '_null', '_notnull'],
  range: ['', '_equal', '_ge', '_gt', '_le', '_lt', '_datege', '_dategt', '_datele', '_datelt', '_dateequal', '_null', '_notnull'],
} as const

/** How a number that travels as text is written; shown when it is not. */
const decimalHow = (places: number): Label =>
  places === 0
    ? { zh: '请填整数', en: 'enter a whole number' }
    : { zh: `请填数字，最多 ${places} 位小数`, en: `enter a number with at most ${places} decimals` }
const decimalPattern = ({ digits = 12, places = 4 }: Field): string => `^-?\\d{1,${digits}}${places === 0 ? '' : `(\\.\\d{1,${places}})?`}$`

const valueSchema = (field: Field): TSchema => {
  const extra = {
    'x-label': field.label,
    ...(field.required ? { 'x-required': requiredMessage(field) } : {}),
    ...(field.kind === 'text' ? { 'x-lines': linesOf(field) } : {}),
  }
  switch (field.kind) {
    case 'int':
    case 'money':
      return Type.Integer({
        minimum: field.min ?? -2_147_483_648,
        maximum: field.max ?? 2_147_483_647,
        ...(field.kind === 'money' ? { 'x-fen': true } : {}),
        ...extra,
      })
    case 'bool':
      return Type.Integer({ minimum: 0, maximum: 1, ...extra })
    case 'decimal':
      return Type.String({
        pattern: decimalPattern(field),
        'x-how': decimalHow(field.places ?? 4),
        ...(field.min === undefined ? {} : { 'x-least': field.min }),
        ...(field.max === undefined ? {} : { 'x-most': field.max }),
        ...extra,
      })
    case 'ref':
      return Type.String({ pattern: `^${idPattern}$`, ...extra })
    case 'date':
      return Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', 'x-calendar': 'day', ...extra })
    case 'instant':
      return Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$', 'x-calendar': 'time', ...extra })
    case 'json':
      return { ...field.shape, ...Type.Unknown(extra) }
    default:
      // Of the cipher, not of the password.
      if (field.secret) return Type.String({ maxLength: 1100, ...extra })
      return Type.String({
        minLength: field.required ? 1 : 0,
        maxLength: field.max ?? 255,
        ...(field.pattern ? { pattern: field.pattern } : {}),
        ...(field.pattern && field.help ? { 'x-how': field.help } : {}),
        ...extra,
      })
  }
}

const rowValue = (field: Field): TSchema => {
  const schema =
    field.kind === 'int' || field.kind === 'money' || field.kind === 'bool'
      ? Type.Integer()
      : field.kind === 'json'
        ? Type.Unknown()
        : Type.String()
  return field.required ? schema : Type.Union([schema, Type.Null()])
}

/** What a form does not set, under its name, and with where it is set as far as its help says so. */
const setElsewhere = (field: Field): TSchema => {
  const value = named(field.label, rowValue(field))
  return field.help === undefined ? value : Object.assign(value, { 'x-where': field.help })
}

/** A row as answers carry it; each field says what it is, for the rules that mask it. */
export const rowSchema = ({ fields, ...resource }: Parameters<typeof nounOf>[0], derived: Fields = {}): TObject => {
  const noun = nounOf({ ...resource, fields })
  return Type.Object({
    id: Type.String(),
    ...Object.fromEntries(
      Object.entries(fields).map(([name, field]) => {
        // What is said of a field that the server alone writes names it.
        const value = field.form === false ? setElsewhere(field) : rowValue(field)
        if (noun.fields[name] === undefined) return [name, value]
        return [name, field.quotes === undefined ? shows(noun, name, value) : showsQuoting(noun, name, value)]
      }),
    ),
    ...Object.fromEntries(Object.entries(derived).map(([name, field]) => [name, rowValue(field)])),
    createTime: Type.String(),
    updateTime: Type.String(),
    version: Type.Integer(),
  })
}

/** What `submit` takes: an addition needs every required field, an update names an id and any of the fields. */
export const submitSchema = (fields: Fields, mode: 'add' | 'edit', takes: Fields = {}): TObject =>
  strict({
    ...(mode === 'edit' ? { id: id(), version: optional(Type.Integer({ minimum: 0 })) } : { id: optional(Type.Literal('')) }),
    ...Object.fromEntries(
      Object.entries(fields)
        .filter(([, field]) => field.form !== false)
        .map(([name, field]) => {
          const value = field.required ? valueSchema(field) : Type.Union([valueSchema(field), Type.Null()], { 'x-label': field.label })
          return [name, mode === 'add' && field.required ? value : optional(value)]
        }),
    ),
    ...Object.fromEntries(
      Object.entries(takes).map(([name, field]) => [
        name,
        optional(Type.Union([valueSchema(field), Type.Null()], { 'x-label': field.label })),
      ]),
    ),
  })

const filterSchema = (fields: Fields, noun: RuledNoun): TObject => {
  const order = optional(sorts(marksOf(noun), Type.String({ maxLength: 200 })))
  const condition = (name: string, label: Label) =>
    optional(searches(comparedWith(noun, name), Type.String({ maxLength: 200, 'x-lines': 'one', 'x-label': label })))
  return strict({
    ...pageInput,
    ascs: order,
    descs: order,
    ...Object.fromEntries(
      Object.entries(fields).flatMap(([name, field]) =>
        field.search ? searchSuffixes[field.search].map(suffix => [`${name}${suffix}`, condition(name, field.label)] as const) : [],
      ),
    ),
  })
}

const submitInput = ({ fields, takes, derived = {} }: Resource, noun: RuledNoun): TObject => {
  const edit = Object.entries(submitSchema(fields, 'edit', takes).properties)
  return strict({
    ...Object.fromEntries(edit.map(([name, schema]) => [name, noun.fields[name] ? writes(noun, name, schema) : schema])),
    ...Object.fromEntries(Object.entries(derived).map(([name, field]) => [name, optional(named(field.label, rowValue(field)))])),
    id: optional(Type.String()),
  })
}

/** A page of the list; each sum is as open as the field that is added up. */
const listSchema = ({ fields, ...resource }: Resource, row: TObject): TObject => {
  if (resource.sums === undefined) return pageOf(row)
  const noun = nounOf({ ...resource, fields })
  return Type.Object({
    ...pageOf(row).properties,
    sums: Type.Object(
      Object.fromEntries(resource.sums.map(({ key, field }) => [key, shows(noun, field, Type.Union([Type.Integer(), Type.Null()]))])),
    ),
  })
}

/** What every row has beside its declared fields. */
export const rowTimes: Fields = {
  createTime: instant({ label: { zh: '创建时间', en: 'Created' } }),
  updateTime: instant({ label: { zh: '更新时间', en: 'Changed' } }),
}
/** The fields by which rows of a noun are searched: all that are columns and can be compared. */
export const comparable = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries({ ...rowTimes, ...fields }).filter(([, { kind, secret }]) => kind !== 'json' && !secret))

type CrudRoutes = Partial<Record<CrudVerb, Route>>
/** Made once: a start asks for those of a noun several times, and their schemas are large. */
const made = new WeakMap<Resource, CrudRoutes>()

/** The routes that a plain noun gets from its declaration, by verb. */
export const crudRoutes = (resource: Resource): CrudRoutes => {
  const known = made.get(resource)
  if (known) return known
  const routes = routesOf(resource)
  made.set(resource, routes)
  return routes
}

const routesOf = (resource: Resource): CrudRoutes => {
  const { basePath, choice = [], derived = {}, fields, permission } = resource
  const noun = nounOf(resource)
  const reaching = resource.writes === 'own' ? ({ tx: 'own' } as const) : {}
  const row = rowSchema(resource, derived)
  const columns = Object.keys(comparable(fields))
  const held = (...actions: readonly CrudAction[]): Access => {
    const codes = actions.map(action => permissionOf(permission, action))
    const { because = '' } = resource
    if (resource.scope === 'platform') return { staff: codes, platform: true, because }
    const staff = codes[1] === undefined ? (codes[0] ?? []) : codes
    const changes = actions.some(action => action !== 'view' && action !== 'export')
    if (resource.scope === 'mixed') return { staff, reachesAll: 'asked', because }
    return resource.scope === 'shared' && changes ? { staff, reachesAll: 'always', because } : { staff }
  }
  const all: Record<CrudVerb, () => Route> = {
    list: () =>
      defineRoute({
        method: 'GET',
        path: `${basePath}/list`,
        access: held('view'),
        input: filterSchema(fields, noun),
        columns,
        output: listSchema(resource, row),
        tx: 'read',
      }),
    page: () =>
      defineRoute({
        method: 'GET',
        path: `${basePath}/page`,
        access: held('view'),
        input: filterSchema(fields, noun),
        columns,
        output: listSchema(resource, row),
        tx: 'read',
      }),
    detail: () =>
      defineRoute({
        method: 'GET',
        path: `${basePath}/detail`,
        access: held('view'),
        input: strict({ id: id() }),
        output: row,
        tx: 'read',
      }),
    submit: () =>
      defineRoute({
        method: 'POST',
        path: `${basePath}/submit`,
        access: held('add', 'edit'),
        input: submitInput(resource, noun),
        output:
          resource.answers === 'row'
            ? row
            : Type.Object({ id: Type.String(), ...(resource.waits ? { waiting: optional(Type.String()) } : {}) }),
        ...(resource.waits ? { says: 'waiting' } : {}),
        selfChecked: true,
        ...(resource.files ? { files: resource.files } : {}),
        ...reaching,
        // Clients of the framework write by either word (framework-contract 3).
        ...(resource.nulls === 'empty' ? { also: [`POST ${basePath}/save`, `POST ${basePath}/update`] as const } : {}),
      }),
    remove: () =>
      defineRoute({
        method: 'POST',
        path: `${basePath}/remove`,
        access: held('delete'),
        input: strict({ ids: optional(ids()) }),
        output: Type.Object({ removed: Type.Integer() }),
        ...reaching,
        // What reaches outside of the database cannot be tried without doing it.
        ...(resource.writes === 'own' ? { several: 'each' as const } : {}),
      }),
    select: () =>
      defineRoute({
        method: 'GET',
        path: `${basePath}/select`,
        access: held('view'),
        input: strict({}),
        output: Type.Array(Type.Object(Object.fromEntries(['id', ...choice].map(name => [name, row.properties[name] as TSchema])))),
        tx: 'read',
      }),
    export: () =>
      defineRoute({
        method: 'GET',
        path: `${basePath}/export`,
        access: held('export'),
        input: filterSchema(fields, noun),
        columns,
        output: exportJobView,
        answer: 'file',
        tx: 'own',
      }),
  }
  return Object.fromEntries(resource.verbs.map(verb => [verb, all[verb]()]))
}
