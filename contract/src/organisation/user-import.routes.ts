import { Type } from 'typebox'
import { defineRoute } from '../kernel/route.ts'
import { strict } from '../kernel/schema.ts'
import { importFiles, importInput, importResult } from '../transfer/import.routes.ts'

/** Accounts of staff by workbook (S7.19). Nobody gets a password by it: those made are given one-time passwords with `reset-password`. */
export const importUsers = defineRoute({
  method: 'POST',
  path: '/blade-system/user/import-user',
  access: { staff: 'user_import' },
  input: strict(importInput),
  files: importFiles,
  output: importResult,
  tx: 'own',
  keyed: 'own',
})
/** The empty workbook of that import, as `importTemplate` gives it for `T0` (framework-contract 3.14). */
export const userTemplate = defineRoute({
  method: 'GET',
  path: '/blade-system/user/export-template',
  access: { staff: 'user_import' },
  input: strict({}),
  output: Type.Unknown(),
  answer: 'file',
  tx: 'own',
})
