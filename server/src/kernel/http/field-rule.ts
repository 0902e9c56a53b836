import { refuse } from '#contract/kernel/errors.ts'
import { factByWord } from '#contract/kernel/fact.ts'
import {
  comparedWith,
  type FieldMark,
  type FieldRule,
  type FieldRules,
  type MarksByKey,
  marksOf,
  type RuledNoun,
} from '#contract/kernel/field-rule.ts'
import { foldGroups } from '#contract/kernel/fold-width.ts'
import type { Label } from '#contract/kernel/label.ts'
import { masks } from '#contract/kernel/mask.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import type { Route } from '#contract/kernel/route.ts'
import type { SheetBook, SheetLine, SheetPart } from '../sheet/write-sheet.ts'
import { KeptAnswer } from './written-answer.ts'

/** What rules need to know of somebody: a session is one. */
interface Reader {
  readonly userType: 1 | 2 | 3
  readonly fieldRules: FieldRules
  readonly shownMasked?: FieldRules | undefined
}
interface Caller {
  readonly session: Reader | undefined
  readonly say: (label: Label) => string
}
type Schema = Readonly<Record<string, unknown>>

/** The rules of a reader; undefined when there are none. Candidates read what is their own: no rule of a role stands in between. */
const rulesOf = (session: Reader | undefined): FieldRules | undefined => {
  if (!session || session.userType === 2) return undefined
  for (const _ in session.fieldRules) return session.fieldRules
  return undefined
}

/** The same for what leaves: a field may be shown in part only and searched for all the same. */
const shownRulesOf = (session: Reader | undefined): FieldRules | undefined => {
  const rules = rulesOf(session)
  const masked = session?.userType === 2 ? undefined : session?.shownMasked
  return masked === undefined ? rules : { ...masked, ...rules }
}

const ruleOf = (rules: FieldRules, mark: FieldMark): FieldRule | undefined => {
  const rule = rules[mark.at]
  return rule === 'masked' && mark.mask === 'none' ? 'hidden' : rule
}

/** A value through a mask, and every value in it: answers of forms are lists and tables too. */
const masked = (mark: FieldMark, value: unknown): unknown => {
  if (value === null || value === undefined || value === '') return value
  if (Array.isArray(value)) return value.map(one => masked(mark, one))
  if (typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, masked(mark, one)]))
  return mark.mask === 'none' ? null : masks[mark.mask](String(value))
}

type Change = (value: unknown, rules: FieldRules) => unknown
type Bag = Record<string, unknown>
const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null && !Array.isArray(value)
const properties = (schema: Schema): [string, Schema][] => Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)
const variants = (schema: Schema): readonly Schema[] => (schema['anyOf'] as Schema[] | undefined) ?? []
const takesNull = (schema: Schema): boolean => schema['type'] === 'null' || variants(schema).some(takesNull)

/** What stands where a value is hidden: what the schema calls empty. */
const emptyOf = (schema: Schema): unknown => {
  if (takesNull(schema)) return null
  if (schema['type'] === 'string') return ''
  return schema['type'] === 'array' ? [] : null
}

const seen = (mark: FieldMark, value: unknown, rules: FieldRules, empty: unknown): unknown => {
  const rule = ruleOf(rules, mark)
  if (rule === undefined) return value
  return rule === 'hidden' ? empty : masked(mark, value)
}
const byKey = (marks: MarksByKey, key: string): FieldMark | undefined => (Object.hasOwn(marks, key) ? marks[key] : marks['*'])

const changeOfValue = (schema: Schema): Change | undefined => {
  const mark = schema['x-field'] as FieldMark | undefined
  if (mark) return (value, rules) => seen(mark, value, rules, emptyOf(schema))
  const keyed = schema['x-fields'] as MarksByKey | undefined
  if (!keyed) return undefined
  return (value, rules) =>
    isBag(value)
      ? Object.fromEntries(
          Object.entries(value).map(([key, one]) => {
            const field = byKey(keyed, key)
            return [key, field ? seen(field, one, rules, typeof one === 'string' ? '' : null) : one]
          }),
        )
      : value
}

/** Values of an object that another of its values says the field of. */
const changeAbout = (schema: Schema): Change | undefined => {
  const about = schema['x-about'] as { key: string; values: readonly string[]; marks: MarksByKey } | undefined
  if (!about) return undefined
  const empties = Object.fromEntries(properties(schema).map(([name, property]) => [name, emptyOf(property)]))
  return (value, rules) => {
    const field = isBag(value) ? byKey(about.marks, String(value[about.key])) : undefined
    if (!isBag(value) || !field || ruleOf(rules, field) === undefined) return value
    const changed: Bag = { ...value }
    for (const name of about.values) if (name in changed) changed[name] = seen(field, changed[name], rules, empties[name] ?? null)
    return changed
  }
}

/** A text in which a value stands that its reader sees in part or not at all. */
const withoutQuoted = (text: unknown, whole: unknown, shown: unknown): unknown =>
  typeof text === 'string' && typeof whole === 'string' && whole !== '' && shown !== whole
    ? text.replaceAll(whole, typeof shown === 'string' && shown !== '' ? shown : '***')
    : text

const changeOfParts = (schema: Schema): Change | undefined => {
  const items = schema['type'] === 'array' ? changeOf(schema['items'] as Schema) : undefined
  if (items) return (value, rules) => (Array.isArray(value) ? value.map(one => items(one, rules)) : value)
  const parts = properties(schema).flatMap(([name, property]) => {
    const change = changeOf(property)
    return change ? [[name, change] as const] : []
  })
  if (parts.length === 0) return undefined
  const quoting = properties(schema).flatMap(([name, property]) => {
    const quoted = property['x-quotes'] as readonly string[] | undefined
    return quoted === undefined ? [] : [{ name, quoted }]
  })
  return (value, rules) => {
    if (!isBag(value)) return value
    const changed: Bag = { ...value }
    for (const [name, change] of parts) if (changed[name] !== undefined) changed[name] = change(changed[name], rules)
    for (const { name, quoted } of quoting)
      for (const other of quoted) changed[name] = withoutQuoted(changed[name], value[other], changed[other])
    return changed
  }
}

/** What rules change of a value of this schema; undefined when nothing in it is marked. */
const changeOf = (schema: Schema | undefined): Change | undefined => {
  if (!schema) return undefined
  const own = changeOfValue(schema)
  if (own) return own
  const changes = [changeOfParts(schema), ...variants(schema).map(changeOf), changeAbout(schema)].filter(change => change !== undefined)
  if (changes.length < 2) return changes[0]
  return (value, rules) => changes.reduce((changed, change) => change(changed, rules), value)
}

/** The answer's schema with room for hidden values: numbers that were always there may be null. @returns undefined when there is room already */
export const roomFor = (schema: Schema): Schema | undefined => {
  if (schema['x-field'] && emptyOf(schema) === null && !takesNull(schema)) return { anyOf: [schema, { type: 'null' }] }
  const items = isBag(schema['items']) ? roomFor(schema['items']) : undefined
  if (items) return { ...schema, items }
  const wider = properties(schema).flatMap(([name, property]) => {
    const room = roomFor(property)
    return room ? [[name, room] as const] : []
  })
  if (wider.length > 0) return { ...schema, properties: { ...(schema['properties'] as object), ...Object.fromEntries(wider) } }
  const ways = variants(schema).map(variant => roomFor(variant) ?? variant)
  return ways.some((way, at) => way !== variants(schema)[at]) ? { ...schema, anyOf: ways } : undefined
}

/** Why a call is refused that would tell or change more than somebody sees. */
const closed = (
  reason: 'kernel/field-unsearchable' | 'kernel/field-closed' | 'kernel/field-told',
  ctx: Pick<Caller, 'say'>,
  found: readonly { readonly key?: string; readonly mark: FieldMark }[],
): Refusal => {
  const names = (language: 'zh' | 'en'): string[] => [...new Set(found.map(({ mark }) => mark.label[language]))]
  const refusal = refuse(reason, { fields: { zh: names('zh').join('、'), en: names('en').join(', ') } })
  const named = [...new Set(found.flatMap(({ key }) => (key === undefined ? [] : [key])))]
  return named.length === 0 ? refusal : { ...refusal, data: { fields: named.map(field => ({ field, msg: ctx.say(refusal.text) })) } }
}

interface Closing {
  readonly key: string
  readonly marks: (value: unknown) => readonly FieldMark[]
}
const named = (value: unknown): readonly string[] =>
  String(value)
    .split(',')
    .map(name => name.trim().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()))

const digits = (text: string): number => text.replace(/\D/g, '').length
/** Passports have 5 to 20 letters and digits. Letters alone are a name; 11 and 14 digits are a phone and the number of a sign-up. */
const couldBePassport = (keyword: string): boolean => digits(keyword) > 0 && /^(?!(?:\d{11}|\d{14})$)[\da-z]{5,20}$/i.test(keyword)
/**
 * Whether a keyword could be, or be part of, a value of this kind: no name has a digit, no card's number or phone has fewer than theirs. It is read as
 * searches read it, in half width and without the groups of a printed number; a phone may have the country before it (+86, 0086). 14 digits are a sign-up.
 */
const couldBe = ({ at, mask }: FieldMark, typed: string): boolean => {
  const keyword = foldGroups(typed.normalize('NFKC'))
  if (mask === 'name') return /\D/.test(keyword)
  if (mask === 'phone') return [11, 12, 13, 15].includes(digits(keyword))
  if (mask === 'ticketNo') return digits(keyword) > 0
  // Four characters are found among the last of a number where a noun keeps these alone.
  if (at.endsWith('Tail') && /^\d{3}[\dx]$/i.test(keyword)) return true
  return mask === 'idCard' ? digits(keyword) >= 15 || couldBePassport(keyword) : true
}

/** Conditions and orders of a search that are about marked fields. */
const searchesOf = (input: Schema): readonly Closing[] =>
  properties(input).flatMap(([key, schema]): Closing[] => {
    const compared = schema['x-searches'] as readonly FieldMark[] | undefined
    if (compared && compared.length > 0) return [{ key, marks: () => compared }]
    const words = schema['x-keyword'] as readonly FieldMark[] | undefined
    if (words) return [{ key, marks: value => words.filter(mark => couldBe(mark, String(value))) }]
    const orders = schema['x-sorts'] as MarksByKey | undefined
    return orders
      ? [{ key, marks: value => named(value).flatMap(name => (Object.hasOwn(orders, name) ? [orders[name] as FieldMark] : [])) }]
      : []
  })

/** Every value of a form that would change a marked field of a row that is there; parts of a form are rows too. */
const writtenIn = (schema: Schema, value: unknown, rules: FieldRules): { key: string; mark: FieldMark }[] => {
  if (Array.isArray(value)) return value.flatMap(one => writtenIn((schema['items'] ?? {}) as Schema, one, rules))
  if (!isBag(value)) return []
  return properties(schema).flatMap(([key, property]) => {
    const mark = property['x-writes'] as FieldMark | undefined
    if (!mark) return writtenIn(property, value[key], rules)
    return value['id'] && value[key] !== undefined && ruleOf(rules, mark) !== undefined ? [{ key, mark }] : []
  })
}

/** What the rules of a reader mean for one route; compiled when a reader with rules first calls it. */
export interface FieldGate {
  /** Refuses what would search, sort, change or tell a field that the reader does not see in full. */
  readonly refuse: (ctx: Caller, input: unknown) => Refusal | undefined
  /** The answer as the reader sees it; the value itself is left alone, others may hold it too. */
  readonly show: (session: Reader | undefined, value: unknown) => unknown
}

export const fieldGate = (route: Pick<Route, 'input' | 'output' | 'tells'>): FieldGate => {
  let compiled: { readonly searches: readonly Closing[]; readonly change: Change | undefined } | undefined
  const parts = () => {
    compiled ??= { searches: searchesOf(route.input as unknown as Schema), change: changeOf(route.output as unknown as Schema) }
    return compiled
  }
  return {
    refuse: (ctx, input) => {
      const rules = rulesOf(ctx.session)
      if (!rules) return undefined
      const told = (route.tells ?? []).filter(mark => ruleOf(rules, mark) !== undefined)
      if (told.length > 0)
        return closed(
          'kernel/field-told',
          ctx,
          told.map(mark => ({ mark })),
        )
      const values = input as Readonly<Record<string, unknown>>
      const searched = parts().searches.flatMap(({ key, marks }) => {
        const value = values[key]
        if (value === undefined || value === '') return []
        return marks(value)
          .filter(mark => ruleOf(rules, mark) !== undefined)
          .map(mark => ({ key, mark }))
      })
      if (searched.length > 0) return closed('kernel/field-unsearchable', ctx, searched)
      const written = writtenIn(route.input as unknown as Schema, values, rules)
      return written.length > 0 ? closed('kernel/field-closed', ctx, written) : undefined
    },
    show: (session, value) => {
      const rules = shownRulesOf(session)
      const change = rules && parts().change
      if (!rules || !change || isRefusal(value)) return value
      // What is kept is everybody's: who has rules gets a copy of their own.
      return change(value instanceof KeptAnswer ? value.data : value, rules)
    },
  }
}

/** A refusal as its reader sees it: the people it names, in its text and in the data beside it, are named as their fields are shown. */
export const ruledRefusal = (session: Reader | undefined, refusal: Refusal): Refusal => {
  const rules = shownRulesOf(session)
  const told = rules ? (refusal.tells ?? []).filter(({ mark }) => ruleOf(rules, mark) !== undefined) : []
  if (!rules || told.length === 0) return refusal
  const shown = (mark: FieldMark, value: string): string => {
    if (value === '' || ruleOf(rules, mark) === 'hidden') return '***'
    return value
      .split('、')
      .map(one => masked(mark, one))
      .join('、')
  }
  const text = (said: string): string =>
    told.reduce((all, { mark, value }) => (value === '' ? all : all.replaceAll(value, shown(mark, value))), said)
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (!isBag(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => {
        const found = told.find(each => each.key === key)
        return [key, found && typeof one === 'string' ? shown(found.mark, one) : walk(one)]
      }),
    )
  }
  return {
    ...refusal,
    text: { zh: text(refusal.text.zh), en: text(refusal.text.en) },
    ...(refusal.data === undefined ? {} : { data: walk(refusal.data) }),
  }
}

/** Whether somebody has any rule at all. */
export const isRuled = (session: Reader | undefined): boolean => rulesOf(session) !== undefined

/** A row of a form without what its writer does not see in full: a mask that was sent back is no change, and what is not sent stays as it is. */
export const withoutUnseen = (session: Reader | undefined, noun: RuledNoun, row: Readonly<Bag>): Readonly<Bag> => {
  const rules = rulesOf(session)
  if (!rules) return row
  const marks = marksOf(noun)
  const isSeen = (name: string): boolean => {
    const mark = Object.hasOwn(marks, name) ? marks[name] : undefined
    return mark === undefined || ruleOf(rules, mark) === undefined
  }
  return Object.fromEntries(Object.entries(row).filter(([name]) => isSeen(name)))
}

/** Refuses a search by fields of a noun that its reader does not see in full, where the input of the call does not name its conditions. */
export const refuseUnseenSearch = (
  ctx: Caller,
  noun: RuledNoun,
  searched: readonly { readonly key: string; readonly name: string }[],
): Refusal | undefined => {
  const rules = rulesOf(ctx.session)
  if (!rules || searched.length === 0) return undefined
  const found = searched.flatMap(({ key, name }) =>
    comparedWith(noun, name)
      .filter(mark => ruleOf(rules, mark) !== undefined)
      .map(mark => ({ key, mark })),
  )
  return found.length === 0 ? undefined : closed('kernel/field-unsearchable', ctx, found)
}

/** Refuses who does not see these fields in full, where only the call itself knows that it is about them. */
export const refuseUntold = (ctx: Caller, marks: readonly FieldMark[]): Refusal | undefined => {
  const rules = rulesOf(ctx.session)
  const told = rules ? marks.filter(mark => ruleOf(rules, mark) !== undefined) : []
  return told.length === 0
    ? undefined
    : closed(
        'kernel/field-told',
        ctx,
        told.map(mark => ({ mark })),
      )
}

const ruledPart = (part: SheetPart, rules: FieldRules): SheetPart => {
  const cells = part.columns.map(column => {
    const field = column.field === 'none' ? undefined : column.field
    return { field, rule: field && ruleOf(rules, field) }
  })
  if (cells.every(({ rule }) => rule === undefined)) return part
  const quotedAt = (of: readonly string[] | undefined): readonly number[] =>
    cells.flatMap(({ field }, at) => (field !== undefined && of?.includes(field.at) ? [at] : []))
  const quoting = part.columns.map(({ quotes }) => quotedAt(quotes))
  const isKept = (_: unknown, at: number): boolean => cells[at]?.rule !== 'hidden'
  const lineOf = (line: SheetLine): SheetLine =>
    line
      .map((cell, at) => {
        const { field, rule } = cells[at] ?? {}
        const quoted = quoting[at] ?? []
        if (quoted.length > 0) {
          const whole = quoted.reduce<unknown>((text, other) => {
            const { field: of, rule: how } = cells[other] ?? {}
            return of && how ? withoutQuoted(text, line[other], how === 'masked' ? masked(of, line[other]) : null) : text
          }, cell)
          return rule === 'masked' && field ? masked(field, whole) : whole
        }
        if (field === undefined || rule !== 'masked') return cell
        return isBag(cell) ? { ...(cell as Bag), value: masked(field, cell['value']) } : masked(field, cell)
      })
      .filter(isKept) as SheetLine
  async function* lines(): AsyncGenerator<SheetLine> {
    for await (const line of part.rows) yield lineOf(line)
  }
  return { ...part, columns: part.columns.filter(isKept), rows: lines() }
}
/** A column that seems to hold a fact and does not say which field it is would leave in full whatever the rules: such a workbook is not made (ADR 0320). */
const insistOnFacts = ({ name, columns, rows }: SheetPart): void => {
  const isForm = Array.isArray(rows) && rows.length === 0
  const silent = columns.filter(({ header, field }) => field === undefined && factByWord(header) !== undefined)
  if (silent.length > 0 && !isForm)
    throw new Error(
      `sheet ${name}: ${silent.map(({ header }) => header).join(', ')} seems to hold a fact about a person: say the column's \`field\`, or \`field: 'none'\` where it is nobody's`,
    )
}
/** A workbook as its reader sees it: without hidden columns, others through their masks. */
export const ruledBook = (session: Reader | undefined, book: SheetBook): SheetBook => {
  for (const sheet of book.sheets) insistOnFacts(sheet)
  const rules = shownRulesOf(session)
  return rules ? { ...book, sheets: book.sheets.map(sheet => ruledPart(sheet, rules)) } : book
}

/** A record whose keys alone tell what its values are: before and after of a change, parameters of a call. Several fields of one name: the strictest rule. */
export const ruledRecord = (session: Reader | undefined, marks: (key: string) => readonly FieldMark[], record: unknown): unknown => {
  const rules = rulesOf(session)
  if (!rules) return record
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (!isBag(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => {
        const [name = ''] = named(key)
        const found = [name, name.replace(/Mask$/, '')].flatMap(marks).filter(mark => ruleOf(rules, mark) !== undefined)
        if (found.some(mark => ruleOf(rules, mark) === 'hidden')) return [key, null]
        return [key, found[0] ? masked(found[0], one) : walk(one)]
      }),
    )
  }
  return walk(record)
}
