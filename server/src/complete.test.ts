import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { exportJobView } from '#contract/kernel/export-job.ts'
import type { ImportKind } from '#contract/kernel/import-kind.ts'
import { defineRoute, type Route } from '#contract/kernel/route.ts'
import { strict } from '#contract/kernel/schema.ts'
import { allRoutes, importKinds } from '#contract/registry.ts'
import { importFiles, importInput, importResult } from '#contract/transfer/import.routes.ts'
import { type Handler, handle, handleExport } from '#kernel/http/context.ts'
import { fieldsWithoutWords } from '#kernel/http/input.ts'
import { unhandled } from './complete.ts'

const access = { staff: 'note_import' } as const
const read = defineRoute({ method: 'GET', path: '/note/list', access, input: strict({}), output: Type.Object({}) }) as Route
const sheet = defineRoute({
  method: 'GET',
  path: '/note/export',
  access,
  input: strict({}),
  output: exportJobView,
  answer: 'file',
  tx: 'own',
}) as Route
const comeIn = defineRoute({
  method: 'POST',
  path: '/note/import',
  access,
  input: strict(importInput),
  files: importFiles,
  output: importResult,
}) as Route
const kind: ImportKind = {
  kind: 'T9',
  label: { zh: '便签', en: 'Notes' },
  trail: { zh: '便签', en: 'notes' },
  permission: 'note_import',
  path: '/note/import',
  partial: true,
}
const done = (route: Route): Handler => handle(route, async () => ({}))
const planned = (route: Route): Handler => handleExport(route, () => Promise.reject(new Error('nothing is written here')))

const declared = { routes: [read, sheet, comeIn], importKinds: [kind] }
const there = { handlers: [done(read), planned(sheet), done(comeIn)], importers: ['T9'] }

test('[20.2] what is declared and done has nothing wrong with it', () => expect(unhandled(declared, there)).toEqual([]))

test('[20.2] a route that nobody handles, and one that no context lists', () => {
  expect(unhandled({ ...declared, routes: [sheet, comeIn] }, { ...there, handlers: there.handlers.slice(0, 2) })).toEqual([
    'POST /note/import: declared, and no module handles it',
    'GET /note/list: handled, and no context of the contract lists it',
  ])
})

test('[20.2] an export that nobody plans, and a plan for what is not declared as one', () => {
  expect(unhandled(declared, { ...there, handlers: [planned(read), done(sheet), done(comeIn)] })).toEqual([
    'export GET /note/export: declared as an export, and handled by `handle`: `handleExport` says what it writes',
    "export GET /note/list: planned as an export, and not declared with `output: exportJobView` and `answer: 'file'`",
  ])
})

test('[20.2] an import without an importer, an importer without a kind, two of one kind, and a kind whose call is another', () => {
  expect(unhandled(declared, { ...there, importers: ['T8'] })).toEqual([
    'import T9: declared, and no module brings its importer',
    'import T8: has an importer, and no context lists it among its `imports`',
  ])
  expect(unhandled({ ...declared, importKinds: [kind, { ...kind, path: '/note/list', permission: 'note_add' }] }, there)).toEqual([
    'import T9: declared twice',
    'import T9: POST /note/list is no declared call that takes a workbook',
  ])
  expect(unhandled({ ...declared, importKinds: [{ ...kind, permission: 'note_add' }] }, there)).toEqual([
    'import T9: its call asks for note_import, its button for note_add',
  ])
})

test('[20.2] every call that takes the parts of an import is one of a kind that its context lists', () => {
  const calls = allRoutes().filter(route => (route.output as object) === importResult && route.method === 'POST')
  expect(calls.map(({ path }) => path).sort()).toEqual(importKinds.map(({ path }) => path).sort())
})

test('[21.11] every field of every call has words', () => {
  const nameless = allRoutes().flatMap(route =>
    fieldsWithoutWords(route.input as never).map(field => `${route.method} ${route.path} ${field}`),
  )
  expect(nameless).toEqual([])
})
