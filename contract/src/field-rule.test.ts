import { describe, expect, test } from 'vitest'
import type { FieldMark } from './kernel/field-rule.ts'
import { isOfTenants } from './kernel/resource.ts'
import type { Route } from './kernel/route.ts'
import { resources } from './nouns.ts'
import { allRoutes, ruledNouns } from './registry.ts'

type Schema = { readonly [key: string]: unknown }
interface Found {
  readonly path: string
  readonly mark: FieldMark | undefined
}

/** Names under which somebody's personal data travels. */
const personal =
  /^(name|realName|linkman|contact|contactNumber|phone|mobile|tel|email|mail|idCard|idNo|birthday|address|avatar|photoUrl|old(Mask|Value)|new(Mask|Value)|content|contentLabels|score|bankAccount)$|^(idCard|phone|name|email|contact)(Mask|Tail|Full)$|(RealName|Phone|Email|IdCard)$/

/** Every property of an answer that has such a name, with the mark it stands under. */
const walk = (schema: Schema | undefined, path: string): Found[] => {
  if (!schema) return []
  const about = schema['x-about'] as { values: readonly string[]; marks: Readonly<Record<string, FieldMark>> } | undefined
  return [
    ...Object.entries((schema['properties'] ?? {}) as Record<string, Schema>).flatMap(([name, property]) => {
      const under = `${path}.${name}`
      const [any] = about?.values.includes(name) ? Object.values(about.marks) : []
      const [keyed] = Object.values((property['x-fields'] ?? {}) as Record<string, FieldMark>)
      const isLeaf = property['type'] !== 'array' && property['properties'] === undefined
      const own =
        isLeaf && personal.test(name) ? [{ path: under, mark: (property['x-field'] as FieldMark | undefined) ?? any ?? keyed }] : []
      return [...own, ...walk(property, under)]
    }),
    ...walk(schema['items'] as Schema | undefined, `${path}[]`),
    ...((schema['anyOf'] as Schema[] | undefined) ?? []).flatMap(variant => walk(variant, path)),
  ]
}
const placeOf = (route: Route): string => `${route.method} ${route.path}`
const isStaffs = (route: Route): boolean => 'staff' in route.access || 'signedIn' in route.access

/** What has such a name and is nobody's personal data, or is the reader's own; each with its reason. */
const exempt: readonly (readonly [place: RegExp, reason: string])[] = [
  [/^GET \/me\/choices /, 'names of roles and departments of the caller'],
  [/^(GET|POST) \/blade-system\/user\/(info|update-info|userUpdate) /, 'the caller’s own account'],
  [/^POST \/(file\/upload|blade-resource)/, 'the name of the file that the caller sent'],
  [/^GET \/blade-system\/(menu|topmenu|region|role|data-scope|field-rule|dict)/, 'names of things'],
  [/^(GET|POST) \/blade-flow\/.*\.name$/, 'names of processes, their steps and the fields of their forms'],
  [/^GET \/blade-develop\/(model|code)\/.*\.name$/, 'names of tables, their columns and menus'],
  [/^GET \/blade-watch\/rule\/list /, 'names of rules and roles'],
  [
    /^GET \/blade-system\/tenant\//,
    'the platform’s list of tenants, answered to its own staff; a noun of no tenant has no roles of a tenant to rule it',
  ],
  [/^GET \/me\/(messages|notices) /, 'messages to the caller'],
  [/^POST \/blade-desk\/notice\/preview \.content$/, 'the text that the caller sent'],
  [/^(GET|POST) \/blade-exam\/examination\/(getTicketNotice|saveTicketNotice|getTicketInfo) .*content$/, 'the text of a ticket notice'],
  [/^GET \/blade-exam\/examination\/getOwners /, 'colleagues an examination may be given to'],
  [/^(GET|POST) \/blade-exam\/examination\/(getExamAllot|allotCheck|getExamUsers) /, 'reviewers at their work'],
  [/^GET \/blade-examUser\/examuser\//, 'reviewers at their work'],
  [/^POST \/blade-signup\/statistics\/get(StatisticsInfo|SexStatisticsInfo) .*name$/, 'names of dimensions and age groups'],
  [/^GET \/blade-exam\/examination\/(page|detail) .*contactPhone$/, 'the announced phone of an examination'],
  [/^GET \/blade-system\/invariant\//, 'names of checks'],
  [/^GET \/blade-items\/items\/getAllDictCodeBiz /, 'names of dictionaries'],
  [/\.groups\[\]\.name$|\.items\[\]\.name$|\.prefill$/, 'groups of a form'],
  [/^GET \/blade-signup\/signup\/getSignUpFiles /, 'the caller’s own uploads'],
  [/^GET \/blade-userappeal\/userappeal\/detail \.proofs\[\]\.name$/, 'the name of a file; its link is ruled'],
  [/^GET \/blade-userupdateinfo\/userupdateinfo\/detail \.proofs\[\]\.name$/, 'the name of a file; its link is ruled'],
  [/\.statementFiles\[\]\.name$/, 'the name of a file; its link is ruled'],
  [/^GET \/me\/settings /, 'the caller’s own settings'],
  [/^POST \/blade-exam\/examination\/releaseResults \.plan\.lines\[\]\.name$/, 'names of papers'],
  [/^GET \/blade-signup\/selection\/objections \[\]\.content$/, 'what somebody objected, told to whoever looks into it'],
  [/^GET \/blade-signup\/examine\/getExamineInfo \.items/, 'the form, not its answers'],
]
const reasonOf = (place: string): string | undefined => exempt.find(([pattern]) => pattern.test(place))?.[1]

const found = allRoutes()
  .filter(isStaffs)
  .flatMap(route => walk(route.output as unknown as Schema, '').map(one => ({ ...one, place: `${placeOf(route)} ${one.path}` })))

describe('[S6.03] field rules › no answer forgets one', () => {
  test('every value that staff are answered under a personal name says which field it is, or why it is none', () => {
    expect(found.length).toBeGreaterThan(60)
    expect(found.filter(({ mark, place }) => mark === undefined && reasonOf(place) === undefined).map(({ place }) => place)).toEqual([])
  })

  test('every reason stands for something that is still there', () => {
    const idle = exempt.filter(([pattern]) => !found.some(({ place, mark }) => mark === undefined && pattern.test(place)))
    expect(idle.map(([pattern]) => String(pattern))).toEqual([])
  })

  test('every mark names a field that rules can be about, of a noun of a tenant', () => {
    const ruled = new Set(ruledNouns.flatMap(noun => Object.keys(noun.fields).map(field => `${noun.code}.${field}`)))
    const rulable = new Set(ruledNouns.map(noun => noun.code))
    const marks = found.flatMap(({ mark }) => (mark ? [mark.at] : []))
    expect([...new Set(marks)].filter(at => !ruled.has(at) && rulable.has(at.split('.')[0] ?? ''))).toEqual([])
  })

  test('a declared column with a personal name has the mask of what it holds', () => {
    const masked: Readonly<Record<string, readonly string[]>> = {
      phone: ['phone'],
      phoneMask: ['phone'],
      contact: ['name'],
      linkman: ['name'],
      address: ['address'],
      email: ['email'],
      idCardTail: ['idCard'],
      idCardMask: ['idCard'],
      handledName: ['name'],
    }
    const wrong = resources.flatMap(({ name, fields, scope }) =>
      Object.entries(fields).flatMap(([field, { mask, kind }]) =>
        isOfTenants({ scope }) &&
        kind === 'text' &&
        personal.test(field) &&
        field !== 'content' &&
        !(masked[field] ?? ['name', 'text']).includes(mask ?? 'text')
          ? [`${name}.${field}`]
          : [],
      ),
    )
    expect(wrong).toEqual([])
  })

  test('a file that staff are answered is a workbook of declared columns, or closed to who does not see what stands in it', () => {
    const files = allRoutes().filter(route => isStaffs(route) && route.answer === 'file')
    const because: Readonly<Record<string, string>> = {
      'GET /blade-report/report/file':
        'a result was made with the rules of whoever ran it, and is closed to whom a rule closes a field of it',
      'GET /blade-exam/exportjob/download': 'a workbook that was made with the rules of its owner',
      'GET /blade-exam/examination/importTemplate': 'asks by its columns',
      'POST /blade-develop/code/gen-code': 'program text',
      'POST /blade-develop/code/gen-code-fast': 'program text',
      'GET /blade-resource/oss/endpoint/file-content': 'a file of one’s own, or an attachment by its right',
    }
    const open = files.filter(
      route =>
        route.tells === undefined &&
        // An empty form.
        !route.path.endsWith('/export-template') &&
        because[placeOf(route)] === undefined &&
        !('fileName' in (((route.output as unknown as Schema)['properties'] as object) ?? {})),
    )
    expect(open.map(placeOf)).toEqual([])
  })
})
