import { importCalls } from '../transfer/import-calls.ts'

export const postImport = importCalls(
  '/blade-system/post',
  'import',
  { staff: 'post_import' },
  'a post that is there under this code is changed, any other is added; none is removed',
)
