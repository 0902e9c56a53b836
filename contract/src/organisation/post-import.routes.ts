import { importCalls } from '../transfer/import-calls.ts'

export const postImport = importCalls(
  { run: '/blade-system/post/import', template: '/blade-system/post/export-template' },
  { staff: 'post_import' },
  'a post that is there under this code is changed, any other is added; none is removed',
)
