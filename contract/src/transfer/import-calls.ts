import { Type } from 'typebox'
import { type Access, defineRoute } from '../kernel/route.ts'
import { strict } from '../kernel/schema.ts'
import { importFiles, importInput, importResult } from './import.routes.ts'

/** The calls by which a noun comes in: its workbook, and the empty one that people fill in, as `importTemplate` gives it too. */
export const importCalls = <const B extends string, const V extends string>(base: B, verb: V, access: Access, means: string) => ({
  run: defineRoute({
    method: 'POST',
    path: `${base}/${verb}` as const,
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
    path: `${base}/export-template` as const,
    access,
    input: strict({}),
    output: Type.Unknown(),
    answer: 'file',
    tx: 'own',
  }),
})
