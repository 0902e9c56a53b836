import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { referenceImports } from '#contract/reference/import-kinds.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { ExportButtons } from '#web/resource/export-buttons.tsx'
import { startExport } from '#web/resource/export-jobs.ts'
import { exportPath, isDictList, type Kind } from './calls.ts'
import { dictTexts } from './texts.ts'

const ImportRun = lazy(async () => ({ default: (await import('#web/resource/import-run.tsx')).ImportRun }))

/** A dictionary comes in by a workbook of the columns it leaves by. */
export const WorkbookButtons = ({
  kind,
  query,
}: {
  readonly kind: Kind
  /** The conditions of the list, which what leaves keeps to. */
  readonly query: Readonly<Record<string, string | number>>
}) => {
  const t = useT(dictTexts)
  const can = useCan()
  const client = useQueryClient()
  const [importing, setImporting] = useState(false)
  return (
    <>
      {can(`${kind}_import`) ? (
        <button type="button" className="button" onClick={() => setImporting(true)}>
          {t('import')}
        </button>
      ) : null}
      {can(`${kind}_export`) ? (
        <ExportButtons onExport={() => startExport({ method: 'GET', path: exportPath[kind], query }, t(`kind.${kind}`))} />
      ) : null}
      {importing ? (
        <Suspense>
          <ImportRun
            title={t('import')}
            of={referenceImports[kind]}
            fields={{}}
            onClose={() => setImporting(false)}
            onDone={() => void client.invalidateQueries({ predicate: ({ queryKey }) => isDictList(queryKey) })}
          />
        </Suspense>
      ) : null}
    </>
  )
}
