import { describe, expect, it } from 'vitest'
import { dateAnswers, dateColumns, datePlaces } from './date-places.ts'
import { type DateFact, dateFacts } from './kernel/date-facts.ts'
import type { Route } from './kernel/route.ts'
import { allRoutes } from './registry.ts'

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly 'x-calendar'?: string
}
const datesIn = (schema: Schema | undefined, path: string): readonly string[] => [
  ...(schema?.['x-calendar'] === undefined ? [] : [path]),
  ...Object.entries(schema?.properties ?? {}).flatMap(([name, one]) => datesIn(one, path === '' ? name : `${path}.${name}`)),
  ...(schema?.items ? datesIn(schema.items, `${path}[]`) : []),
  ...(schema?.anyOf ?? []).flatMap(one => datesIn(one, path)),
]
const writing: readonly Route[] = allRoutes().filter(({ method }) => method !== 'GET')
const bounds = (fact: DateFact): readonly { readonly asks?: boolean }[] => Object.values(dateFacts[fact]).flat()
/** Notes of a candidate for the next form: what is unlikely is asked when the form is handed in. */
const askedLater = ['/me/facts']

describe('every date that is sent', () => {
  it('is bounded by the table of facts, or says why it needs no bounds', () => {
    const found = writing.flatMap(({ path, input }) => datesIn(input as Schema, '').map(field => `${path} ${field}`))
    expect([...new Set(found)].sort()).toEqual(Object.keys(datePlaces).sort())
  })

  it('can be confirmed where the table asks', () => {
    const asking = Object.entries(datePlaces).flatMap(([place, fact]) =>
      typeof fact === 'string' && bounds(fact).some(({ asks }) => asks) ? [place.split(' ')[0] ?? ''] : [],
    )
    const deaf = [...new Set(asking)].filter(path => {
      const input = writing.find(route => route.path === path)?.input as Schema | undefined
      return input?.properties?.['sure'] === undefined
    })
    expect(deaf).toEqual(askedLater)
  })

  it('uses every fact of the table', () => {
    const used = new Set([...Object.values(datePlaces), ...Object.values(dateColumns), ...Object.values(dateAnswers)])
    // A release is no date that is sent, but the moment of the call.
    expect(Object.keys(dateFacts).filter(fact => !used.has(fact as DateFact))).toEqual(['ticketRelease'])
  })
})
