import { expect, test } from 'vitest'
import { date, decimal, dict, flag, instant, int, money, text } from '#contract/kernel/field.ts'
import { importKindOf } from '#contract/kernel/import-kind.ts'
import { defineResource, type Resource } from '#contract/kernel/resource.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { nounImport } from './noun-import.ts'

const label = (en: string) => ({ zh: `${en}字`, en })
const note = defineResource({
  name: 'note',
  basePath: '/blade-note/note',
  menuPath: '/note',
  label: label('Note'),
  workbook: { key: 'code' },
  fields: {
    code: text(10, { label: label('Code'), required: true, unique: true }),
    colour: dict('colour', { label: label('Colour') }),
    state: int({ label: label('State'), min: 0, max: 1, words: { 1: { zh: '启用', en: 'In use' }, 0: { zh: '停用', en: 'Not in use' } } }),
    open: flag({ label: label('Open') }),
    price: money({ label: label('Price') }),
    share: decimal({ label: label('Share'), places: 2 }),
    day: date({ label: label('Day') }),
    at: instant({ label: label('At') }),
    made: int({ label: label('Made'), form: false }),
  },
}) as Resource
const kind = importKindOf(note)

/** What the check of a sheet finds, with nothing there yet. */
const check = async (rows: readonly (readonly string[])[]) => {
  if (!kind) throw new Error('a note comes in')
  const db = {
    all: async () => [],
    one: async () => ({}),
    run: async () => undefined,
    actor: { tenantId: '000000' },
  } as unknown as TenantDb
  const words = async () => ({ colour: [{ key: 'r', zh: '红', en: 'Red' }] })
  const found = await nounImport(words, kind, { resource: note, key: 'code' }).check(
    db,
    { header: Object.values(note.fields).map(field => field.label.zh), rows, total: rows.length, hidden: [] } as never,
    {} as never,
  )
  return { values: found.rows.map(row => row.value), errors: found.errors.map(({ row, header, code }) => `${row} ${header} ${code}`) }
}

test('[20.5] a noun that says by what it is known has a kind, a call and a right of its own', () => {
  expect(kind).toEqual({
    kind: 'note',
    label: label('Note'),
    trail: label('Note'),
    permission: 'note_import',
    path: '/blade-note/note/import',
    partial: true,
  })
})

test('[20.5] cells of every kind of field stand for the values that the form would send; words count as well as keys', async () => {
  expect(
    await check([['a', '红', '启用', '是', '12.50', '0.25', '2026-03-01', '2026-03-01 09:00', '7'], ['b', 'r', '0', '0'], ['c']]),
  ).toEqual({
    values: [
      { code: 'a', colour: 'r', state: 1, open: 1, price: 1_250, share: '0.25', day: '2026-03-01', at: '2026-03-01 09:00:00' },
      { code: 'b', colour: 'r', state: 0, open: 0 },
      { code: 'c' },
    ],
    errors: [],
  })
})

test('[20.5] what is no value of its field is named by its cell', async () => {
  expect(await check([['a', '蓝', '2', 'x', '1.234', 'y', '2026-02-30', 'noon'], ['', 'r'], ['a']])).toEqual({
    values: [],
    errors: [
      '2 Colour字 unknown',
      '2 State字 unknown',
      '2 Open字 flag',
      '2 Day字 date',
      '2 At字 date-format',
      '2 Price字 invalid',
      '2 Share字 invalid',
      '3 Code字 required',
      '4 Code字 duplicate',
    ],
  })
})
