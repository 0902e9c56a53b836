import { useCan } from '#web/kernel/permission.ts'
import type { CrudContext } from '#web/resource/crud-page.tsx'
import { ExportButtons } from '#web/resource/export-buttons.tsx'
import { startExport } from '#web/resource/export-jobs.ts'

/** The button that exports what a list of this feature shows, for those who hold `code`. */
export const useExport = (path: string, code: string, title: string) => {
  const can = useCan()
  if (!can(code)) return undefined
  return ({ query }: CrudContext) => {
    const { current: _current, size: _size, ascs: _ascs, descs: _descs, count: _count, ...rest } = query
    return <ExportButtons onExport={() => startExport({ method: 'GET', path, query: rest }, title)} />
  }
}
