import { Type } from 'typebox'
import { defineRoute } from '../kernel/route.ts'
import { optional, strict } from '../kernel/schema.ts'
import { importFiles, importInput, importResult } from '../transfer/import.routes.ts'
import { regionAccess } from './region.routes.ts'

/** Regions by workbook (S7.15), up to every village of a large province. */
export const importRegions = defineRoute({
  method: 'POST',
  path: '/blade-system/region/import-region',
  access: regionAccess('region_import'),
  input: strict({ isCovered: optional(Type.Union([Type.Literal(0), Type.Literal(1)])), ...importInput }),
  files: importFiles,
  output: importResult,
  tx: 'own',
  keyed: 'own',
  means: 'isCovered 1 changes what is there, 0 leaves it',
})
/** The empty workbook of that import, as `importTemplate` gives it for `T0r`. */
export const regionTemplate = defineRoute({
  method: 'GET',
  path: '/blade-system/region/export-template',
  access: regionAccess('region_import'),
  input: strict({}),
  output: Type.Unknown(),
  answer: 'file',
  tx: 'own',
})
