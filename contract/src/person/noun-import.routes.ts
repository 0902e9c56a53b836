import { Type } from 'typebox'
import { importFiles, importInput, importResult } from '../exam/import.routes.ts'
import { type Access, defineRoute } from '../kernel/route.ts'
import { strict } from '../kernel/schema.ts'

/** The calls by which a noun comes in: its workbook, and the empty one that people fill in, as `importTemplate` gives it too. */
const importCalls = <const B extends string, const V extends string>(base: B, verb: V, access: Access, means: string) => ({
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

const dictMeans = 'a dictionary or an entry that is there under this code and key is changed, any other is added; none is removed'
export const dictImports = {
  dict: importCalls(
    '/blade-system/dict',
    'import-dict',
    { staff: 'dict_import', platform: true, because: 'every tenant reads the platform’s dictionary' },
    dictMeans,
  ),
  dictBiz: importCalls('/blade-system/dict-biz', 'import-dict', { staff: 'dictbiz_import' }, dictMeans),
} as const
export const postImport = importCalls(
  '/blade-system/post',
  'import',
  { staff: 'post_import' },
  'a post that is there under this code is changed, any other is added; none is removed',
)
export const paramImport = importCalls(
  '/blade-system/param',
  'import',
  { staff: 'param_import' },
  'a parameter that is there under this key is changed, any other is added; none is removed',
)

export const nounImportRoutes = [dictImports.dict, dictImports.dictBiz, postImport, paramImport].flatMap(({ run, template }) => [
  run,
  template,
])
