import { importCalls } from '../transfer/import-calls.ts'

/** Accounts of staff by workbook (S7.19). Nobody gets a password by it: those made are given one-time passwords with `reset-password`. */
export const { run: importUsers, template: userTemplate } = importCalls(
  { run: '/blade-system/user/import-user', template: '/blade-system/user/export-template' },
  { staff: 'user_import' },
)
