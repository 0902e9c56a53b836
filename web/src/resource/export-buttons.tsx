import { lazy, Suspense, useState } from 'react'
import { useT } from '../kernel/i18n/index.ts'
import { Icon, iconPaths } from '../ui/icon.tsx'
import { closeExports, openExports, useExportWindow } from './export-jobs.ts'
import { resourceTexts } from './texts.ts'

const ExportDialog = lazy(async () => ({ default: (await import('./export-dialog.tsx')).ExportDialog }))

/** The button that orders an export, with the way to those that were ordered before. */
export const ExportButtons = ({ onExport, label }: { readonly onExport: () => Promise<void>; readonly label?: string }) => {
  const t = useT(resourceTexts)
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    await onExport().finally(() => setBusy(false))
  }
  return (
    <span className="export-buttons">
      <button type="button" className="button" disabled={busy} onClick={() => void run()}>
        {label ?? t('action.export')}
      </button>
      <button type="button" className="tool-button" aria-label={t('export.mine')} title={t('export.mine')} onClick={() => openExports()}>
        <Icon d={iconPaths.download} />
      </button>
    </span>
  )
}

/** Once per console: an export that was ordered on any page shows here. */
export const ExportHost = () => {
  const { open, justOrdered } = useExportWindow()
  return open ? (
    <Suspense>
      <ExportDialog justOrdered={justOrdered} onClose={closeExports} />
    </Suspense>
  ) : null
}
