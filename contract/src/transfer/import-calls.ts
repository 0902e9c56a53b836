import { Type } from 'typebox'
import { type Access, defineRoute } from '../kernel/route.ts'
import { strict } from '../kernel/schema.ts'
import { importFiles, importInput, importResult } from './import.routes.ts'

/** The calls by which a noun comes in: its workbook, and the empty one that people fill in, as `importTemplate` gives it too. */
export const importCalls = <const R extends string, const T extends string>(
  paths: { readonly run: R; readonly template: T },
  access: Access,
  means: string,
) => ({
  run: defineRoute({
    method: 'POST',
    path: paths.run,
    access,
    input: strict(importInput),
    files: importFiles,
    output: importResult,
    tx: 'own',
    keyed: 'own',
    means,
  }),
  template: defineRoute({
    method: 'GET',
    path: paths.template,
    access,
    input: strict({}),
    output: Type.Unknown(),
    answer: 'file',
    tx: 'own',
  }),
})
