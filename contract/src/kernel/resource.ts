import { type Field, text } from './field.ts'
import type { Label } from './label.ts'

export type Fields = Readonly<Record<string, Field>>
/** Where the screen of a noun stands in the menu of a new tenant, and who holds it there at first. */
export interface MenuPlace {
  /** Code of the menu it stands in. */
  readonly under: string
  /** Code of the menu there that it follows; without one it is the last. */
  readonly after?: string
  /** Name of the screen, where it differs from the noun's. */
  readonly label?: Label
  readonly icon?: string
  /** Roles that see the menu and hold all its buttons. */
  readonly roles: readonly string[]
  /** Roles that may look besides. */
  readonly readers?: readonly string[]
  /** Those of the readers that see the menu too; the others meet the rows elsewhere. */
  readonly seenBy?: readonly string[]
  /** Buttons beside those that the calls and actions of the noun ask for; `roles` where others hold them. */
  readonly buttons?: readonly { readonly right: string; readonly label: Label; readonly roles?: readonly string[] }[]
}

/** What else is done with a row: a button that calls a route, for whoever holds its right. */
export interface NounAction {
  readonly key: string
  readonly label: Label
  /** `POST /blade-…`: a declared route whose access is the right below. */
  readonly call: string
  /** End of the button code: `close` asks for `payalarm_close`; `edit` is the right to edit. */
  readonly right: string
  /** What the route is sent of the row, by the names of its input: `{ ids: 'id' }`. */
  readonly row?: Readonly<Record<string, string>>
  /** What it is sent besides. */
  readonly body?: Readonly<Record<string, string | number>>
  /** Only for rows with these values; without them it is a button above the list. */
  readonly when?: Readonly<Record<string, string | number>>
  readonly danger?: boolean
  /** A question before; `{name}` is the value of that field. */
  readonly ask?: Label
  /** A text that has to be given, sent as `field`. */
  readonly reason?: { readonly field: string; readonly label: Label; readonly missing: Label }
  /** A yes or no of the answer that says whether it went well; where it did not, `done` is said as an error and the window stays. */
  readonly succeeds?: string
  /** What is said when it is done; `{name}` is that value of the answer. */
  readonly done?: Label
}

export interface FieldGroup<Name extends string = string> {
  readonly key: string
  readonly label: Label
  readonly fields: readonly Name[]
}

export interface DeclaredDictionary {
  readonly code: string
  readonly label: Label
  readonly entries: readonly { readonly key: string; readonly label: Label }[]
}

/** A sum of money over all rows of a search, said beside their count. */
export interface DeclaredSum<Name extends string = string> {
  readonly key: string
  readonly label: Label
  /** The money that is added up. */
  readonly field: Name
  /** Only rows in which this number is one of these; without it all are added. */
  readonly of?: { readonly field: Name; readonly values: readonly number[] }
}

export type CrudVerb = 'list' | 'page' | 'detail' | 'submit' | 'remove' | 'export' | 'select'

/**
 * One plain noun, declared once: table, calls, checks, filters, permission codes, texts, screen and tests follow from it
 * (architecture 4.2). A declaration is data: no callback, no SQL, no React.
 */
export interface Resource<F extends Fields = Fields> {
  readonly name: string
  /** Snake-case table name. */
  readonly table: string
  /** Path below /api without the verb. */
  readonly basePath: string
  readonly label: Label
  /** Prefix of the button codes: `param` gives param_add, param_edit, param_delete, param_view, param_export. */
  readonly permission: string
  /** Menu path of the screen. */
  readonly menuPath: string
  readonly menu?: MenuPlace
  readonly verbs: readonly CrudVerb[]
  readonly actions?: readonly NounAction[]
  /** Fields by which selectors name a row: with them the noun answers all its rows as a plain list (`select`). */
  readonly choice?: readonly (keyof F & string)[]
  /**
   * The noun comes in by a workbook too, with the columns that its export has: `key` is the field by which a row is known, one that is there is changed
   * and any other added. `kind` where the specification numbers it (`T0p`), `path` where it names the importing call.
   */
  readonly workbook?: { readonly key: keyof F & string; readonly kind?: string; readonly path?: `/${string}` }
  /**
   * What the rows belong to: a noun that the field `examId` points at. Whoever reaches the examination reaches them, their list is chosen by it,
   * and a new row begins with it. Where the field is not required, rows without one belong to all examinations.
   */
  readonly within?: 'examination'
  /** Headings under which a row is read and, as tabs, written; what is in none stands in the first. */
  readonly groups?: readonly FieldGroup<keyof F & string>[]
  /** Stands above the list. */
  readonly lead?: Label
  /** Answered with each page of the list, for the same conditions and the same rows as its count. */
  readonly sums?: readonly DeclaredSum<keyof F & string>[]
  /** Rows that are not removed: those whose field has one of these values. `{value}` in the text is that value. */
  readonly keeps?: { readonly field: keyof F & string; readonly values: readonly string[]; readonly why: Label }
  /** Column of the default order, `-` first for descending. */
  readonly order: `${'' | '-'}${(keyof F & string) | 'id' | 'createTime'}`
  /** Framework services write empty values instead of null (framework-contract 1.4, decision 3.6). */
  readonly nulls: 'empty' | 'real'
  /**
   * `platform`: kept in the platform's own tenant and answered to its administrators only. `shared`: a tenant without rows of its own uses those of the
   * platform, which its administrators alone change. `mixed`: some rows work on all tenants; the module asks `ctx.actsForPlatform()` about them.
   */
  readonly scope: 'tenant' | 'platform' | 'shared' | 'mixed'
  readonly because?: string
  /** A module answers its calls, with rules of its own (`CrudSeams`). All others are answered by what their declaration says. */
  readonly ownRules?: true
  /** Writing and removing reach outside of the program: the module answers these calls by itself, in transactions of its own. */
  readonly writes?: 'own'
  /** What `submit` answers: the id of the row unless its clients read more of it there. */
  readonly answers?: 'row'
  /** `submit` may leave a part of what was sent to a second person, and says so (`waiting`). */
  readonly waits?: true
  /** Business dictionaries of its fields that no context has yet; each tenant begins with these entries. */
  readonly dictionaries?: readonly DeclaredDictionary[]
  readonly fields: F
  /**
   * Values that the module works out for each answer (its `present`): no columns, no part of a form. Clients may send them back as they came,
   * nothing else. `tenantId`, and the word of a dictionary's key (`categoryName` of `category`), need no module.
   */
  readonly derived?: Fields
  /** Parts of a multipart submit that are files; its module keeps them. */
  readonly files?: readonly { readonly name: string; readonly maxBytes: number; readonly maxCount: number }[]
  /** What clients may send besides, for its module to work with: no columns, never answered, no part of a form. */
  readonly takes?: Fields
}

/** The field by which people call a row: its first required text that is a name, else its first required text, else its first text. */
export const titleFieldOf = (fields: Fields): string | undefined => {
  const texts = Object.entries(fields).filter(([, field]) => field.kind === 'text')
  const required = texts.filter(([, field]) => field.required)
  // People know a thing by its name; a code names what has nothing else.
  return (required.find(([name]) => /(name|label)$/i.test(name)) ?? required[0] ?? texts[0])?.[0]
}

/** What a row says of the row that a reference points at: `examName` for `examId`. */
export const refNameOf = (field: string): string => `${field.replace(/Id$/, '')}Name`
/** A list says the name of what a field points at beside its id: `examName` of `examId`. */
const namesOfRefs = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, field]) => field.kind === 'ref' && field.list !== false)
      .map(([name, { label }]) => [refNameOf(name), text(255, { label })]),
  )

type Declared<F extends Fields> = Omit<Resource<F>, 'table' | 'permission' | 'verbs' | 'scope' | 'nulls' | 'order'> &
  Partial<Pick<Resource<F>, 'table' | 'permission' | 'verbs' | 'nulls' | 'order'>> &
  ({ readonly scope?: 'tenant' } | { readonly scope: 'platform' | 'shared' | 'mixed'; readonly because: string })

/** Whether tenants have rows of their own, which their roles read and rule over; also where rows of the platform stand beside them. */
export const isOfTenants = ({ scope }: Pick<Resource, 'scope'>): boolean => scope !== 'platform'

export const defineResource = <const F extends Fields>(declared: Declared<F>): Resource<F> =>
  ({
    table: declared.name.replace(/-/g, '_'),
    permission: declared.name.replace(/-/g, '').toLowerCase(),
    scope: 'tenant',
    nulls: 'real',
    order: '-id',
    ...declared,
    ...(declared.derived || Object.keys(namesOfRefs(declared.fields)).length > 0
      ? { derived: { ...namesOfRefs(declared.fields), ...declared.derived } }
      : {}),
    verbs: [
      ...(declared.verbs ?? (['list', 'page', 'detail', 'submit', 'remove', 'export'] as const)),
      ...(declared.choice ? ['select'] : []),
    ],
  }) as unknown as Resource<F>

type ValueOf<X> = X extends Field<infer T> ? T : never
type RequiredKeys<F extends Fields> = { [K in keyof F]: F[K] extends Field<unknown, true> ? K : never }[keyof F]

/** A row as the wire carries it. */
export type RowOf<R extends Resource> =
  R extends Resource<infer F>
    ? { id: string } & { [K in RequiredKeys<F>]: ValueOf<F[K]> } & { [K in Exclude<keyof F, RequiredKeys<F>>]: ValueOf<F[K]> | null } & {
        createTime: string
        updateTime: string
        version: number
      }
    : never
