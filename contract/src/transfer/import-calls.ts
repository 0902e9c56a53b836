import { Type } from 'typebox'
import { importKindOf } from '../kernel/import-kind.ts'
import { inSentence, type Label } from '../kernel/label.ts'
import type { Resource } from '../kernel/resource.ts'
import { type Access, defineRoute } from '../kernel/route.ts'
import { strict } from '../kernel/schema.ts'
import { importFiles, importInput, importResult } from './import.routes.ts'

/** The calls by which a noun comes in: its workbook, and the empty one that people fill in, as `importTemplate` gives it too. */
export const importCalls = <const R extends string, const T extends string>(
  paths: { readonly run: R; readonly template: T },
  access: Access,
  means?: string,
) => ({
  run: defineRoute({
    method: 'POST',
    path: paths.run,
    access,
    input: strict(importInput),
    files: importFiles,
    output: importResult,
    tx: 'own',
    keyed: 'own',
    ...(means === undefined ? {} : { means }),
  }),
  template: defineRoute({
    method: 'GET',
    path: paths.template,
    access,
    input: strict({}),
    output: Type.Unknown(),
    answer: 'file',
    tx: 'own',
  }),
})

/** What the import of a plain noun does: its call says it, and the log of calls. */
export const nounImportMeans = ({ label, fields, workbook }: Resource): Label => {
  const key = fields[workbook?.key ?? '']?.label ?? label
  return {
    zh: `${key.zh}相同的${label.zh}修改，没有的新增；不删除`,
    en: `a ${inSentence(label.en)} that is there under this ${inSentence(key.en)} is changed, any other is added; none is removed`,
  }
}

/** The calls by which a plain noun comes in whose declaration says so (`workbook`). */
export const nounImportCalls = (resource: Resource): ReturnType<typeof importCalls> | undefined => {
  const kind = importKindOf(resource)
  return (
    kind &&
    importCalls(
      { run: kind.path, template: `${resource.basePath}/export-template` },
      resource.scope === 'platform'
        ? { staff: kind.permission, platform: true, because: resource.because ?? '' }
        : { staff: kind.permission },
      nounImportMeans(resource).en,
    )
  )
}
