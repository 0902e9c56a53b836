import { type Fact, factOf } from '#contract/kernel/fact.ts'
import { ruledNouns } from '#contract/registry.ts'

/** What names a candidate or leads to them. */
const personal: ReadonlySet<Fact | undefined> = new Set(['name', 'idCard', 'phone', 'email', 'address'])
/** Accounts of colleagues and the contacts of hiring units are nobody's who is examined. */
const ofOthers: ReadonlySet<string> = new Set(['user', 'usercode', 'attach'])
/** Who did something with a row: `handledName`, `applyName`. */
const isOfStaff = (field: string): boolean => /[a-z]Name$/.test(field)
/** The last digits of a number are a part of it already. */
const isPart = (field: string): boolean => field.endsWith('Tail')

type Masks = Readonly<Record<string, 'masked'>>
/** Every copy of these facts that a noun about candidates holds: a new one takes part by declaring it. */
export const auditorMasks: Masks = Object.fromEntries(
  ruledNouns
    .filter(({ code }) => !ofOthers.has(code))
    .flatMap(({ code, fields }) =>
      Object.entries(fields)
        .filter(([name, field]) => personal.has(factOf(field)) && field.mask !== 'none' && !isOfStaff(name) && !isPart(name))
        .map(([name]) => [`${code}.${name}`, 'masked' as const]),
    ),
)

/**
 * Whoever only audits reads masked data of candidates (domain 2.1, 2.2), and finds them by their full names and numbers all the same. A person who has
 * another role too reads what that role reads.
 */
export const masksFor = (roleAliases: readonly string[]): Masks | undefined =>
  roleAliases.length > 0 && roleAliases.every(alias => alias === 'auditor') ? auditorMasks : undefined
