import { useCan } from '#web/kernel/permission.ts'
import type { CrudContext, ListQuery } from '#web/resource/crud-page.tsx'
import { ExportButtons } from '#web/resource/export-buttons.tsx'
import { startExport } from '#web/resource/export-jobs.ts'

/** What exports the rows that a list of this feature shows, for those who hold `code`: for the bar above it, and for where it offers that. */
export const useExport = (path: string, code: string, title: string) => {
  const can = useCan()
  if (!can(code)) return {}
  const run = ({ current: _current, size: _size, ascs: _ascs, descs: _descs, count: _count, ...rest }: ListQuery) =>
    startExport({ method: 'GET', path, query: rest }, title)
  return {
    toolbar: ({ query }: CrudContext) => <ExportButtons onExport={() => run(query)} />,
    onExport: (query: ListQuery) => void run(query),
  }
}
