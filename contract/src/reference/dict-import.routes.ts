import { importCalls } from '../transfer/import-calls.ts'

const dictMeans = 'a dictionary or an entry that is there under this code and key is changed, any other is added; none is removed'
export const dictImports = {
  dict: importCalls(
    { run: '/blade-system/dict/import-dict', template: '/blade-system/dict/export-template' },
    { staff: 'dict_import', platform: true, because: 'every tenant reads the platform’s dictionary' },
    dictMeans,
  ),
  dictBiz: importCalls(
    { run: '/blade-system/dict-biz/import-dict', template: '/blade-system/dict-biz/export-template' },
    { staff: 'dictbiz_import' },
    dictMeans,
  ),
} as const

export const dictImportRoutes = [
  dictImports.dict.run,
  dictImports.dict.template,
  dictImports.dictBiz.run,
  dictImports.dictBiz.template,
] as const
