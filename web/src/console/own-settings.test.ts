import { expect, it } from 'vitest'
import { lookOf } from '../kernel/theme/look.ts'
import { storedName, storedValue, wireName, wireValue } from './own-settings.ts'

const person = { tenantId: '000000', userId: '42' }

it('names of a part carry the person in the browser and not on the wire', () => {
  expect([wireName('own-000000-42-columns-exam', person), wireName('lang', person)]).toEqual(['own.columns-exam', 'lang'])
  expect([storedName('own.columns-exam', person), storedName('lang', person)]).toEqual(['own-000000-42-columns-exam', 'lang'])
  // A colleague's at the same desk is no setting of this person.
  expect(wireName('own-000000-43-columns-exam', person)).toBe('own-000000-43-columns-exam')
})

it('of the look travels the choice; what follows from it is worked out again', () => {
  const look = lookOf('theme-bule', '#336699', true)
  const travelled = wireValue('look', look)
  expect(travelled).toEqual({ theme: 'theme-bule', primary: '#336699' })
  expect(storedValue('look', travelled)).toEqual(look)
  expect(storedValue('look', { theme: 'dark', primary: 'url(x)' })).toEqual(lookOf('dark', null, true))
})

it('takes what the program knows, and null as gone back to the program’s own', () => {
  expect(
    [
      ['mode', 'dark'],
      ['mode', 'pink'],
      ['density', 'loose'],
      ['density', 4],
      ['lang', 'en'],
      ['lang', 'fr'],
      ['folded', false],
      ['folded', 'no'],
      ['look', { theme: 1 }],
      ['own.columns-x', { hidden: [] }],
      ['session', {}],
      ['own.columns-x', null],
    ].map(([name, value]) => storedValue(String(name), value)),
  ).toEqual(['dark', undefined, 'loose', undefined, 'en', undefined, false, undefined, undefined, { hidden: [] }, undefined, null])
})
