import { importCalls } from '../transfer/import-calls.ts'

export const paramImport = importCalls(
  { run: '/blade-system/param/import', template: '/blade-system/param/export-template' },
  { staff: 'param_import' },
  'a parameter that is there under this key is changed, any other is added; none is removed',
)
