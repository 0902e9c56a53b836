import { Type } from 'typebox'
import { defineRoute } from '../kernel/route.ts'
import { strict } from '../kernel/schema.ts'
import { importFiles, importInput, importResult } from '../transfer/import.routes.ts'

/** Departments by workbook (S7.15): a department is named by the path of those above it and its own name. */
export const importDepts = defineRoute({
  method: 'POST',
  path: '/blade-system/dept/import-dept',
  access: { staff: 'dept_import' },
  input: strict(importInput),
  files: importFiles,
  output: importResult,
  tx: 'own',
  keyed: 'own',
  means: 'a department that is there under this parent and name is changed, any other is added; none moves',
})
/** The empty workbook of that import, as `importTemplate` gives it for `T0d`. */
export const deptTemplate = defineRoute({
  method: 'GET',
  path: '/blade-system/dept/export-template',
  access: { staff: 'dept_import' },
  input: strict({}),
  output: Type.Unknown(),
  answer: 'file',
  tx: 'own',
})
