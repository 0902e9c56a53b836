import { importCalls } from '../transfer/import-calls.ts'

export const paramImport = importCalls(
  '/blade-system/param',
  'import',
  { staff: 'param_import' },
  'a parameter that is there under this key is changed, any other is added; none is removed',
)
